"""An offer of lines for a page that has none, found in the ink of its scan."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF

from madcat_studio.edits import Edit
from madcat_studio.errors import InputError
from madcat_studio.gui.page.sketch import Stroke
from madcat_studio.gui.page.tools.pointing import path_through
from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.model.document import Polygon

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost
    from madcat_studio.operations.pages.inklines import PageLines

__all__ = ["InkLines"]


Offer = Callable[[Edit, str, Sequence[Stroke]], None]


class InkLines:
    """Looks for the lines in a thread, and hands over the offer to whoever shows it."""

    def __init__(self, view: PageHost, parent: QObject, offer: Offer) -> None:
        self._view, self._show = view, offer
        self._seeking = Dispatcher(parent)

    @property
    def busy(self) -> bool:
        """Whether they are being sought."""
        return self._seeking.busy

    def cancel(self) -> None:
        """Nobody waits for the lines any more."""
        self._seeking.cancel()

    def close(self) -> None:
        """Stop looking, and wait until the thread is free."""
        self._seeking.close()

    def propose(self) -> None:
        """Look for lines, and offer what is found."""
        view = self._view
        workspace, number, image = view.workspace, view.page_number, view.scan.image
        if workspace is None or number >= len(workspace.document.pages):
            return
        page = workspace.document.pages[number]
        if page.lines:
            view.shell.messages.info(
                tr("This page already has lines; remove them to find others in the ink.")
            )
            return
        if image is None:
            view.shell.show_error(
                InputError(
                    "edit.no-scan",
                    "there is no scan to find lines in",
                    remedy="Locate the image first",
                )
            )
            return
        path, frame = image
        document = copy.deepcopy(workspace.document)

        def work(ticket: Ticket) -> PageLines:
            from madcat_studio.operations.pages.inklines import page_lines
            from madcat_studio.operations.pages.segmenters import list_segmenters

            listed = list_segmenters()
            used = next((one for one in listed.all if one.name == listed.use), None)
            if used is not None:
                ticket.part(used.name)
            return page_lines(
                path,
                frame,
                document.pages[number],
                document,
                used,
                always=listed.always,
                progress=ticket,
            )

        view.shell.messages.info(tr("Finding the lines in the ink; Esc stops."))
        self._seeking.submit(
            work,
            lambda found: self._offer(number, found),
            failed=view.shell.show_error,
            part=self._tell,
        )

    def _tell(self, name: str) -> None:
        text = tr("{name} is finding the lines, too; Esc stops.", name=name)
        self._view.shell.messages.info(text)

    def _offer(self, number: int, found: PageLines) -> None:
        lines = found.lines
        from madcat_studio.operations.pages.inklines import new_lines

        workspace = self._view.workspace
        if workspace is None or number != self._view.page_number:
            return
        if not lines:
            self._view.shell.messages.info(tr("No writing was found on the scan."))
            return
        colours = self._view.canvas.base.colours

        def stroke(points: Polygon, *, base: bool) -> Stroke:
            way = path_through([QPointF(*point) for point in points], closed=not base)
            return Stroke(way, colours.doubtful if base else colours.linked, 1.6, 0 if base else 22)

        words = sum(len(line.words) for line in lines)
        counts = {
            "lines": tr_count("{count} line", "{count} lines", len(lines)),
            "words": tr_count("{count} word", "{count} words", words),
        }
        if found.by_segmenter:
            text = tr("Found by {name}: {lines}; {words}.", name=found.by, **counts)
        else:
            text = tr("Found in the ink, with baselines: {lines}; {words}.", **counts)
        if found.sure is not None:
            own, other = (tr_count("{count} word", "{count} words", one) for one in found.sure)
            text += " " + tr(
                "Sure by the lines in the ink: {own}; by the segmenter's: {other}.",
                own=own,
                other=other,
            )
        if not words:
            text += " " + tr("Its gaps do not separate words.")
        strokes = [stroke(line.polygon, base=False) for line in lines]
        strokes += [stroke(line.baseline, base=True) for line in lines]
        self._show(new_lines(workspace.document, number, lines), text, strokes)
