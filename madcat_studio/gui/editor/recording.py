"""What is recorded of an editor's work: told once, plainly, and to be read again at any time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from madcat_studio.gui.editor.guidelines import TextDialog
from madcat_studio.gui.editor.speller import dictionary_title
from madcat_studio.gui.messages import Level, Message, Messages
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import mark, tr
from madcat_studio.operations.campaign.options import SPELLING_OFF
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["show_recorded", "tell_recorded"]

_ALL = mark(
    """This campaign keeps a log of your work in a kit, for research on how much work it is:

* when you come to a segment, and when you leave it;
* each change of the text, and where it comes from: typed, pasted, a suggestion, the output;
* what kind of key you press: one that writes, deletes, moves, or another;
* clicks in the text, and commands such as undo or confirm;
* advice that you were shown, and what you did with it.

Nothing is recorded outside the kit, or while you pause the clock. The log is kept on this machine
like your text, and goes into the campaign with it. The coordinator can read it; the program does
not show it to any other editor."""
)
_TIMES = mark(
    """This campaign records times and nothing else: when you come to a segment and leave it,
and rests of five seconds or more.

Nothing is recorded outside the kit, or while you pause the clock. The coordinator can read these
times; the program does not show them to any other editor."""
)


def tell_recorded(
    workspace: KitWorkspace,
    campaign: str,
    spelling: str,
    messages: Messages,
    show: Callable[[], None],
) -> None:
    """Tell an editor what is recorded, and how words are spelt, at a campaign's first kit.

    Args:
        workspace: the kit that was opened.
        campaign: its id.
        spelling: its dictionary, as :class:`~madcat_studio.operations.campaign.options.Showing`.
        messages: where it is told.
        show: shows all of it.
    """
    texts, back = workspace.texts, workspace.recovery
    if back.texts or back.aside or texts.spool_trouble or texts.trouble:
        return  # what is told of these is more important now: this is told with the next kit
    times_only = workspace.visits.times_only
    key, told = f"recorded/{campaign}/{workspace.claim.editor}", "times" if times_only else "all"
    if window_state().value(key) == told:
        return
    window_state().setValue(key, told)
    text = (
        tr("Recorded of your work: when you come to a segment and leave it, and nothing else.")
        if times_only
        else tr(
            "Recorded of your work: your time at each segment, kinds of keys, clicks and commands, "
            "and each change of the text with where it comes from."
        )
    )
    if spelling and spelling != SPELLING_OFF:
        name = dictionary_title(spelling)
        text += " " + tr("Spelling follows {dictionary}.", dictionary=name)
    messages.post(Message(Level.INFO, text, action=(tr("What is recorded"), show)))


def show_recorded(workspace: KitWorkspace, parent: QWidget) -> None:
    """Show all that is recorded, and who sees it."""
    text = tr(_TIMES if workspace.visits.times_only else _ALL)
    TextDialog(tr("What is recorded"), text, parent).open()
