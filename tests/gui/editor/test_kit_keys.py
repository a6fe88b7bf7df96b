"""Every key of a kit under every layout, an Arabic one alone included."""

from __future__ import annotations

import pytest

from madcat_studio.gui.editor.actions import ACTIONS
from madcat_studio.gui.keyboard import strokes
from tests.gui.editor.people import Person
from tests.gui.test_keyboards import Press, presses_for


def meaning(person: Person, press: Press) -> str:
    """The id of what a key does in a kit; what is as labelled is Qt's own."""
    event = press.event()
    meant = person.window.commands.meant(event)
    if meant is not None:
        return meant.objectName()
    first = strokes(event)[0]
    return next((action.id for action in ACTIONS if first in action.shortcut), "")


@pytest.mark.parametrize("layout", ["us", "fr", "de", "ara"])
def test_every_key_of_a_kit_can_be_pressed_on_every_layout(sit, layout: str) -> None:
    person = sit("red1")
    dead = []
    for action in ACTIONS:
        presses = [press for keys in action.shortcut for press in presses_for(layout, keys)]
        if presses and action.id not in [meaning(person, press) for press in presses]:
            dead.append((action.id, action.shortcut))
    assert dead == []


def test_no_two_actions_of_a_kit_have_one_key() -> None:
    keys = [each for action in ACTIONS for each in action.shortcut]
    assert len(keys) == len(set(keys))
