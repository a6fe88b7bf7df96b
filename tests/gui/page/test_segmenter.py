"""A segmenter in the window: chosen, fetched, asked; its lines followed where they are better."""

from __future__ import annotations

import shlex
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from madcat_studio.errors import WorldError
from madcat_studio.gui.page.segmenterdialog import SegmenterDialog
from madcat_studio.operations.pages.segmenters import (
    Segmenter,
    add_segmenter,
    find_segmenter,
    list_segmenters,
    use_segmenter,
)
from madcat_studio.progress import Cancelled, Progress
from tests.gui.helpers import PageUser
from tests.gui.page.made import page_without_lines
from tests.operations.test_segmenters import STUB

ROWS = f"{shlex.quote(sys.executable)} {shlex.quote(str(STUB))} rows"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def someone(user, tmp_path: Path) -> PageUser:
    """At a page of three lines that has none yet."""
    found = user(page_without_lines(tmp_path))
    found.wait(lambda: found.view.scan.image is not None)
    return found


@pytest.fixture
def told(someone: PageUser) -> list[str]:
    texts: list[str] = []
    someone.window.messages.posted.connect(lambda message: texts.append(message.text))
    return texts


def use_stub(*how: str, always: bool = False) -> None:
    add_segmenter(Segmenter("mine", (sys.executable, str(STUB), *how)))
    use_segmenter("mine", always=always)


def begin(someone: PageUser) -> None:
    someone.window.commands.named("page.mark").trigger()
    marking = someone.view.features.marking.marking
    someone.wait(lambda: marking.writing is not None)


@pytest.mark.long
def test_as_good_lines_leave_those_of_the_ink(someone: PageUser, told: list[str]) -> None:
    use_stub("rows")
    begin(someone)
    someone.wait(lambda: bool(told))
    assert told[-1].startswith("Sure by the lines of mine: ")
    assert told[-1].endswith("The lines in the ink are used.")
    assert not someone.view.features.marking.bar.seeking.isVisible()


@pytest.mark.long
def test_its_lines_are_followed_where_that_is_wanted(someone: PageUser, told: list[str]) -> None:
    use_stub("rows", always=True)
    begin(someone)
    marking = someone.view.features.marking.marking
    own = marking.writing
    someone.wait(lambda: bool(told))
    assert told[-1].endswith("The lines of mine are used.")
    assert marking.writing is not own
    assert len({part.line for part in marking.writing.parts}) == 3
    assert marking.proposal


