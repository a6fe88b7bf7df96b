"""Going through a page line by line: the view follows the choice, the bar shows what it says."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QTimer

from madcat_studio.gui import fonts
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.flow.entries import Entry, State, entries_of, runs_right_to_left
from madcat_studio.gui.page.flow.strip import FlowBar
from madcat_studio.gui.page.flow.tool import FlowTool
from madcat_studio.gui.page.outlineedits import OutlineEdits
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.sketch import Sketch, Stroke
from madcat_studio.gui.page.tools.pointing import path_through
from madcat_studio.gui.settings import STATUS_EXTRA, STATUS_MISSING, STATUS_MISSPELT
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.change import Change
from madcat_studio.model.document import Line, Page, Polygon
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.links import TokenIndex

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["FlowFeature"]

_OTHERS = ("mark",)
"""Tools that come with a bar and a way of their own."""


class FlowFeature(Feature):
    """One line after the other.

    Attributes:
        bar: below the page.
        line: which line of the page is looked at.
        entries: what stands under it.
    """

    def __init__(self, view: PageHost, buttons: Sequence[Action[Any]]) -> None:
        super().__init__(view)
        self.is_on = False
        self.line = 0
        self.entries: list[Entry] = []
        self._current = -1
        self._shown: Line | None = None
        self._right_to_left = True
        canvas = view.canvas
        self.bar = FlowBar(view.shell.commands, buttons)
        self.bar.strip.chosen.connect(self._choose)
        view.column.addWidget(self.bar)
        self._tool = FlowTool(canvas.tools, OutlineEdits(view), self)
        self._in_hand = False
        self._layer = Sketch(canvas.base.colours.chosen)
        self._layer.setZValue(4)
        canvas.tools.add_item(self._layer)
        canvas.camera.zoomed.connect(self._layer.set_scale)
        for signal in (canvas.camera.zoomed, canvas.camera.moved):
            signal.connect(lambda *_: self._follow_view())
        canvas.tools.changed.connect(self._on_tool)
        view.choice.changed.connect(self._on_choice)
        view.side.token_chosen.connect(self._on_token)
        canvas.viewport().installEventFilter(self)
        self._fitting = QTimer(self)
        self._fitting.setSingleShot(True)
        self._fitting.setInterval(0)
        self._fitting.timeout.connect(self._fit)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.is_on and event.type() == QEvent.Type.Resize:
            self._fitting.start()
        return False

    # Beginning and ending

    def toggle(self) -> None:
        """Begin at the chosen line, or where it was ended on this page; or end it."""
        if self.is_on:
            self._leave()
            if self.view.canvas.tools.tool is self._tool:
                self.view.put_tool_away()
            return
        page = self._page
        if page is None or not page.lines:
            self.view.shell.messages.info(tr("This page has no lines yet."))
            return
        key = self.view.canvas.selection.key
        self.is_on = True
        self.bar.show()
        self.view.canvas.tools.use(self._tool)
        self.view.canvas.setFocus()
        self._look_at(key.line if key is not None else min(self.line, len(page.lines) - 1))
        if key is None:
            self._choose(0)

    def _leave(self) -> None:
        self.is_on = self._in_hand = False
        self._shown = None
        self._fitting.stop()
        self.bar.hide()
        self._layer.clear()
        self.view.state_changed.emit()

    def _on_tool(self) -> None:
        """Other tools are taken and put away; to put away this one ends it."""
        if not self.is_on:
            return
        tool = self.view.canvas.tools.tool
        before, self._in_hand = self._in_hand, tool is self._tool
        if tool.name in _OTHERS or (before and tool.name == "select"):
            self._leave()
        elif tool.name == "select":
            self.view.canvas.tools.use(self._tool)

    # As a feature

    def page_shown(self) -> None:
        """Another page: its first line."""
        self.line = 0
        if not self.is_on:
            return
        self._shown = None
        page = self._page
        if page is None or not page.lines:
            self.bar.strip.show_entries((), -1, tr("Line by line"), right_to_left=True)
            self.bar.progress.setText(tr("This page has no lines yet."))
            self._layer.clear()
            return
        self._look_at(0)
        self._choose(0)

    def changed(self, change: Change) -> None:
        """The line is where it is now; the view stays."""
        if not self.is_on or change == Change():
            return
        page = self._page
        if page is None or not page.lines:
            self.page_shown()
            return
        here = [n for n, line in enumerate(page.lines) if line is self._shown]
        self.line = here[0] if here else min(self.line, len(page.lines) - 1)
        self._shown = page.lines[self.line]
        self._refresh()

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        settings = self.view.shell.settings
        self.bar.strip.apply_theme(fonts.arabic(settings, scale=1.3), self.view.shell.theme.colours)

    def shut_down(self) -> None:
        """Fit no more."""
        self._fitting.stop()

    # Going on

    def to_line(self, step: int) -> None:
        """To the next line, or the one before; its first word is chosen."""
        page = self._page
        if not self.is_on or page is None:
            return
        wanted = self.line + step
        if not 0 <= wanted < len(page.lines):
            last = tr("This is the last line of the page.")
            self.view.hint.emit(last if step > 0 else tr("This is the first line of the page."))
            return
        self._look_at(wanted)
        self._choose(0)

    def across(self, step: int) -> None:
        """To what stands on the right (1) or on the left (-1); over the end to the other line."""
        on = -step if self._right_to_left else step
        wanted = self._current + on
        if self._current < 0:
            wanted = 0 if on > 0 else len(self.entries) - 1
        if 0 <= wanted < len(self.entries):
            self._choose(wanted)
        elif on > 0:
            self.to_line(1)
        else:
            before = self.line
            self.to_line(-1)
            if self.line != before:
                self._choose(len(self.entries) - 1)

    def to_open(self) -> None:
        """To the next that is not marked, on this line or a later one, else from the top."""
        page = self._page
        if not self.is_on or page is None:
            return
        count = len(page.lines)
        for turn in range(count + 1):
            line = (self.line + turn) % count
            entries = self.entries if line == self.line else self._entries_of(line)
            for number, entry in enumerate(entries):
                passed = turn == 0 and number <= self._current
                if not entry.settled and not passed and (turn < count or number <= self._current):
                    if line != self.line:
                        self._look_at(line)
                    self._choose(number)
                    return
        self.view.shell.messages.info(tr("The whole page is marked."))

    # The choice, and what is looked at

    def _choose(self, number: int) -> None:
        """Make one of the entries the current one; of a line without any the line."""
        if not 0 <= number < len(self.entries):
            self._current = -1
            self.view.canvas.selection.select([ShapeKey(self.line)])
            return
        entry = self.entries[number]
        self._current = number
        if entry.word is not None:
            self.view.canvas.selection.select([ShapeKey(self.line, entry.word)])
        elif entry.token is not None:
            self._show_token(entry.token)
            self.view.side.token_chosen.emit(entry.token)
        else:
            self.view.canvas.selection.select([ShapeKey(self.line)])
            self._current = number
        self._refresh()

    def _show_token(self, token: TokenIndex) -> None:
        """Mark a token beside the page, without telling."""
        side = self.view.side
        side.mark_segment(token[:2])
        self.view.choice.show_tokens(token[:2])
        side.mark_token(token[2])

    def _on_choice(self) -> None:
        """Something was chosen: its line is looked at."""
        key = self.view.canvas.selection.key
        page = self._page
        if not self.is_on or key is None or page is None or key.line >= len(page.lines):
            return
        if page.lines[key.line] is not self._shown:
            self._look_at(key.line)
        current = next((n for n, e in enumerate(self.entries) if e.word == key.word), -1)
        self._current = -1 if key.word is None else current
        self._refresh()

    def _on_token(self, token: TokenIndex) -> None:
        """A token without a word was chosen beside the page."""
        found = [n for n, entry in enumerate(self.entries) if entry.token == token]
        if self.is_on and found and self.entries[found[0]].word is None:
            self._current = found[0]
            self._refresh()

    def _look_at(self, line: int) -> None:
        page = self._page
        assert page is not None
        self.line, self._shown, self._current = line, page.lines[line], -1
        self._refresh()
        self._fit()

    @property
    def _page(self) -> Page | None:
        workspace, number = self.view.workspace, self.view.page_number
        if workspace is None or number >= len(workspace.document.pages):
            return None
        return workspace.document.pages[number]

    def _entries_of(self, line: int) -> list[Entry]:
        workspace, settings = self.view.workspace, self.view.shell.settings
        assert workspace is not None
        missing = settings.get(STATUS_MISSING)
        faults = [missing, settings.get(STATUS_EXTRA), settings.get(STATUS_MISSPELT)]
        place = (self.view.page_number, line)
        return entries_of(workspace.document, workspace.index, place, missing, faults)

    # Showing

    def _refresh(self) -> None:
        page = self._page
        if page is None or self._shown is None:
            return
        self.entries = self._entries_of(self.line)
        self._current = min(self._current, len(self.entries) - 1)
        self._right_to_left = runs_right_to_left(self.entries, self._shown)
        counted = [entry for entry in self.entries if entry.state is not State.PLAIN]
        done = sum(entry.settled for entry in counted)
        numbers = {"number": tr_number(self.line + 1), "lines": tr_number(len(page.lines))}
        name = tr("Line {number} of {lines}", **numbers)
        self.bar.strip.show_entries(
            self.entries, self._current, name, right_to_left=self._right_to_left
        )
        told = tr_count(
            "{done} of {count} word marked",
            "{done} of {count} words marked",
            len(counted),
            done=tr_number(done),
        )
        self.bar.progress.setText(f"{name}  ·  {told}" if counted else name)
        self._show_line(self._shown)
        self._follow_view()
        self.view.state_changed.emit()

    def _show_line(self, line: Line) -> None:
        colours = self.view.canvas.base.colours
        strokes = []
        if len(line.polygon) > 2:
            strokes.append(Stroke(_path(line.polygon, closed=True), colours.chosen, 1.2, 14))
        if len(line.baseline) > 1:
            strokes.append(Stroke(_path(line.baseline), colours.linked, 1.6, 0, True))
        self._layer.set_scale(self.view.canvas.camera.scale())
        self._layer.show_all(strokes)

    def _follow_view(self) -> None:
        """The strip follows the page, so that each token stays under its word."""
        if not self.is_on or self._shown is None:
            return
        camera = self.view.canvas.camera
        if camera.turn % 180:
            self.bar.strip.follow(None)
            return
        # The strip is under the tools as well, the page beside them.
        strip, viewport = self.bar.strip, self.view.canvas.viewport()
        aside = strip.mapFromGlobal(viewport.mapToGlobal(QPoint())).x()
        strip.follow(lambda x: camera.to_view(QPointF(x, 0.0)).x() + aside)

    def _fit(self) -> None:
        """The line as wide as the view; a short one at the size of the others."""
        page, line = self._page, self._shown
        if page is None or line is None:
            return
        box = _box_of(line)
        if box is None:
            return
        widths = [b.width() for each in page.lines if (b := _box_of(each)) is not None]
        usual = statistics.median(widths)
        if box.width() < usual:
            if self._right_to_left:
                box.setLeft(box.right() - usual)
            else:
                box.setRight(box.left() + usual)
        self.view.canvas.camera.fit_box(box)


def _box_of(line: Line) -> QRectF | None:
    """Where a line is: its outline, else its words, else its baseline."""
    points = line.polygon or tuple(p for word in line.words for p in word.polygon) or line.baseline
    box = bounding_box(points)
    if box is None:
        return None
    left, top, right, bottom = box
    return QRectF(QPointF(left, top), QPointF(right, bottom))


def _path(polygon: Polygon, *, closed: bool = False) -> Any:
    return path_through([QPointF(x, y) for x, y in polygon], closed=closed)
