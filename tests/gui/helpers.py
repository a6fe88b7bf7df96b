"""A window for tests: made as the program makes it, used with real mouse and key events."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from madcat_studio.gui.declarations import Action
from madcat_studio.gui.mainwindow import MainWindow
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.view import PageView
from madcat_studio.gui.views import View
from scripts.texts import texts

found_texts = functools.cache(texts)
"""Every text of the window; to find them all takes more than a second."""

SAMPLES = Path(__file__).parent.parent / "data" / "madcat"
NORMAL = "ZZN_ARB_20991231.0001_1_SCR0001"
BROKEN = "ZZN_ARB_20991231.0002_1_SCR0004"
SMALL = "ZZN_ARB_20991231.0003_2_SCR0005"
TWO_PAGES = "groups.example.org_letters99_0a1b2c3d4e5f6071_ARB_20990107_101500_2_SCR0002"


def copy_sample(name: str, folder: Path, *, image: bool = True) -> Path:
    """Copy a sample document, and its scan, into a folder; the document's path."""
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / f"{name}.madcat.xml"
    shutil.copy(SAMPLES / page.name, page)
    scan = SAMPLES / f"{name}.tif"
    if image and scan.is_file():
        shutil.copy(scan, folder / scan.name)
    return page


class PageUser:
    """Somebody in front of the page view."""

    def __init__(self, window: MainWindow, wait_until: Callable[..., None]) -> None:
        self.window = window
        self._wait_until = wait_until

    @property
    def view(self) -> PageView:
        view = self.window.view("page")
        assert isinstance(view, PageView)
        return view

    def wait(self, condition: Callable[[], bool]) -> None:
        self._wait_until(condition)

    def opened(self, path: Path) -> None:
        """Wait until a document is on the screen."""

        def there() -> bool:
            view = self.window.view("page")
            return (
                isinstance(view, PageView)
                and view.workspace is not None
                and view.workspace.path == path
            )

        self.wait(there)

    def scan_is_there(self) -> None:
        self.wait(lambda: self.view.canvas.base.pyramid is not None)

    def at(self, key: ShapeKey, vertex: int | None = None) -> QPoint:
        """Where an outline, or one of its vertices, is in the view."""
        canvas = self.view.canvas
        assert canvas.shapes is not None
        points = canvas.shapes.points(key)
        x, y = points.mean(axis=0) if vertex is None else points[vertex]
        return canvas.camera.to_view(QPointF(x, y)).toPoint()

    def click(
        self,
        point: QPoint,
        modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    ) -> None:
        viewport = self.view.canvas.viewport()
        QTest.mouseMove(viewport, point)
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, modifier, point)

    def drag(self, start: QPoint, end: QPoint, *, release: bool = True) -> None:
        viewport = self.view.canvas.viewport()
        left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mousePress(viewport, left, plain, start)
        for step in range(1, 6):
            send_move(self.view.canvas, start + (end - start) * step / 5)
        if release:
            QTest.mouseRelease(viewport, left, plain, end)

    def polygon(self, key: ShapeKey) -> tuple[tuple[float, float], ...]:
        """An outline as the document has it."""
        workspace = self.view.workspace
        assert workspace is not None
        line = workspace.document.pages[self.view.page_number].lines[key.line]
        return line.polygon if key.word is None else line.words[key.word].polygon

    def press(self, *arguments: object) -> None:
        QTest.keyClick(self.view.canvas, *arguments)


def send_move(
    canvas: object,
    point: QPoint,
    buttons: Qt.MouseButton = Qt.MouseButton.LeftButton,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """A mouse move with a button held, which QTest cannot send."""
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QMouseEvent

    viewport = canvas.viewport()  # type: ignore[attr-defined]
    place = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        QPointF(viewport.mapToGlobal(point)),
        Qt.MouseButton.NoButton,
        buttons,
        modifiers,
    )
    QCoreApplication.sendEvent(viewport, event)


def declared(view: View, identifier: str) -> Action[Any]:
    """An action of a view, by its id."""
    return view.shell.commands.declaration(identifier)


def run(view: View, identifier: str) -> None:
    """Do what an action does, whether or not it is on the screen."""
    declared(view, identifier).run(view)


def can(view: View, identifier: str) -> bool:
    """Whether an action can be used now."""
    return declared(view, identifier).enabled(view)


def is_checked(view: View, identifier: str) -> bool:
    """Whether an action is switched on."""
    checked = declared(view, identifier).checked
    return checked is not None and checked(view)


def label(view: View, identifier: str) -> str | None:
    """The title of an action, where it depends on the state."""
    return declared(view, identifier).label(view)
