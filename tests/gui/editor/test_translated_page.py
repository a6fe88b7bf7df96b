"""The page with an editor's texts in place of the writing: where the coordinator allows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QListWidget

from madcat_studio.gui.rendering.preview import PagePreview
from madcat_studio.store import open_campaign
from tests.gui.campaigns import REFERENCES, make_campaign
from tests.gui.editor.people import Person
from tests.gui.helpers import can, run

ALLOWED = {"editing.show_translated": True}


def sit_at(make_window, qtbot, where: Path) -> Person:
    person = Person(make_window(where), qtbot.waitUntil)
    person.sit_down("red1")
    return person


def previews(person: Person) -> list[PagePreview]:
    return person.view.window().findChildren(PagePreview)


def test_an_editor_sees_the_page_with_their_texts(make_window, qtbot, tmp_path: Path) -> None:
    where = make_campaign(tmp_path / "seen", show_page=True)
    with open_campaign(where) as campaign:
        campaign.set_options(ALLOWED)
    person = sit_at(make_window, qtbot, where)
    person.rewrite("The mayor opened it.")
    person.wait(lambda: can(person.view, "kit.translated"))
    run(person.view, "kit.translated")
    [preview] = previews(person)
    person.wait(preview.export.isEnabled)
    told = [part.name for part in preview.pages.spoken.parts()]
    name = person.kit.segments[0].name
    assert name.base != "D_1_S1"  # the kit knows pages by other names
    # No other segment has lines on the page.
    assert told == [f"{name.segment}: The mayor opened it."]
    notes = preview.findChild(QListWidget)
    said = " ".join(notes.item(row).text() for row in range(notes.count()))
    # Nothing of other segments, of the reference or of the system is told.
    for secret in ("Alpha", "D_1_S1", *(text for text in REFERENCES.values() if text)):
        assert secret not in said
    preview.close()


@pytest.mark.parametrize("show_page", [True, False])
def test_it_is_not_there_unless_both_are_allowed(
    make_window, qtbot, tmp_path: Path, show_page: bool
) -> None:
    where = make_campaign(tmp_path / "hidden", show_page=show_page)
    if not show_page:
        with open_campaign(where) as campaign:
            campaign.set_options(ALLOWED)
    person = sit_at(make_window, qtbot, where)
    if show_page:
        person.wait(lambda: bool(person.view.kit_page.lines))
    assert not can(person.view, "kit.translated")
    run(person.view, "kit.translated")  # as if the key came all the same
    assert previews(person) == []


def test_no_page_is_shown_before_a_kit_is_open(make_window, qtbot, tmp_path: Path) -> None:
    person = Person(make_window(make_campaign(tmp_path / "c")), qtbot.waitUntil)
    person.wait(lambda: person.window.current_view() is not None)
    assert not can(person.view, "kit.translated")
