"""The frame around the views: rail, menus, messages, what is open. It knows no view's content."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QByteArray, QEvent, QSize, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio import log
from madcat_studio.errors import StudioError
from madcat_studio.gui import recent
from madcat_studio.gui.actions import Actions
from madcat_studio.gui.coreactions import CORE_ACTIONS, DISMISS, RECENT
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.failures import Failures
from madcat_studio.gui.fitting import fit_to_screen
from madcat_studio.gui.keymap import Keymap
from madcat_studio.gui.memory import Calm, without_search
from madcat_studio.gui.messagebar import MessageBar
from madcat_studio.gui.messages import Messages
from madcat_studio.gui.rail import Rail
from madcat_studio.gui.rooms import RoomDoor
from madcat_studio.gui.session import Session
from madcat_studio.gui.settings import (
    ARABIC_FONT,
    ARABIC_SIZE,
    ENGLISH_FONT,
    ENGLISH_SIZE,
    Setting,
    Settings,
    window_state,
)
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import VIEWS, LocationKind, View, ViewSpec, kind_of
from madcat_studio.gui.warming import Warming
from madcat_studio.gui.welcome import Welcome
from madcat_studio.gui.windowverbs import WindowVerbs

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent


__all__ = ["MainWindow"]

_WANT_PASSWORD = ("store.password-wanted", "store.login-refused")
_LEAST = QSize(860, 560)
"""Of the window, where the screen is not smaller."""
_WANT_PASSPHRASE = ("campaign.locked", "campaign.wrong-passphrase")


class MainWindow(QMainWindow):
    """The window, and the :class:`Shell` of its views."""

    def __init__(self, settings: Settings, theme: Theme, messages: Messages) -> None:
        super().__init__()
        self.settings = settings
        self.theme = theme
        self.messages = messages
        self.failures = Failures(messages, self.leave)
        self.session = Session()
        self._roomy: set[QWidget] = set()
        self._views: dict[str, View] = {}
        self._left = False
        self.campaign = ""
        self.setWindowTitle("MADCAT Studio")
        self.setMinimumSize(_LEAST)
        self.setAcceptDrops(True)
        self.rooms = RoomDoor(messages, self.failures.show, self)
        self.verbs = WindowVerbs(self, self)
        self._warming, self._calm = Warming(self), Calm(self)
        self._build()
        keymap = Keymap(complain=messages.warning, parent=self)
        self.commands = Actions(self, lambda: self.theme.colours, keymap)
        self.commands.ran.connect(self.refresh)
        self.commands.add(CORE_ACTIONS, lambda: self.verbs)
        self.commands.name_key(self.message_bar.close_button, DISMISS)
        for spec in VIEWS:
            self.commands.add_later(spec.id, spec.actions, partial(self._owner, spec.id))
        self.commands.fill(self.menuBar(), {RECENT: self.verbs.recent_menu})
        self._apply_theme()
        theme.changed.connect(self._apply_theme)
        settings.changed.connect(self._on_setting)
        messages.show_with(self.message_bar.show_message)
        self._restore()
        self.rooms.changed.connect(self._show_rooms)
        self.show_view("home")

    # Building

    def _build(self) -> None:
        central = QWidget()
        central.setObjectName("central")
        outer = QHBoxLayout(central)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.rail = Rail(self.show_view)
        self.rail.add("home", tr("Home"), "home", "")
        for spec in VIEWS:
            self.rail.add(spec.id, tr(spec.title), spec.icon, spec.shortcut)
        outer.addWidget(self.rail)
        middle = QVBoxLayout()
        middle.setSpacing(0)
        self.stack = QStackedWidget()
        self.message_bar = MessageBar(self.theme, self.stack)
        self.message_bar.explain.connect(self.verbs.explain)
        middle.addWidget(self.stack, 1)
        outer.addLayout(middle, 1)
        self.setCentralWidget(central)
        self.welcome = Welcome(self.theme)
        self.welcome.open_page.connect(self.verbs.open_page)
        self.welcome.open_campaign.connect(self.verbs.open_campaign)
        self.welcome.open_demo.connect(self.verbs.open_demo)
        self.welcome.new_campaign.connect(self.verbs.new_campaign)
        self.welcome.open_recent.connect(self.open)
        self.stack.addWidget(self.welcome)
        self._hint, self._advice = QLabel(), QLabel()
        self.statusBar().addWidget(self._advice)
        self.statusBar().addPermanentWidget(self._hint)
        self.statusBar().setSizeGripEnabled(False)

    def _owner(self, identifier: str) -> View | None:
        """The view of this name, where it is in front."""
        view = self._views.get(identifier)
        return view if view is not None and self.stack.currentWidget() is view else None

    # The shell, as views see it

    def open(
        self, location: str, *, view: str | None = None, target: Mapping[str, str] | None = None
    ) -> None:
        """Open something in the first view that opens such a thing."""
        kind = kind_of(location)
        if "://" in location:
            from madcat_studio.store import without_password

            # Neither a title nor the list of what was opened may show it.
            location = without_password(location)
        else:
            location = str(Path(location).absolute())
        spec = next(
            (spec for spec in VIEWS if (view is None and kind in spec.opens) or spec.id == view),
            None,
        )
        if spec is None:
            self.messages.error(
                tr("This window cannot open {kind}s yet.", kind=kind), detail=location
            )
            return
        self._view(spec).open_location(location, target or {})

    def opened(self, location: str, view: View) -> None:
        """A view has opened a location: show the view and remember the location."""
        if kind_of(location) is LocationKind.CAMPAIGN:
            self.campaign = location
        self.show_view(next(name for name, made in self._views.items() if made is view))
        recent.remember(location)

    def keep_session(self, locations: list[str]) -> None:
        """Note what is open, for the start after a crash."""
        self.session.keep(locations)

    def run(self, action: Action[Any]) -> None:
        """Run one of the window's actions."""
        self.commands[action].trigger()

    def give_room(self, view: QWidget, wanted: bool) -> None:
        """All of the window's width for a view, while it is in front: the rail makes way."""
        (self._roomy.add if wanted else self._roomy.discard)(view)
        self.refresh()

    def show_error(self, error: BaseException) -> None:
        """Show any exception, in the one way that the program has."""
        if isinstance(error, StudioError) and error.code in _WANT_PASSWORD:
            self.verbs.open_server(error.where, f"{tr_error(error).reason}.")
        elif isinstance(error, StudioError) and error.code in _WANT_PASSPHRASE:
            wanted = self.front() or "board"  # asking leads out of it
            self.rooms.ask(error.where, lambda: self.show_view(wanted))
        else:
            self.failures.show(error)

    def dismiss_message(self) -> None:
        """Close the message that is shown."""
        self.message_bar.dismiss()

    def forget_recent(self) -> None:
        """Show that nothing was opened last."""
        self.welcome.show_recent([])

    def show_view(self, identifier: str) -> None:
        """Bring a view to the front."""
        if identifier == "home":
            self.welcome.show_recent(recent.recent())
            self.stack.setCurrentWidget(self.welcome)
        else:
            spec = next(spec for spec in VIEWS if spec.id == identifier)
            if spec.for_coordinator and self.campaign and self.rooms.locked:
                self.rail.check(self.front() or "home")
                self.rooms.ask(self.campaign, lambda: self.show_view(identifier))
                return
            view = self._view(spec)
            self.stack.setCurrentWidget(view)
            view.shown(self.campaign)
            if spec.for_coordinator and self.campaign:
                self.rooms.entered()
        self._advice.setVisible(identifier == "page")
        self.rail.check(identifier)
        self._hint.clear()
        self.refresh()

    def rooms_seen(self, location: str, state: str) -> None:
        """A view has seen how the coordinator's rooms of a campaign stand."""
        self.rooms.seen(location, state)

    def _show_rooms(self) -> None:
        """No way leads to a room that is locked, and nobody stays in one."""
        front = self.front()
        for spec in VIEWS:
            if spec.for_coordinator:
                self.rail.buttons[spec.id].setVisible(not self.rooms.locked)
                if spec.id == front and self.rooms.locked:
                    self.show_view("kit" if "kit" in self._views else "home")
        self.refresh()

    def current_view(self) -> View | None:
        """The view at the front, None on the first page."""
        current = self.stack.currentWidget()
        return current if isinstance(current, View) else None

    def front(self) -> str:
        """The id of the view at the front, "" on the first page."""
        current = self.current_view()
        return next((name for name, view in self._views.items() if view is current), "")

    def view(self, identifier: str) -> View | None:
        """A view that was made already."""
        return self._views.get(identifier)

    def _view(self, spec: ViewSpec) -> View:
        made = self._views.get(spec.id)
        if made is None:
            self.commands.make(spec.id)  # its keys too, which nothing else asks for
            with without_search():
                made = spec.make(self, self.stack)
            made.state_changed.connect(self.refresh)
            made.title_changed.connect(self.refresh)
            made.hint.connect(lambda text: self._on_hint(made, text))
            made.advice.connect(self._advice.setText)
            self._views[spec.id] = made
            self.stack.addWidget(made)
        return made

    def _on_hint(self, view: View, text: str) -> None:
        if view is self.stack.currentWidget():
            self._hint.setText(text)

    def refresh(self) -> None:
        """Titles, enablement and marks as they are now."""
        if self._left:
            return
        self.commands.refresh()
        view = self.current_view()
        title = view.title() if view is not None else ""
        self.setWindowTitle(f"{title}[*] – MADCAT Studio" if title else "MADCAT Studio[*]")
        self.setWindowModified(view is not None and view.is_modified())
        self.rail.setHidden(view is not None and view in self._roomy)

    # Theme, settings, geometry

    def _apply_theme(self) -> None:
        colours, ratio = self.theme.colours, self.devicePixelRatioF()
        self.commands.apply_theme()
        self.rail.apply_theme(colours, ratio)
        for view in self._views.values():
            view.apply_theme()
        self.commands.refresh()

    def _on_setting(self, setting: Setting[str]) -> None:
        if setting in (ARABIC_FONT, ARABIC_SIZE, ENGLISH_FONT, ENGLISH_SIZE):
            for view in self._views.values():
                view.apply_theme()

    def _restore(self) -> None:
        geometry = window_state().value("geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            self.resize(1400, 900)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        fit_to_screen(self, _LEAST)
        if self.current_view() is None:
            self.welcome.first_button().setFocus()

    def bring_back(self) -> None:
        """After a crash: open again what was open, with everything that was not saved."""
        places = self.session.interrupted()
        if not places:
            return
        last = places[-1]
        kind = kind_of(last)
        spec = next((spec for spec in VIEWS if kind in spec.opens), None)
        if spec is not None:
            view = self._view(spec)
            view.bring_back([place for place in places if kind_of(place) is kind])
        self.open(last)

    # Keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.commands.meant(
            cast("QKeyEvent", event)
        ):
            event.accept()  # ours, before Qt takes a sign of another layout for another action
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        meant = self.commands.meant(event)
        if meant is None:
            super().keyPressEvent(event)
        else:
            meant.trigger()

    # Closing

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._left:
            event.accept()
            return
        for view in self._views.values():
            if not view.may_close():
                event.ignore()
                return
        window_state().setValue("geometry", self.saveGeometry())
        self._warming.close()
        self._calm.close()
        self.verbs.close_worker()
        self.rooms.close_worker()
        for view in self._views.values():
            view.shut_down()
        self._left = True
        self.message_bar.dismiss()
        self.failures.uninstall()
        self.session.end()
        super().closeEvent(event)

    def leave(self) -> None:
        """Leave after a fault: ask nothing, keep the journals, let the next start recover."""
        if self._left:
            return
        self._left = True
        self._warming.close()
        self._calm.close()
        self.message_bar.dismiss()
        self.rooms.close_worker()
        for view in self._views.values():
            try:
                view.leave_now()
            except Exception as error:
                log.report_crash(error)
        self.failures.uninstall()
        self.session.abandon()
        QTimer.singleShot(0, self.close)

    # Dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        places = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if places:
            self.open(places[0])
