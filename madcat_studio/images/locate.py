"""Finds the scan that a page's file names, where it is not exactly where the name says."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

__all__ = ["find_image", "image_name"]

SUFFIXES = (".tif", ".tiff", ".png", ".jpg", ".jpeg", ".bmp")


def image_name(src: str) -> str:
    """The bare file name in a reference, whichever slashes it was written with."""
    name = PureWindowsPath(src.strip()).name if "\\" in src else PurePosixPath(src.strip()).name
    return name


def find_image(document: Path, src: str | None) -> Path | None:
    """The scan of a document, or None.

    Looked for as the file names it, then by its bare name, letter case ignored, beside the
    document, in folders beside it that are called ``images``, and in those beside its parent
    (``data/madcat/X.madcat.xml`` and ``data/images/X.tif``). Without a reference the
    document's own name is taken.
    """
    folder = document.parent
    if src and src.strip():
        exact = folder / src.strip()
        if exact.is_file():
            return exact
        wanted = image_name(src)
    else:
        wanted = document.name.removesuffix(".madcat.xml") + ".tif"
    for place in (folder, folder / "images", folder.parent / "images", folder.parent):
        found = _in_folder(place, wanted)
        if found is not None:
            return found
    return None


def _in_folder(folder: Path, name: str) -> Path | None:
    exact = folder / name
    try:
        if exact.is_file():
            return exact
        files = [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []
    except OSError:
        return None
    lowered = name.casefold()
    stem = lowered.rsplit(".", 1)[0]
    others = {stem + suffix for suffix in SUFFIXES}
    same = sorted(path for path in files if path.name.casefold() == lowered)
    similar = sorted(path for path in files if path.name.casefold() in others)
    return (same or similar or [None])[0]
