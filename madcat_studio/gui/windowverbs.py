"""What the window itself does, whatever view is in front: opening, settings, help.

What only a few sessions need is imported when it is needed: start-up counts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow, QMenu

from madcat_studio import __version__, log
from madcat_studio.formats.kinds import ENDINGS
from madcat_studio.gui import recent
from madcat_studio.gui.helpbeside import HelpBeside
from madcat_studio.gui.settings import THEME, window_state
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell, View

if TYPE_CHECKING:
    from madcat_studio.gui.doors import Doors
    from madcat_studio.gui.rail import Rail
    from madcat_studio.gui.rooms import RoomDoor
    from madcat_studio.progress import Progress

__all__ = ["Frame", "WindowVerbs"]

_SUFFIXES = " ".join(
    [*(f"*{ending}" for ending in ENDINGS), "*.tif *.tiff *.png *.jpg *.jpeg *.webp *.jp2 *.pdf"]
)


class Frame(Shell, Protocol):
    """What the window is besides a shell for its views."""

    def show_view(self, identifier: str) -> None:
        """Bring a view to the front."""

    def front(self) -> str:
        """The id of the view at the front, "" on the first page."""
        ...

    def view(self, identifier: str) -> View | None:
        """A view that was made already."""
        ...

    def dismiss_message(self) -> None:
        """Close the message that is shown."""

    def forget_recent(self) -> None:
        """Show that nothing was opened last."""

    @property
    def rail(self) -> Rail:
        """The buttons of the views, at the left."""
        ...

    @property
    def rooms(self) -> RoomDoor:
        """The coordinator's rooms of the campaign that is open."""
        ...

    @property
    def campaign(self) -> str:
        """The campaign that is open, or ""."""
        ...


