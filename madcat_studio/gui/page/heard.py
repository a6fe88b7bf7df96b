"""The page for those who hear it: its lines, and the words of each, with their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtWidgets import QGraphicsView, QWidget

from madcat_studio.gui.accessible import Part, Role, Spoken
from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.outlinelayer import OutlineLayer
from madcat_studio.gui.page.selectionlayer import SelectionLayer
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.translation import tr, tr_number

__all__ = ["HeardPage"]


class HeardPage:
    """Tells of a canvas; what is chosen on it is pointed to.

    Attributes:
        spoken: what Qt asks.
        text_of: gives the text of a word, "" where it has none.
    """

    def __init__(
        self,
        canvas: QGraphicsView,
        camera: Camera,
        outlines: OutlineLayer,
        selection: SelectionLayer,
    ) -> None:
        self._canvas, self._camera = canvas, camera
        self._outlines, self._selection = outlines, selection
        self.text_of: Callable[[ShapeKey], str] = lambda _: ""
        self.spoken = Spoken(canvas, Role.Canvas, self._lines, widgets=self._overlays)
        selection.chosen.connect(self._point)

    def _point(self, key: ShapeKey | None) -> None:
        if key is not None:
            self.spoken.point_to(*([key.line] if key.word is None else [key.line, key.word]))

    def _overlays(self) -> Sequence[QWidget]:
        """What lies on the page: loupe, map, legend; not the parts of a scroll area."""
        return [
            one
            for one in self._canvas.findChildren(
                QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
            )
            if one.isVisible()
            and one is not self._canvas.viewport()
            and not one.objectName().startswith("qt_scrollarea")
        ]

    def _part(self, key: ShapeKey, name: str, parts: Callable[[], Sequence[Part]]) -> Part:
        return Part(
            name,
            Role.Section if key.word is None else Role.StaticText,
            box=partial(self._box, key),
            chosen=lambda: key in self._selection.keys,
            parts=parts,
            act=lambda: self._selection.select([key]),
        )

    def _box(self, key: ShapeKey) -> QRect:
        box = self._outlines.box([key])
        place = QRectF() if box is None else self._camera.transform().mapRect(box)
        return place.toAlignedRect()

    def _lines(self) -> Sequence[Part]:
        shapes = self._outlines.shapes
        if shapes is None:
            return ()
        found = []
        for line in range(len(shapes.sets[OutlineKind.LINE])):
            keys = self._words_of(line)
            text = " ".join(filter(None, map(self.text_of, keys)))
            number = tr_number(line + 1)
            name = (
                tr("Line {number}: {words}", number=number, words=text)
                if text
                else tr("Line {number}", number=number)
            )
            found.append(self._part(ShapeKey(line), name, partial(self._words, line)))
        return found

    def _words_of(self, line: int) -> list[ShapeKey]:
        shapes = self._outlines.shapes
        assert shapes is not None
        count = shapes.first_word(line + 1) - shapes.first_word(line)
        return [ShapeKey(line, word) for word in range(count)]

    def _words(self, line: int) -> Sequence[Part]:
        return [
            self._part(
                key,
                self.text_of(key) or tr("word {number}, without text", number=tr_number(at + 1)),
                tuple,
            )
            for at, key in enumerate(self._words_of(line))
        ]
