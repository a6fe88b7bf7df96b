"""Pictures of the tools for outlines, each at work."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from madcat_studio.paths import resources
from scripts.screenshots.seeing import plain

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.page.canvas import PageCanvas
    from madcat_studio.gui.page.shapes import ShapeKey
    from madcat_studio.gui.page.view import PageView
    from scripts.screenshots.studio import Studio

__all__ = [
    "brush",
    "choose",
    "cut",
    "cut_several",
    "derive",
    "draw",
    "edit",
    "link",
    "lock",
    "order_list",
    "order_tool",
    "sort",
]


class _Hand:
    """Moves the mouse over a canvas, with places in stored pixels."""

    def __init__(self, canvas: PageCanvas) -> None:
        self._canvas = canvas

    def _send(self, kind: QEvent.Type, x: float, y: float, *, shift: bool = False) -> None:
        from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
        from PySide6.QtGui import QMouseEvent

        place = self._canvas.camera.to_view(QPointF(x, y))
        none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
        moving, up = kind == QEvent.Type.MouseMove, kind == QEvent.Type.MouseButtonRelease
        keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        viewport = self._canvas.viewport()
        event = QMouseEvent(
            kind,
            place,
            viewport.mapToGlobal(place),
            none if moving else left,
            none if up else left,
            keys,
        )
        QCoreApplication.sendEvent(viewport, event)

    def press(self, x: float, y: float, *, shift: bool = False) -> None:
        from PySide6.QtCore import QEvent

        self._send(QEvent.Type.MouseButtonPress, x, y, shift=shift)

    def drag(self, x: float, y: float, *, shift: bool = False) -> None:
        from PySide6.QtCore import QEvent

        self._send(QEvent.Type.MouseMove, x, y, shift=shift)

    def release(self, x: float, y: float) -> None:
        from PySide6.QtCore import QEvent

        self._send(QEvent.Type.MouseButtonRelease, x, y)

    def click(self, x: float, y: float) -> None:
        self.press(x, y)
        self.release(x, y)


def _page(studio: Studio, tool: str, scale: float, at: tuple[int, int]) -> tuple[PageView, _Hand]:
    """The demo's first page as it is in its file, at a line and word, with a tool in the hand."""
    from madcat_studio.gui.page.shapes import ShapeKey

    view = plain(studio)
    canvas = view.canvas
    canvas.tools.cancel()
    workspace = view.workspace
    while workspace is not None and workspace.can_undo:
        workspace.undo()
    canvas.camera.zoom_to(scale)
    key = ShapeKey(*at)
    canvas.selection.select([key])
    canvas.outlines.reveal([key])
    canvas.camera.centre_on(_middle(canvas, key))
    studio.window.commands.named(f"page.tool-{tool}").trigger()
    return view, _Hand(canvas)


def _middle(canvas: PageCanvas, key: ShapeKey) -> QPointF:
    from PySide6.QtCore import QPointF

    assert canvas.shapes is not None
    left, top, right, bottom = canvas.shapes.box(key)
    return QPointF((left + right) / 2, (top + bottom) / 2)


def _box(view: PageView, line: int, word: int) -> tuple[float, float, float, float]:
    from madcat_studio.gui.page.shapes import ShapeKey

    assert view.canvas.shapes is not None
    return view.canvas.shapes.box(ShapeKey(line, word))


def choose(studio: Studio) -> None:
    """A frame that chooses words."""
    view, hand = _page(studio, "select", 0.3, (2, 2))
    right, left = _box(view, 1, 1), _box(view, 3, 4)
    hand.press(right[2] + 30, right[1] - 30, shift=True)
    hand.drag(left[0] - 60, left[3] + 40, shift=True)
    hand.release(left[0] - 60, left[3] + 40)
    right, left = _box(view, 1, 1), _box(view, 4, 5)
    hand.press(right[2] + 60, right[1] - 60, shift=True)
    hand.drag(left[0] - 60, left[3] + 40, shift=True)


def edit(studio: Studio) -> None:
    """An edge of a word being moved."""
    view, hand = _page(studio, "edit", 0.8, (2, 2))
    left, top, right, bottom = _box(view, 2, 2)
    x, y = (left + right) / 2, bottom
    hand.press(x, y)
    hand.drag(x + 4, y + 30)
    hand.drag(x + 8, y + 60)
    assert top < bottom


def draw(studio: Studio) -> None:
    """A polygon, point by point."""
    view, hand = _page(studio, "polygon", 0.6, (2, 2))
    left, top, right, bottom = _box(view, 2, 2)
    for x, y in (
        (right, top),
        (left + 40, top - 30),
        (left, bottom - 40),
        (left + 90, bottom + 20),
    ):
        hand.click(x, y)
    hand.drag(right - 60, bottom + 40)


