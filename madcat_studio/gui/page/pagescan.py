"""The scan of the page that is shown: finding its file, loading it, saying what is odd about it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.failures import as_message
from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.filelist import base_name
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.loader import ScanLoader
from madcat_studio.gui.page.notice import Notice, what_is_odd
from madcat_studio.gui.page.scan import ReadyScan, ScanInfo
from madcat_studio.gui.translation import tr
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document, Page

__all__ = ["PageScan"]


class PageScan(QObject):
    """Brings scans to a canvas.

    Signals:
        failed: an exception that no user can mend.
        opened: the scan can be painted (Pyramid).

    Attributes:
        image: the file of the scan that is shown or being loaded, and its frame; None without any.
        ready: a scan that was read before anybody asked for it.
    """

    failed = Signal(object)
    opened = Signal(object)

    def __init__(self, canvas: PageCanvas, notice: Notice, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._notice = notice
        self._window = parent
        self.image: tuple[Path, int] | None = None
        self.ready: ReadyScan | None = None
        self._located: dict[Path, Path] = {}
        self._shown: tuple[Path, Document, int] | None = None
        self._loader = ScanLoader(self)
        self._loader.opened.connect(self._on_opened)
        self._loader.grew.connect(canvas.scan.grew)
        self._loader.failed.connect(self._on_failed)
        canvas.camera.zoomed.connect(self._loader.refine)
        notice.locate.connect(self.locate)

    def show_page(self, path: Path, document: Document, page: int) -> None:
        """Begin to load the scan of a page; say so where it is not to be found."""
        self._shown = (path, document, page)
        self._notice.hide()
        self._loader.cancel()
        self.image = self.image_of(path, document, page)
        ready, self.ready = self.ready, None
        if self.image is not None:
            if ready is not None and ready.is_of(*self.image):
                self._loader.show(ready)
            else:
                self._loader.load(*self.image)
            return
        name = document.src or tr("(the file names none)")
        text = tr("The image {name} was not found; only the outlines are shown.", name=name)
        self._notice.say(text, locate=True)

    def image_of(self, path: Path, document: Document, page: int) -> tuple[Path, int] | None:
        """The file of a page's scan and its frame, None where it is not to be found."""
        found = self._located.get(path)
        if found is None:
            found = ImageFinder().find(document.src or f"{base_name(path)}.tif", path)
        return None if found is None else (found, page if len(document.pages) > 1 else 0)

    @property
    def busy(self) -> bool:
        """Whether the scan is not all there yet."""
        return self._loader.busy

    def moved(self, before: Path, after: Path) -> None:
        """A document has another path now; an image that was located for it stays located."""
        if before in self._located:
            self._located[after] = self._located[before]

    def locate(self) -> None:
        """Let the user show where the image is."""
        if self._shown is None:
            return
        document = self._shown[0]
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            tr("Locate the image"),
            str(document.parent),
            tr("Images (*.tif *.tiff *.png *.jpg *.jpeg *.bmp);;All files (*)"),
        )
        if name:
            self._located[document] = Path(name)
            self.show_page(*self._shown)

    def close(self) -> None:
        """Stop loading."""
        self._loader.close()

    def _on_opened(self, info: ScanInfo, pyramid: Pyramid) -> None:
        self._canvas.scan.show(pyramid)
        # Painted now, before the levels that are still being made take the processor.
        self._canvas.viewport().repaint()
        self.opened.emit(pyramid)
        if self._shown is None:
            return
        _, document, number = self._shown
        page = document.pages[number] if document.pages else Page(None)
        odd = what_is_odd(info, page, number, len(document.pages))
        if odd is not None:
            self._notice.say(odd[0], locate=odd[1])

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self.failed.emit(error)
            return
        self._notice.say(f"{Path(error.where).name}: {as_message(error).text}", locate=True)
