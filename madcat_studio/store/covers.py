"""Under what names, and in what order, editors know the pages of a kit.

The name of a page tells where it comes from; the place of its output in the plan, the key of its
system or a number of its file tell old output from new. Editors therefore see each page of a kit
under a *cover*: a name and a key that belong to this kit alone, and a place that was drawn. Its
segments are numbered. A server does this for editors' logins by itself (``rights.py``);
``covered.py`` does it for a folder, and for kits that are given out as files.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import groupby
from typing import Final

__all__ = ["COVER_NAME", "SHOWN_ID", "cover_name", "draw_order"]

_DIGITS: Final = 2

COVER_NAME: Final = (
    "(SELECT k.name FROM kits k WHERE k.id = {i}.kit_id) || '.' ||"
    f" lpad(({{i}}.shown + 1)::text, greatest({_DIGITS}, length(({{i}}.shown + 1)::text)), '0')"
)
""":func:`cover_name` in PostgreSQL's words; ``{i}`` is a row of ``kit_items``."""

SHOWN_ID: Final = "md5({i}.cover::text || '/' || {s}.position)::uuid"
"""The key by which editors' logins know a segment ``{s}`` of an item ``{i}``."""


def cover_name(kit: str, shown: int) -> str:
    """The name of a page for editors: the kit, and the page's place among those shown."""
    return f"{kit}.{shown + 1:0{_DIGITS}}"


def draw_order(manuscripts: Sequence[object]) -> list[int]:
    """A place for each page of a kit by chance; pages of one manuscript stay together, in order."""
    groups = [list(group) for _, group in groupby(range(len(manuscripts)), manuscripts.__getitem__)]
    secrets.SystemRandom().shuffle(groups)
    places = [0] * len(manuscripts)
    for place, index in enumerate(index for group in groups for index in group):
        places[index] = place
    return places
