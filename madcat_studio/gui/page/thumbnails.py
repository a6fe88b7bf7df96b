"""Small pictures of the pages for the list of documents, made when their rows come into view."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap

from madcat_studio.gui.page.filelist import FileList, base_name
from madcat_studio.gui.workers import Dispatcher

__all__ = ["Thumbnails", "thumbnail"]

SIZE = QSize(56, 72)
_WAIT_MS = 60
_MOST_KEPT = 4000
"""About 64 MiB of pictures; a folder of more pages makes the oldest ones again."""


def thumbnail(path: Path, size: QSize) -> QImage | None:
    """The first page's scan of a document, small; None where there is none. For a worker."""
    from PySide6.QtGui import QImageReader

    from madcat_studio.gui.page.levels import as_paintable, quarter
    from madcat_studio.gui.page.scan import LIMIT
    from madcat_studio.images.reading import ImageFinder

    finder = ImageFinder()
    found = finder.find(f"{base_name(path)}.tif", path)
    if found is None:
        from madcat_studio.errors import StudioError
        from madcat_studio.operations.pages.convert import open_document

        try:
            found = finder.find(open_document(path).document.src or "", path)
        except StudioError:
            return None  # opening it says what is wrong
    if found is None:
        return None
    QImageReader.setAllocationLimit(LIMIT)
    # Not the file itself: Qt maps a TIFF, and who writes it anew meanwhile would end the program.
    buffer = QBuffer()
    try:
        buffer.setData(found.read_bytes())
    except OSError:
        return None
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAutoTransform(False)
    reader.setDecideFormatFromContent(True)
    claimed = reader.size()
    small = not claimed.isValid() or claimed.width() * claimed.height() * 4 <= LIMIT << 20
    image = reader.read() if small else QImage()
    del reader  # before what it reads from
    if image.isNull():
        return None
    if min(image.width(), image.height()) >= 4 * max(size.width(), size.height()):
        image = quarter(as_paintable(image))
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.convertToFormat(QImage.Format.Format_RGB32).scaled(size, keep, smooth)


class Thumbnails(QObject):
    """Puts pictures into a list, one after the other, those in view first."""

    def __init__(self, files: FileList) -> None:
        super().__init__(files)
        self._files = files
        self._made: dict[Path, QIcon] = {}
        self._wanted = False
        self._blank = QIcon()
        self._work = Dispatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._next)
        files.verticalScrollBar().valueChanged.connect(lambda _: self.look())

    def show(self, wanted: bool) -> None:
        """Show pictures, or only names."""
        self._wanted = wanted
        self._files.setIconSize(SIZE if wanted else QSize(0, 0))
        if wanted:
            paper = QPixmap(SIZE * self._files.devicePixelRatioF())
            paper.setDevicePixelRatio(self._files.devicePixelRatioF())
            paper.fill(Qt.GlobalColor.transparent)
            self._blank = QIcon(paper)
        for row, path in enumerate(self._files.files):
            icon = self._made.get(path, self._blank) if wanted else QIcon()
            self._files.item(row).setIcon(icon)
        self.look()

    def look(self) -> None:
        """Rows may have come into view."""
        if self._wanted and not self._work.busy:
            self._timer.start()

    def close(self) -> None:
        """Stop."""
        self._wanted = False
        self._timer.stop()
        self._work.close()

    def _next(self) -> None:
        path = self._wanted_next()
        if path is None:
            return
        ratio = self._files.devicePixelRatioF()
        size = SIZE * ratio
        self._work.submit(
            lambda _: thumbnail(path, size),
            lambda image: self._take(path, image, ratio),
            failed=lambda _: self._take(path, None, ratio),
        )

    def _wanted_next(self) -> Path | None:
        """The first document in view that has no picture yet."""
        files, area = self._files, self._files.viewport().rect()
        if not files.isVisible():
            return None
        for row, path in enumerate(files.files):
            if path not in self._made and files.visualItemRect(files.item(row)).intersects(area):
                return path
        return None

    def _take(self, path: Path, image: QImage | None, ratio: float) -> None:
        if len(self._made) >= _MOST_KEPT:
            self._made.pop(next(iter(self._made)))
        icon = self._blank if image is None else _icon(_on_paper(image, ratio))
        self._made[path] = icon
        if self._wanted and path in self._files.files:
            self._files.item(self._files.files.index(path)).setIcon(icon)
        self._timer.start()


def _icon(picture: QPixmap) -> QIcon:
    """Shown as it is, also in the row that is marked."""
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon


def _on_paper(image: QImage, ratio: float) -> QPixmap:
    """A picture with an edge, in the middle of the room that all have."""
    whole = QPixmap(SIZE * ratio)
    whole.setDevicePixelRatio(ratio)
    whole.fill(Qt.GlobalColor.transparent)
    image.setDevicePixelRatio(ratio)
    size = image.deviceIndependentSize()
    left, top = (SIZE.width() - size.width()) / 2, (SIZE.height() - size.height()) / 2
    painter = QPainter(whole)
    painter.drawImage(round(left), round(top), image)
    painter.setPen(Qt.GlobalColor.lightGray)
    painter.drawRect(round(left), round(top), round(size.width()) - 1, round(size.height()) - 1)
    painter.end()
    return whole
