"""Shows regions and baselines over the page, and turns what is done to them into edits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from madcat_studio.edits import (
    Edit,
    RemoveRegion,
    SetBaseline,
    SetRegionKind,
    SetRegionOutline,
)
from madcat_studio.edits.layouting import add_region, split_region
from madcat_studio.errors import InputError, StudioError
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.outlineedits import OutlineEdits
from madcat_studio.gui.page.regions.panel import RegionPanel, region_name
from madcat_studio.gui.page.regions.parts import Grip, Part, grip_at, moved, part_at, points_of
from madcat_studio.gui.page.regions.tool import RegionTool
from madcat_studio.gui.page.sketch import Sketch, Stroke, Tag
from madcat_studio.gui.page.tools.pointing import path_through
from madcat_studio.gui.settings import SEE_REGIONS
from madcat_studio.gui.translation import tr
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.geometry import bounding_box, contains_point

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["RegionFeature"]

_REACH = 8.0
"""View pixels within which something is taken hold of."""
_TEXT, _TABLE, _OTHER, _BASELINE = (
    QColor("#00796b"), QColor("#7b3fa0"), QColor("#8a6d00"), QColor("#c2185b"),
)  # fmt: skip


class RegionFeature(Feature):
    """The :class:`LayoutEditing` of a page view.

    Attributes:
        layer: all regions and baselines, over the outlines.
        panel: the list beside the page.
        chosen: what is chosen of them.
    """

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        canvas, self._settings = view.canvas, view.shell.settings
        self.chosen: Part | None = None
        self.layer = Sketch(_TEXT)
        self.layer.setZValue(5)
        canvas.tools.add_item(self.layer)
        self.layer.set_scale(canvas.camera.scale())
        canvas.camera.zoomed.connect(self.layer.set_scale)
        self._tool = RegionTool(canvas.tools, OutlineEdits(view), self)
        self.panel = RegionPanel()
        view.side.tabs.addTab(self.panel, tr("Regions"))
        self.panel.chosen.connect(self._on_row)
        self.panel.named.connect(self._on_named)
        self.panel.removal_wanted.connect(self.remove)
        self._settings.changed.connect(self._on_setting)
        canvas.tools.changed.connect(self._show)

    @property
    def _page(self) -> Page | None:
        workspace, number = self.view.workspace, self.view.page_number
        if workspace is None or number >= len(workspace.document.pages):
            return None
        return workspace.document.pages[number]

    # Actions

    @property
    def is_on(self) -> bool:
        """Whether the tool for regions is in use."""
        return self.view.canvas.tools.in_use(self._tool)

    def take(self) -> None:
        """Take the tool, and show what it works on; again: put it away."""
        if self.is_on:
            self.view.put_tool_away()
            return
        self.view.canvas.tools.use(self._tool)
        self.view.side.bring(self.panel)
        self.view.canvas.setFocus()

    @property
    def shows(self) -> bool:
        """Whether regions and baselines are shown."""
        return self._settings.get(SEE_REGIONS)

    def toggle(self) -> None:
        """Show regions and baselines, or no longer."""
        self._settings.set(SEE_REGIONS, not self.shows)

    # As a feature

    def page_shown(self) -> None:
        """Nothing is chosen on another page."""
        self.chosen = None
        self._show()
        if self.view.canvas.tools.begun.resume([self._tool.name]):
            self.view.canvas.tools.use(self._tool)

    def changed(self, change: Change) -> None:
        """Regions and baselines that are there now."""
        if change.regions or change.lines or change.structure:
            page = self._page
            if self.chosen is not None and (page is None or not points_of(page, self.chosen)):
                self.chosen = None
            self._show()

    def _on_setting(self, setting: object) -> None:
        if setting is SEE_REGIONS:
            self._show()

    def _show(self) -> None:
        page = self._page
        row = self.chosen.number if self.chosen is not None and not self.chosen.of_line else -1
        self.panel.show_page(page, row)
        if page is None or not (self.shows or self.is_on):
            self.layer.clear()
            return
        strokes, tags = [], []
        for number, region in enumerate(page.regions):
            colour = {"TextRegion": _TEXT, "TableRegion": _TABLE}.get(region.kind, _OTHER)
            strokes.append(self._stroke(Part(number), region.polygon, colour))
            box = bounding_box(region.polygon)
            if box is not None:
                # At the side where others lie in it, so that their names do not cover each other.
                holds = any(other.parent == region.id for other in page.regions)
                place = QPointF(box[2] if holds else (box[0] + box[2]) / 2, box[1])
                tags.append(Tag(place, region_name(region), colour))
        for number, line in enumerate(page.lines):
            if len(line.baseline) > 1:
                strokes.append(self._stroke(Part(number, of_line=True), line.baseline, _BASELINE))
        points = points_of(page, self.chosen) if self.chosen is not None else ()
        self.layer.show_all(strokes, tags, [QPointF(*point) for point in points])

    def _stroke(self, part: Part, points: Polygon, colour: QColor) -> Stroke:
        path = path_through([QPointF(*point) for point in points], closed=not part.of_line)
        chosen = part == self.chosen
        if part.of_line:
            return Stroke(path, colour, 2.4 if chosen else 1.2)
        return Stroke(path, colour, 2.4 if chosen else 1.4, 22 if chosen else 0, dashed=not chosen)

    # As the tool asks for it

    @property
    def _reach(self) -> float:
        return _REACH / self.view.canvas.camera.scale()

    def choose(self, part: Part | None) -> None:
        """Choose something."""
        self.chosen = part
        self._show()
        if self.is_on:
            self.view.advice.emit(self._tool.hint())

    def part_at(self, place: QPointF) -> Part | None:
        """What lies at a place."""
        page = self._page
        return part_at(page, (place.x(), place.y()), self._reach) if page is not None else None

    def _points(self) -> Polygon:
        page = self._page
        return points_of(page, self.chosen) if page is not None and self.chosen is not None else ()

    def grip_at(self, place: QPointF) -> Grip | None:
        """What of the chosen thing can be taken hold of at a place."""
        closed = self.chosen is not None and not self.chosen.of_line
        return grip_at(self._points(), (place.x(), place.y()), self._reach, closed=closed)

    def reshaped(self, grip: Grip | None, start: QPointF, end: QPointF) -> Polygon:
        """The chosen thing after a drag."""
        points, on_page = self._points(), self.view.canvas.camera.on_page(end)
        if grip is not None and not grip.between:
            place = (round(on_page.x()), round(on_page.y()))
            return (*points[: grip.vertex], place, *points[grip.vertex + 1 :])
        page = self.view.canvas.base.page_rect()
        dx, dy = end.x() - start.x(), end.y() - start.y()
        return moved(points, dx, dy, page.right(), page.bottom()) if points else ()

    def set_points(self, points: Polygon) -> None:
        """Give the chosen thing another outline."""
        part, number = self.chosen, self.view.page_number
        if part is None or points == self._points():
            return
        if part.of_line:
            self.view.execute(SetBaseline(number, part.number, points))
        else:
            self.view.execute(SetRegionOutline(number, part.number, points))

    def drop_vertex(self, grip: Grip) -> None:
        """Delete a vertex, or add one on an edge."""
        points, part = self._points(), self.chosen
        if part is None:
            return
        if grip.between:
            (ax, ay), (bx, by) = points[grip.vertex - 1], points[grip.vertex % len(points)]
            middle = (round((ax + bx) / 2), round((ay + by) / 2))
            self.set_points((*points[: grip.vertex], middle, *points[grip.vertex :]))
        elif len(points) > (2 if part.of_line else 3):
            self.set_points((*points[: grip.vertex], *points[grip.vertex + 1 :]))

    def draw_region(self, polygon: Polygon) -> None:
        """Add a region and choose it."""
        page = self._page
        if page is not None and self._do(lambda d, p: add_region(d, p, polygon)):
            self.choose(Part(len(page.regions) - 1))

    def draw_baseline(self, points: Polygon) -> None:
        """Give a line this baseline: the chosen one, else that under the middle of the stroke."""
        page, key = self._page, self.view.canvas.selection.key
        if page is None or len(points) < 2:
            return
        middle = ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2)
        under = (n for n, line in enumerate(page.lines) if contains_point(line.polygon, middle))
        line = key.line if key is not None else next(under, None)
        if line is None:
            error = InputError(
                "edit.no-line-here",
                "there is no line where the baseline was drawn",
                remedy="Choose the line first, or draw the baseline inside its outline",
            )
            self.view.shell.show_error(error)
        elif self.view.execute(SetBaseline(self.view.page_number, line, points)):
            self.choose(Part(line, of_line=True))

    def cut(self, path: Polygon) -> None:
        """Split the region that a stroke crosses: the chosen one, else that in its middle."""
        page, part = self._page, self.chosen
        if page is None:
            return
        if part is None or part.of_line:
            (ax, ay), (bx, by) = path[0], path[-1]
            part = part_at(page, ((ax + bx) / 2, (ay + by) / 2), 0.0)
        if part is not None and not part.of_line:
            number = part.number
            if self._do(lambda d, p: split_region(d, p, number, path)):
                self.choose(Part(number + 1))

    def remove(self) -> bool:
        """Remove what is chosen."""
        part, number = self.chosen, self.view.page_number
        if part is None:
            return False
        if part.of_line:
            self.view.execute(SetBaseline(number, part.number, ()))
        else:
            self.view.execute(RemoveRegion(number, part.number))
        return True

    def _do(self, make: Callable[[Document, int], Edit]) -> bool:
        """Make an edit and execute it; why it cannot be is shown."""
        workspace = self.view.workspace
        if workspace is None:
            return False
        try:
            edit = make(workspace.document, self.view.page_number)
        except StudioError as error:
            self.view.shell.show_error(error)
            return False
        return self.view.execute(edit) is not None

    # As the panel asks for it

    def _on_row(self, row: int) -> None:
        page = self._page
        self.choose(Part(row) if row >= 0 else None)
        box = bounding_box(page.regions[row].polygon) if page is not None and row >= 0 else None
        if box is not None:
            left, top, right, bottom = box
            self.view.canvas.camera.reveal(QRectF(left, top, right - left, bottom - top))

    def _on_named(self, kind: str, type_: str) -> None:
        page, part = self._page, self.chosen
        if page is None or part is None or part.of_line:
            return
        region = page.regions[part.number]
        if (kind, type_ or None) != (region.kind, region.type):
            number = self.view.page_number
            self.view.execute(SetRegionKind(number, part.number, kind, type_ or None))