@pytest.mark.long
def test_under_somebody_who_has_begun_nothing_changes_unasked(
    someone: PageUser, told: list[str], tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    program = tmp_path / "waits.py"
    program.write_text(
        f"import sys, time, pathlib\nwhile not pathlib.Path({str(gate)!r}).exists():\n"
        f"    time.sleep(0.01)\n" + STUB.read_text("utf-8"),
        "utf-8",
    )
    add_segmenter(Segmenter("mine", (sys.executable, str(program), "rows")))
    use_segmenter("mine", always=True)
    begin(someone)
    marking = someone.view.features.marking.marking
    own, seeking = marking.writing, someone.view.features.marking.bar.seeking
    someone.wait(seeking.isVisible)
    assert "mine is finding the lines" in seeking.text.text()
    someone.press(Qt.Key.Key_Return)
    assert marking.position == 1
    gate.touch()
    someone.wait(lambda: bool(told))
    assert told[-1].startswith("Sure by the lines of mine: ")
    assert marking.writing is own
    button = someone.window.message_bar._action
    assert button.text() == "Use them"
    button.click()
    assert marking.writing is not own
    assert marking.position == 1
    assert marking.proposal


@pytest.mark.long
def test_nobody_has_to_wait_for_it(someone: PageUser) -> None:
    use_stub("hangs")
    begin(someone)
    marking = someone.view.features.marking.marking
    seeking = someone.view.features.marking.bar.seeking
    someone.wait(seeking.isVisible)
    someone.press(Qt.Key.Key_Escape)
    assert not seeking.isVisible()
    assert marking.proposal
    someone.wait(lambda: not someone.view.features.marking.beside._worker.busy)


@pytest.mark.long
def test_a_bad_one_is_told_and_marking_goes_on(someone: PageUser, told: list[str]) -> None:
    use_stub("dies")
    begin(someone)
    someone.wait(lambda: bool(told))
    assert "MemoryError: no room for the model" in told[-1]
    assert someone.view.features.marking.marking.proposal


@pytest.mark.long
def test_lines_of_a_segmenter_are_offered_with_who_found_them(
    someone: PageUser, told: list[str]
) -> None:
    use_stub("rows", always=True)
    someone.window.commands.named("page.ink-lines").trigger()
    proposals = someone.view.features.proposals
    someone.wait(proposals.strip.isVisible)
    assert proposals.strip.text.text().startswith("Found by mine: 3 lines; ")
    QTest.keyClick(proposals.strip.take_button, Qt.Key.Key_Return)
    assert len(someone.view.workspace.document.pages[0].lines) == 3
    someone.window.commands.named("page.undo").trigger()
    use_segmenter("")
    add_segmenter(Segmenter("slow", (sys.executable, str(STUB), "hangs")))
    use_segmenter("slow", always=True)
    someone.window.commands.named("page.ink-lines").trigger()
    someone.wait(lambda: any("slow is finding the lines, too; Esc stops" in text for text in told))
    someone.press(Qt.Key.Key_Escape)
    assert told[-1] == "The search for lines was stopped."
    someone.wait(lambda: not proposals.ink.busy)
    assert not proposals.strip.isVisible()


# The dialog


@pytest.fixture
def dialog(qtbot) -> SegmenterDialog:
    found = SegmenterDialog()
    qtbot.addWidget(found)
    found.show()
    return found


def test_one_is_named_chosen_given_a_model_and_removed(
    dialog: SegmenterDialog, tmp_path: Path
) -> None:
    assert [dialog.list.item(n).text() for n in range(dialog.list.count())] == [
        "None: the lines in the ink"
    ]
    assert not dialog.remove.isEnabled()
    QTest.keyClicks(dialog.name, "mine")
    QTest.keyClicks(dialog.command, ROWS)
    dialog.add.click()
    assert list_segmenters().use == "mine"
    assert dialog.list.currentItem().text() == f"mine  –  {ROWS}"
    dialog.always.click()
    assert list_segmenters().always
    (tmp_path / "a.mlmodel").write_bytes(b"")
    dialog.model.field.setText(str(tmp_path / "a.mlmodel"))
    QTest.keyClick(dialog.model.field, Qt.Key.Key_Tab)
    dialog.model.field.editingFinished.emit()
    assert find_segmenter("mine").model == str(tmp_path / "a.mlmodel")
    assert list_segmenters().always
    dialog.list.setCurrentRow(0)
    assert list_segmenters().use == ""
    dialog.list.setCurrentRow(1)
    assert list_segmenters().use == "mine"
    assert not dialog.always.isChecked()
    dialog.remove.click()
    assert list_segmenters().all == ()


@pytest.mark.parametrize(
    ("name", "command", "code"),
    [
        ("ink", ROWS, "segmenter.name"),
        ("mine", "", "segmenter.no-program"),
        ("mine", "no-such-program", "segmenter.no-program"),
        ("mine", "python '", "segmenter.no-program"),
    ],
)
def test_what_cannot_be_named_is_told_and_stays_written(
    dialog: SegmenterDialog, name: str, command: str, code: str
) -> None:
    dialog.name.setText(name)
    dialog.command.setText(command)
    dialog.add.click()
    assert f"[{code}]" in dialog.message.text()
    assert dialog.message.isVisible()
    assert dialog.command.text() == command
    assert list_segmenters().all == ()


def test_kraken_is_fetched_with_a_bar_and_what_went_wrong_is_told(
    dialog: SegmenterDialog, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def install(name: str, *, progress: Progress) -> None:
        progress.advance(1, None, "collecting torch")
        while not go.wait(0.01):
            if progress.cancelled():
                raise Cancelled
        raise WorldError(
            "segmenter.cannot-install", f"{name}: the disk is full", remedy="Make room"
        )

    monkeypatch.setattr(
        "madcat_studio.operations.pages.segmenter_install.install_segmenter", install
    )
    dialog.install.click()
    qtbot.waitUntil(lambda: "collecting torch" in dialog.bar._text.text())
    assert not dialog.list.isEnabled()
    dialog.bar.stop.click()
    assert not dialog.bar.busy
    assert not dialog.message.isVisible()
    qtbot.waitUntil(lambda: not dialog.bar._worker.busy)
    go.set()
    dialog.install.click()
    qtbot.waitUntil(dialog.message.isVisible)
    assert dialog.message.text() == (
        "kraken: the disk is full. Make room. [segmenter.cannot-install]"
    )
    assert dialog.install.isEnabled()
