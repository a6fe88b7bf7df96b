"""What a brush makes of an outline, and the question where that is not one polygon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from madcat_studio.edits import Outline, SetPolygon
from madcat_studio.errors import InputError
from madcat_studio.gui.page.asklink import LinkQuestions
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Polygon
from madcat_studio.operations.pages.painting import paint, settle_doubt
from madcat_studio.pages.painting import Doubt, Painted

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Painting"]


class Painting:
    """Paints for a page view: the outline that is chosen, else the one where a stroke begins."""

    def __init__(self, view: PageHost, links: LinkQuestions) -> None:
        self._view = view
        self._links = links

    def outline_at(self, place: QPointF) -> Polygon | None:
        """The outline that a stroke from here is about."""
        canvas = self._view.canvas
        if len(canvas.selection.keys) == 1:
            return self._polygon(canvas.selection.keys[0])
        if canvas.shapes is None:
            return None
        inside = canvas.shapes.sets[canvas.tools.layer].at(place.x(), place.y())
        return self._polygon(canvas.shapes.key(canvas.tools.layer, inside[0])) if inside else None

    def painted(self, outline: Polygon, path: Polygon, width: int, *, away: bool) -> Painted:
        """What a stroke would make of an outline."""
        page = self._view.canvas.base.page_rect()
        within = (page.left(), page.top(), page.right(), page.bottom())
        return paint(outline, path, width, away=away, within=within)

    def paint(self, outline: Polygon, path: Polygon, width: int, *, away: bool) -> None:
        """Make the outline so; ask where it would be no single one."""
        view = self._view
        key = self._key_of(outline)
        if key is None:
            view.shell.show_error(
                InputError(
                    "paint.gone",
                    "the outline has changed since the stroke began",
                    remedy="Choose it and paint again",
                )
            )
            return
        try:
            painted = self.painted(outline, path, width, away=away)
        except InputError as error:
            view.shell.show_error(error)
            return
        new = painted.pieces[0]
        if painted.doubt is not Doubt.NONE:
            whole = self._ask(key, painted)
            if whole is None:
                return
            new = settle_doubt(outline, painted, whole=whole)
        if new == outline:
            view.shell.messages.info(tr("The stroke does not change the outline."))
            return
        if view.execute(SetPolygon(Outline(view.page_number, key.line, key.word), new)):
            view.canvas.selection.select([key])

    def _ask(self, key: ShapeKey, painted: Painted) -> bool | None:
        """Whether all of it is wanted; None to give up."""
        if painted.doubt is Doubt.PIECES:
            text = tr("The outline would fall into pieces, but it has to be one.")
            answers = [
                tr("Keep the largest piece"),
                tr("Keep all, with a narrow bridge between them"),
            ]
        else:
            text = tr("The outline would get a hole, which it cannot have.")
            answers = [tr("Leave the hole filled"), tr("Open it to the outside by a narrow slit")]
        answer = self._links.choose(tr("One outline"), text, answers, [key])
        return None if answer is None else answer == 1

    def _polygon(self, key: ShapeKey) -> Polygon | None:
        workspace, page = self._view.workspace, self._view.page_number
        if workspace is None or page >= len(workspace.document.pages):
            return None
        line = workspace.document.pages[page].lines[key.line]
        return line.polygon if key.word is None else line.words[key.word].polygon

    def _key_of(self, outline: Polygon) -> ShapeKey | None:
        """Which outline it is; of several alike the chosen one."""
        workspace, page = self._view.workspace, self._view.page_number
        if workspace is None or page >= len(workspace.document.pages):
            return None
        found = []
        for n, line in enumerate(workspace.document.pages[page].lines):
            found += [ShapeKey(n)] if line.polygon == outline else []
            words = [k for k, word in enumerate(line.words) if word.polygon == outline]
            found += [ShapeKey(n, k) for k in words]
        chosen = [key for key in found if key in self._view.canvas.selection.keys]
        alike = [key for key in found if key.kind is self._view.canvas.tools.layer]
        return next(iter((*chosen, *alike, *found)), None)
