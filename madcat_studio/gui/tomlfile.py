"""Small files of a user's wishes: read with a message instead of an error, never half written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from madcat_studio.gui.translation import tr

__all__ = ["read_toml", "write_toml"]


def read_toml(
    path: Path, what: str, instead: str, complain: Callable[[str], None]
) -> dict[str, Any]:
    """What a file holds; nothing where it is not there or, with a complaint, cannot be read.

    Args:
        path: the file.
        what: it holds, such as ``settings``, for the message.
        instead: what holds where the file is damaged, such as ``the defaults``.
        complain: takes the message.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        complain(
            tr("{file}: the {what} cannot be read ({why})", file=path, what=what, why=str(error))
        )
        return {}
    import tomllib  # only where there is something to read: start-up counts

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        complain(
            tr(
                "{file}: the {what} cannot be read ({why}); {instead} hold",
                file=path,
                what=what,
                why=str(error),
                instead=instead,
            )
        )
        return {}


def write_toml(path: Path, text: str, what: str, complain: Callable[[str], None]) -> None:
    """Put a file in its place, whole; where that fails there is a complaint."""
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        complain(
            tr(
                "{file}: the {what} cannot be saved ({why})",
                file=path,
                what=what,
                why=error.strerror or str(error),
            )
        )
