"""The texts that a segment had: who saved them, what changed, and putting one back."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.gui.editor.pasttexts import PastDialog
from madcat_studio.model.campaign import Pass, SegmentState
from madcat_studio.store import open_campaign
from madcat_studio.workspace.desk import Desk
from madcat_studio.workspace.past import Past
from tests.gui.campaigns import OUTPUTS
from tests.gui.editor.people import Person
from tests.gui.editor.test_returning import finish

OUTPUT = OUTPUTS["s2"]  # He did name the builder.
DRAFT, CONFIRMED = "He did not name the builder.", "He did not name him."


def opened_dialog(person: Person) -> PastDialog:
    person.press("Ctrl+Shift+V")
    found: list[PastDialog] = []

    def there() -> bool:
        found[:] = [one for one in person.view.findChildren(PastDialog) if one.isVisible()]
        return bool(found)

    person.wait(there)
    return found[0]


def rows(dialog: PastDialog) -> list[str]:
    """What the list says, without days and times."""
    said = [dialog.list.item(row).text().split(", ") for row in range(dialog.list.count())]
    return [", ".join(part for part in one if not part[0].isdigit()) for one in said]


def write_two(person: Person) -> None:
    """A draft that is left, and a text that is confirmed."""
    person.press("Alt+Down")
    person.rewrite(DRAFT)
    person.press("Alt+Down")
    person.press("Alt+Up")
    person.rewrite(CONFIRMED)
    person.press("Ctrl+Shift+Return")
    person.wait(lambda: not person.kit.texts.pending)


@pytest.mark.long
def test_an_editor_sees_the_own_texts_and_puts_one_back(sit) -> None:
    person = sit("red1")
    write_two(person)
    person.type(" Ever.")
    dialog = opened_dialog(person)
    assert rows(dialog) == [
        "the system's output",
        "you, first pass, draft",
        "you, first pass, confirmed",
        "on the screen, not saved yet",
    ]
    assert dialog.list.currentRow() == 3
    assert not dialog.use.isEnabled(), "it is the text"
    seen = []
    for row in range(4):
        dialog.list.setCurrentRow(row)
        shown = dialog.view.alignment
        seen.append((shown.output, shown.text, dialog.head.text()))
    assert seen == [
        (OUTPUT, OUTPUT, "The text that everything began with"),
        (OUTPUT, DRAFT, "1 change since the text before it"),
        (DRAFT, CONFIRMED, "1 change since the text before it"),
        (CONFIRMED, f"{CONFIRMED} Ever.", "1 change since the text before it"),
    ]
    dialog.list.setCurrentRow(1)
    dialog.use.click()
    assert person.box.text() == DRAFT
    assert person.kit.own(1).state is SegmentState.DRAFT
    person.wait(person.box.hasFocus)
    person.press("Ctrl+Z")
    assert person.box.text() == f"{CONFIRMED} Ever."


@pytest.mark.long
def test_a_reviewer_sees_both_passes_and_no_other_team(sit, campaign: Path, tmp_path: Path) -> None:
    with open_campaign(campaign) as opened:
        desk = Desk(opened, tmp_path / "blue")
        other = desk.open(desk.kits("blue1")[0], "blue1")
        other.go_to(1)
        other.set_text("Nothing of this is told.", 0)
        other.confirm()
        other.close()
    person = sit("red1")
    write_two(person)
    finish(person)
    person.sit_down("red2")
    person.press("Alt+Down")
    person.rewrite("He never named him.")
    person.press("Ctrl+Shift+Return")
    person.wait(lambda: not person.kit.texts.pending)
    texts = person.kit.texts.past(1)
    assert [(one.text, one.pass_, one.mine, one.state) for one in texts] == [
        (OUTPUT, None, False, None),
        (DRAFT, Pass.FIRST, False, SegmentState.DRAFT),
        (CONFIRMED, Pass.FIRST, False, SegmentState.CONFIRMED),
        ("He never named him.", Pass.REVIEW, True, SegmentState.CONFIRMED),
    ]
    dialog = opened_dialog(person)
    assert rows(dialog) == [
        "the system's output",
        "first editor, first pass, draft",
        "first editor, first pass, confirmed",
        "you, review, confirmed",
    ]
    said = [dialog.list.item(row).text() for row in range(4)]
    assert not any(name in text for text in said for name in ("red1", "Rana", "blue"))
    dialog.reject()


@pytest.mark.long
def test_a_first_editor_hears_nothing_of_the_review(sit, campaign: Path, tmp_path: Path) -> None:
    """Not even where the kit came back and there is a review already."""
    person = sit("red1")
    write_two(person)
    asked: list[Pass] = []
    revisions = person.kit._campaign.revisions
    history = revisions.history

    def watched(kit: str, team: str, pass_: Pass, *more: object) -> object:
        asked.append(pass_)
        assert (kit, team) == ("K1", "red")
        return history(kit, team, pass_, *more)

    revisions.history = watched  # type: ignore[method-assign]
    texts = person.kit.texts.past(1)
    assert asked == [Pass.FIRST]
    assert [one.text for one in texts] == [OUTPUT, DRAFT, CONFIRMED]


@pytest.mark.long
def test_a_campaign_that_cannot_be_reached_is_told(sit, monkeypatch) -> None:
    person = sit("red1")
    told: list[tuple[str, str]] = []
    person.view.kit_page.notice.connect(lambda *said: told.append(said))

    def away(index: int) -> tuple[Past, ...]:
        raise WorldError("store.unreachable", "The campaign cannot be reached")

    monkeypatch.setattr(person.kit.texts, "past", away)
    person.press("Ctrl+Shift+V")
    person.wait(lambda: bool(told))
    assert told == [("The texts cannot be read: The campaign cannot be reached", "warning")]
    assert not person.view.findChildren(PastDialog)
