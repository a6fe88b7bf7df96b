from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from madcat_studio.checks import Finding
from madcat_studio.edits import MoveVertex, Outline, RemoveWord
from madcat_studio.formats.madcat import read
from madcat_studio.gui.page.historylist import HistoryModel
from madcat_studio.gui.page.problems import ProblemModel, places
from madcat_studio.gui.page.segments import SegmentDelegate, SegmentModel, TokenModel
from madcat_studio.gui.theme import LIGHT
from madcat_studio.model.document import Document, Section, Segment, Word
from madcat_studio.model.names import word_name
from madcat_studio.model.problem import Where
from madcat_studio.workspace.page import PageWorkspace
from tests.gui.helpers import BROKEN, NORMAL, SAMPLES


@pytest.mark.parametrize("name", [NORMAL, BROKEN])
def test_models_keep_qts_rules(qtmodeltester, qapp, name: str) -> None:
    opened = read(SAMPLES / f"{name}.madcat.xml")
    segments, tokens, problems = SegmentModel(), TokenModel(), ProblemModel()
    for model in (segments, tokens, problems):
        qtmodeltester.check(model, force_py=True)
    segments.set_document(opened.document)
    tokens.set_segment(opened.document.sections[0].segments[0], (0, 0), frozenset({0}))
    problems.set_findings([Finding(problem) for problem in opened.problems] * 3)
    problems.apply_theme(LIGHT, 1.0)
    for model in (segments, tokens, problems):
        qtmodeltester.check(model, force_py=True)
    assert problems.rowCount() == 3 * len(opened.problems)


def test_every_element_has_its_place() -> None:
    document = read(SAMPLES / f"{NORMAL}.madcat.xml").document
    kinds = [kind for kind, _ in places(document).by_origin.values()]
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "line": 6,
        "page": 1,
        "segment": 3,
        "token": 43,
        "word": 43,
    }


def test_what_is_not_in_the_file_yet_is_found_by_its_name() -> None:
    document = read(SAMPLES / f"{NORMAL}.madcat.xml").document
    line = document.pages[0].lines[2]
    line.words.append(Word("t99", ((0, 0), (9, 0), (9, 9))))
    where = Where("a.madcat.xml", element=word_name(document, 0, 2, len(line.words) - 1))
    assert places(document).of(where) == ("word", (0, 2, len(line.words) - 1))
    assert places(document).of(Where("a.madcat.xml")) is None


def test_the_history_keeps_qts_rules(qtmodeltester, qapp, tmp_path) -> None:
    path = tmp_path / f"{NORMAL}.madcat.xml"
    path.write_bytes((SAMPLES / path.name).read_bytes())
    workspace = PageWorkspace.open(path)
    model = HistoryModel()
    model.set_workspace(workspace)
    qtmodeltester.check(model, force_py=True)
    for x in range(3):
        workspace.execute(MoveVertex(Outline(0, 0, 0), 0, (x, 2)))
        model.refresh()
    workspace.save()
    workspace.go_to(1)
    model.refresh()
    texts = [model.index(row).data() for row in range(model.rowCount())]
    assert texts == ["As it was opened", *["Move a vertex of a word"] * 2, f"{texts[1]}  (saved)"]
    workspace.execute(RemoveWord(0, 0, 0))
    model.refresh()
    assert model.rowCount() == 3
    workspace.close(discard=True)


@pytest.mark.parametrize(
    ("transcription", "translation", "sides"),
    [
        ("سطر", "line", ("right", "left")),
        ("Zeile", "line", ("left", "left")),
        ("سطر", "سطر", ("right", "right")),
        ("IBM سطر", "line سطر", ("right", "left")),
        ("12", "12", ("right", "left")),
    ],
)
def test_each_text_of_a_segment_stands_on_the_side_that_it_is_read_from(
    qapp, transcription: str, translation: str, sides: tuple[str, str]
) -> None:
    segment = Segment("s", transcription=transcription, translation=translation)
    model = SegmentModel()
    model.set_document(Document("d", sections=[Section("x", segments=[segment])]))
    delegate = SegmentDelegate()
    font = qapp.font()
    delegate.apply_theme(font, font, LIGHT)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 600, 10)
    option.rect = QRect(0, 0, 600, delegate.sizeHint(option, model.index(0, 0)).height())
    picture = QImage(option.rect.size(), QImage.Format.Format_Grayscale8)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    delegate.paint(painter, option, model.index(0, 0))
    painter.end()
    # Below the heading: one text in the upper half of what is left, one in the lower.
    head = QFontMetrics(delegate.small).height() + 12
    middle = (head + picture.height()) // 2
    for side, (top, bottom) in zip(
        sides, ((head, middle), (middle, picture.height() - 4)), strict=True
    ):
        ink = [
            x
            for y in range(top, bottom)
            for x in range(picture.width())
            if picture.pixelColor(x, y).lightness() < 128
        ]
        assert ("right" if min(ink) > 300 else "left" if max(ink) < 300 else "both") == side
