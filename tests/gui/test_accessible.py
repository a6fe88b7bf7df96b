"""What a screen reader is told of what we paint ourselves, asked as Qt's bridge asks."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QImage,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QStyledItemDelegate, QWidget

import madcat_studio.gui
from madcat_studio.edits.structure import RemoveWord
from madcat_studio.edits.texts import SetTokenText
from madcat_studio.gui import accessible, readinglabel
from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.coordinator.distributions import Distributions
from madcat_studio.gui.coordinator.heatmap import HeatMap
from madcat_studio.gui.coordinator.pictures import Pictures
from madcat_studio.gui.coordinator.planmodel import PlanModel
from madcat_studio.gui.coordinator.plantree import PlanTree
from madcat_studio.gui.coordinator.scatterplot import ScatterPlot
from madcat_studio.gui.coordinator.verdictpanel import _Bar
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.editor.sayings import say_at, sayings
from madcat_studio.gui.elided import ElidedLabel
from madcat_studio.gui.guide import CoachMark
from madcat_studio.gui.litlabel import LitLabel
from madcat_studio.gui.page.marking.strip import Shown, TokenStrip
from madcat_studio.gui.page.overlays import Loupe, Minimap
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.readinglabel import ReadingLabel
from madcat_studio.gui.rendering.twopages import TwoPages, sheet_of
from madcat_studio.gui.scorecard.boxedpage import BoxedPage, Legend
from madcat_studio.gui.scorecard.plot import IntervalPlot
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.operations.scores.alignments import align
from madcat_studio.reports.cards import PlotRow
from madcat_studio.reports.cards_ltb_boxes import BoxState, MarkedBox, PageBoxes
from madcat_studio.reports.scatter import Axis, Dot
from madcat_studio.reports.tables import Chart
from madcat_studio.reports.verdict import Standing
from madcat_studio.workspace.marking import Step
from madcat_ter.options import TerOptions
from scripts.heard import tree
from tests.gui.editor.conftest import campaign, sit
from tests.gui.helpers import NORMAL, copy_sample, run

__all__ = ["campaign", "sit"]

NAME, VALUE, DESCRIPTION = (
    QAccessible.Text.Name,
    QAccessible.Text.Value,
    QAccessible.Text.Description,
)


@pytest.fixture(scope="module", autouse=True)
def _asked_here(qapp: object) -> None:
    accessible.install()  # after Qt's own, which comes with the application and is asked later then


def ask(thing: QObject) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(thing)


def inside(of: QAccessibleInterface) -> list[QAccessibleInterface]:
    return [of.child(number) for number in range(of.childCount())]


def names(of: QAccessibleInterface) -> list[str]:
    return [one.text(NAME) for one in inside(of)]


def words(of: QAccessibleInterface) -> str:
    found = of.textInterface()
    assert found is not None
    return str(found.text(0, found.characterCount()))


# -- every class that paints ----------------------------------------------------------------------


def ours(kind: type, method: str) -> set[type]:
    """The classes of the window that paint by a method of their own."""
    for module in pkgutil.walk_packages(madcat_studio.gui.__path__, "madcat_studio.gui."):
        importlib.import_module(module.name)
    found, left = set(), [kind]
    while left:
        one = left.pop()
        left += one.__subclasses__()
        if one.__module__.startswith("madcat_studio.gui.") and method in vars(one):
            found.add(one)
    return found


@pytest.mark.long
def test_whatever_paints_itself_can_be_heard(user, sit, tmp_path: Path, qapp, qtbot) -> None:
    """A new class with a ``paintEvent`` fails here until it is shown, and says what it shows."""
    theme = Theme(qapp, Settings())
    shown: list[QWidget] = []
    someone = user(copy_sample(NORMAL, tmp_path))
    someone.scan_is_there()
    shown.append(someone.view.canvas)
    someone.window.commands.named("page.flow").trigger()
    shown += [someone.view.findChildren(kind)[0] for kind in (Loupe, Minimap)]
    boxes = someone.view.findChildren(QLineEdit)
    shown.append(next(box for box in boxes if box.accessibleDescription() == "written"))
    person = sit("red1")
    pane = person.view.kit_page.pane
    person.rewrite("The mayor opened the new bridge on Monday.")
    person.scored()
    shown += [pane.box, pane.changes, pane.strip]
    shown.append(someone.view.features.flow.bar.strip)
    pane.strip.say("Looking for the page …")
    made: list[QWidget] = [
        TokenStrip(),
        Distributions(theme),
        IntervalPlot([PlotRow("one", 3.0, 2.0, 4.0)], (0.0, 5.0), "Rates", theme.colours),
        _Bar(Standing("juniper", 1, 1, 3.0, None, 5), 5.0, theme.colours),
        ElidedLabel(),
        LitLabel("words to read"),
        CoachMark(someone.window, lambda: theme.colours),
    ]
    scatter = ScatterPlot(theme, "Outputs as points")
    axis = Axis("HTER", 0.0, 1.0, True)
    scatter.show_dots([Dot(0.2, 0.4, 0, "", "juniper, D/s1")], axis, axis, ["juniper"])
    made.append(scatter)
    made[4].setText("a name")
    made[5].setAccessibleName("Output")
    made[6].text.setText("Click a word")
    made[0].show_tokens((), Shown(0, "محمد", Step.OPEN), (), "")
    made[1].show_rates([0.1, 0.2], [0.15], "HTER")
    pictures = Pictures(theme.colours)
    pictures.show_charts([Chart("a", "Systems", "", "<svg><text>X1</text></svg>")])
    both = TwoPages()
    sheet = sheet_of(QImage(20, 20, QImage.Format.Format_Grayscale8))
    both.show_pages(sheet, sheet, ["s1: The mayor opened the bridge."])
    made.append(both)
    box = MarkedBox(BoxState.RIGHT, (1, 1, 5, 5), "r1", (("IoU", "0.96"),))
    boxed, legend = BoxedPage(), Legend()
    boxed.show_boxes(PageBoxes("a", (20, 20), "", 0, (box,)))
    legend.show_page(boxed.page)
    made += [boxed, legend]
    for one in (*made, pictures):
        qtbot.addWidget(one)
        one.show()
    shown += [*made, *pictures.pictures]
    assert {type(one) for one in shown} == PAINTERS
    for one in shown:
        told = ask(one)
        assert told.role() not in (Role.Client, Role.NoRole), one
        has_text = told.textInterface() is not None and words(told)
        said = names(told) or has_text or told.text(VALUE) or told.text(DESCRIPTION)
        said = said or (isinstance(one, QLabel) and told.text(NAME) == one.text())
        assert said, f"{one} paints, and nothing is said of it"
        if hasattr(one, "spoken"):
            assert all(names(told)), one
        if not isinstance(one, QLineEdit):
            assert told.text(NAME), one


PAINTERS = ours(QWidget, "paintEvent")


def test_there_is_something_to_be_heard() -> None:
    assert {"AlignmentView", "PageCanvas", "EditBox"} <= {one.__name__ for one in PAINTERS}


@pytest.mark.long
def test_rows_that_are_painted_say_what_is_painted(
    sit, make_window, user, tmp_path: Path, campaign: Path, qtbot, qapp
) -> None:
    """Of each delegate that paints one row is asked, with what the paint alone would show."""
    person = sit("red1")
    person.view.kit_page.do(lambda kit: kit.confirm())
    rows = ask(person.view.kit_page.side.list)
    first = rows.child(0)
    assert first.text(NAME) == "1, K1.01/1, confirmed"
    assert first.text(DESCRIPTION) == "The mayor opened on Monday the new bridge."
    heard: set[str] = {type(person.view.kit_page.side.list.itemDelegate()).__name__}

    window = make_window(None)
    window.open(str(campaign), view="board")
    board = window.view("board")
    qtbot.waitUntil(lambda: board.model.rowCount() == 2)
    red = next(row for row in (0, 1) if board.model.index(row, 1).data() == "red")
    cells = [board.model.index(red, column) for column in range(2, 5)]
    said = [cell.data(Qt.ItemDataRole.AccessibleTextRole) for cell in cells]
    assert said[0] == "K1, red, 29 words"
    assert said[1].startswith("K1, red, first pass: red1 · ")
    assert said[2] == "K1, red, review: waits for the first pass"
    heard.add(type(board.table.itemDelegate()).__name__)
    window.show_view("plan")
    plan = window.view("plan").findChild(PlanTree)
    qtbot.waitUntil(lambda: plan.model().rowCount() == 1)
    length = ask(plan).child(plan.model().columnCount() + PlanModel.LENGTH)
    assert length.text(NAME) == "29"
    assert length.text(DESCRIPTION) == "shorter than wanted (510 to 690)"
    heard.add(type(plan.itemDelegateForColumn(PlanModel.LENGTH)).__name__)
    heat = HeatMap(Theme(qapp, Settings()))
    qtbot.addWidget(heat)
    heat.show_matrix(("red", "blue"), ((3.0, 1.0), (1.0, 4.0)), lambda value: f"{value} kit")
    assert "red and blue: 1 kit" in names(ask(heat))
    heard.add(type(heat.itemDelegate()).__name__)
    someone = user(copy_sample(NORMAL, tmp_path / "pages"))
    for listed in someone.view.findChildren(QAbstractItemView):
        heard.add(type(listed.itemDelegate()).__name__)
    tokens = someone.view.side.token_list
    someone.view.choice.segment((0, 0))
    told = ask(tokens).child(0)
    assert told.text(NAME)
    assert told.text(DESCRIPTION)
    assert {one.__name__ for one in ours(QStyledItemDelegate, "paint")} <= heard


# -- the alignment --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "text", "said"),
    [
        ("a b c d", "a b c d", []),
        ("a b c d", "a x c d", ["substituted “b” by “x”"]),
        ("a b c d", "a x y d", ["substituted “b c” by “x y”"]),
        ("a b c d", "a d", ["left out “b c”"]),
        ("a d", "a b c d", ["added “b c”"]),
        ("a b c d e the lessons", "a the lessons b c d e",
         ["moved “the lessons” 4 words to the left"]),
        ("x a b c d e", "a b c d e x", ["moved “x” 5 words to the right"]),
        ("a b", "b a", ["moved “a” 1 word to the right"]),
    ],
)  # fmt: skip
def test_changes_are_told_as_sentences(output: str, text: str, said: list[str]) -> None:
    alignment = align(output, text, TerOptions())
    assert [one.text for one in sayings(alignment)] == said
    for one in sayings(alignment):
        assert all(one.text in say_at(alignment, column) for column in one.columns)


def test_as_many_changes_are_told_as_are_counted() -> None:
    """A sentence of a run says as many words as its edits; none is told twice or left out."""
    output = "On Monday the mayor has opened new bridge over river in the town of the north"
    text = "The mayor opened the new bridge over the river on Monday, in the far town"
    alignment = align(output, text, TerOptions())
    about = [column for one in sayings(alignment) for column in one.columns]
    changed = [
        number
        for number, one in enumerate(alignment.columns)
        if one.kind.value != "match" or one.shift
    ]
    assert set(about) == set(changed)
    moved_and_changed = sum(
        one.shift > 0 and one.kind.value in ("substitution", "insertion")
        for one in alignment.columns
    )
    assert len(about) == len(changed) + moved_and_changed


@pytest.fixture
def view(qtbot, qapp):
    made = AlignmentView(Theme(qapp, Settings()))
    qtbot.addWidget(made)
    made.answer_clicks("Click to take this change back.")
    made.resize(520, 400)
    made.show()
    return made


def test_each_change_is_a_thing_with_a_place_that_can_be_pressed(view) -> None:
    alignment = align("the new old bridge was opened", "the old bridge opened", TerOptions())
    view.show_alignment(alignment)
    view._describe()
    told = ask(view)
    assert told.role() == Role.List
    assert names(told) == ["left out “new”", "left out “was”"]
    one, other = inside(told)
    assert one.role() == Role.ListItem
    assert one.parent().object() is view
    assert told.indexOfChild(other) == 1
    place = view.mapFromGlobal(other.rect().center())
    assert view.rect().contains(place)
    assert view._at(place.toPointF()).number == 4
    assert told.childAt(*other.rect().center().toTuple()).text(NAME) == "left out “was”"
    clicked: list[int] = []
    view.clicked.connect(clicked.append)
    pressed = other.actionInterface()
    pressed.doAction(QAccessibleActionInterface.pressAction())
    assert clicked == [4]


def test_listeners_are_told_what_came_went_and_changed(view, monkeypatch) -> None:
    events: list[tuple[str, str]] = []

    def tell(thing: Any, event: QAccessible.Event) -> None:
        events.append((event.name, ask(thing).text(NAME)))

    def show(text: str) -> list[tuple[str, str]]:
        events.clear()
        view.show_alignment(align("the new old bridge was opened", text, TerOptions()))
        view._describe()
        return list(events)

    monkeypatch.setattr(accessible, "_tell", tell)
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    assert show("the new old bridge is opened") == []  # nobody has looked yet
    assert names(ask(view)) == ["substituted “was” by “is”"]
    assert show("the new old bridge is shut") == [
        ("NameChanged", "substituted “was opened” by “is shut”")
    ]
    assert show("the old bridge is opened") == [
        ("NameChanged", "left out “new”"),
        ("ObjectCreated", "substituted “was” by “is”"),
    ]
    assert show("the new old bridge was opened") == [
        ("ObjectDestroyed", ""),
        ("ObjectDestroyed", ""),
    ]


def test_nothing_is_made_while_nobody_listens(view, monkeypatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(accessible, "_Place", lambda *_: made.append("place"))
    view.show_alignment(align("a b c", "a c", TerOptions()))
    view._describe()
    assert made == []


def test_parts_outlive_neither_their_widget_nor_a_look(qtbot, qapp) -> None:
    widget = QWidget()
    widget.spoken = Spoken(  # type: ignore[attr-defined]
        widget, Role.List, lambda: [Part("one", parts=lambda: [Part("in it")]), Part("two")]
    )
    child = ask(widget).child(0)
    assert names(child) == ["in it"]
    number = QAccessible.uniqueId(child)
    assert QAccessible.accessibleInterface(number).text(NAME) == "one"
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert QAccessible.accessibleInterface(number) is None


# -- texts to read --------------------------------------------------------------------------------


def test_a_text_to_read_is_read_by_letter_word_and_line(qtbot, monkeypatch) -> None:
    label = ReadingLabel("One 😀 smile & more.")
    label.setAccessibleName("Reference")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
    qtbot.addWidget(label)
    label.show()
    told = ask(label)
    assert (told.text(NAME), told.text(VALUE)) == ("Reference", "One 😀 smile & more.")
    assert told.role() == Role.EditableText
    state = told.state()
    assert state.readOnly
    assert not state.editable
    text = told.textInterface()
    assert text.characterCount() == 20  # in Qt's units, of which a smile is two
    assert text.text(4, 6) == "😀"
    assert text.text(7, 12) == "smile"
    assert text.cursorPosition() == 0
    label.setSelection(7, 5)
    assert text.selectionCount() == 0  # the binding cannot say where it begins and ends
    assert text.cursorPosition() == 12
    text.setSelection(0, 0, 3)
    assert label.selectedText() == "One"
    said: list[str] = []
    monkeypatch.setattr(readinglabel, "announce", lambda _, words: said.append(words))
    told.actionInterface().doAction(QAccessibleActionInterface.setFocusAction())
    label.activateWindow()
    qtbot.waitUntil(label.hasFocus)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(label, key, Qt.KeyboardModifier.ShiftModifier)
    assert said == ["selected: One ", "selected: One"]
    label.setText("Another.")
    assert words(told) == "Another."


@pytest.mark.long
def test_a_kit_is_heard_as_it_is_seen(sit) -> None:
    person = sit("red1")
    pane = person.view.kit_page.pane
    person.rewrite("The mayor opened the new bridge on Monday.")
    person.scored()
    pane.changes._describe()
    assert words(ask(pane.reference.body)) == "The mayor opened the new bridge on Monday."
    assert words(ask(pane.output.body)) == "The mayor opened on Monday the new bridge."
    assert words(ask(pane.box)) == "The mayor opened the new bridge on Monday."
    assert names(ask(pane.changes)) == ["moved “on Monday” 3 words to the right"]
    inside(ask(pane.changes))[0].actionInterface().doAction(
        QAccessibleActionInterface.pressAction()
    )
    assert person.box.text() == "The mayor opened on Monday the new bridge."
    said = "\n".join(tree(ask(person.window)))
    assert "EditableText “Reference” = “The mayor opened the new bridge on Monday.”" in said
    assert "ListItem “1, K1.01/1, draft” – “The mayor opened on Monday the new bridge.”" in said


@pytest.mark.long
def test_words_that_the_dictionary_lacks_are_told(sit) -> None:
    person = sit("red1")
    person.rewrite("The mayr opened the brigde, the mayr said.")
    person.wait(lambda: bool(ask(person.box).text(DESCRIPTION)))
    assert ask(person.box).text(DESCRIPTION) == "Not in the dictionary: mayr, brigde"
    person.rewrite("The mayor.")
    person.wait(lambda: not ask(person.box).text(DESCRIPTION))


# -- the page -------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_page_is_lines_of_words_with_their_texts(user, tmp_path: Path, monkeypatch) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    canvas = someone.view.canvas
    told = ask(canvas)
    assert (told.role(), told.text(NAME)) == (Role.Canvas, "Page")
    page = someone.view.workspace.document.pages[0]
    lines = inside(told)[: len(page.lines)]
    assert len(lines) == len(page.lines) > 1
    assert [one.childCount() for one in lines] == [len(line.words) for line in page.lines]
    texts = [someone.view.choice.text_of(ShapeKey(0, at)) for at in range(len(page.lines[0].words))]
    assert any(texts)
    assert lines[0].text(NAME) == f"Line 1: {' '.join(filter(None, texts))}"
    word = lines[0].child(1)
    assert word.text(NAME) == texts[1]
    assert word.parent().text(NAME) == lines[0].text(NAME)
    assert not word.state().selected
    pointed: list[str] = []
    monkeypatch.setattr(accessible, "_tell", lambda thing, _: pointed.append(ask(thing).text(NAME)))
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    someone.click(someone.at(ShapeKey(0, 1)))
    assert canvas.selection.key == ShapeKey(0, 1)
    assert pointed == [texts[1]]
    assert word.state().selected
    middle = canvas.viewport().mapFromGlobal(word.rect().center())
    assert abs((middle - someone.at(ShapeKey(0, 1))).manhattanLength()) < 40
    lines[1].child(0).actionInterface().doAction(QAccessibleActionInterface.pressAction())
    assert canvas.selection.key == ShapeKey(1, 0)


def test_the_page_is_heard_as_it_is_after_an_edit(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    view = someone.view
    line = ask(view.canvas).child(0)
    before = names(line)
    token = view.choice.links.tokens_of[0, 0, 0][0]
    view.execute(SetTokenText(*token, "كلمة"))
    assert names(line) == ["كلمة", *before[1:]]
    assert line.text(NAME) == f"Line 1: {' '.join(names(line))}"
    view.execute(RemoveWord(0, 0, 1))
    assert names(line) == ["كلمة", *before[2:]]
    run(view, "page.undo")
    run(view, "page.undo")
    assert names(line) == before


def test_marking_tells_its_tokens(qtbot) -> None:
    strip = TokenStrip()
    qtbot.addWidget(strip)
    strip.show_tokens(
        (Shown(1, "يكتب", Step.MARKED), Shown(0, "محمد", Step.MISSING)),
        Shown(2, "كتابا", Step.OPEN),
        (Shown(3, "", Step.OPEN, fault=True),),
        "",
    )
    told = ask(strip)
    assert names(told) == [
        "محمد, not on the page",
        "يكتب, marked",
        "كتابا",
        "no text, has a problem",
    ]
    assert [one.state().selected for one in inside(told)] == [False, False, True, False]
    chosen: list[int] = []
    strip.chosen.connect(chosen.append)
    inside(told)[3].actionInterface().doAction(QAccessibleActionInterface.pressAction())
    assert chosen == [3]


# -- charts ---------------------------------------------------------------------------------------


def test_charts_say_what_they_draw(qtbot, qapp) -> None:
    theme = Theme(qapp, Settings())
    plot = IntervalPlot(
        [PlotRow("one", 3.0, 2.0, 4.0), PlotRow("two", 1.5, None, None)],
        (0.0, 5.0),
        "Rates",
        theme.colours,
    )
    both = Distributions(theme)
    both.show_rates([0.3, 0.1, 0.2], [0.15], "HTER")
    pictures = Pictures(theme.colours)
    twice = "<g><text>X1 &amp; X2</text><text>X1 &amp; X2</text></g>"
    drawn = f"<svg xmlns='http://www.w3.org/2000/svg'>{twice}<text>HTER</text></svg>"
    pictures.show_charts([Chart("a", "Systems", "With 95 % intervals", drawn)])
    for one in (plot, both, pictures):
        qtbot.addWidget(one)
    assert (ask(plot).role(), ask(plot).text(NAME)) == (Role.Chart, "Rates")
    assert names(ask(plot)) == ["one: 3.00, from 2.00 to 4.00", "two: 1.50"]
    assert names(ask(both)) == [
        "To match: 3 passages from 10.0 % to 30.0 %, half of them up to 20.0 %",
        "Chosen: 1 passage from 15.0 % to 15.0 %, half of them up to 15.0 %",
    ]
    picture = ask(pictures.pictures[0])
    assert words(picture) == "X1 & X2\nHTER"
    assert picture.text(DESCRIPTION) == "With 95 % intervals"


@pytest.mark.long
def test_the_program_itself_lets_qt_ask(home: Path) -> None:
    code = """
from madcat_studio.gui.app import make_application
application = make_application()
from PySide6.QtGui import QAccessible
from madcat_studio.gui.readinglabel import ReadingLabel
label = ReadingLabel("What it says")
print(QAccessible.queryAccessibleInterface(label).text(QAccessible.Text.Value))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stdout, done.returncode) == ("What it says\n", 0), done.stderr
