"""Long segments: the given texts beside the own one, and the place where one types lit in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.editor.arrangement import LONG, TextWindow
from madcat_studio.gui.editor.segmentpane import Reading
from madcat_studio.gui.editor.strip import MOST_HIGH
from madcat_studio.gui.settings import SIDE_BY_SIDE, THEME, Settings
from madcat_studio.store import open_campaign
from tests.gui.campaigns import OUTPUTS, REFERENCES, make_campaign
from tests.gui.editor.people import Person
from tests.gui.helpers import is_checked

REFERENCE = " ".join(f"r{number}" if number % 7 else f"w{number}" for number in range(300))
OUTPUT = " ".join(f"w{number}" for number in range(300))


@pytest.fixture
def person(make_window, qtbot, tmp_path: Path) -> Person:
    where = make_campaign(
        tmp_path / "long",
        show_page=True,
        outputs={**OUTPUTS, "s1": OUTPUT, "s3": " ".join(OUTPUT.split()[: LONG - 1])},
        references={**REFERENCES, "s1": REFERENCE},
    )
    person = Person(make_window(where), qtbot.waitUntil)
    person.window.resize(1280, 720)
    person.sit_down("red1")
    return person


def lit(block: Reading) -> list[str]:
    """The words that are lit, by where they stand."""
    text = block.body.text()
    ends, words = 0, {}
    for word in text.split(" "):
        start, ends = text.index(word, ends), text.index(word, ends) + len(word)
        for box in block.body.boxes(start, ends):
            words[box.getRect()] = word
    return [words[box.getRect()] for box in block.body.lit]


def in_sight(widget: QWidget, box: QRect, person: Person) -> bool:
    """Whether a part of a widget is inside all that it lies in, down to the window."""
    above = widget
    while above is not person.window:
        above = above.parentWidget()
        placed = QRect(widget.mapTo(above, box.topLeft()), box.size())
        if not above.rect().contains(placed):
            return False
    return True


def go_to(person: Person, word: str) -> None:
    """Put the caret into a word, by keys: the text begins with w0."""
    person.press("Ctrl+Home")
    for _ in range(person.box.text().split().index(word)):
        person.press("Ctrl+Right")
    person.press("Right")


def follow(person: Person) -> None:
    light = person.view.kit_page.light
    person.scored()
    person.wait(lambda: not light._after.isActive())


@pytest.mark.long
@pytest.mark.parametrize("word", ["w147", "w0", "w287"])
def test_all_that_belongs_to_the_place_of_typing_is_in_sight(person: Person, word: str) -> None:
    pane = person.view.kit_page.pane
    assert pane.arrangement.side_by_side, "a long segment is, by itself"
    go_to(person, word)
    person.type("x")
    follow(person)
    text = person.box.text()
    assert f"{word[0]}x{word[1:]}" in text
    assert lit(pane.output) == [word]
    assert lit(pane.reference) == [word]
    number = text.split().index(f"{word[0]}x{word[1:]}")
    places: list[tuple[QWidget, Callable[[], QRect]]] = [
        (pane.output.body, lambda: pane.output.body.lit[0]),
        (pane.reference.body, lambda: pane.reference.body.lit[0]),
        (pane.changes, lambda: pane.changes.box_of(number)),
        (person.box.viewport(), person.box.cursorRect),
    ]
    # What there is to see is laid out by and by.
    person.wait(lambda: all(in_sight(widget, box(), person) for widget, box in places))
    assert all(box().height() > 10 for _, box in places)


@pytest.mark.long
def test_the_box_stays_as_high_when_a_first_change_is_shown(person: Person) -> None:
    pane = person.view.kit_page.pane
    person.wait(lambda: pane.strip.pyramid is not None)
    follow(person)
    high = person.box.height()
    person.type("x ")
    follow(person)
    person.wait(lambda: pane.changes.height() > 1000)
    assert person.box.height() == high


@pytest.mark.long
def test_the_light_follows_a_caret_that_only_moves(person: Person) -> None:
    pane = person.view.kit_page.pane
    follow(person)
    go_to(person, "w140")
    assert lit(pane.output) == lit(pane.reference) == ["w140"]
    person.press("Ctrl+Right")
    assert lit(pane.output) == ["w141"]
    assert lit(pane.reference) == ["r141"], "what stands there instead"
    for _ in range(2):
        person.press("Ctrl+Shift+Right")
    assert lit(pane.output) == ["w141", "w142"]
    person.press("Right")
    person.type("quite new ")
    follow(person)
    person.press("Ctrl+Left")
    assert lit(pane.output) == ["w142", "w143"], "no word there: those on either side"
    assert not pane.output.body._exact


@pytest.mark.long
def test_a_screen_reader_is_told_the_words(person: Person) -> None:
    pane = person.view.kit_page.pane
    follow(person)
    go_to(person, "w140")
    person.wait(lambda: "w140" in pane.output.body.accessibleDescription())
    assert pane.output.body.accessibleDescription() == "At your caret: w140"
    assert pane.reference.body.accessibleDescription() == "At your caret: w140"
    person.press("Alt+Down")
    assert pane.output.body.accessibleDescription() == ""


@pytest.mark.long
def test_short_segments_stand_below_one_another_until_a_key_says_otherwise(person: Person) -> None:
    pane, settings = person.view.kit_page.pane, person.window.settings
    beside: list[bool] = []
    for keys in ("", "Alt+Down", "Alt+Down", "Alt+Up", "F12", "Alt+Down", "F12", "Alt+Up", "F12"):
        if keys:
            person.press(keys)
        beside.append(pane.arrangement.side_by_side)
        assert is_checked(person.view, "kit.side-by-side") == beside[-1]
    # Segments 1, 2, 3 and 2; then always, on segment 3 too; by length again; and 2 always.
    assert beside == [True, False, False, False, True, True, False, False, True]
    assert settings.get(SIDE_BY_SIDE) == "always"
    assert Settings().get(SIDE_BY_SIDE) == "always", "it is remembered"
    person.press("F12")
    assert settings.get(SIDE_BY_SIDE) == "long"
    person.press("Alt+Up")
    person.press("F12")
    assert settings.get(SIDE_BY_SIDE) == "never"
    assert not pane.arrangement.side_by_side
    person.press("F12")
    assert settings.get(SIDE_BY_SIDE) == "long"
    assert pane.arrangement.side_by_side


@pytest.mark.long
def test_a_narrow_window_puts_nothing_side_by_side_by_itself(person: Person) -> None:
    """Such as one of 1280 x 720 on a screen of 1.5 pixels for one."""
    pane = person.view.kit_page.pane
    assert pane.arrangement.side_by_side
    person.window.resize(853, 531)
    person.wait(lambda: not pane.arrangement.side_by_side)
    person.wait(lambda: pane.horizontalScrollBar().maximum() == 0)
    person.press("F12")
    assert pane.arrangement.side_by_side, "who wants it has it all the same"
    person.press("F12")
    assert person.window.settings.get(SIDE_BY_SIDE) == "long"
    person.window.resize(1280, 720)
    person.wait(lambda: pane.arrangement.side_by_side)


@pytest.mark.long
def test_nothing_is_lit_below_one_another_nor_of_another_segment(person: Person) -> None:
    pane = person.view.kit_page.pane
    follow(person)
    go_to(person, "w7")
    assert lit(pane.output) == ["w7"]
    person.press("F12")
    assert lit(pane.output) == lit(pane.reference) == []
    assert pane.reference.body.parentWidget() is pane.reference
    assert not pane.findChildren(TextWindow)[0].isVisible()
    person.press("F12")
    person.wait(lambda: lit(pane.output) == ["w7"])
    person.press("Alt+Down")
    assert lit(pane.output) == []


@pytest.mark.long
def test_what_is_found_in_a_long_reference_is_scrolled_into_sight(person: Person) -> None:
    page = person.view.kit_page
    start = REFERENCE.index("r295")
    page.pane.select_read(output=False, start=start, end=start + 4)
    body = page.pane.reference.body
    assert body.selectedText() == "r295"
    assert in_sight(body, body.boxes(start, start + 4)[0], person)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ground_is_painted_behind_the_word_and_nowhere_else(person: Person, theme: str) -> None:
    person.window.settings.set(THEME, "light")
    pane = person.view.kit_page.pane
    follow(person)
    go_to(person, "w140")
    person.window.settings.set(THEME, theme)  # while it is lit
    body, ground = pane.output.body, QColor(person.window.theme.colours.lit)
    box = body.lit[0]
    image = body.grab().toImage()
    found = [
        QPoint(x, y)
        for y in range(image.height())
        for x in range(image.width())
        if image.pixelColor(x, y) == ground
    ]
    assert len(found) > 0.4 * box.width() * box.height()
    assert all(box.contains(point) for point in found)


@pytest.mark.long
def test_the_page_and_the_source_leave_room(make_window, qtbot, tmp_path: Path) -> None:
    """At 1280 x 720 with page and source, text and reference still have some lines each."""
    where = make_campaign(
        tmp_path / "crowded",
        show_page=True,
        show_source=True,
        outputs={**OUTPUTS, "s1": OUTPUT},
        references={**REFERENCES, "s1": REFERENCE},
    )
    person = Person(make_window(where), qtbot.waitUntil)
    person.window.resize(1280, 720)
    person.sit_down("red1")
    pane = person.view.kit_page.pane
    person.wait(lambda: pane.strip.pyramid is not None)
    follow(person)
    line = person.box.fontMetrics().lineSpacing()
    assert pane.verticalScrollBar().maximum() == 0
    for high in (
        person.box.height(),
        pane.reference.opening.height(),
        pane.output.opening.height(),
        pane.source.opening.height(),
    ):
        assert high >= 3 * line
    given, own = pane.reference.width(), person.box.width()
    assert abs(given - own) <= 1


@pytest.mark.long
def test_in_a_low_window_the_buttons_are_in_sight_below_page_and_coach(
    make_window, qtbot, tmp_path: Path
) -> None:
    where = make_campaign(tmp_path / "low", show_page=True)
    with open_campaign(where) as campaign:
        campaign.set_options({"editing.coach": True})
    person = Person(make_window(where), qtbot.waitUntil)
    person.window.resize(1280, 720)
    person.sit_down("red1")
    page = person.view.kit_page
    person.wait(lambda: page.pane.strip.pyramid is not None)
    assert page.coach.bar.isVisible()
    seen = page.pane.viewport().rect()
    foot = page.pane.revert.mapTo(page.pane.viewport(), page.pane.revert.rect().bottomRight())
    assert seen.contains(foot)
    wide = 5000  # where every picture would be higher than it may be
    assert page.pane.strip.heightForWidth(wide) == MOST_HIGH * 2 // 3
    person.window.resize(1280, 1000)
    person.wait(lambda: page.pane.strip.heightForWidth(wide) == MOST_HIGH)
