"""The coordinator's rooms in the window: open, locked, opened with the passphrase, locked again.

The check itself is made by whoever opens the campaign (``store/roomlock.py``); here is what is
shown of it, and the way to pass it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.messages import Level, Message, Messages
from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from madcat_studio.gui.workers import Dispatcher

__all__ = ["RoomDoor"]

_LOCKED, _OPEN, _UNLOCKED = "locked", "open", "unlocked"


class RoomDoor(QObject):
    """Knows how the rooms of the campaign that is open stand.

    Signals:
        changed: they are open or locked now, which they were not before.
    """

    changed = Signal()

    def __init__(
        self, messages: Messages, show_error: Callable[[BaseException], None], window: QWidget
    ) -> None:
        """Begin without a campaign; dialogs are shown above ``window``."""
        super().__init__(window)
        self._messages, self._show_error, self._window = messages, show_error, window
        self._worker: Dispatcher | None = None
        self._where = self._state = ""
        self._told: set[str] = set()
        self._asking = False

    def seen(self, where: str, state: str) -> None:
        """The rooms of this campaign stand so (a value of ``operations.campaign.rooms.Rooms``).

        A view may have looked before the passphrase was given: what was opened stays open.
        """
        if not (state == _LOCKED and self._state == _UNLOCKED and where == self._where):
            self._set(where, state)

    def _set(self, where: str, state: str) -> None:
        self._where, self._state = where, state
        self.changed.emit()

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        if self._worker is not None:
            self._worker.close()

    @property
    def locked(self) -> bool:
        """Whether the passphrase is wanted."""
        return self._state == _LOCKED

    @property
    def unlocked(self) -> bool:
        """Whether the passphrase was given, so that they can be locked again."""
        return self._state == _UNLOCKED

    @property
    def can_change(self) -> bool:
        """Whether the campaign may get another passphrase, or its first."""
        return self._state in (_OPEN, _UNLOCKED)

    def entered(self) -> None:
        """A room was entered: say once of a campaign that anybody can."""
        if self._state == _OPEN and self._where not in self._told:
            self._told.add(self._where)
            self._messages.post(
                Message(
                    Level.INFO,
                    tr(
                        "This campaign has no coordinator's passphrase: anybody who opens it "
                        "can see plan, board and report."
                    ),
                    action=(tr("Set one…"), self.change_passphrase),
                )
            )

    def ask(self, where: str, then: Callable[[], object]) -> None:
        """Ask for the passphrase of a campaign, and go on when it was given."""
        from madcat_studio.gui.roomdialog import RoomDialog

        if self._asking:
            return  # several views may have been refused at once
        self._asking = True
        self._set(where, _LOCKED)
        dialog = RoomDialog(_name(where), self._window)

        def opened(_: object) -> None:
            self._set(where, _UNLOCKED)
            dialog.accept()
            then()

        def refused(error: BaseException) -> None:
            if isinstance(error, StudioError):
                dialog.refuse(tr("That passphrase does not open them. Type it again."))
            else:
                dialog.reject()
                self._show_error(error)

        def attempt(words: str) -> None:
            from madcat_studio.operations.campaign.rooms import unlock_rooms

            self._submit(lambda: unlock_rooms(where, words), opened, refused)

        dialog.given.connect(attempt)
        dialog.finished.connect(self._asked)
        dialog.open()

    def _asked(self) -> None:
        self._asking = False

    def lock(self) -> None:
        """Lock the rooms again."""
        from madcat_studio.operations.campaign.rooms import close_rooms

        close_rooms()
        self._set(self._where, _LOCKED)

    def change_passphrase(self) -> None:
        """Choose another passphrase, a first one, or none."""
        from madcat_studio.gui.roomdialog import ChangePassphraseDialog
        from madcat_studio.operations.campaign.rooms import set_passphrase

        where = self._where
        dialog = ChangePassphraseDialog(_name(where), self._window)

        def change() -> None:
            words = dialog.lock.passphrase()

            def done(_: object) -> None:
                self._set(where, _UNLOCKED if words else _OPEN)
                self._messages.info(
                    tr("The coordinator's rooms open with the new passphrase from now on.")
                    if words
                    else tr("The coordinator's rooms are open to anybody who opens the campaign.")
                )

            self._submit(lambda: set_passphrase(where, words), done, self._show_error)

        dialog.accepted.connect(change)
        dialog.open()

    def _submit(
        self,
        act: Callable[[], object],
        done: Callable[[object], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        from madcat_studio.gui.workers import Dispatcher

        if self._worker is None:
            self._worker = Dispatcher(self)
        self._worker.submit(lambda _: act(), done, failed=failed)


def _name(where: str) -> str:
    return Path(where).name or where
