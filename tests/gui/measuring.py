"""Whether the texts of a window have the room they need: none cut, none over another."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from madcat_studio.gui.elided import ElidedLabel
from madcat_studio.gui.guide import CoachMark
from tests.gui.numbers import item_texts

__all__ = ["Measured", "longer", "measure"]

_OVER = (CoachMark,)
"""What stands over other things on purpose."""


class Text(NamedTuple):
    """A text that is to be seen.

    Attributes:
        words: the text.
        of: the widget that shows it.
        where: its place in its window, without what is scrolled away.
        cut: whether a part of it is not to be seen.
    """

    words: str
    of: QWidget
    where: QRect
    cut: bool


class Measured(NamedTuple):
    """Which texts are to be seen, which of them are cut, and which pairs lie over one another.

    Attributes:
        items: the texts of lists, tables and trees, which are not measured.
    """

    seen: list[str]
    cut: list[str]
    over: list[str]
    items: list[str]


def measure(window: QWidget) -> Measured:
    """Measure the texts of a window or a dialog as it is shown now."""
    texts = list(_texts(window))
    cut = [one.words for one in texts if one.cut]
    over = [f"{one.words} / {other.words}" for one, other in _pairs(texts)]
    return Measured([one.words for one in texts], cut, over, list(item_texts(window)))


def _pairs(texts: list[Text]) -> Iterator[tuple[Text, Text]]:
    for one, other in itertools.combinations(texts, 2):
        common = one.where & other.where
        if common.width() <= 2 or common.height() <= 2 or one.of is other.of:
            continue
        if not one.of.isAncestorOf(other.of) and not other.of.isAncestorOf(one.of):
            yield one, other


def _texts(window: QWidget) -> Iterator[Text]:
    for one in window.findChildren(QWidget):
        if not one.isVisible() or one.window() is not window or one.width() == 0:
            continue
        if any(isinstance(above, _OVER) for above in _above(one, window)):
            continue
        where, whole = _place(one, window)
        if where.isEmpty() and whole:
            continue  # scrolled away
        for words, needs in _needs(one):
            yield Text(words, one, where, needs or not whole)


def _above(one: QWidget, window: QWidget) -> Iterator[QWidget]:
    at: QWidget | None = one
    while at is not None and at is not window:
        yield at
        at = at.parentWidget()


def _place(one: QWidget, window: QWidget) -> tuple[QRect, bool]:
    """Where it is to be seen, and whether all of it is, but for what can be scrolled."""
    where, whole = QRect(one.mapTo(window, QPoint()), one.size()), True
    for above in _above(one, window):
        holder = above.parentWidget()
        if holder is None:
            break
        room = QRect(holder.mapTo(window, QPoint()), holder.size())
        if not room.contains(where):
            area = holder.parentWidget()
            scrolled = isinstance(area, QAbstractScrollArea) and area.viewport() is holder
            where &= room
            if scrolled and where.isEmpty():
                break
            whole = whole and scrolled
    return where, whole


def _needs(one: QWidget) -> Iterator[tuple[str, bool]]:
    """The texts of one widget, and whether each is cut."""
    if isinstance(one, ElidedLabel):
        return  # gives way on purpose, and tells all of it otherwise
    if isinstance(one, QLabel):
        if one.text():
            yield one.text(), _label_is_cut(one)
    elif isinstance(one, QTabBar):
        for number in range(one.count()):
            if one.isTabVisible(number):
                place, room = one.tabRect(number), one.rect()
                narrow = one.tabSizeHint(number).width() > place.width()
                yield one.tabText(number), narrow or not room.contains(place)
    elif isinstance(one, QHeaderView):
        yield from _sections(one)
    elif isinstance(one, QToolButton):
        style = one.toolButtonStyle()
        if one.text() and (
            style is not Qt.ToolButtonStyle.ToolButtonIconOnly or one.icon().isNull()
        ):
            yield one.text(), one.sizeHint().width() > one.width()
    elif isinstance(one, QAbstractButton):
        if one.text():
            hint = one.minimumSizeHint()
            yield one.text(), hint.width() > one.width() or hint.height() > one.height()
    elif isinstance(one, QComboBox):
        yield from _combo(one)
    elif isinstance(one, QGroupBox):
        if one.title():
            yield one.title(), one.fontMetrics().horizontalAdvance(one.title()) > one.width()
    elif isinstance(one, QMenuBar):
        for more in one.findChildren(QToolButton):
            yield "menus", more.isVisible()
    elif isinstance(one, QLineEdit):
        inner = isinstance(one.parentWidget(), QComboBox | QAbstractSpinBox)
        if one.placeholderText() and not one.text() and not inner:
            needs = one.fontMetrics().horizontalAdvance(one.placeholderText())
            yield one.placeholderText(), needs > one.contentsRect().width() - 4


def _label_is_cut(label: QLabel) -> bool:
    if label.wordWrap():
        # One more pixel: half pixels of lines are rounded.
        high = label.heightForWidth(label.width()) > label.height() + 1
        words = re.sub(r"<[^>]*>|&", " ", label.text()).split()
        wide = max(map(label.fontMetrics().horizontalAdvance, words), default=0)
        return high or wide > label.contentsRect().width()
    hint = label.sizeHint()
    return hint.width() > label.width() or hint.height() > label.height() + 1


def _sections(header: QHeaderView) -> Iterator[tuple[str, bool]]:
    model = header.model()
    if model is None or header.orientation() is not Qt.Orientation.Horizontal:
        return
    for number in range(header.count()):
        words = model.headerData(number, Qt.Orientation.Horizontal)
        if header.isSectionHidden(number) or not words or header.sectionSize(number) == 0:
            continue
        needs = header.sectionSizeFromContents(number).width()
        yield str(words), needs > header.sectionSize(number)


def _combo(combo: QComboBox) -> Iterator[tuple[str, bool]]:
    if combo.isEditable() or not combo.currentText():
        return
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    field = combo.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, combo
    )
    needs = combo.fontMetrics().horizontalAdvance(combo.currentText())
    yield combo.currentText(), needs > field.width()


_KEPT = r"\{\w*\}|<[^>]*>|&\w+;"


def longer(text: str, count: int = -1) -> str:
    """A text that is 40 % longer, word by word, as texts of other languages are."""

    def stretched(found: re.Match[str]) -> str:
        word = found[0]
        return word if re.fullmatch(_KEPT, word) else word + "~" * (4 * len(word) // 10)

    made = re.sub(rf"{_KEPT}|\w+", stretched, text)
    wanted = round(0.4 * len(re.sub(r"\{\w*\}|<[^>]*>", "", text)))
    return made + "~" * (wanted - (len(made) - len(text)))
