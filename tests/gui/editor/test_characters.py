"""What arrives in the edit box stays as it is, each character, wherever it is not edited."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage, QInputMethodEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from madcat_studio.gui.editor.carriers import CARRIED, carried, restored
from madcat_studio.gui.editor.textbox import EditBox
from madcat_studio.model.characters import FORBIDDEN
from madcat_ter.ter import TerOptions, ter
from tests.gui.campaigns import OUTPUTS, make_campaign

PRICE = "The price was 10\u00a0000 dollars, said Dr.\u00a0Smith at the 5\u00a0th meeting."
ODD = (
    "a\u00a0b\u202fc\ufeffd\te\nf\rg\u2028h\u2029i\ufdd0j\ufdd1k\u0085l\u00adm\ufffcn"
    "\u200fo\u3000p\U0001d49cq\ue000r\ufffds\U0010fffft"
)


@pytest.mark.long
def test_qt_cannot_hold_five_characters_and_they_are_carried() -> None:
    """All 1,112,033 characters of XML, through a document of Qt and back."""
    every = "".join(
        chr(code)
        for code in range(0x110000)
        if not 0xD800 <= code < 0xE000 and not FORBIDDEN.match(chr(code))
    )
    assert len(every) == 1_112_033
    assert not set(CARRIED.values()) & set(every), "no text can have a stand-in"

    def through_qt(text: str) -> str:
        document = QTextDocument()
        QTextCursor(document).insertText(text)
        return document.toRawText()

    assert restored(through_qt(carried(every))) == every
    assert {one for one in "\n\r\u2028\u2029\ufdd0\ufdd1" if through_qt(one) != one} == set(
        CARRIED
    ) - {"\u2029"}, "these it takes for breaks and forgets; of U+2029 it makes a paragraph"


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    return make_campaign(tmp_path / "campaign", outputs={**OUTPUTS, "s1": PRICE, "s2": ODD})


def own(person) -> str:
    return person.kit.own(person.kit.current).text


@pytest.mark.long
def test_a_key_and_its_taking_back_leave_the_text_as_it_came(sit) -> None:
    person = sit("red1")
    assert person.box.text() == own(person) == PRICE
    person.press("End")
    person.type("!")
    assert own(person) == PRICE + "!"
    person.press("Backspace")
    assert own(person) == person.box.text() == PRICE
    counts = ter(own(person), [PRICE], TerOptions())
    assert (counts.edits, person.kit.own(0).caret) == (0, len(PRICE))
    person.press("Home")
    person.press("Right")
    assert person.kit.own(0).caret == 1 == person.box.caret()[0]
    person.press("Ctrl+Return")
    assert person.kit.segments[person.kit.current].output == ODD
    assert person.box.text() == own(person) == ODD


@pytest.mark.long
def test_typing_anywhere_changes_nothing_else(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    for place in range(len(ODD) + 1):
        person.kit.move_caret(place)
        person.view.kit_page.box.show_text(ODD, place, place)
        person.type("x")
        assert own(person) == ODD[:place] + "x" + ODD[place:] == person.box.text(), place
        assert person.box.caret() == (place + 1, place + 1)
        person.press("Backspace")
        assert own(person) == ODD == person.box.text(), place
    person.press("Ctrl+Home")
    person.press("Delete")
    assert own(person) == ODD[1:]
    person.press("Ctrl+Z")
    assert own(person) == ODD


@pytest.mark.long
def test_going_back_to_the_output_brings_every_character(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.rewrite("all new")
    person.press("Ctrl+R")
    assert own(person) == ODD == person.box.text()
    person.press("Ctrl+Z")
    assert own(person) == "all new"
    person.press("Ctrl+Y")
    assert own(person) == ODD


@pytest.mark.long
def test_copied_text_is_what_is_selected(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.press("Ctrl+A")
    assert person.box.createMimeDataFromSelection().text() == ODD
    assert person.box.selected() == ODD


def paste(person, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    person.box.insertFromMimeData(data)


def compose(person, text: str) -> None:
    event = QInputMethodEvent()
    event.setCommitString(text)
    QApplication.sendEvent(person.box, event)


@pytest.mark.long
@pytest.mark.parametrize("bring", [paste, compose])
@pytest.mark.parametrize("mark", ["\n", "\t", "\r\n", "\u2028", "\u2029", "\u0085"])
def test_breaks_that_are_brought_become_blanks_and_those_that_arrived_stay(
    sit, bring, mark: str
) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.press("Ctrl+Home")
    notices: list[str] = []
    person.view.kit_page.notice.connect(lambda text, _level: notices.append(text))
    bring(person, f"one{mark}two")
    assert own(person).endswith("two" + ODD)
    assert own(person).removesuffix("two" + ODD).split() == ["one"]
    assert not set(own(person)[: -len(ODD)]) & set("\n\t\r\u2028\u2029\u0085")
    assert person.box.text() == own(person)
    assert notices == ["Line breaks and tabs became spaces"]


@pytest.mark.long
def test_a_confirmed_text_is_kept_as_it_was_typed(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.press("Ctrl+End")
    person.type("\u00a0z")
    person.press("Ctrl+Return")
    assert person.kit.own(1).text == ODD + "\u00a0z"


def painted(box: EditBox, text: str) -> QImage:
    box.show_text(text, 0, 0)
    image = QImage(box.size(), QImage.Format.Format_RGB32)
    box.render(image)
    return image


def test_blanks_that_look_alike_are_told_apart(qtbot) -> None:
    box = EditBox()
    qtbot.addWidget(box)
    box.resize(300, 100)
    box.set_invisible(True)
    pictures = [painted(box, f"aaa{blank}bbb") for blank in " \u00a0\u202f\ufeff\u2009\u3000"]
    for number, picture in enumerate(pictures):
        assert all(picture != other for other in pictures[number + 1 :])


def test_marks_cost_the_lines_that_are_shown(qtbot, monkeypatch) -> None:
    """Ten times the text asks for no more places than the box shows."""
    from madcat_studio.gui.editor import textbox

    asked: list[int] = []
    place = textbox.x_of

    def counting(line, position):
        asked.append(position)
        return place(line, position)

    monkeypatch.setattr(textbox, "x_of", counting)
    counts = []
    for length in (2_000, 20_000):
        box = EditBox()
        qtbot.addWidget(box)
        box.resize(400, 300)
        box.set_invisible(True)
        asked.clear()
        painted(box, "a b c d " * (length // 8))
        counts.append(len(asked))
    assert 0 < counts[0] == counts[1]
