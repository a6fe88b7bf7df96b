"""The written words beside their outlines, where they are large enough to be read."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QStaticText,
    QTextOption,
    QTransform,
)

from madcat_studio.gui.page.picture import scale_of
from madcat_studio.gui.page.shapes import OutlineKind, PageShapes

__all__ = ["WordLabels"]

_LEAST_HEIGHT = 26.0
"""Screen pixels of a word's height below which its text would hide it."""


class WordLabels:
    """Draws each word's text above its outline; laid out once, drawn often.

    ``text_of`` gives the text of a place in the set of words, "" for none; it is asked for what is
    in view only.
    """

    def __init__(
        self,
        shapes: PageShapes,
        text_of: Callable[[int], str],
        font: QFont,
        *,
        colour: QColor,
        ground: QColor,
    ) -> None:
        self._shapes = shapes
        self._text_of = text_of
        self._font = font
        self._colour = colour
        self._ground = ground
        self._laid_out: dict[str, QStaticText] = {}
        self._height = QFontMetricsF(font).height()
        self.reach = 40.0 + 6 * self._height
        """How far a label may stick out of its word's box, in view pixels."""

    def paint(self, painter: QPainter, view: QRectF, transform: QTransform) -> None:
        """Draw the labels that may touch a part of the view."""
        scale = scale_of(transform)
        words = self._shapes.sets[OutlineKind.WORD]
        if words.typical_height() * scale < _LEAST_HEIGHT:
            return
        reach = self.reach
        page = transform.inverted()[0].mapRect(view.adjusted(-reach, -reach, reach, reach))
        painter.setFont(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for index in words.meeting(page.left(), page.top(), page.right(), page.bottom()).tolist():
            text = self._text_of(index)
            if not text:
                continue
            laid_out = self._lay_out(text)
            size = laid_out.size()
            left, top, right, bottom = words.box(index)
            box = transform.mapRect(QRectF(QPointF(left, top), QPointF(right, bottom)))
            corner = box.topRight()
            chip = QRectF(
                corner.x() - size.width() - 6,
                corner.y() - self._height,
                size.width() + 6,
                self._height,
            )
            if not chip.intersects(view):
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._ground)
            painter.drawRoundedRect(chip, 3, 3)
            painter.setPen(self._colour)
            painter.drawStaticText(QPointF(chip.left() + 3, chip.top()), laid_out)

    def _lay_out(self, text: str) -> QStaticText:
        laid_out = self._laid_out.get(text)
        if laid_out is None:
            laid_out = QStaticText(text)
            laid_out.setTextFormat(Qt.TextFormat.PlainText)
            option = QTextOption()
            option.setTextDirection(Qt.LayoutDirection.RightToLeft)
            option.setWrapMode(QTextOption.WrapMode.NoWrap)
            laid_out.setTextOption(option)
            laid_out.prepare(QTransform(), self._font)
            self._laid_out[text] = laid_out
        return laid_out
