"""Pictures of the window itself, and of a page as it is first seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.paths import resources

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from scripts.screenshots.studio import Studio

__all__ = [
    "crash",
    "doors",
    "manual",
    "page",
    "palette",
    "problems",
    "settings",
    "shortcuts",
    "welcome",
    "word",
]


def welcome(studio: Studio) -> None:
    """The first page, with some files seen before."""
    from madcat_studio.gui import recent

    for path in sorted((studio.home / "pages").glob("*.madcat.xml"))[:3]:
        recent.remember(str(path))
    recent.remember(str(studio.home / "pages"))
    studio.window.show_view("home")


def doors(studio: Studio) -> QWidget:
    """What there is to try, once the demo is made."""
    from madcat_studio.gui.doors import Doors

    studio.window.show_view("home")
    dialog = Doors(studio.window, studio.window, lambda _: studio.home)
    studio.wait(dialog.doors[0].isEnabled)
    return dialog


def palette(studio: Studio) -> QWidget:
    """All actions by their words."""
    from madcat_studio.gui.palette import Palette

    studio.pages()
    studio.window.commands.named("help.find-action").trigger()
    found = studio.window.findChild(Palette)
    assert found is not None
    return found


def manual(studio: Studio) -> QWidget:
    """The manual's page of the view in front."""
    from madcat_studio.gui.manualwindow import ManualWindow

    made = ManualWindow(studio.window.theme, studio.window)
    made.show_page("annotating")
    return made


def page(studio: Studio) -> None:
    """A page with a segment chosen."""
    view = studio.pages()
    view.choice.segment((0, 1))
    view.side.mark_segment((0, 1))
    view.canvas.camera.fit()


def word(studio: Studio) -> None:
    """A word, large, with the text of each."""
    from madcat_studio.gui.page.shapes import ShapeKey

    view = studio.pages()
    key = ShapeKey(3, 2)
    view.canvas.selection.choose([key])
    view.choice.outline(key)
    view.canvas.camera.zoom_to(0.5)
    view.canvas.outlines.reveal([key])
    if not studio.window.commands.named("page.show-labels").isChecked():
        studio.window.commands.named("page.show-labels").trigger()


def problems(studio: Studio) -> None:
    """The problems of a page."""
    if studio.window.commands.named("page.show-labels").isChecked():
        studio.window.commands.named("page.show-labels").trigger()
    view = studio.pages(min((resources() / "demo" / "pages").glob("*.0006_*.madcat.xml")))
    studio.wait(lambda: view.side.problems.model.rowCount() > 0)
    view.side.tabs.setCurrentWidget(view.side.problems)
    view.side.problems.step(1)


def settings(studio: Studio) -> QWidget:
    """The last page of the settings."""
    from madcat_studio.gui.dialogs import SettingsDialog

    dialog = SettingsDialog(studio.window.settings, studio.window)
    dialog.tabs.setCurrentIndex(dialog.tabs.count() - 1)
    return dialog


def shortcuts(studio: Studio) -> QWidget:
    """The sheet of keys."""
    from madcat_studio.gui.shortcutsheet import SheetView, ShortcutSheet
    from madcat_studio.gui.views import VIEWS

    views = [SheetView(spec.id, spec.title, spec.keys()) for spec in VIEWS]
    return ShortcutSheet(studio.window.commands.declared(), views, "kit", studio.window)


def crash(studio: Studio) -> QWidget:
    """What is said after a fault of the program."""
    from madcat_studio.gui.crashdialog import CrashDialog

    report = "MADCAT Studio 0.1.0, crash of 2026-01-31 12:00:00 UTC\nPython 3.11.7 on Linux\n…"
    return CrashDialog("ZeroDivisionError", report, studio.window)
