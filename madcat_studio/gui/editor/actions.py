"""What can be done in a kit. Light: no kit is loaded to build the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Declarations, Key, redo_title, undo_title
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.editor.view import KitView

__all__ = ["ACTIONS", "KEYS"]

kit: Declarations[KitView] = Declarations("kit")
opened = kit.when(lambda view: view.has_kit)

opened(
    "undo",
    mark("&Undo"),
    "edit",
    ("Ctrl+Z",),
    "undo",
    run=lambda view: view.kit_page.do(lambda kit: kit.undo()),
    enabled=lambda view: bool(view.undo_label),
    label=lambda view: undo_title(view.undo_label),
)

opened(
    "redo",
    mark("&Redo"),
    "edit",
    ("Ctrl+Shift+Z", "Ctrl+Y"),
    "redo",
    run=lambda view: view.kit_page.do(lambda kit: kit.redo()),
    enabled=lambda view: bool(view.redo_label),
    label=lambda view: redo_title(view.redo_label),
)

opened(
    "find",
    mark("&Find and replace…"),
    "edit",
    ("Ctrl+F", "Ctrl+H"),
    "search",
    section=1,
    hint=mark("In all texts of the kit; replacing is one step that can be undone"),
    run=lambda view: view.begin_finding(),
)

opened(
    "larger",
    mark("&Larger text"),
    "view",
    ("Ctrl++", "Ctrl+="),
    "zoom-in",
    run=lambda view: view.resize_text(1),
)

opened(
    "smaller",
    mark("&Smaller text"),
    "view",
    ("Ctrl+-",),
    "zoom-out",
    run=lambda view: view.resize_text(-1),
)

opened(
    "invisible",
    mark("Show &invisible characters"),
    "view",
    ("Ctrl+Shift+I",),
    run=lambda view: view.toggle_invisible(),
    checked=lambda view: view.kit_page.box.show_invisible,
)

opened(
    "side-by-side",
    mark("&Reference and text side by side"),
    "view",
    ("F12",),
    hint=mark(
        "The place where you type is highlighted in reference and output; long segments begin "
        "like this"
    ),
    run=lambda view: view.kit_page.pane.arrangement.toggle(),
    checked=lambda view: view.kit_page.pane.arrangement.side_by_side,
)

CONFIRM = opened(
    "confirm-next",
    mark("&Confirm and next"),
    "kit",
    ("Ctrl+Return", "Ctrl+Enter"),
    "check",
    hint=mark("Confirm the text, changed or not, and go to the next unfinished segment"),
    run=lambda view: view.confirm(),
    buttons=lambda view: [view.kit_page.pane.confirm],
)

opened(
    "confirm",
    mark("Confirm and &stay"),
    "kit",
    ("Ctrl+Shift+Return",),
    run=lambda view: view.confirm(stay=True),
)

opened(
    "next",
    mark("&Next segment"),
    "kit",
    ("Alt+Down", "Ctrl+PgDown"),
    "next",
    run=lambda view: view.kit_page.do(lambda kit: kit.next()),
)

opened(
    "previous",
    mark("&Previous segment"),
    "kit",
    ("Alt+Up", "Ctrl+PgUp"),
    "previous",
    run=lambda view: view.kit_page.do(lambda kit: kit.previous()),
)

opened(
    "next-unfinished",
    mark("Next un&finished"),
    "kit",
    ("Ctrl+Shift+Down", "F8"),
    run=lambda view: view.kit_page.do(lambda kit: kit.next_unfinished()),
)

opened(
    "go-to",
    mark("&Go to a number…"),
    "kit",
    ("Ctrl+G",),
    run=lambda view: view.kit_page.side.ask_number(),
)

opened(
    "revert",
    mark("&Back to the start text"),
    "kit",
    ("Ctrl+R",),
    section=1,
    hint=mark("Put back what the segment started with; undo brings your text back"),
    run=lambda view: view.kit_page.do(lambda kit: kit.revert()),
    label=lambda view: view.revert_title,
    buttons=lambda view: [view.kit_page.pane.revert],
)

opened(
    "revert-output",
    mark("Back to the system's &output"),
    "kit",
    ("Ctrl+Shift+R",),
    section=1,
    run=lambda view: view.kit_page.do(lambda kit: kit.revert(to_output=True)),
    enabled=lambda view: view.in_review,
)

opened(
    "past",
    mark("Earlier texts of the seg&ment…"),
    "kit",
    ("Ctrl+Shift+V",),
    section=1,
    hint=mark("Who saved which, when, and what changed; any of them can be put back"),
    run=lambda view: view.kit_page.past.show(view),
)

opened(
    "take-back",
    mark("&Take back the change at the caret"),
    "kit",
    ("Ctrl+Shift+T",),
    section=1,
    hint=mark("Puts back what was there before; a click on the change does the same"),
    run=lambda view: view.kit_page.words.take_back_at_caret(),
)

opened(
    "next-change",
    mark("Ne&xt change"),
    "kit",
    ("F7",),
    section=1,
    hint=mark("Select the next change of the text; in a review also what the first pass did"),
    run=lambda view: view.kit_page.words.go_to_change(1),
)

opened(
    "previous-change",
    mark("Change &before"),
    "kit",
    ("Shift+F7",),
    section=1,
    run=lambda view: view.kit_page.words.go_to_change(-1),
)

opened(
    "next-pair",
    mark("Compare the next two te&xts"),
    "kit",
    ("Ctrl+F7",),
    section=1,
    hint=mark("In a review: yours and the first pass, yours and the output, first pass and output"),
    run=lambda view: view.kit_page.pane.pairs.step(1),
    enabled=lambda view: view.in_review,
)

opened(
    "previous-pair",
    mark("Compare the two texts before"),
    "kit",
    ("Ctrl+Shift+F7",),
    section=1,
    run=lambda view: view.kit_page.pane.pairs.step(-1),
    enabled=lambda view: view.in_review,
)

opened(
    "next-advice",
    mark("Next advice of the c&oach"),
    "kit",
    ("F9",),
    section=1,
    hint=mark("Select the next change that could be spared; nothing is changed by itself"),
    run=lambda view: view.kit_page.coach.go(1),
    enabled=lambda view: view.kit_page.coach.on,
)

opened(
    "previous-advice",
    mark("Advice before"),
    "kit",
    ("Shift+F9",),
    section=1,
    run=lambda view: view.kit_page.coach.go(-1),
    enabled=lambda view: view.kit_page.coach.on,
)

opened(
    "take-advice",
    mark("Take the coach's advice"),
    "kit",
    ("Ctrl+F9",),
    section=1,
    hint=mark("Changes your text as it says; you can undo it"),
    run=lambda view: view.kit_page.coach.take(),
    enabled=lambda view: view.kit_page.coach.on,
    buttons=lambda view: [view.kit_page.coach.bar.take],
)

opened(
    "dismiss-advice",
    mark("Dismiss the coach's advice"),
    "kit",
    ("Ctrl+Shift+F9",),
    section=1,
    run=lambda view: view.kit_page.coach.dismiss(),
    enabled=lambda view: view.kit_page.coach.on,
    buttons=lambda view: [view.kit_page.coach.bar.dismiss],
)

opened(
    "next-finding",
    mark("Next &thing to see to"),
    "kit",
    ("F5",),
    section=1,
    hint=mark("What prevents handing over, or is worth a look; the list stays beside the text"),
    run=lambda view: view.finishing.go_on(1),
    buttons=lambda view: [view.kit_page.findings.next],
)

opened(
    "previous-finding",
    mark("Thing to see to &before"),
    "kit",
    ("Shift+F5",),
    section=1,
    run=lambda view: view.finishing.go_on(-1),
)

opened(
    "move-left",
    mark("Move the words &left"),
    "kit",
    ("Alt+Left",),
    section=2,
    hint=mark("Move the selected words (or the word at the caret) one word to the left"),
    run=lambda view: view.kit_page.words.move(-1),
)

opened(
    "move-right",
    mark("Move the words r&ight"),
    "kit",
    ("Alt+Right",),
    section=2,
    hint=mark("Move the selected words (or the word at the caret) one word to the right"),
    run=lambda view: view.kit_page.words.move(1),
)

opened(
    "insert",
    mark("&Insert the selected words"),
    "kit",
    ("Ctrl+I",),
    section=2,
    hint=mark("Put what is selected in the reference or the output into your text"),
    run=lambda view: view.insert_selected(),
)

opened(
    "read",
    mark("Keyboard to the &reference and back"),
    "kit",
    ("F6",),
    section=2,
    hint=mark("From your text to the reference, the output, the source, and back"),
    run=lambda view: view.kit_page.pane.read_next(),
)

opened(
    "copy-output",
    mark("Cop&y the output"),
    "kit",
    ("Ctrl+Shift+C",),
    section=2,
    run=lambda view: view.copy_output(),
)

opened(
    "flag",
    mark("Fla&g the segment…"),
    "kit",
    ("Ctrl+Shift+F",),
    section=3,
    hint=mark("Scribe error, unreadable, for discussion, or a note"),
    run=lambda view: view.flag(),
)

opened(
    "asides",
    mark("Texts kept &aside…"),
    "kit",
    section=3,
    hint=mark("Texts that came from another place, or too late, beside those in the kit"),
    run=lambda view: view.places.compare(),
    enabled=lambda view: view.places.has_asides,
)

opened(
    "take-over",
    mark("Take the kit o&ver"),
    "kit",
    section=3,
    hint=mark("Continue here with a kit that has since been opened elsewhere"),
    run=lambda view: view.places.take_over(),
    enabled=lambda view: view.places.is_taken,
)

kit(
    "guidelines",
    mark("&Guidelines"),
    "kit",
    ("Ctrl+Shift+G",),
    "note",
    section=3,
    run=lambda view: view.show_guidelines(),
    enabled=lambda view: view.has_guidelines,
)

opened(
    "recorded",
    mark("&What is recorded"),
    "kit",
    section=3,
    hint=mark("Of your work in this campaign, and who can read it"),
    run=lambda view: view.show_recorded(),
)

opened(
    "pause",
    mark("P&ause the clock"),
    "kit",
    ("Ctrl+Shift+P",),
    section=3,
    run=lambda view: view.kit_page.pause(not view.kit_page.paused),
    checked=lambda view: view.kit_page.paused,
)

opened(
    "seconds",
    mark("Clock with seconds"),
    "view",
    run=lambda view: view.kit_page.side.toggle_seconds(),
    checked=lambda view: view.kit_page.side.seconds,
)

HAND_OVER = opened(
    "hand-over",
    mark("&Hand over…"),
    "kit",
    ("Ctrl+Shift+H",),
    "export",
    section=4,
    hint=mark("Finish this pass, so that the next person can begin"),
    run=lambda view: view.hand_over(),
)

opened(
    "translated",
    mark("The &page with your texts…"),
    "view",
    ("Ctrl+Shift+E",),
    hint=mark("Your texts in place of the writing, beside the page or under a lens, where allowed"),
    run=lambda view: view.translated.show(),
    enabled=lambda view: view.translated.possible,
)

opened(
    "send-back",
    mark("Return to the &first pass…"),
    "kit",
    ("Ctrl+Shift+B",),
    section=4,
    hint=mark("Give the flagged segments back to the first editor, where that is allowed"),
    run=lambda view: view.send_back(),
    enabled=lambda view: view.can_send_back,
)

opened(
    "return",
    mark("Save a copy to &send back…"),
    "kit",
    ("Ctrl+Shift+S",),
    section=4,
    hint=mark("For a kit that came as a file: everything that was typed, without the scans"),
    run=lambda view: view.save_copy(),
    enabled=lambda view: view.in_file,
)

opened(
    "close",
    mark("C&lose the kit"),
    "kit",
    ("Ctrl+W",),
    section=4,
    run=lambda view: view.close_kit(),
)

kit(
    "change-editor",
    mark("Somebody &else…"),
    "kit",
    icon="person",
    section=5,
    run=lambda view: view.change_editor(),
    enabled=lambda view: view.can_change_editor,
)

ACTIONS: tuple[Action[KitView], ...] = tuple(kit)

KEYS: tuple[Key, ...] = (
    Key(mark("Tab"), mark("from the text to the list of segments and back")),
    Key(mark("Enter in the list"), mark("open the segment")),
    Key(mark("Shift+arrows in the reference or output"), mark("select words to insert")),
    Key(mark("Double click in the reference or output"), mark("put the word into your text")),
    Key(mark("Click on a change"), mark("take it back")),
    Key(mark("Enter when finding"), mark("the next place; in “Replace by”: replace this one")),
    Key(mark("Shift+Enter when finding"), mark("the place before")),
    Key(mark("Alt+A when finding"), mark("replace all")),
    Key(mark("Alt+R when finding"), mark("in reference and output too")),
    Key(mark("Alt+U, Alt+W when finding"), mark("upper and lower case; whole words only")),
    Key(mark("Esc when finding"), mark("back to your text")),
)
