"""The pictures of what an editor does by key: find, flag, go through changes, hand over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.screenshots import campaign

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from scripts.screenshots.studio import Studio

__all__ = ["advice", "changes", "coach", "find", "flag"]


def find(studio: Studio) -> None:
    """Finding over the kit, by Ctrl+F, words and Enter."""
    campaign.kit(studio)
    view = campaign.kit_view(studio)
    studio.window.commands.named("kit.find").trigger()
    bar = view.kit_page.find_bar
    wanted = "the"
    bar.words.setText(wanted)
    bar.whole.setChecked(True)
    bar.find_next()
    studio.settle(900)


def coach(studio: Studio) -> None:
    """Which edits could be spared; the second piece of advice, by F9."""
    campaign.kit(studio)
    page = campaign.kit_view(studio).kit_page
    workspace = page.workspace
    assert workspace is not None
    text = workspace.segments[workspace.current].output
    for old, new in (("The ", "This "), (" of ", " over "), (" and ", " as well as "), ("'", "’")):
        text = text.replace(old, new, 1)
    page.do(lambda kit: kit.replace_all({kit.current: text}))
    studio.wait(lambda: not page.coach.busy and bool(page.coach.advice))
    studio.window.commands.named("kit.next-advice").trigger()
    studio.settle(900)


def flag(studio: Studio) -> QWidget:
    """What can be said of a segment besides its text."""
    from madcat_studio.gui.editor.flags import FlagDialog
    from madcat_studio.model.campaign import Flag

    campaign.kit(studio)
    flags = {Flag.SCRIBE_ERROR: "one letter too many in the third word"}
    return FlagDialog(10, flags, studio.window, returns=True)


def changes(studio: Studio) -> None:
    """A reviewer goes through the changes, by F7."""
    campaign.review(studio)
    for _ in range(3):
        studio.window.commands.named("kit.next-change").trigger()
    studio.settle(900)


def advice(studio: Studio) -> None:
    """What is only worth a look before a kit is handed over."""
    campaign.review(studio)
    page = campaign.kit_view(studio).kit_page
    workspace = page.workspace
    assert workspace is not None
    page.do(lambda kit: kit.replace_all({2: kit.own(2).text + '  Aproximately "'}))
    studio.window.commands.named("kit.next-finding").trigger()
    studio.wait(lambda: page.findings.list.count() > 0)
    studio.settle(900)
