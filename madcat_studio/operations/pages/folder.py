"""The pages that lie in a folder, told by what they hold, and the names that they go by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from madcat_studio.formats.documents import IN_PLACE
from madcat_studio.formats.kinds import ENDINGS, HEAD, TRAITS, FileFormat, format_in
from madcat_studio.formats.madcat import base_of
from madcat_studio.operations.gather import gather

__all__ = ["page_base", "page_file", "page_files", "page_name", "pages_in"]

_MADCAT = ".madcat.xml"
_XML = ".xml"
_FORMATS = tuple(
    dict.fromkeys(
        ending
        for kind, traits in TRAITS.items()
        for ending in (f".{kind.value}", *traits.endings)
        if ending != _XML
    )
)
"""What a name has before or instead of ``.xml`` that tells its format."""


def page_files(paths: Sequence[str | Path]) -> list[Path]:
    """The files meant: those named, and of folders all that look like pages in any format.

    Raises:
        InputError: ``file.not-found``, ``file.nothing-matches``.
    """
    return gather(paths, ENDINGS, _looks_like_a_page)


def pages_in(folder: Path, *, below: bool = False) -> list[Path]:
    """The pages of a folder that are saved in place, by name; or of all folders below it.

    A file in another format, or one that cannot be read, is none of them.
    """
    found = folder.rglob("*") if below else folder.glob("*")
    return sorted(p for p in found if p.name.lower().endswith(_XML) and _is_saved_in_place(p))


def page_name(path: Path) -> str:
    """What a page is called where its file is not shown: no two of a folder are called the same.

    A name without ``.madcat.xml``; any other file's whole name.
    """
    short = path.name.removesuffix(_MADCAT)
    return path.name if short.lower().endswith(_XML) else short


def page_file(folder: Path, name: str) -> Path:
    """The file of a page that is called so, the other way round."""
    return folder / (name if name.lower().endswith(_XML) else f"{name}{_MADCAT}")


def page_base(path: Path | str) -> str:
    """BASE of a file name in any format: without what tells the format."""
    base = base_of(path)
    while shorter := next((base[: -len(end)] for end in _FORMATS if base.endswith(end)), ""):
        base = shorter
    return base


def _looks_like_a_page(path: Path) -> bool:
    """By its name, or by how it begins; what cannot be read is told later."""
    if path.name.lower().endswith(_MADCAT):
        return True
    try:
        return _format_of(path) is not None
    except OSError:
        return True


def _is_saved_in_place(path: Path) -> bool:
    if path.name.lower().endswith(_MADCAT):
        return True
    try:
        return _format_of(path) in IN_PLACE
    except OSError:
        return False


def _format_of(path: Path) -> FileFormat | None:
    """The format by the root element near the beginning; None for anything but a page.

    Raises:
        OSError: the file cannot be read.
    """
    if not path.is_file():
        return None
    now = path.stat()
    return _format_in(path, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=1 << 16)  # a queue is looked at every few seconds, perhaps on a slow share
def _format_in(path: Path, _changed: int, _size: int) -> FileFormat | None:
    with path.open("rb") as stream:
        found = format_in(stream.read(HEAD))
    fits = found is not None and path.name.lower().endswith(TRAITS[found].endings)
    return found if fits else None
