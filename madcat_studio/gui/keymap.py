"""Which keys trigger which action: as declared, unless its user wants others.

What differs from the declarations lies in ``keys.toml`` beside the settings: one line an action,
``"page.undo" = ["Ctrl+Z"]``, an empty list for no key at all. What makes no sense is left out with
a message, and actions that this version does not know are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal

from madcat_studio.gui.settings import settings_file
from madcat_studio.gui.tomlfile import TomlFile
from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from madcat_studio.gui.declarations import Action

__all__ = ["Keymap", "conflicts"]


class Keymap(QObject):
    """What its user wants. ``changed`` carries the id of an action."""

    changed = Signal(str)

    def __init__(
        self,
        path: Path | None = None,
        *,
        complain: Callable[[str], None] = lambda _: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._file = TomlFile(
            path if path is not None else settings_file().with_name("keys.toml"),
            tr("keys"),
            tr("the default keys"),
            complain,
        )
        self._own: dict[str, tuple[str, ...]] = {}
        self._load(complain)

    def keys(self, action: Action[Any]) -> tuple[str, ...]:
        """The keys of an action now, as portable texts."""
        return self._own.get(action.id, action.shortcut)

    def is_own(self, action: Action[Any]) -> bool:
        """Whether its user chose them."""
        return action.id in self._own

    def set(self, action: Action[Any], keys: Sequence[str]) -> None:
        """Take these keys from now on; the declared ones are not written down."""
        if tuple(keys) == self.keys(action):
            return
        if tuple(keys) == action.shortcut:
            self._own.pop(action.id, None)
        else:
            self._own[action.id] = tuple(keys)
        self._save([action.id])
        self.changed.emit(action.id)

    def reset(self) -> None:
        """All keys as they are declared."""
        before, self._own = self._own, {}
        self._save(before)
        for identifier in before:
            self.changed.emit(identifier)

    def _load(self, complain: Callable[[str], None]) -> None:
        for identifier, keys in self._file.read().items():
            if isinstance(keys, list) and all(map(_is_key, keys)):
                self._own[identifier] = tuple(keys)
            else:
                complain(
                    tr(
                        "{file}: {action} cannot have the keys {keys}",
                        file=self._file.path,
                        action=identifier,
                        keys=repr(keys),
                    )
                )

    def _save(self, identifiers: Iterable[str]) -> None:
        self._file.change(
            {
                (identifier,): list(self._own[identifier]) if identifier in self._own else None
                for identifier in identifiers
            }
        )


def _is_key(text: object) -> bool:
    from PySide6.QtCore import QKeyCombination, Qt
    from PySide6.QtGui import QKeySequence

    if not isinstance(text, str) or QKeySequence(text).isEmpty():
        return False
    keys = cast(Sequence[QKeyCombination], QKeySequence(text))  # which its stub does not say
    return keys[0].key() != Qt.Key.Key_unknown


def conflicts(
    action: Action[Any],
    keys: Iterable[str],
    actions: Iterable[Action[Any]],
    views: Iterable[str],
    fixed: Mapping[str, Iterable[str]],
) -> list[str]:
    """What else has one of these keys where the action has it, by title; empty where nothing has.

    Args:
        action: whose keys are to be others.
        keys: portable texts.
        actions: all actions with the keys that they have now.
        views: the ids of views, which are also the first parts of their actions' ids. Actions of
            two views are never there at once; all others always are.
        fixed: by view, the keys that work within it and cannot be changed.
    """
    wanted, of_views = set(keys), set(views)
    part = action.part
    found = []
    for other in actions:
        where = other.part
        apart = part in of_views and where in of_views and part != where
        if other.id != action.id and not apart and wanted & set(other.shortcut):
            found.append(other.title.replace("&", "").rstrip("…"))
    for view, taken in fixed.items():
        if part not in of_views or part == view:
            found += sorted(wanted & set(taken))
    return found
