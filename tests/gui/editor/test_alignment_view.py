"""What changed is painted where it changed; the picture is the same as painted whole."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from PySide6.QtGui import QFont, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.operations.scores.alignments import align
from madcat_ter.options import TerOptions

OUTPUT = (
    "The mayor opened on Monday the new bridge over the river, and said that it had been made in "
    "two years by people of the town who did not want to be named (187 metres of it)."
)


def typed(text: str, chance: random.Random) -> str:
    """The text after one more act of an editor's."""
    place = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0:
            return text[:place] + text[place + 1 :]
        case 1:
            words = text.split()
            words.insert(chance.randrange(len(words)), words.pop(chance.randrange(len(words))))
            return " ".join(words)
        case _:
            return text[:place] + chance.choice("aW ,محg") + text[place:]


@pytest.fixture
def view(qtbot, qapp):
    made = AlignmentView(Theme(qapp, Settings()))
    qtbot.addWidget(made)
    font = QFont("Noto Sans")
    font.setPixelSize(15)
    made.set_font(font)
    made.resize(520, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


def on_screen(view: AlignmentView) -> QImage:
    QApplication.processEvents()
    shown = QGuiApplication.primaryScreen().grabWindow(view.winId())
    return shown.toImage().convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.long
def test_painting_only_what_changed_gives_the_whole_picture(view) -> None:
    chance, text, pictures = random.Random(5), OUTPUT, []
    for _ in range(60):
        text = typed(text, chance)
        view.show_alignment(align(OUTPUT, text, TerOptions()))
        shown = on_screen(view)
        assert shown == view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32), text
        pictures.append(shown)
    assert sum(one != other for one, other in pairwise(pictures)) > 40


def test_a_letter_paints_its_row_only(view, monkeypatch: pytest.MonkeyPatch) -> None:
    view.show_alignment(align(OUTPUT, OUTPUT.replace("metres", "metre"), TerOptions()))
    on_screen(view)
    rows: list[object] = []
    real = AlignmentView._paint_row

    def paint_row(self, painter, ink, row, *rest):
        rows.append(row)
        real(self, painter, ink, row, *rest)

    monkeypatch.setattr(AlignmentView, "_paint_row", paint_row)
    view.show_alignment(align(OUTPUT, OUTPUT.replace("metres", "metr"), TerOptions()))
    on_screen(view)
    assert len(rows) == 1 < len(view._rows)


def test_a_screen_reader_is_told_when_typing_rests(view, qtbot) -> None:
    view.show_alignment(align(OUTPUT, OUTPUT.replace("Monday", "Tuesday"), TerOptions()))
    qtbot.waitUntil(lambda: view.accessibleDescription() == "substituted “Monday” by “Tuesday”")
