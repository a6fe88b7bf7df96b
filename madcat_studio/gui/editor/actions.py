"""What can be done in a kit. Light: no kit is loaded to build the menus."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS", "KEYS"]

ACTIONS: tuple[Action[Any], ...] = (
    by_host("kit.undo", mark("&Undo"), "edit", ("Ctrl+Z",), "undo"),
    by_host("kit.redo", mark("&Redo"), "edit", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    by_host(
        "kit.find",
        mark("&Find and replace…"),
        "edit",
        ("Ctrl+F", "Ctrl+H"),
        "search",
        section=1,
        hint=mark("In all texts of the kit; replacing is one step that undo takes back"),
    ),
    by_host("kit.larger", mark("&Larger text"), "view", ("Ctrl++", "Ctrl+="), "zoom-in"),
    by_host("kit.smaller", mark("&Smaller text"), "view", ("Ctrl+-",), "zoom-out"),
    by_host(
        "kit.invisible",
        mark("Show &invisible characters"),
        "view",
        ("Ctrl+Shift+I",),
        checkable=True,
    ),
    by_host(
        "kit.confirm-next",
        mark("&Confirm and next"),
        "kit",
        ("Ctrl+Return", "Ctrl+Enter"),
        "check",
        hint=mark("Confirm the text, changed or not, and go to the next unfinished segment"),
    ),
    by_host("kit.confirm", mark("Confirm and &stay"), "kit", ("Ctrl+Shift+Return",)),
    by_host("kit.next", mark("&Next segment"), "kit", ("Alt+Down", "Ctrl+PgDown"), "next"),
    by_host("kit.previous", mark("&Previous segment"), "kit", ("Alt+Up", "Ctrl+PgUp"), "previous"),
    by_host("kit.next-unfinished", mark("Next un&finished"), "kit", ("Ctrl+Shift+Down", "F8")),
    by_host(
        "kit.revert",
        mark("&Back to the start text"),
        "kit",
        ("Ctrl+R",),
        section=1,
        hint=mark("Put back what the segment started with; undo brings your text back"),
    ),
    by_host(
        "kit.revert-output",
        mark("Back to the system's &output"),
        "kit",
        ("Ctrl+Shift+R",),
        section=1,
    ),
    by_host(
        "kit.take-back",
        mark("&Take back the change at the caret"),
        "kit",
        ("Ctrl+Alt+Z",),
        section=1,
        hint=mark("Puts back what stood there before; a click on the change does the same"),
    ),
    by_host(
        "kit.next-change",
        mark("Ne&xt change"),
        "kit",
        ("F7",),
        section=1,
        hint=mark("Select the next change of the text; in a review also what the first pass did"),
    ),
    by_host("kit.previous-change", mark("Change &before"), "kit", ("Shift+F7",), section=1),
    by_host(
        "kit.move-left",
        mark("Move the words &left"),
        "kit",
        ("Alt+Left",),
        section=2,
        hint=mark("Move the selected words (or the word at the caret) one word to the left"),
    ),
    by_host(
        "kit.move-right",
        mark("Move the words r&ight"),
        "kit",
        ("Alt+Right",),
        section=2,
        hint=mark("Move the selected words (or the word at the caret) one word to the right"),
    ),
    by_host(
        "kit.insert",
        mark("&Insert the selected words"),
        "kit",
        ("Ctrl+I",),
        section=2,
        hint=mark("Put what is selected in the reference or the output into your text"),
    ),
    by_host(
        "kit.read",
        mark("Keyboard to the &reference and back"),
        "kit",
        ("F6",),
        section=2,
        hint=mark("From your text to the reference, the output, the source, and back"),
    ),
    by_host("kit.copy-output", mark("Cop&y the output"), "kit", ("Ctrl+Shift+C",), section=2),
    by_host(
        "kit.flag",
        mark("Fla&g the segment…"),
        "kit",
        ("Ctrl+Shift+F",),
        section=3,
        hint=mark("Scribe error, unreadable, for discussion, or a note"),
    ),
    by_host("kit.guidelines", mark("&Guidelines"), "kit", ("Ctrl+Shift+G",), "note", section=3),
    by_host(
        "kit.pause", mark("P&ause the clock"), "kit", ("Ctrl+Shift+P",), checkable=True, section=3
    ),
    by_host(
        "kit.hand-over",
        mark("&Hand over…"),
        "kit",
        ("Ctrl+Shift+H",),
        "export",
        section=4,
        hint=mark("Finish this pass, so that the next person can take it up"),
    ),
    by_host(
        "kit.send-back",
        mark("Return to the &first pass…"),
        "kit",
        ("Ctrl+Shift+B",),
        section=4,
        hint=mark("Give the flagged segments back to the first editor, where that is allowed"),
    ),
    by_host(
        "kit.return",
        mark("Save a copy to &send back…"),
        "kit",
        ("Ctrl+Shift+S",),
        section=4,
        hint=mark("Of a kit that came as a file: all that was typed, without the scans"),
    ),
    by_host("kit.close", mark("C&lose the kit"), "kit", ("Ctrl+W",), section=4),
    by_host("kit.change-editor", mark("Somebody &else…"), "kit", icon="person", section=5),
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
