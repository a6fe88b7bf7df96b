"""What a picture is, and what can be done before it is taken."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from madcat_studio.gui.mainwindow import MainWindow
    from madcat_studio.gui.page.view import PageView

__all__ = ["Shot", "Studio"]


class Shot(NamedTuple):
    """One picture. ``prepare`` may give back a dialog, or a written page, instead of the window."""

    name: str
    prepare: Callable[[Studio], QWidget | Path | None]
    sharp: bool = False


class Studio:
    """What a shot can do: open things, wait, reach the views. It holds the program, too."""

    def __init__(self, window: MainWindow, home: Path, application: QApplication) -> None:
        self.window = window
        self.home = home
        self.campaign_folder = home / "campaign"
        self._application = application

    def read_from_the_right(self) -> None:
        """As the window is in a language that is written from right to left."""
        from PySide6.QtCore import Qt

        self._application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    def wait(self, ready: Callable[[], bool], seconds: float = 60.0) -> None:
        """Let the program run until something is there."""
        from PySide6.QtCore import QEventLoop, QTimer

        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                raise SystemExit("a view did not get ready for its picture")
            loop = QEventLoop()
            QTimer.singleShot(30, loop.quit)
            loop.exec()

    def settle(self, milliseconds: int = 400) -> None:
        """Let the program run for a while."""
        end = time.monotonic() + milliseconds / 1000
        self.wait(lambda: time.monotonic() > end)

    def end(self) -> None:
        """Close the window; what works for it in threads ends first, and would fail without it."""
        from PySide6.QtCore import QThreadPool

        self.window.leave()
        self.window.close()
        QThreadPool.globalInstance().waitForDone()

    def pages(self, location: Path | None = None) -> PageView:
        """The page view with a document fitted and nothing chosen; else the demo's folder."""
        from madcat_studio.gui.page.view import PageView

        self.window.open(str(location or self.home / "pages"))
        first = location or min((self.home / "pages").glob("*.madcat.xml"))

        def there() -> bool:
            view = self.window.view("page")
            return (
                isinstance(view, PageView)
                and view.workspace is not None
                and view.workspace.path == first
                and view.canvas.base.pyramid is not None
            )

        self.wait(there)
        view = self.window.view("page")
        assert isinstance(view, PageView)
        self.window.show_view("page")
        view.canvas.camera.fit()
        view.canvas.selection.choose([])
        view.canvas.selection.link([])
        view.side.tabs.setCurrentIndex(0)
        return view

    def campaign(self, view: str) -> None:
        """The demo campaign in one of its views."""
        if not self.campaign_folder.is_dir():
            from madcat_studio.operations.demo import make_demo

            make_demo(self.campaign_folder)
        self.window.open(str(self.campaign_folder), view=view)
        self.settle(2500)
