"""How the page is shown: layers, labels, fill, order, colours, tone, turn, loupe, map, list.

All of it is for the eye only: it is remembered in the settings, and nothing of it is an edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QColor

from madcat_studio.gui import fonts
from madcat_studio.gui.page.arrows import ReadingOrder
from madcat_studio.gui.page.colouring import ByProblem, ByStatus, Colouring, by_line
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.labels import WordLabels
from madcat_studio.gui.page.overlays import Legend, Loupe, Minimap
from madcat_studio.gui.page.picturepanel import PicturePanel
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.page.style import LIGHT
from madcat_studio.gui.page.thumbnails import Thumbnails
from madcat_studio.gui.page.tone import Tone
from madcat_studio.gui.settings import (
    LABEL_SIZE,
    SEE_BRIGHTNESS,
    SEE_COLOURS,
    SEE_CONTRAST,
    SEE_FILL,
    SEE_GAMMA,
    SEE_LABELS,
    SEE_LINES,
    SEE_LOUPE,
    SEE_MINIMAP,
    SEE_OPACITY,
    SEE_ORDER,
    SEE_SCAN,
    SEE_THUMBNAILS,
    SEE_WORDS,
    SEEING,
    Setting,
    whole_number,
    window_state,
)
from madcat_studio.model.change import Change
from madcat_studio.model.problem import Severity

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Seeing"]

_TONES = (SEE_BRIGHTNESS, SEE_CONTRAST, SEE_GAMMA)
_TURNS = "turns"
_MOST_TURNS = 500


class Seeing(Feature):
    """Keeps canvas and overlays as the settings say."""

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        self._settings = view.shell.settings
        canvas = view.canvas
        self.loupe, self.minimap, self.legend = Loupe(canvas), Minimap(canvas), Legend(canvas)
        self.panel = PicturePanel(canvas, self._settings)
        self.panel.closed.connect(self._close_panel)
        self.panel.plain.connect(self.be_plain)
        self.thumbnails = Thumbnails(view.files)
        self._worst: dict[tuple[int, ShapeKey], Severity] = {}
        self._statuses: ByStatus | None = None
        self._problems: ByProblem | None = None
        self._settings.changed.connect(self._on_setting)
        canvas.scan.changed.connect(self.minimap.show_page)
        for setting in SEEING:
            self._apply(setting)

    # Actions

    def shows(self, setting: Setting[bool]) -> bool:
        """Whether something is shown."""
        return self._settings.get(setting)

    def toggle(self, setting: Setting[bool]) -> None:
        """Show something, or no longer."""
        self._settings.set(setting, not self.shows(setting))

    def can_step(self, setting: Setting[int], by: int) -> bool:
        """Whether there can be more or less of something."""
        value = self._settings.get(setting)
        return value < setting.most if by > 0 else value > setting.least

    def step(self, setting: Setting[int], by: int) -> None:
        """More or less of something, within its limits."""
        value = self._settings.get(setting) + by
        self._settings.set(setting, min(max(value, setting.least), setting.most))

    def next_colours(self) -> None:
        """Colour outlines by something else."""
        values = [value for value, _ in SEE_COLOURS.choices]
        now = values.index(self._settings.get(SEE_COLOURS))
        self._settings.set(SEE_COLOURS, values[(now + 1) % len(values)])

    def turn(self, degrees: int) -> None:
        """Show the page turned by so much more."""
        canvas = self.view.canvas
        canvas.camera.set_turn(canvas.camera.turn + degrees)
        self.minimap.show_page()
        self._keep_turn()

    def toggle_panel(self) -> None:
        """Show sliders and colours, or no longer."""
        if self.panel.isVisible():
            self._close_panel()
        else:
            self.panel.open()
            self.loupe.make_way()

    # What is shown

    def document_shown(self) -> None:
        """The list may be another one, and the document was turned its own way."""
        self.thumbnails.show(self._settings.get(SEE_THUMBNAILS))
        workspace = self.view.workspace
        if workspace is not None:
            turn = _turns().get(str(workspace.path), 0)
            self.view.canvas.camera.set_turn(turn if turn in (90, 180, 270) else 0)
        self._worst.clear()

    def page_shown(self) -> None:
        """Everything on it is of this page."""
        self._read()
        self.minimap.show_page()

    def _read(self) -> None:
        """Everything anew from the outlines and links that are shown now."""
        self._statuses = self._problems = None
        self._show_labels()
        self._show_order()
        self._show_colours()

    def changed(self, change: Change) -> None:
        """Classes of outlines are taken along; what is shown with words is asked for as painted."""
        shapes, workspace = self.view.canvas.shapes, self.view.workspace
        touched = None if workspace is None else workspace.index.touched
        shifts = change.shifts_of(self.view.page_number)
        if shapes is None or shifts is None or touched is None:
            self._read()
            return
        if not change.structure and not change.segments:
            return
        page = self.view.page_number
        keys = [ShapeKey(line, word) for number, line, word in touched if number == page]
        sources = shapes.latest if shifts else {}
        if self._statuses is not None:
            self._statuses.follow(sources, keys)
        if self._problems is not None:
            self._problems.follow(sources)
        self._show_colours()
        if self.view.canvas.base.labels is not None:
            self.view.canvas.outlines.touch(keys)

    def show_problems(self, worst: Mapping[tuple[int, ShapeKey], Severity]) -> None:
        """The worst problem of each outline that has any, by page and outline."""
        if worst != self._worst:
            self._worst = dict(worst)
            self._problems = None
            if self._settings.get(SEE_COLOURS) == "problem":
                self._show_colours()

    def apply_theme(self) -> None:
        """Fonts may be others."""
        self._show_labels()
        self._show_order()

    def shut_down(self) -> None:
        """Stop making pictures."""
        self.thumbnails.close()

    def _on_setting(self, setting: Setting[Any]) -> None:
        if setting is LABEL_SIZE:
            self._show_labels()
            self._show_order()
        elif setting in SEEING:
            self._apply(setting)
            self.panel.show_values()
            self.view.state_changed.emit()

    def _apply(self, setting: Setting[Any]) -> None:
        canvas, value = self.view.canvas, self._settings.get(setting)
        if setting is SEE_SCAN:
            canvas.scan.set_visible(value)
            self.minimap.update()
        elif setting in (SEE_LINES, SEE_WORDS):
            canvas.outlines.set_visible(
                OutlineKind.LINE if setting is SEE_LINES else OutlineKind.WORD, value
            )
        elif setting is SEE_LABELS:
            self._show_labels()
        elif setting is SEE_FILL:
            canvas.base.look.fill = value
            canvas.outlines.refresh()
        elif setting is SEE_OPACITY:
            canvas.base.look.opacity = value / 100
            canvas.outlines.refresh()
        elif setting is SEE_ORDER:
            self._show_order()
        elif setting is SEE_COLOURS:
            self._show_colours()
        elif setting is SEE_LOUPE:
            self.loupe.settle()
            self.loupe.setVisible(value)
        elif setting is SEE_MINIMAP:
            self.minimap.show_page()
            self.minimap.setVisible(value)
        elif setting is SEE_THUMBNAILS:
            self.thumbnails.show(value)
        elif setting in _TONES:
            canvas.scan.set_tone(Tone(*(self._settings.get(each) for each in _TONES)))
            self.minimap.update()

    def _show_labels(self) -> None:
        canvas = self.view.canvas
        shapes = canvas.shapes
        if shapes is None or not self._settings.get(SEE_LABELS):
            if canvas.base.labels is not None:
                canvas.outlines.set_labels(None)
            return
        text_of = self.view.choice.text_of
        font = fonts.arabic(self._settings)
        font.setPixelSize(self._settings.get(LABEL_SIZE))
        canvas.outlines.set_labels(
            WordLabels(
                shapes,
                lambda index: text_of(shapes.key(OutlineKind.WORD, index)),
                font,
                colour=LIGHT.label,
                ground=LIGHT.label_ground,
            )
        )

    def _show_order(self) -> None:
        canvas = self.view.canvas
        look, shapes = canvas.base.look, canvas.shapes
        if shapes is None or not self._settings.get(SEE_ORDER):
            if look.order is None:
                return
            look.order = None
        else:
            font = fonts.english(self._settings)
            font.setPixelSize(round(0.75 * self._settings.get(LABEL_SIZE)))
            look.order = ReadingOrder(shapes, font, LIGHT.order, LIGHT.handle)
        canvas.outlines.refresh()

    def _show_colours(self) -> None:
        canvas, shapes = self.view.canvas, self.view.canvas.shapes
        colouring = self._colouring()
        if shapes is None or colouring is None:
            if canvas.base.look.palette:
                canvas.outlines.set_classes(None, ())
            self.legend.show_colours((), ())
            return
        colours = tuple(map(QColor, colouring.colours))
        canvas.outlines.set_classes(colouring.classes, colours)
        self.legend.show_colours(colouring.colours, colouring.names)

    def _colouring(self) -> Colouring | None:
        shapes, workspace = self.view.canvas.shapes, self.view.workspace
        how = self._settings.get(SEE_COLOURS)
        if shapes is None or workspace is None or how == "layer":
            return None
        page = self.view.page_number
        if how == "line":
            return by_line(shapes)
        if how == "status":
            if self._statuses is None:
                self._statuses = ByStatus(shapes, self._status_of)
            return self._statuses.colouring()
        if self._problems is None:
            worst = {key: found for (where, key), found in self._worst.items() if where == page}
            self._problems = ByProblem(shapes, worst)
        return self._problems.colouring()

    def _status_of(self, key: ShapeKey) -> str | None:
        """The status of a word's first token, None without a token."""
        view, workspace = self.view, self.view.workspace
        place = (view.page_number, key.line, key.word or 0)
        tokens = view.choice.links.tokens_of.get(place)
        if not tokens or workspace is None:
            return None
        s, g, t = tokens[0]
        return workspace.document.sections[s].segments[g].tokens[t].status or ""

    def be_plain(self) -> None:
        for setting in (*_TONES, SEE_OPACITY):
            self._settings.set(setting, setting.default)

    def _close_panel(self) -> None:
        self.panel.hide()
        self.view.canvas.setFocus()
        self.view.state_changed.emit()

    def _keep_turn(self) -> None:
        workspace, turn = self.view.workspace, self.view.canvas.camera.turn
        if workspace is None:
            return
        turns = _turns()
        turns.pop(str(workspace.path), None)
        if turn:
            turns[str(workspace.path)] = turn
        window_state().setValue(_TURNS, dict(list(turns.items())[-_MOST_TURNS:]))


def _turns() -> dict[str, int]:
    """How documents were turned last, by path."""
    found = window_state().value(_TURNS)
    if not isinstance(found, dict):
        return {}
    turns = {str(path): whole_number(turn, 0) for path, turn in found.items()}
    return {path: turn for path, turn in turns.items() if turn in (90, 180, 270)}
