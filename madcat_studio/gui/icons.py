"""Monochrome icons in the colours of the theme: ``currentColor`` is replaced when painted."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap, QPixmapCache, QTransform

from madcat_studio.gui.theme import Colours
from madcat_studio.paths import resources

__all__ = ["icon", "pixmap"]

_TURNED = frozenset({"next", "panels", "previous", "redo", "undo"})
"""Icons that point along the reading direction, and the other way in a mirrored window.

Those that turn or draw on the page stay as they are: the page is not mirrored.
"""


@lru_cache(maxsize=256)
def _source(name: str) -> bytes:
    return (resources() / "icons" / f"{name}.svg").read_bytes()


def pixmap(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """One icon in one colour, drawn once. GUI thread only."""
    turned = name in _TURNED and QGuiApplication.isRightToLeft()
    key = f"madcat-studio {name} {colour} {size} {ratio} {turned}"
    picture = QPixmap()
    if QPixmapCache.find(key, picture):
        return picture
    from PySide6.QtSvg import QSvgRenderer  # only when an icon is painted: start-up counts

    renderer = QSvgRenderer(QByteArray(_source(name).replace(b"currentColor", colour.encode())))
    picture = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    if turned:
        picture = picture.transformed(QTransform.fromScale(-1, 1))
    QPixmapCache.insert(key, picture)
    return picture


def icon(
    name: str,
    colours: Colours,
    *,
    size: int = 20,
    ratio: float = 1.0,
    checkable: bool = True,
    can_rest: bool = True,
) -> QIcon:
    """An icon for a button or a menu.

    Args:
        name: the file's name in resources/icons.
        colours: of the theme.
        size: of one side, in pixels.
        ratio: the screen's pixels for each of those.
        checkable: whether a checked look is needed.
        can_rest: whether a disabled look is needed.
    """
    result = QIcon()
    mode, state = QIcon.Mode, QIcon.State
    result.addPixmap(pixmap(name, colours.text, size, ratio), mode.Normal, state.Off)
    if checkable:
        result.addPixmap(pixmap(name, colours.accent, size, ratio), mode.Normal, state.On)
    if can_rest:
        faint = pixmap(name, colours.border, size, ratio)
        result.addPixmap(faint, mode.Disabled, state.Off)
        if checkable:
            result.addPixmap(faint, mode.Disabled, state.On)
    return result
