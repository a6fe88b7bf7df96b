"""Lines from the ink, offered in the window for a page that has none."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.helpers import PageUser
from tests.gui.page.made import page_without_lines


@pytest.fixture
def someone(user, tmp_path: Path) -> PageUser:
    return user(page_without_lines(tmp_path))


@pytest.mark.long
def test_lines_are_offered_taken_and_undone(someone: PageUser) -> None:
    view, commands = someone.view, someone.window.commands
    proposals = view.features.proposals
    someone.wait(lambda: view.scan.image is not None)
    commands.named("page.ink-lines").trigger()
    someone.wait(proposals.strip.isVisible)
    assert "baselines: 3 lines;" in proposals.strip.text.text()
    assert len(proposals.preview.strokes) == 6
    page = view.workspace.document.pages[0]
    assert page.lines == []
    QTest.keyClick(proposals.strip.take_button, Qt.Key.Key_Escape)
    assert page.lines == []
    commands.named("page.ink-lines").trigger()
    someone.wait(proposals.strip.isVisible)
    QTest.keyClick(proposals.strip.take_button, Qt.Key.Key_Return)
    assert len(page.lines) == 3
    assert all(line.baseline and line.words for line in page.lines)
    # A page that has lines keeps them.
    commands.named("page.ink-lines").trigger()
    assert not proposals.strip.isVisible()
    commands.named("page.undo").trigger()
    assert page.lines == []
