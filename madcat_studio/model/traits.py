"""Traits: what a neighbour's format says of a page, region, line or word besides, as one text.

Languages, directions, styles, the place of a cell in its table: MADCAT has no word for them,
nothing here acts on them, and they go along from file to file. The text is canonical, so that equal
traits are equal texts: ``readingDirection:right-to-left; style.bold:true``.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CELL", "DIRECTIONS", "STYLE", "traits_of", "traits_text"]

STYLE = "style."
"""Begins the names of what an element for a style says."""
CELL = "cell."
"""Begins the names of what tells the place of a cell: ``rowIndex``, ``columnIndex``, ``rowSpan``,
``colSpan``, ``header``."""


DIRECTIONS = {
    "left-to-right": "ltr",
    "right-to-left": "rtl",
    "top-to-bottom": "ttb",
    "bottom-to-top": "btt",
}
"""Values of PAGE's ``readingDirection``, and what they are as ALTO's ``BASEDIRECTION``."""


def traits_text(traits: Mapping[str, str]) -> str | None:
    """Traits as a text; None for none. Names hold no colon, semicolon or blank."""
    return "; ".join(f"{name}:{_escaped(traits[name])}" for name in sorted(traits)) or None


def traits_of(text: str | None) -> dict[str, str]:
    """The traits that a text tells; what is no trait is left out."""
    pairs = [part.partition(":") for part in (text or "").split("; ")]
    return {name: _plain(value) for name, colon, value in pairs if name and colon}


def _escaped(value: str) -> str:
    return value.replace("%", "%25").replace(";", "%3B")


def _plain(value: str) -> str:
    return value.replace("%3B", ";").replace("%25", "%")
