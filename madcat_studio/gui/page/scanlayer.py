"""The scan under the outlines: shown or not, its levels as they come, its tone."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from madcat_studio.gui.page.base import BaseLayer
from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.style import PageColours
from madcat_studio.gui.page.tone import Tone

__all__ = ["ScanLayer"]


class ScanLayer(QObject):
    """Keeps the scan in the base layer.

    Signals:
        changed: the scan is there, or one more level of it.
    """

    changed = Signal()

    def __init__(self, camera: Camera, base: BaseLayer) -> None:
        super().__init__(camera)
        self._camera = camera
        self._base = base

    def show(self, pyramid: Pyramid) -> None:
        """The scan has arrived, or another one: the outlines stay."""
        self._base.pyramid = pyramid
        self._camera.page_resized()
        self._anew()
        self.changed.emit()

    def grew(self) -> None:
        """A level of the scan has arrived that may be better than what is shown."""
        self.changed.emit()
        if self._base.scan_could_be_better():
            self._anew()

    def set_visible(self, visible: bool) -> None:
        """Show or hide the scan under the outlines."""
        self._base.show_scan = visible
        self._anew()

    def set_tone(self, tone: Tone) -> None:
        """Show the scan brighter, darker, steeper."""
        if tone != self._base.tone:
            self._base.tone = tone
            self._anew()

    def set_colours(self, colours: PageColours) -> None:
        """Follow the theme: the page's surroundings, and what is painted on it."""
        self._base.colours = colours
        self._anew()

    def _anew(self) -> None:
        self._base.invalidate_scan()
        self._camera.update()
