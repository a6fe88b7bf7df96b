"""What the kit's buttons say of keys is what its user has chosen."""

from __future__ import annotations

from madcat_studio.gui.editor.actions import CONFIRM, HAND_OVER, REVERT
from madcat_studio.gui.editor.pairs import Pair
from tests.gui.editor.people import Person


def test_tips_follow_the_keys(sit) -> None:
    person: Person = sit("red1")
    keymap, pane = person.view.shell.commands.keymap, person.view.kit_page.pane
    assert pane.confirm.toolTip() == "Ctrl+Enter"
    assert pane.revert.toolTip() == "Undo brings your text back (Ctrl+R)"
    assert pane.pairs.buttons[Pair.PASS].toolTip().endswith(" (Ctrl+F7 for the next)")
    keymap.set(CONFIRM, ("F3",))
    keymap.set(REVERT, ())
    keymap.set(HAND_OVER, ("Ctrl+Alt+H",))
    pane.pairs.tell_first("saves 2 edits")
    assert pane.confirm.toolTip() == "F3"
    assert pane.revert.toolTip() == "Undo brings your text back"
    assert "saves 2 edits (Ctrl+F7" in pane.pairs.buttons[Pair.PASS].toolTip()
    said: list[str] = []
    person.view.hint.connect(said.append)
    workspace = person.view.kit_page.workspace
    while workspace.check():
        person.view.confirm()
    assert said[-1] == "All segments are confirmed: hand over with Ctrl+Alt+H"
