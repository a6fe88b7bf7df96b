"""What the program offers for a page, shown before it is done: orders, lines from words, trims."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from PIL import Image
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent

from madcat_studio.edits import CompositeEdit, Edit, Outline, SetPolygon
from madcat_studio.edits.arranging import order_lines, order_words, within_regions
from madcat_studio.errors import InputError
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.inklines import InkLines
from madcat_studio.gui.page.proposalstrip import ProposalStrip
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.sketch import Sketch, Stroke, Tag
from madcat_studio.gui.page.tools.pointing import path_through
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, Line, Page, Polygon, Word
from madcat_studio.model.geometry import bounding_box, centre

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost
    from madcat_studio.operations.pages.lines import DerivedLines

__all__ = ["Proposals"]

_BLEED = QColor("#c62828")
_MOST_TAGS = 600


class Proposals(Feature):
    """Shows what would change and does it only when it is taken.

    Attributes:
        strip: above the page.
        preview: over the page.
        ink: lines for a page that has none.
    """

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        self._edit: Edit | None = None
        self.strip = ProposalStrip()
        view.column.insertWidget(0, self.strip)
        self.strip.taken.connect(self._take)
        self.strip.left.connect(self.withdraw)
        self.preview = Sketch(view.canvas.base.colours.hover)
        view.canvas.scene().addItem(self.preview)
        view.canvas.camera.zoomed.connect(self.preview.set_scale)
        view.canvas.installEventFilter(self)
        self._working = Dispatcher(self)
        self.ink = InkLines(view, self, self.offer)

    def shut_down(self) -> None:
        """Stop what is being computed."""
        self._working.close()
        self.ink.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Esc answer an offer also from the page; Esc ends the search for lines."""
        if event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        key = cast(QKeyEvent, event).key()
        if key == Qt.Key.Key_Escape and self.ink.busy:
            self.withdraw()
            self.view.shell.messages.info(tr("The search for lines was stopped."))
            return True
        if self._edit is not None:
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take()
                return True
            if key == Qt.Key.Key_Escape:
                self.withdraw()
                return True
        return super().eventFilter(watched, event)

    def page_shown(self) -> None:
        """An offer is for one page."""
        self.withdraw()

    def changed(self, change: Change) -> None:
        """An offer is for the page as it was; locks and texts do not matter to it."""
        if change != Change():
            self.withdraw()

    # Actions

    @property
    def has_page(self) -> bool:
        """Whether there is a page to propose something for."""
        return self._page() is not None

    @property
    def can_narrow(self) -> bool:
        """Whether an outline is chosen to propose something for."""
        return self.has_page and self.view.canvas.selection.key is not None

    def derive_chosen(self) -> None:
        """Propose outlines for the chosen lines, from their words."""
        self._derive({key.line for key in self.view.canvas.selection.keys})

    def derive_all(self) -> None:
        """Propose outlines for all lines of the page, from their words."""
        self._derive(None)

    def _page(self) -> tuple[Document, int, Page] | None:
        workspace, number = self.view.workspace, self.view.page_number
        if workspace is None or number >= len(workspace.document.pages):
            return None
        return workspace.document, number, workspace.document.pages[number]

    # Showing, taking, leaving

    def offer(
        self, edit: Edit, text: str, strokes: Sequence[Stroke], tags: Sequence[Tag] = ()
    ) -> None:
        """Show what an edit would do."""
        self._edit = edit
        self.preview.set_scale(self.view.canvas.camera.scale())
        self.preview.show_all(strokes, tags)
        self.strip.say(text)

    def withdraw(self) -> None:
        """Leave everything as it is."""
        self._working.cancel()
        self.ink.cancel()
        self._edit = None
        self.preview.clear()
        if self.strip.isVisible():
            self.strip.hide()
            self.view.canvas.setFocus()

    def _take(self) -> None:
        edit = self._edit
        self.withdraw()
        if edit is not None:
            self.view.execute(edit)

    # The order of reading

    def sort(self) -> None:
        """Propose the order in which right-to-left script is read where it lies."""
        from madcat_studio.operations.pages.lines import reading_order

        found = self._page()
        if found is None:
            return
        document, number, page = found
        edits: list[Edit] = []
        tags: list[Tag] = []
        colour = self.view.canvas.base.colours.chosen
        words = 0
        found_order = reading_order(page)
        for n, order in found_order.words.items():
            edits.append(order_words(document, number, n, order))
            places = {k: place for place, k in enumerate(order) if place != k}
            words += len(places)
            tags += [
                Tag(QPointF(*centre(page.lines[n].words[k].polygon)), tr_number(place + 1), colour)
                for k, place in places.items()
            ]
        lines = within_regions(page, found_order.lines)
        moved = [(n, place) for place, n in enumerate(lines) if place != n]
        if moved:
            edits.append(order_lines(document, number, lines))
        if not edits:
            self.view.shell.messages.info(tr("Lines and words are in that order already."))
            return
        right = self.view.canvas.base.colours.hover
        for n, place in moved:
            box = bounding_box(page.lines[n].polygon)
            if box is not None:
                tags.append(
                    Tag(QPointF(box[2], (box[1] + box[3]) / 2), tr_number(place + 1), right)
                )
        ways = [QPointF(*centre(page.lines[n].polygon)) for n in lines if page.lines[n].polygon]
        strokes = [Stroke(path_through(ways), right, 1.6, dashed=True)] if moved else []
        text = tr(
            "In right-to-left order {lines} and {words} would get another number, as shown.",
            lines=tr_count("{count} line", "{count} lines", len(moved)),
            words=tr_count("{count} word", "{count} words", words),
        )
        self.offer(CompositeEdit(tuple(edits), "Order by place"), text, strokes, tags[:_MOST_TAGS])

    # Lines from words

    def _derive(self, wanted: Collection[int] | None) -> None:
        found = self._page()
        if found is None:
            return
        number, page = found[1], _copy(found[2])
        open_lines = {n for n, line in enumerate(found[2].lines) if not line.locked and line.words}
        only = open_lines if wanted is None else open_lines & set(wanted)
        if not only:
            self.view.shell.show_error(
                InputError(
                    "edit.no-words",
                    "there is no line here that has words and is not locked",
                    remedy="Choose a line with words, or unlock it",
                )
            )
            return

        def work(_: object) -> DerivedLines:
            from madcat_studio.operations.pages.lines import derive_lines_of_page

            return derive_lines_of_page(page, only)

        self._working.submit(
            work,
            lambda result: self._offer_lines(number, page, result),
            failed=self.view.shell.show_error,
        )

    def _offer_lines(self, number: int, page: Page, found: DerivedLines) -> None:
        edits = tuple(
            SetPolygon(Outline(number, n), polygon)
            for n, polygon in found.polygons.items()
            if polygon != page.lines[n].polygon
        )
        if not edits:
            self.view.shell.messages.info(tr("The lines already follow their words."))
            return
        linked = self.view.canvas.base.colours.linked
        strokes = [
            Stroke(path_through([QPointF(*p) for p in polygon], closed=True), linked, 1.8, 26, True)
            for polygon in found.polygons.values()
        ]
        strokes += [
            Stroke(path_through([QPointF(*p) for p in area], closed=True), _BLEED, 1.2, 150)
            for areas in found.areas.values()
            for area in areas
        ]
        text = tr_count(
            "{count} line from its words: bleed {before} px² now, {after} px² then.",
            "{count} lines from their words: bleed {before} px² now, {after} px² then.",
            len(edits),
            before=tr_figure(f"{found.before:,.0f}"),
            after=tr_figure(f"{found.after:,.0f}"),
        )
        if found.after >= 1:
            text += " " + tr("The rest is marked in red: there the words themselves overlap.")
        label = "Derive a line from words" if len(edits) == 1 else "Derive lines from words"
        self.offer(CompositeEdit(edits, label), text, strokes)

    # Trimming

    def trim(self) -> None:
        """Draw the chosen outlines in to their ink, at once: undo shows the difference."""
        keys = self.view.canvas.selection.keys
        found = self._page()
        pyramid = self.view.canvas.base.pyramid
        level = pyramid.best(1.0) if pyramid is not None else None
        if found is None or level is None or level.factor != 1:
            self.view.shell.show_error(
                InputError(
                    "edit.no-scan",
                    "there is no scan to trim to",
                    remedy="Locate the image first",
                )
            )
            return
        _, number, page = found
        jobs = {
            key: (polygon, *_cut_out(level.image, polygon))
            for key in keys
            if (polygon := _polygon(page, key))
        }
        dpi = float(page.dpi) if page.dpi else None

        def work(_: object) -> dict[ShapeKey, Polygon | None]:
            from madcat_studio.images.trimming import trim_to_ink

            return {
                key: trim_to_ink(image, corner, polygon, dpi)
                for key, (polygon, image, corner) in jobs.items()
            }

        def done(trimmed: Mapping[ShapeKey, Polygon | None]) -> None:
            edits = tuple(
                SetPolygon(Outline(number, key.line, key.word), polygon)
                for key, polygon in trimmed.items()
                if polygon is not None and polygon != jobs[key][0]
            )
            empty = sum(polygon is None for polygon in trimmed.values())
            if empty:
                text = tr_count(
                    "{count} outline holds no ink and stays as it is.",
                    "{count} outlines hold no ink and stay as they are.",
                    empty,
                )
                self.view.shell.messages.info(text)
            if edits:
                what = f"a {keys[0].kind}" if len(edits) == 1 else f"{len(edits)} outlines"
                self.view.execute(CompositeEdit(edits, f"Trim {what} to the ink"))
            elif not empty:
                self.view.shell.messages.info(tr("There is no space around the ink to trim."))

        self._working.submit(work, done, failed=self.view.shell.show_error)


