"""Comparing with another file: its outlines over the page, differences one by one, two answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPolygonF
from PySide6.QtWidgets import QFileDialog

from madcat_studio.errors import InputError, StudioError
from madcat_studio.formats.kinds import ENDINGS
from madcat_studio.gui import fonts
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.comparing.answers import TakingQuestions
from madcat_studio.gui.page.comparing.comparepane import ComparePane, ViewSync
from madcat_studio.gui.page.comparing.model import describe
from madcat_studio.gui.page.comparing.panel import ComparePanel
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.filelist import breakable
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.sketch import Sketch, Stroke
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.geometry import bounding_box
from madcat_studio.operations.pages.compare import ComparedPage, compare_page, open_any, take
from madcat_studio.pages.adjudication import Difference, Level
from madcat_studio.pages.compare import PageComparison

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["CompareFeature"]

_OTHER = QColor("#6a1fb0")
_ALL_OUTLINES = 1500
"""Up to so many of the other's outlines are all drawn; of more only those that differ."""


class CompareFeature(Feature):
    """Lays another file over the page that is shown.

    Attributes:
        panel: the differences, a tab while there is another file.
        beside: the other page, None until it was wanted.
    """

    def __init__(self, view: PageHost, buttons: Sequence[Action[Any]]) -> None:
        super().__init__(view)
        self.panel = ComparePanel(view.shell.commands, buttons)
        self.panel.chosen.connect(self._on_row)
        self.panel.hide()
        self.compare_pane: ComparePane | None = None
        self._view_sync: ViewSync | None = None
        self._other: Document | None = None
        self._path = Path()
        self._comparison: PageComparison | None = None
        self._shown: list[Difference] = []
        self._fresh = False
        self._row = -1
        self._decided: set[tuple[Polygon, ...]] = set()
        self._questions = TakingQuestions(view)
        self._jobs = Dispatcher(self)
        self._overlay = Sketch(_OTHER)
        self._overlay.setZValue(12)
        view.canvas.scene().addItem(self._overlay)
        view.canvas.camera.zoomed.connect(self._overlay.set_scale)
        view.scan.opened.connect(self._on_scan)

    # As a feature of the view

    @property
    def is_on(self) -> bool:
        """Whether there is another file."""
        return self._other is not None

    @property
    def shows_pane(self) -> bool:
        """Whether the other page is shown beside one's own."""
        return self.compare_pane is not None and not self.compare_pane.isHidden()

    @property
    def has_differences(self) -> bool:
        """Whether a difference is left."""
        return self.is_on and bool(self._shown)

    @property
    def has_current(self) -> bool:
        """Whether a difference is looked at."""
        return self.is_on and self._current() is not None

    def toggle(self) -> None:
        """Ask for another file to compare with, or leave the one that there is."""
        if self._other is None:
            self._ask_for_file()
        else:
            self.leave()

    def toggle_pane(self) -> None:
        """Show the other page beside one's own, or no longer."""
        self._show_beside(not self.shows_pane)

    def document_shown(self) -> None:
        """Another document has nothing to do with the other file."""
        self.leave()

    def page_shown(self) -> None:
        """The same page of the other file."""
        if self._other is not None:
            self._row = -1
            self._show_other()
            self._compare()

    def changed(self, change: Change) -> None:
        """What differs may be something else now."""
        if self._other is not None and (change.structure or change.lines or change.words):
            self._compare()

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        self.panel.model.apply_theme(fonts.arabic(self.view.shell.settings, scale=0.85))
        if self.compare_pane is not None:
            self.compare_pane.canvas.scan.set_colours(self.view.canvas.base.colours)

    def shut_down(self) -> None:
        """Stop comparing."""
        self._jobs.close()
        if self.compare_pane is not None:
            self.compare_pane.canvas.settle_now()

    # Beginning and ending

    def _ask_for_file(self) -> None:
        workspace = self.view.workspace
        if workspace is None:
            return
        name, _ = QFileDialog.getOpenFileName(
            self.view.widget,
            tr("Compare with"),
            str(workspace.path.parent),
            tr(
                "Pages ({suffixes});;All files (*)", suffixes=" ".join(f"*{end}" for end in ENDINGS)
            ),
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Compare with a file in any format that is read."""

        def done(other: Document) -> None:
            self._begin(path, other)

        self._jobs.submit(lambda _: open_any(path), done, failed=self.view.shell.show_error)

    def _begin(self, path: Path, other: Document) -> None:
        workspace = self.view.workspace
        if workspace is None:
            return
        if len(other.pages) != len(workspace.document.pages):
            self.view.shell.show_error(
                InputError(
                    "compare.page-count",
                    f"one file has {len(workspace.document.pages)} pages, the other "
                    f"{len(other.pages)}",
                    where=path,
                    remedy="Check that they belong to the same document",
                )
            )
            return
        self._path, self._other = path, other
        self._decided = set()
        self._row = -1
        tabs = self.view.side.tabs
        tabs.addTab(self.panel, tr("Compare"))
        self.view.side.bring(self.panel)
        self.panel.name.setText(tr("Mine, and {name}", name=breakable(path.name)))
        self._show_other()
        self._compare()
        self.view.state_changed.emit()

    def leave(self) -> None:
        """End comparing."""
        self._jobs.cancel()
        if self._other is None:
            return
        self._other = None
        self._shown, self._row, self._fresh = [], -1, False
        self.panel.show_rows([], -1)
        self._overlay.clear()
        self._show_beside(False)
        tabs = self.view.side.tabs
        tabs.removeTab(tabs.indexOf(self.panel))
        self.panel.hide()
        self.view.state_changed.emit()

    # Comparing

    def _pages(self) -> tuple[Page, Page] | None:
        workspace, number = self.view.workspace, self.view.page_number
        if workspace is None or self._other is None or number >= len(self._other.pages):
            return None
        return workspace.document.pages[number], self._other.pages[number]

    def _compare(self) -> None:
        """Find the differences in a thread, in the page as it is now."""
        pages = self._pages()
        if pages is None:
            return
        self._fresh = False
        mine, theirs = pages
        copy = replace(
            mine,
            lines=[
                replace(line, words=[replace(word) for word in line.words]) for line in mine.lines
            ],
        )

        self._jobs.submit(lambda _: compare_page(copy, theirs), self._on_compared)

    def _on_compared(self, compared: ComparedPage) -> None:
        self._comparison = compared.comparison
        self._shown = [each for each in compared.differences if each.polygons not in self._decided]
        self._fresh = True
        self._row = min(self._row, len(self._shown) - 1)
        self._show_rows()
        self._show_overlay()
        if self._row >= 0:
            self._show_difference(self._shown[self._row])
        self.view.state_changed.emit()

    def _show_rows(self) -> None:
        def words(difference: Difference) -> str:
            keys = [ShapeKey(*unit) for unit in difference.mine]
            return " ".join(self.view.choice.text_of(key) for key in keys if key.word is not None)

        self.panel.show_rows([(each, words(each)) for each in self._shown], self._row)
        comparison = self._comparison
        if comparison is None:
            return
        figures = []
        for name, units in ((tr("Words"), comparison.words), (tr("Lines"), comparison.lines)):
            iou = "–" if units.iou is None else tr_figure(f"{units.iou:.3f}")
            figures.append(
                tr(
                    "{name}: {matched} of {first} and {second} match, IoU {iou}",
                    name=name,
                    matched=tr_number(len(units.matches)),
                    first=tr_number(units.first),
                    second=tr_number(units.second),
                    iou=iou,
                )
            )
        left = tr_count("{count} difference left", "{count} differences left", len(self._shown))
        self.panel.figures.setText("\n".join((*figures, left)))

    def _current(self) -> Difference | None:
        if self._fresh and 0 <= self._row < len(self._shown):
            return self._shown[self._row]
        return None

    def step(self, step: int) -> None:
        """Go to the next difference, or to the one before."""
        count = len(self._shown)
        if count:
            self.view.side.bring(self.panel)
            first = 0 if step > 0 else count - 1
            self.panel.mark(first if self._row < 0 else (self._row + step) % count)

    def _on_row(self, row: int) -> None:
        self._row = row
        current = self._current()
        if current is not None:
            self._show_difference(current)
        self.view.state_changed.emit()

    # Showing

    def _show_difference(self, difference: Difference) -> None:
        keys = [ShapeKey(*unit) for unit in difference.mine]
        canvas = self.view.canvas
        canvas.selection.choose(keys)
        self.view.choice.outline(keys[0] if len(keys) == 1 else None)
        canvas.selection.link([])  # its segment's other words would only hide what differs
        boxes = [box for each in difference.polygons if (box := bounding_box(each)) is not None]
        if boxes:
            left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
            right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
            room = 0.8 * (bottom - top)  # with its neighbours
            target = QRectF(QPointF(left - room, top), QPointF(right + room, bottom))
            canvas.camera.reveal(target, zoom=difference.level is Level.WORD)
        if self.compare_pane is not None:
            self.compare_pane.mark([ShapeKey(*unit) for unit in difference.theirs])
        self._show_overlay()
        self.view.hint.emit(describe(difference))

    def _show_other(self) -> None:
        pages = self._pages()
        if pages is None:
            self._overlay.clear()
        elif self.compare_pane is not None and not self.compare_pane.isHidden():
            assert self._view_sync is not None
            self._view_sync.on = False  # the other comes fitted, and the first must not follow
            self.compare_pane.show_page(self._path.name, pages[1], self.view.canvas.base.pyramid)
            self._view_sync.on = True
            self._view_sync.align()

    def _show_overlay(self) -> None:
        pages = self._pages()
        if pages is None:
            self._overlay.clear()
            return
        theirs = pages[1]
        count = len(theirs.lines) + sum(len(line.words) for line in theirs.lines)
        outlines: list[Polygon]
        if count <= _ALL_OUTLINES:
            outlines = [word.polygon for word in theirs.words()]
        else:
            outlines = [_outline(theirs, unit) for each in self._shown for unit in each.theirs]
        strokes = [Stroke(_path(outlines), _OTHER, 1.2)]
        current = self._current()
        if current is not None and current.theirs:
            own = [_outline(theirs, unit) for unit in current.theirs]
            strokes.append(Stroke(_path(own), _OTHER, 2.4, 40))
        self._overlay.set_scale(self.view.canvas.camera.scale())
        self._overlay.show_all(strokes)

    def _show_beside(self, wanted: bool) -> None:
        if self.compare_pane is None:
            if not wanted:
                return
            self.compare_pane = ComparePane()
            self.compare_pane.canvas.tools.keys = self.view.canvas.tools.keys
            self.view.beside.addWidget(self.compare_pane, 1)
            self.view.beside.setStretchFactor(self.view.canvas, 1)
            self._view_sync = ViewSync(
                self.view.canvas.camera, self.compare_pane.canvas.camera, self
            )
            self.compare_pane.chosen.connect(self._on_theirs)
            self.apply_theme()
        assert self._view_sync is not None
        self.compare_pane.setVisible(wanted)
        self._view_sync.on = wanted
        self.view.beside.activate()  # both have their widths before anything is brought into view
        if wanted:
            self._show_other()
        current = self._current()
        if current is not None:
            self._show_difference(current)
        self.view.state_changed.emit()

    def _on_scan(self, pyramid: Pyramid) -> None:
        if self.compare_pane is not None and not self.compare_pane.isHidden():
            assert self._view_sync is not None
            self._view_sync.on = False
            self.compare_pane.canvas.scan.show(pyramid)
            self._view_sync.on = True
            self._view_sync.align()

    def _on_theirs(self, key: ShapeKey | None) -> None:
        """An outline was clicked on the other page: go to the difference that it is part of."""
        unit = None if key is None else (key.line, key.word)
        for row, difference in enumerate(self._shown):
            if unit in difference.theirs:
                self.panel.mark(row)
                return

    # The answers

    def take_theirs(self) -> None:
        """Make one's own page as the other at this difference."""
        difference, pages, workspace = self._current(), self._pages(), self.view.workspace
        if difference is None or pages is None or workspace is None:
            return
        answers = self._questions.ask(difference)
        if answers is None:
            return
        try:
            edit = take(
                workspace.document,
                self.view.page_number,
                difference,
                pages[1],
                keep=answers.keep,
                keeps=answers.keeps,
                unlink=answers.unlink,
                index=workspace.index,
            )
        except StudioError as error:
            self.view.shell.show_error(error)
            return
        self.view.execute(edit)

    def keep_mine(self) -> None:
        """This difference is decided; it is not shown again."""
        difference = self._current()
        if difference is None:
            return
        self._decided.add(difference.polygons)
        self._shown = [each for each in self._shown if each is not difference]
        self._row = min(self._row, len(self._shown) - 1)
        self._show_rows()
        current = self._current()
        if current is not None:
            self._show_difference(current)
        else:
            self._show_overlay()
        self.view.state_changed.emit()


def _outline(page: Page, unit: tuple[int, int | None]) -> Polygon:
    line, word = unit
    return page.lines[line].polygon if word is None else page.lines[line].words[word].polygon


def _path(outlines: Sequence[Polygon]) -> QPainterPath:
    path = QPainterPath()
    for outline in outlines:
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in outline]))
        path.closeSubpath()
    return path
