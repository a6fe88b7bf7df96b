"""Small files of a user's wishes, shared by all windows: read with a message instead of an error.

What is written is one change: under a lock the file is read again, one value changed, the whole put
in its place. So the wishes of another window stay, and those of a newer version that this one does
not know; a file that cannot be read is kept beside the new one.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLockFile

from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

__all__ = ["TomlFile"]

_WAIT_MS = 2000
"""Others hold the lock for some milliseconds."""


class _UnusableError(Exception):
    """The file holds something, and it cannot be read; the text says why."""


class TomlFile:
    """One such file.

    Attributes:
        path: where it is; it need not exist.
    """

    def __init__(
        self, path: Path, what: str, instead: str, complain: Callable[[str], None]
    ) -> None:
        """Name a file.

        Args:
            path: where it is.
            what: it holds, such as ``settings``, in the user's language.
            instead: what holds where it is damaged, such as ``the defaults``.
            complain: takes a message.
        """
        self.path = path
        self._what, self._instead, self._complain = what, instead, complain

    def read(self) -> dict[str, Any]:
        """What it holds; nothing where it is not there or, with a complaint, cannot be read."""
        try:
            text = self._text()
        except (_UnusableError, OSError) as error:
            self._tell_unreadable(str(error))
            return {}
        import tomllib  # only where there is something to read: start-up counts

        try:
            return tomllib.loads(text) if text else {}
        except tomllib.TOMLDecodeError as error:
            self._tell_unreadable(str(error))
            return {}

    def change(self, values: Mapping[tuple[str, ...], object]) -> None:
        """Set single values, None to take one away; complain where that fails.

        Args:
            values: by their place: the name, or the table and the name.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = QLockFile(str(self.path.with_name(f"{self.path.name}.lock")))
            if not lock.tryLock(_WAIT_MS):
                self._tell_unsaved(
                    tr("another window holds it")
                    if lock.error() == QLockFile.LockError.LockFailedError
                    else tr("the folder {folder} cannot be written", folder=self.path.parent)
                )
                return
            try:
                self._change(values)
            finally:
                lock.unlock()
        except (_UnusableError, OSError) as error:
            self._tell_unsaved(getattr(error, "strerror", None) or str(error))

    def _change(self, values: Mapping[tuple[str, ...], object]) -> None:
        import tomlkit

        document = self._document()
        for place, value in values.items():
            _put(document, place, value)
        # A link stays one: some keep their settings elsewhere.
        target = self.path.resolve()
        beside = target.with_name(f"{target.name}.new")
        text = tomlkit.dumps(document).rstrip()
        beside.write_text(f"{text}\n" if text else "", encoding="utf-8")
        beside.replace(target)

    def _document(self) -> TOMLDocument:
        """What the file holds now, to be changed; a damaged one is set aside."""
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        self._look()
        try:
            document = tomlkit.parse(self._text())
        except (_UnusableError, OSError, TOMLKitError) as error:
            self._set_aside(str(error))
            return tomlkit.document()
        return document

    def _text(self) -> str:
        """The text of the file, "" where there is none."""
        if not self._look():
            return ""
        try:
            # Some editors put a mark before the text.
            return self.path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise _UnusableError(tr("its text is not in UTF-8")) from error

    def _look(self) -> bool:
        """Whether it is there. A pipe or a device would be waited for, so it is not opened.

        Raises:
            _UnusableError: it is no file.
        """
        try:
            kind = self.path.stat().st_mode
        except FileNotFoundError:
            return False
        if not stat.S_ISREG(kind):
            raise _UnusableError(tr("it is not an ordinary file"))
        return True

    def _set_aside(self, why: str) -> None:
        target = self.path.resolve()
        number, aside = 1, target.with_name(f"{target.name}.damaged")
        while aside.exists():
            number += 1
            aside = target.with_name(f"{target.name}.damaged-{number}")
        target.rename(aside)
        self._complain(
            tr(
                "{file}: the {what} could not be read ({why}); they are kept as {aside}",
                file=self.path,
                what=self._what,
                why=why,
                aside=aside.name,
            )
        )

    def _tell_unreadable(self, why: str) -> None:
        self._complain(
            tr(
                "{file}: the {what} cannot be read ({why}); {instead} are used instead",
                file=self.path,
                what=self._what,
                why=why,
                instead=self._instead,
            )
        )

    def _tell_unsaved(self, why: str) -> None:
        self._complain(
            tr(
                "{file}: the {what} cannot be saved ({why})",
                file=self.path,
                what=self._what,
                why=why,
            )
        )


def _put(table: MutableMapping[str, Any], place: tuple[str, ...], value: object) -> None:
    """Set a value in nested tables; a table that is left without any line goes with its last."""
    import tomlkit

    name, *inner = place
    if inner:
        below = table.get(name, tomlkit.table())
        if not isinstance(below, MutableMapping):
            raise _UnusableError(tr("its value for {name} has the wrong type", name=name))
        _put(below, tuple(inner), value)
        if tomlkit.dumps(below).strip():
            table[name] = below
        else:
            table.pop(name, None)
    elif value is None:
        table.pop(name, None)
    else:
        table[name] = value
