"""What can be done in a kit. Light: no kit is loaded to build the menus."""

from __future__ import annotations

from madcat_studio.gui.actions import Action, Key
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "KEYS"]

ACTIONS: tuple[Action, ...] = (
    Action("kit.undo", mark("&Undo"), "edit", ("Ctrl+Z",), "undo"),
    Action("kit.redo", mark("&Redo"), "edit", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    Action(
        "kit.find",
        mark("&Find and replace…"),
        "edit",
        ("Ctrl+F", "Ctrl+H"),
        "search",
        section=1,
        hint=mark("In all texts of the kit; replacing is one step that undo takes back"),
    ),
    Action("kit.larger", mark("&Larger text"), "view", ("Ctrl++", "Ctrl+="), "zoom-in"),
    Action("kit.smaller", mark("&Smaller text"), "view", ("Ctrl+-",), "zoom-out"),
    Action(
        "kit.invisible",
        mark("Show &invisible characters"),
        "view",
        ("Ctrl+Shift+I",),
        checkable=True,
    ),
    Action(
        "kit.confirm-next",
        mark("&Confirm and next"),
        "kit",
        ("Ctrl+Return", "Ctrl+Enter"),
        "check",
        hint=mark("Confirm the text, changed or not, and go to the next unfinished segment"),
    ),
    Action("kit.confirm", mark("Confirm and &stay"), "kit", ("Ctrl+Shift+Return",)),
    Action("kit.next", mark("&Next segment"), "kit", ("Alt+Down", "Ctrl+PgDown"), "next"),
    Action("kit.previous", mark("&Previous segment"), "kit", ("Alt+Up", "Ctrl+PgUp"), "previous"),
    Action("kit.next-unfinished", mark("Next un&finished"), "kit", ("Ctrl+Shift+Down", "F8")),
    Action(
        "kit.revert",
        mark("&Back to the start text"),
        "kit",
        ("Ctrl+R",),
        section=1,
        hint=mark("Put back what the segment started with; undo brings your text back"),
    ),
    Action(
        "kit.revert-output",
        mark("Back to the system's &output"),
        "kit",
        ("Ctrl+Shift+R",),
        section=1,
    ),
    Action(
        "kit.take-back",
        mark("&Take back the change at the caret"),
        "kit",
        ("Ctrl+Alt+Z",),
        section=1,
        hint=mark("Puts back what stood there before; a click on the change does the same"),
    ),
    Action(
        "kit.next-change",
        mark("Ne&xt change"),
        "kit",
        ("F7",),
        section=1,
        hint=mark("Select the next change of the text; in a review also what the first pass did"),
    ),
    Action("kit.previous-change", mark("Change &before"), "kit", ("Shift+F7",), section=1),
    Action(
        "kit.move-left",
        mark("Move the words &left"),
        "kit",
        ("Alt+Left",),
        section=2,
        hint=mark("Move the selected words (or the word at the caret) one word to the left"),
    ),
    Action(
        "kit.move-right",
        mark("Move the words r&ight"),
        "kit",
        ("Alt+Right",),
        section=2,
        hint=mark("Move the selected words (or the word at the caret) one word to the right"),
    ),
    Action(
        "kit.insert",
        mark("&Insert the selected words"),
        "kit",
        ("Ctrl+I",),
        section=2,
        hint=mark("Put what is selected in the reference or the output into your text"),
    ),
    Action(
        "kit.read",
        mark("Keyboard to the &reference and back"),
        "kit",
        ("F6",),
        section=2,
        hint=mark("From your text to the reference, the output, the source, and back"),
    ),
    Action("kit.copy-output", mark("Cop&y the output"), "kit", ("Ctrl+Shift+C",), section=2),
    Action(
        "kit.flag",
        mark("Fla&g the segment…"),
        "kit",
        ("Ctrl+Shift+F",),
        section=3,
        hint=mark("Scribe error, unreadable, for discussion, or a note"),
    ),
    Action("kit.guidelines", mark("&Guidelines"), "kit", ("Ctrl+Shift+G",), "note", section=3),
    Action(
        "kit.pause", mark("P&ause the clock"), "kit", ("Ctrl+Shift+P",), checkable=True, section=3
    ),
    Action(
        "kit.hand-over",
        mark("&Hand over…"),
        "kit",
        ("Ctrl+Shift+H",),
        "export",
        section=4,
        hint=mark("Finish this pass, so that the next person can take it up"),
    ),
    Action(
        "kit.send-back",
        mark("Return to the &first pass…"),
        "kit",
        ("Ctrl+Shift+B",),
        section=4,
        hint=mark("Give the flagged segments back to the first editor, where that is allowed"),
    ),
    Action(
        "kit.return",
        mark("Save a copy to &send back…"),
        "kit",
        ("Ctrl+Shift+S",),
        section=4,
        hint=mark("Of a kit that came as a file: all that was typed, without the scans"),
    ),
    Action("kit.close", mark("C&lose the kit"), "kit", ("Ctrl+W",), section=4),
    Action("kit.change-editor", mark("Somebody &else…"), "kit", icon="person", section=5),
)

KEYS: tuple[Key, ...] = (
    Key("Tab", mark("from the text to the list of segments and back")),
    Key(mark("Enter in the list"), mark("open the segment")),
    Key(
        mark("Shift+arrows in the reference or output"), mark("select, to be inserted with Ctrl+I")
    ),
    Key(mark("Double click in the reference or output"), mark("put the word into your text")),
    Key(mark("Click on a change"), mark("take it back")),
    Key(mark("Enter when finding"), mark("the next place; in “Replace by”: replace all")),
    Key(mark("Alt+U, Alt+W when finding"), mark("upper and lower case; whole words only")),
    Key(mark("Esc when finding"), mark("back to your text")),
)
