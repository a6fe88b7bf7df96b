"""Handing a submission in from the window, and seeing who has not declared what."""

from __future__ import annotations

import hashlib
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from madcat_studio.gui.submissiondialog import _SENTENCES, SubmissionDialog
from madcat_studio.model.declarations import Declaration
from madcat_studio.operations.submission import receive_submission

DATA = Path(__file__).parent.parent / "data" / "madcat"
BASE = "ZZN_ARB_20991231.0001_1_SCR0001"


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for name, kind in (("inputs", "lineseg"), ("plato_1", "linesys")):
        (tmp_path / name).mkdir()
        shutil.copy(DATA / f"{BASE}.{kind}.madcat.xml", tmp_path / name)
    (tmp_path / "drop").mkdir()
    return tmp_path


@pytest.fixture
def dialog(make_window) -> SubmissionDialog:
    window = make_window()
    window.commands.named("file.submissions").trigger()
    [found] = window.findChildren(SubmissionDialog)
    return found


def test_a_folder_is_handed_in_with_what_the_site_declares(
    dialog: SubmissionDialog, qtbot, folders: Path
) -> None:
    pane = dialog.hand_in
    pane.outputs.show_path(folders / "plato_1")
    pane.drop.show_path(folders / "drop")
    assert not pane.start.isEnabled()  # what it is checked against is missing
    pane.inputs.show_path(folders / "inputs")
    QTest.keyClicks(pane.site, "The  Academy")
    QTest.keyClick(pane.site, Qt.Key.Key_Return)
    assert dialog.isVisible()
    pane.rules[Declaration.NO_ADAPTATION].setChecked(True)
    pane.start.click()
    qtbot.waitUntil(lambda: pane.copy.isEnabled(), timeout=30_000)
    archive = folders / "drop" / "plato_1.tgz"
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert str(archive) in pane.said.text()
    message = pane.message.toPlainText()
    assert message.startswith("Subject: Submission plato_1\n\nThe Academy handed in plato_1.tgz")
    assert f"SHA-256: {digest}" in message
    pane.copy.click()
    assert QGuiApplication.clipboard().text() == message
    assert not (folders / "plato_1.tgz").exists()
    # The same once more changes nothing; what another archive of this name holds is not replaced.
    pane.start.click()
    qtbot.waitUntil(lambda: pane.copy.isEnabled(), timeout=30_000)
    pane.rules[Declaration.NO_INTERACTION].setChecked(True)
    pane.start.click()
    qtbot.waitUntil(lambda: "submission.other-there" in pane.said.text(), timeout=30_000)
    assert not pane.message.toPlainText()
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == digest

    received = dialog.received
    for day, late in ((1, False), (3, True)):
        moment = datetime(2048, 11, day, tzinfo=UTC)
        due = datetime(2048, 11, 2, tzinfo=UTC)
        row, _ = receive_submission(
            archive, folders / "inputs", folders / "kept", deadline=due, now=moment
        )
        assert row.late is late
    received.folder.show_path(folders / "kept")
    qtbot.waitUntil(lambda: received.rows.topLevelItemCount() == 2, timeout=30_000)
    shown = [
        [received.rows.topLevelItem(row).text(column) for column in (0, 2, 3, 4)]
        for row in range(2)
    ]
    lacking = "no-interaction, no-sequestered"
    assert shown == [
        ["plato_1", "in time", "yes", lacking],
        ["plato_1", "late", "", lacking],
    ]
    assert received.said.text() == "Not every rule declared: plato"


def test_what_is_invalid_is_told_and_nothing_is_handed_in(
    dialog: SubmissionDialog, qtbot, folders: Path
) -> None:
    pane = dialog.hand_in
    (folders / "plato_1" / f"{BASE}.linesys.madcat.xml").unlink()
    for row, name in ((pane.outputs, "plato_1"), (pane.inputs, "inputs"), (pane.drop, "drop")):
        row.show_path(folders / name)
    pane.start.click()
    qtbot.waitUntil(lambda: "submission.invalid" in pane.said.text(), timeout=30_000)
    assert not list((folders / "drop").iterdir())
    assert not pane.copy.isEnabled()


def test_an_archive_says_itself_what_was_declared(dialog: SubmissionDialog, folders: Path) -> None:
    pane = dialog.hand_in
    pane.outputs.show_path(folders / "plato_1.tgz")
    pane.drop.show_path(folders / "drop")
    assert pane.start.isEnabled()
    assert not any(box.isEnabled() for box in (pane.site, pane.inputs, *pane.rules.values()))


def test_what_is_declared_in_the_window_is_what_the_manifest_says() -> None:
    assert {one: one.sentence for one in Declaration} == _SENTENCES
