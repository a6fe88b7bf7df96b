"""Caret, selection, scroll and direction are the editor's own, whatever else goes on.

Each event of a script is followed by all that it sets off: alignment, spelling, spool, delivery,
the page. What the editor sees of the box after that is what was seen right after the event.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from madcat_studio.gui.editor.marks import Mark
from madcat_studio.model.campaign import SegmentState
from madcat_studio.store import open_campaign
from tests.gui.campaigns import make_campaign
from tests.gui.editor.people import Person

TEXT = "the mayor opnd محمد bridge (2009), and said “no” 187 metres of wter GALE . 𝒜 x"
WORDS = TEXT.split()


class Watch:
    """Looks at the box of a person, and waits until nothing is going on any more."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.view.kit_page
        self.spelled = self.coached = 0
        # How long each waits for a rest is no part of what is tested.
        for timer in (
            self.page._spelling._rest,
            self.page.side._later,
            self.page.pane.changes._speak,
        ):
            timer.setInterval(1)
        self._composing = ""

    def seen(self) -> tuple[object, ...]:
        box, cursor = self.person.box, self.person.box.textCursor()
        return (
            cursor.position(),
            cursor.anchor(),
            box.verticalScrollBar().value(),
            box.horizontalScrollBar().value(),
            self.page.pane.verticalScrollBar().value(),
            self.page.side.list.verticalScrollBar().value(),
            box.textCursor().block().layout().preeditAreaText(),
            box.toPlainText(),
        )

    def settle(self) -> None:
        page, kit = self.page, self.person.kit

        def idle() -> bool:
            return not (
                page._spelling._rest.isActive()
                or page._spelling._worker.busy
                or page._soon.isActive()
                or page._scorer.busy
                or page._store.busy
                or page.side._later.isActive()
                or page.coach.busy
                or page.pane.changes._speak.isActive()
                or kit.texts.pending
            )

        self.person.wait(idle)
        self.spelled += bool(self.person.box.marks.words(Mark.MISSPELT))
        self.coached += bool(self.page.coach.advice)

    def left_to_right(self) -> bool:
        box = self.person.box
        option = box.document().defaultTextOption()
        line = box.document().firstBlock().layout().lineAt(0)
        return (
            option.textDirection() is Qt.LayoutDirection.LeftToRight
            and box.document().firstBlock().textDirection() is Qt.LayoutDirection.LeftToRight
            and line.naturalTextRect().left() < 20
        )

    def compose(self, text: str) -> None:
        QApplication.sendEvent(self.person.box, QInputMethodEvent(text, []))
        self._composing = text

    def commit(self) -> None:
        done = QInputMethodEvent()
        done.setCommitString(self._composing)
        QApplication.sendEvent(self.person.box, done)
        self._composing = ""

    def paste(self, text: str) -> None:
        mime = QMimeData()
        mime.setText(text)
        self.person.box.insertFromMimeData(mime)

    def act(self, chance: random.Random) -> str:
        """One event of an editor's; what it was."""
        person = self.person
        if self._composing and chance.random() < 0.7:
            self.commit()
            return "commit"
        kind = chance.choice(
            ["type"] * 5 + ["move", "compose"] * 3 + ["select", "history"] * 2 + ["paste", "delete"]
        )
        if kind != "compose" and self._composing:
            self.commit()
        match kind:
            case "type":
                person.type(chance.choice(WORDS) + chance.choice(["", " "]))
            case "move":
                person.press(chance.choice(["Left", "Right", "Up", "Down", "Home", "Ctrl+Left"]))
            case "select":
                person.press(chance.choice(["Shift+Down", "Ctrl+Shift+Left", "Shift+End"]))
            case "history":
                person.press(chance.choice(["Ctrl+Z", "Ctrl+Shift+Z"]))
            case "compose":
                self.compose(chance.choice(["ば", "مح", "ae"]))
            case "paste":
                self.paste(chance.choice(WORDS))
            case "delete":
                person.press(chance.choice(["Backspace", "Delete"]))
        return kind


@pytest.fixture
def watch(make_window, qtbot, tmp_path: Path) -> Watch:
    where = make_campaign(tmp_path / "seen", show_page=True, show_source=True)
    with open_campaign(where) as opened:
        opened.set_options({"editing.coach": True})
    person = Person(make_window(where), qtbot.waitUntil)
    person.window.resize(900, 620)
    person.sit_down("red1")
    person.wait(lambda: person.view.kit_page.pane.strip.pyramid is not None)
    return Watch(person)


@pytest.mark.long
def test_nothing_moves_by_itself(watch: Watch) -> None:
    chance, person = random.Random(11), watch.person
    watch.paste(" ".join(chance.choice(WORDS) for _ in range(130)))
    person.press("Ctrl+Home")
    for _ in range(12):
        person.press("Down")
    watch.settle()
    assert person.box.verticalScrollBar().maximum() > 0, "the box has more than it can show"
    done: list[str] = []
    for _ in range(40):
        done.append(watch.act(chance))
        seen = watch.seen()
        watch.settle()
        assert watch.seen() == seen, done
        assert watch.left_to_right(), done
        known = person.kit.own(0)
        if not watch._composing:
            assert (known.text, known.caret, known.anchor) == (seen[-1], *person.box.caret()), done
    assert watch.spelled > 25, "spelling was looked at"
    assert watch.coached > 10, "and the coach had something to say"
    assert set(done) >= {"type", "move", "select", "compose", "commit", "paste", "history"}
    marks = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    assert not set(person.kit.own(0).text) & set(marks), "no direction marks get into the text"


@pytest.mark.long
def test_the_newest_spelling_comes_while_one_composes(watch: Watch) -> None:
    person = watch.person
    person.press("Ctrl+Home")
    person.type("Teh ")
    watch.compose("ば")
    seen = watch.seen()
    marks = person.box.marks.words
    person.wait(lambda: "Teh" in marks())
    person.scored()
    watch.settle()
    assert watch.seen() == seen
    watch.compose("")  # given up
    assert person.box.toPlainText() == person.kit.own(0).text
    assert person.kit.own(0).text.startswith("Teh The")
    assert person.kit.own(0).state is SegmentState.DRAFT
