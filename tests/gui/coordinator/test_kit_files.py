"""Kits given out as files and taken in, on the board."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QInputDialog

from madcat_studio.gui.coordinator.boardmodel import BoardModel
from madcat_studio.gui.coordinator.kitfiles import GiveOutDialog
from madcat_studio.model.campaign import Pass
from madcat_studio.store import open_campaign
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.helpers import can, run

WORDS = "four right words"


@pytest.mark.long
def test_a_kit_goes_out_as_a_locked_file_and_comes_back(
    make_window, qtbot, campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madcat_studio.store.locking.COST", 2**4)
    window = make_window(None)
    window.open(str(campaign), view="board")
    view = window.view("board")
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    view.table.setCurrentIndex(view.model.index(0, BoardModel.REVIEW))
    assert not can(view, "board.give-out"), "it is handed over"
    view.table.setCurrentIndex(view.model.index(1, BoardModel.REVIEW))
    assert can(view, "board.give-out")
    seen: list[tuple[str, bool]] = []

    def fill(dialog: GiveOutDialog) -> bool:
        seen.append((dialog.editor.currentData(), dialog.give.isEnabled()))
        dialog.folder.show_path(tmp_path)
        dialog.lock.wanted.setChecked(True)
        assert not dialog.give.isEnabled()
        for field in (dialog.lock.first, dialog.lock.second):
            field.setText(WORDS)
            field.textEdited.emit(WORDS)
        assert dialog.give.isEnabled()
        return True

    monkeypatch.setattr(GiveOutDialog, "exec", fill)
    run(view, "board.give-out")
    path = tmp_path / "K1.review.blue2.madcat-kit"
    qtbot.waitUntil(path.exists)
    assert seen == [("blue2", False)]
    cell = view.model.index(1, BoardModel.REVIEW)
    qtbot.waitUntil(lambda: cell.data().startswith("blue2"))
    assert path.name in window.message_bar.text.text()

    with OpenBundle(path, WORDS) as bundle:
        kit = KitWorkspace(bundle, bundle.claim, folder=tmp_path / "spools")
        kit.set_text("By hand.", 0)
        kit.close()
    other = tmp_path / "junk.madcat-kit"
    other.write_bytes(b"junk")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(path), str(other)], ""))
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: (WORDS, True))
    run(view, "board.take-in")
    qtbot.waitUntil(lambda: "1 of 2 files" in window.message_bar.text.text())
    with open_campaign(campaign) as opened:
        latest = opened.revisions.latest("K1", "blue", Pass.REVIEW)
    assert [one.text for one in latest.values()] == ["By hand."]
