"""While a page is marked a segmenter looks for its lines, too, and the better are followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.model.document import Page
from madcat_studio.pages.writing import Writing
from madcat_studio.workspace.marking import Marking

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost
    from madcat_studio.gui.page.marking.seeking import Seeking
    from madcat_studio.operations.pages.marking import Compared
    from madcat_studio.operations.pages.segmenters import Segmenter

__all__ = ["Beside", "Scanned"]


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a page's writing was sought in.

    Attributes:
        path, frame: the scan.
        page: as it was, without words.
        texts: the words that may stand on it.
        open_end: whether the last of them may stand on another page.
    """

    path: Path
    frame: int
    page: Page
    texts: list[str]
    open_end: bool


class Beside:
    """Asks the segmenter in use, in a thread, after the ink was looked at."""

    def __init__(self, view: PageHost, seeking: Seeking) -> None:
        """Ask nobody yet.

        Args:
            view: in which pages are marked.
            seeking: shows how far it is.
        """
        self._widget, self._shell = view.widget, view.shell
        self._seeking = seeking
        self._worker = Dispatcher(view.widget)

    def choose(self) -> None:
        """Let the user say which segmenter is asked."""
        from madcat_studio.gui.page.segmenterdialog import SegmenterDialog

        dialog = SegmenterDialog(self._widget.window())
        dialog.exec()
        dialog.deleteLater()

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self._worker.cancel()

    def close(self) -> None:
        """Stop, and wait until the thread is free."""
        self._worker.close()

    def look(
        self,
        marking: Marking,
        own: Writing,
        scanned: Scanned,
        follow: Callable[[Writing], None],
    ) -> None:
        """Have the lines sought, if a segmenter is in use and the page has none of its own.

        Args:
            marking: of the page.
            own: as the ink has it; followed until now.
            scanned: what that was sought in.
            follow: follows another one.
        """
        if scanned.page.lines or not scanned.texts:
            return
        before = _state(marking)

        def work(ticket: Ticket) -> tuple[Segmenter, bool, Compared] | None:
            from madcat_studio.operations.pages.marking import compare_writing
            from madcat_studio.operations.pages.segmenters import list_segmenters

            listed = list_segmenters()
            used = next((one for one in listed.all if one.name == listed.use), None)
            if used is None:
                return None
            ticket.part(used.name)
            found = compare_writing(
                own,
                used,
                scanned.path,
                scanned.frame,
                scanned.page,
                scanned.texts,
                open_end=scanned.open_end,
                progress=ticket,
            )
            return used, listed.always, found

        def done(found: tuple[Segmenter, bool, Compared] | None) -> None:
            self._seeking.hide()
            if found is not None:
                self._take(_state(marking) == before, follow, *found)

        def failed(error: BaseException) -> None:
            self._seeking.hide()
            self._shell.show_error(error)

        self._worker.submit(
            work, done, failed=failed, part=self._begin, progress=self._seeking.advance
        )

    def _begin(self, name: str) -> None:
        self._seeking.begin(tr("{name} is finding the lines; you can begin", name=name))

    def _take(
        self,
        idle: bool,
        follow: Callable[[Writing], None],
        used: Segmenter,
        always: bool,
        found: Compared,
    ) -> None:
        other = found.other if always else found.better
        text = tr(
            "Sure by the lines of {name}: {other}; by those in the ink: {own}.",
            name=used.name,
            other=tr_count("{count} word", "{count} words", found.other_sure),
            own=tr_count("{count} word", "{count} words", found.own_sure),
        )
        if other is None or other is found.own:
            self._shell.messages.info(text + " " + tr("The lines in the ink are used."))
            return

        if idle:
            follow(other)
            text += " " + tr("The lines of {name} are used.", name=used.name)
            self._shell.messages.info(text)
        else:
            # Somebody who is about to press Enter must not find another outline under it.
            offer = (tr("Use them"), lambda: follow(other))
            self._shell.messages.post(Message(Level.INFO, text, action=offer))


def _state(marking: Marking) -> object:
    """What changes when somebody works on the page."""
    return marking.left(), marking.position, marking.parts
