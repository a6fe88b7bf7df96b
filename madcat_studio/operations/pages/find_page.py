"""Where the page of a scored document lies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from madcat_studio.formats import madcat

__all__ = ["find_page"]

_SUFFIX = ".madcat.xml"


def find_page(document: str, folders: Iterable[Path], *, deep: bool = True) -> Path | None:
    """The MADCAT document with a scored document's id, in folders and those below; None if none.

    Args:
        document: BASE, or ``BASE#2`` for the second page of a document of several.
        folders: looked through in order; those that are gone are passed over.
        deep: whether the folders below are looked through as well.
    """
    base, mark, number = document.rpartition("#")
    if not (mark and number.isdecimal()):
        base = document
    pattern = f"**/*{_SUFFIX}" if deep else f"*{_SUFFIX}"
    for folder in folders:
        if not base or not folder.is_dir():
            continue
        # The reference is called BASE.madcat.xml; systems have a word more in the name.
        plain = folder / f"{base}{_SUFFIX}"
        if plain.is_file():
            return plain
        found = sorted(
            (path for path in folder.glob(pattern) if madcat.base_of(path) == base),
            key=lambda path: (len(path.name), str(path)),
        )
        if found:
            return found[0]
    return None