def _copy(page: Page) -> Page:
    """A page for a worker, while its user goes on editing."""
    lines = [Line(line.id, line.type, line.polygon, list(line.words)) for line in page.lines]
    for line in lines:
        line.words = [Word(word.id, word.polygon) for word in line.words]
    return Page(page.id, page.width, page.height, page.dpi, page.colordepth, lines)


def _polygon(page: Page, key: ShapeKey) -> Polygon:
    line = page.lines[key.line]
    return line.polygon if key.word is None else line.words[key.word].polygon


def _cut_out(scan: QImage, polygon: Polygon) -> tuple[Image.Image, tuple[int, int]]:
    """The scan around an outline in grey, and the place of its left top."""
    from madcat_studio.images.trimming import AROUND

    left, top, right, bottom = bounding_box(polygon) or (0, 0, 0, 0)
    wanted = QRect(int(left), int(top), int(right - left) + 1, int(bottom - top) + 1)
    rect = wanted.adjusted(-AROUND, -AROUND, AROUND, AROUND) & scan.rect()
    part = scan.copy(rect).convertToFormat(QImage.Format.Format_Grayscale8)
    if part.isNull():
        return Image.new("L", (1, 1), 255), (0, 0)
    rows = np.frombuffer(part.constBits(), np.uint8).reshape(part.height(), part.bytesPerLine())
    return Image.fromarray(rows[:, : part.width()].copy()), (rect.x(), rect.y())