def cut(studio: Studio) -> None:
    """A stroke across a word."""
    view, hand = _page(studio, "cut", 0.8, (2, 2))
    left, top, right, bottom = _box(view, 2, 2)
    middle = (left + right) / 2
    hand.press(middle + 30, top - 40)
    for step in range(1, 9):
        hand.drag(middle + 30 - step * 6, top - 40 + step * (bottom - top + 80) / 8)


def order_tool(studio: Studio) -> None:
    """A stroke through the words of a line, with their numbers."""
    view, hand = _page(studio, "order", 0.3, (2, 3))
    boxes = [_box(view, 2, word) for word in (0, 2, 1, 3, 4)]
    places = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in boxes]
    hand.press(*places[0])
    for (x0, y0), (x1, y1) in itertools.pairwise(places):
        for step in range(1, 11):
            rise = 90 * (1 - (step / 5 - 1) ** 2) if x1 > x0 else 0
            hand.drag(x0 + (x1 - x0) * step / 10, y0 + (y1 - y0) * step / 10 - rise)


def lock(studio: Studio) -> None:
    """Two lines that are finished."""
    from madcat_studio.gui.page.shapes import ShapeKey

    view, _ = _page(studio, "select", 0.3, (2, 2))
    view.canvas.selection.select([ShapeKey(0), ShapeKey(1)])
    studio.window.commands.named("page.lock").trigger()
    view.canvas.selection.select([ShapeKey(2, 2)])


def cut_several(studio: Studio) -> None:
    """A stroke down through words of four lines, both parts of each shown."""
    view, hand = _page(studio, "cut", 0.3, (2, 3))
    view.canvas.selection.select([])
    top, bottom = _box(view, 1, 2), _box(view, 4, 2)
    x = (top[0] + top[2]) / 2
    hand.press(x, top[1] - 60)
    for step in range(1, 9):
        hand.drag(x - 8 * step, top[1] - 60 + (bottom[3] + 60 - top[1]) * step / 8)


def brush(studio: Studio) -> None:
    """A part of a word's outline taken away, the button still down."""
    view, hand = _page(studio, "erase", 0.8, (2, 2))
    _, top, right, bottom = _box(view, 2, 2)
    hand.press(right - 10, top - 30)
    for step in range(1, 9):
        hand.drag(right - 10 - 6 * step, top - 30 + (bottom - top) * step / 10)


def derive(studio: Studio) -> None:
    """All lines from their words, offered."""
    from madcat_studio.gui.page.proposals import Proposals
    from madcat_studio.gui.page.shapes import ShapeKey

    plain(studio)
    view = studio.pages(next((resources() / "demo" / "pages").glob("*.0006_*.madcat.xml")))
    view.canvas.camera.zoom_to(0.3)
    view.canvas.camera.centre_on(_middle(view.canvas, ShapeKey(3)))
    studio.window.commands.named("page.tool-select").trigger()
    studio.window.commands.named("page.derive-lines").trigger()
    offers = next(part for part in view.features if isinstance(part, Proposals))
    studio.wait(offers.strip.isVisible)


def sort(studio: Studio) -> None:
    """The order of right-to-left script, offered where it was another one."""
    from madcat_studio.edits.arranging import order_lines, order_words

    view, _ = _page(studio, "select", 0.25, (2, 2))
    view.canvas.selection.select([])
    workspace = view.workspace
    assert workspace is not None
    lines = len(workspace.document.pages[0].lines)
    words = len(workspace.document.pages[0].lines[2].words)
    view.execute(order_words(workspace.document, 0, 2, [1, 0, *range(2, words)]))
    view.execute(order_lines(workspace.document, 0, [1, 0, *range(2, lines)]))
    studio.window.commands.named("page.sort").trigger()


def link(studio: Studio) -> QWidget:
    """The question which link stays, or whether the text is split as well."""
    from madcat_studio.gui import fonts
    from madcat_studio.gui.page.asklink import PartDialog

    view, _ = _page(studio, "cut", 0.8, (2, 2))
    dialog = PartDialog(
        "Split a word",
        "The word is linked to the text. Which part keeps the link?",
        [
            "\u2068المدينة\u2069 stays with the right-hand (or upper) part",
            "\u2068المدينة\u2069 stays with the left-hand (or lower) part",
            "Split the text as well, at the bar; also in the transcription",
        ],
        fonts.english(studio.window.settings, scale=1.15),
        view,
        word="المدينة",
        places=range(1, 7),
        place=4,
    )
    dialog.buttons[-1].setChecked(True)
    return dialog


def order_list(studio: Studio) -> None:
    """The order of reading as a list beside the page."""
    from madcat_studio.gui.page.orderpanel import OrderPanel

    view, _ = _page(studio, "select", 0.3, (2, 2))
    panel = next(part for part in view.features if isinstance(part, OrderPanel))
    panel.show()
    for line in (2, 3):
        panel.tree.expand(panel.model.index(line, 0))