class WindowVerbs(QObject):
    """The owner of the core actions.

    Attributes:
        recent_menu: what was opened last.
    """

    def __init__(self, frame: Frame, window: QMainWindow) -> None:
        """Begin; ``frame`` and ``window`` are one, as its views know it and as Qt does."""
        super().__init__(window)
        self._frame = frame
        self._window = window
        self._doors: Doors | None = None
        self._help = HelpBeside(window, frame.theme, frame.front)
        self.recent_menu = QMenu(tr("Open rece&nt"), window)
        self.recent_menu.aboutToShow.connect(self._fill_recent)

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        if self._doors is not None:
            self._doors.reject()

    # Opening

    def open_page(self) -> None:
        """Ask for a page."""
        self._choose_file(
            tr("Open a page"), tr("Pages ({suffixes});;All files (*)", suffixes=_SUFFIXES)
        )

    def open_folder(self) -> None:
        """Ask for a folder of pages."""
        self._choose_folder(tr("Open a folder of pages"))

    def open_campaign(self) -> None:
        """Ask for a campaign."""
        self._choose_folder(tr("Open a campaign"))

    def open_kit(self) -> None:
        """Ask for a kit that came as a file."""
        self._choose_file(tr("Open a kit's file"), tr("Kits (*.madcat-kit);;All files (*)"))

    def open_result(self) -> None:
        """Ask for a saved result."""
        self._choose_file(tr("Open a result"), tr("Results (*.json);;All files (*)"))

    def open_server(self, address: str = "", why: str = "") -> None:
        """Ask for the address of a campaign on a server, and for the password."""
        from madcat_studio.gui.serverdialog import ServerDialog

        if any(one.isVisible() for one in self._window.findChildren(ServerDialog)):
            return  # several views may have been refused at once
        dialog = ServerDialog(self._window, address=address, why=why)
        dialog.accepted.connect(self._frame.dismiss_message)  # what was said of the last try
        dialog.accepted.connect(lambda: self._frame.open(dialog.location()))
        dialog.open()

    def open_demo(self) -> None:
        """Make the demo, and ask what to do in it."""
        from madcat_studio.gui.demo import demo_campaign

        self.offer_demo(demo_campaign)

    def offer_demo(self, make: Callable[[Progress], Path]) -> None:
        """Ask what to do in the demo in the folder that ``make`` gives."""
        from madcat_studio.gui.doors import Doors

        if self._doors is None or not self._doors.isVisible():
            self._doors = Doors(self._frame, self._window, make)
            self._doors.open()

    # The coordinator's rooms

    @property
    def has_door(self) -> bool:
        """Whether the coordinator's rooms can be opened, or locked again."""
        return bool(self._frame.campaign) and (
            self._frame.rooms.locked or self._frame.rooms.unlocked
        )

    @property
    def door_title(self) -> str:
        """What can be done with the rooms now."""
        if self._frame.rooms.unlocked:
            return tr("Loc&k the coordinator's rooms")
        return tr("Open the coordinator's &rooms…")

    def use_door(self) -> None:
        """Open the coordinator's rooms with the passphrase, or lock them again."""
        if self._frame.rooms.unlocked:
            self._frame.rooms.lock()
        else:
            self._frame.show_view("board")

    @property
    def can_change_passphrase(self) -> bool:
        """Whether the campaign may get another passphrase."""
        return bool(self._frame.campaign) and self._frame.rooms.can_change

    def change_passphrase(self) -> None:
        """Choose another passphrase for the coordinator's rooms."""
        self._frame.rooms.change_passphrase()

    def show_submissions(self) -> None:
        """Hand a submission in, or look at what was received."""
        from madcat_studio.gui.submissiondialog import SubmissionDialog

        SubmissionDialog(self._window).open()

    def new_campaign(self) -> None:
        """Ask what a new campaign is made from, make it, and open its plan."""
        from madcat_studio.gui.coordinator.setupdialog import set_up

        set_up(self._frame, self._window)

    def _choose_file(self, title: str, kinds: str) -> None:
        from PySide6.QtWidgets import QFileDialog

        path, _ = QFileDialog.getOpenFileName(
            self._window, title, str(window_state().value("folder", "")), kinds
        )
        if path:
            window_state().setValue("folder", str(Path(path).parent))
            self._frame.open(path)

    def _choose_folder(self, title: str) -> None:
        from PySide6.QtWidgets import QFileDialog

        path = QFileDialog.getExistingDirectory(
            self._window, title, str(window_state().value("folder", ""))
        )
        if path:
            window_state().setValue("folder", path)
            self._frame.open(path)

    # What was opened last

    def show_recent(self) -> None:
        """Show the list of what was opened last, in the middle of the window."""
        window = self._window
        self.recent_menu.popup(window.mapToGlobal(window.rect().center()))

    def _fill_recent(self) -> None:
        menu = self.recent_menu
        menu.clear()
        for location in recent.recent():
            action = menu.addAction(Path(location).name or location)
            action.setStatusTip(location)
            action.triggered.connect(lambda _=False, place=location: self._frame.open(place))
        if menu.isEmpty():
            menu.addAction(tr("Nothing yet")).setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction(tr("Clear the list")).triggered.connect(lambda _=False: self._forget())

    def _forget(self) -> None:
        recent.clear()
        self._frame.forget_recent()

    # The window

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    def show_view(self, identifier: str) -> None:
        """Bring a view to the front."""
        self._frame.show_view(identifier)

    def dismiss_message(self) -> None:
        """Close the message that is shown."""
        self._frame.dismiss_message()

    @property
    def fills_screen(self) -> bool:
        """Whether the window fills the screen."""
        return self._window.isFullScreen()

    def fill_screen(self) -> None:
        """Let the window fill the screen, or no longer."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    @property
    def other_theme(self) -> str:
        """What the theme would become."""
        return tr("&Light theme") if self._frame.theme.dark else tr("&Dark theme")

    def change_theme(self) -> None:
        """From light to dark, or back."""
        self._frame.settings.set(THEME, "light" if self._frame.theme.dark else "dark")

    def show_settings(self) -> None:
        """Let the settings be changed."""
        from madcat_studio.gui.dialogs import SettingsDialog

        dialog = SettingsDialog(self._frame.settings, self._window)
        dialog.exec()
        dialog.deleteLater()

    # Help

    def show_manual(self) -> None:
        """Show the manual's page for the view in front."""
        self._help.show()

    def show_tour(self) -> None:
        """Give the keys to the tour, or begin that of the view in front."""
        from madcat_studio.gui.guide import to_tour

        to_tour(self._frame, self._window)

    def explain(self, code: str) -> None:
        """Show what the code of a message means."""
        self._help.explain(code)

    def find_action(self) -> None:
        """Ask for words, and do what they name."""
        from madcat_studio.gui.declarations import MENUS
        from madcat_studio.gui.palette import Entry, Palette

        entries = [
            Entry(
                made.text().replace("&", "").rstrip("…"),
                tr(MENUS[action.menu]).replace("&", ""),
                tr(action.hint) if action.hint else "",
                made,
                action.title.replace("&", ""),
                f"{MENUS[action.menu]} {action.hint}".replace("&", ""),
            )
            for action, made in self._frame.commands.there()
        ]
        palette = Palette(entries, self._window)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.chosen.connect(lambda made: made.trigger())
        palette.open()

    def show_shortcuts(self) -> None:
        """Show the sheet of all keys."""
        from madcat_studio.gui.keysdialog import show_shortcuts

        show_shortcuts(self._frame.commands, self._window, self._frame.front())

    def show_log(self) -> None:
        """Show the folder of the log."""
        from PySide6.QtCore import QUrl
        from PySide6.QtGui import QDesktopServices

        log.folder().mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log.folder())))

    def show_about(self) -> None:
        """Tell what this program is."""
        from PySide6.QtWidgets import QMessageBox

        QMessageBox.about(
            self._window,
            tr("About MADCAT Studio"),
            tr(
                "MADCAT Studio {version}\n\nA workbench for evaluating the translation of "
                "document images.\nApache License 2.0; see NOTICE for the work of others.",
                version=__version__,
            ),
        )
