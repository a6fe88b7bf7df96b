"""Names that look the same: compared composed and trimmed, and told apart before they are taken.

``Café`` may be spelt with one letter or with two, ``s2`` with a blank after it, ``juniper`` with a
character in it that nobody sees.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from madcat_studio.errors import ConflictError

__all__ = ["alike", "plain", "refuse_alike", "tell_apart"]


def plain(name: str) -> str:
    """A name as it is kept and compared: composed, without blanks at its ends."""
    return unicodedata.normalize("NFC", name).strip()


def _seen(name: str) -> str:
    """What a reader sees of a name."""
    shown = (one for one in plain(name) if unicodedata.category(one) not in ("Cf", "Cc"))
    return " ".join("".join(shown).split())


def alike(name: str, names: Iterable[str]) -> str | None:
    """One of ``names`` that is another but looks the same; None: there is none."""
    seen = _seen(name)
    return next((one for one in names if one != name and _seen(one) == seen), None)


def refuse_alike(kind: str, name: str, names: Iterable[str]) -> None:
    """Refuse a new name that looks like one that is there.

    Raises:
        ConflictError: ``store.look-alike``, with what tells the two apart.
    """
    found = alike(name, names)
    if found is not None:
        raise ConflictError(
            "store.look-alike",
            f"A new {kind} would look like an existing one: {tell_apart(name, found)}",
            where=plain(name),
            remedy="Write it as the existing one, or give it a name that looks different",
        )


def tell_apart(name: str, other: str) -> str:
    """What two names that look the same differ in."""
    if plain(name) == plain(other):
        return "it differs by blanks at its ends or by how its letters are composed"
    hidden = sorted({*plain(name)} ^ {*plain(other)})
    named = ", ".join(f"U+{ord(one):04X} ({unicodedata.name(one, 'a control')})" for one in hidden)
    return f"it differs by {named or 'its blanks'}"
