"""What the kit's buttons say of keys is what its user has chosen."""

from __future__ import annotations

from madcat_studio.gui.editor.actions import ACTIONS
from tests.gui.editor.people import Person


def test_tips_follow_the_keys(sit) -> None:
    person: Person = sit("red1")
    keymap, pane = person.view.shell.commands.keymap, person.view.kit_page.pane
    declared = {action.id: action for action in ACTIONS}
    assert pane.confirm.toolTip() == "Ctrl+Enter"
    assert pane.revert.toolTip() == "Undo brings your text back (Ctrl+R)"
    keymap.set(declared["kit.confirm-next"], ("F3",))
    keymap.set(declared["kit.revert"], ())
    assert pane.confirm.toolTip() == "F3"
    assert pane.revert.toolTip() == "Undo brings your text back"
