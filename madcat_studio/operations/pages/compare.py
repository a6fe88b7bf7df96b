"""Comparing segmentations: two files, or two folders file by file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import InputError, StudioError
from madcat_studio.formats.files import read_file
from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.madcat import read_source
from madcat_studio.model.conversion import document_of
from madcat_studio.model.document import Document, Page
from madcat_studio.operations.pages.convert import open_source, read_layout
from madcat_studio.operations.pages.folder import page_base, page_files, page_name
from madcat_studio.pages.adjudication import Difference, differences, take
from madcat_studio.pages.compare import (
    THRESHOLD,
    PageComparison,
    UnitComparison,
    compare_pages,
)
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = [
    "ComparedFile",
    "ComparedPage",
    "Totals",
    "compare_page",
    "compare_paths",
    "open_any",
    "take",
    "totals",
]


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """Two segmentations of a page, and each place where they differ."""

    comparison: PageComparison
    differences: list[Difference]


def compare_page(mine: Page, theirs: Page) -> ComparedPage:
    """Compare two segmentations of a page, to be decided difference by difference."""
    comparison = compare_pages(mine, theirs)
    return ComparedPage(comparison, differences(mine, theirs, comparison=comparison))


@dataclass(frozen=True, slots=True)
class ComparedFile:
    """One pair of files: ``pages`` by their order, or why they could not be compared."""

    base: str
    pages: tuple[PageComparison, ...] = ()
    error: StudioError | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over pages; means are over units, never over pages.

    Attributes:
        iou: over all units of the first side, unmatched ones as 0; None without any.
        order: coverage-aware agreement of reading order, weighted by the units of each page.
    """

    first: int
    second: int
    matched: int
    missed: int
    extra: int
    split: int
    merged: int
    iou: float | None
    matched_iou: float | None
    order: float | None


def open_any(path: Path) -> Document:
    """A document in any format that is read.

    Raises:
        InputError, FormatError, WorldError: it cannot be read.
    """
    source = open_source(read_file(path), path)
    if recognise(source) is FileFormat.MADCAT:
        return read_source(source).document
    return document_of(read_layout(source).layout, page_base(path), str(path))[0]


def compare_paths(
    first: Path,
    second: Path,
    *,
    threshold: float = THRESHOLD,
    progress: Progress = SILENT,
) -> list[ComparedFile]:
    """Compare two files, or every document of one folder with that of the same BASE in another.

    Raises:
        InputError: a folder against a file; a file that cannot be read.
        Cancelled: the user stopped it.
    """
    for path in (first, second):
        if not path.exists():
            raise InputError(
                "file.not-found",
                "there is no such file or folder",
                where=path,
                remedy="Check the name and the folder",
            )
    if first.is_dir() != second.is_dir():
        raise InputError(
            "compare.folder-and-file",
            "one of the two is a folder, the other is not",
            where=second,
            remedy="Name two files or two folders",
        )
    if not first.is_dir():
        return [ComparedFile(page_base(first), _pages(first, second, threshold))]
    ours, theirs = _paired(first, second)
    results = []
    bases = sorted(ours.keys() | theirs.keys())
    for done, base in enumerate(bases, 1):
        results.append(_one(base, ours.get(base), theirs.get(base), first, second, threshold))
        progress.advance(done, len(bases), base)
        if progress.cancelled():
            raise Cancelled
    return results


def _paired(first: Path, second: Path) -> tuple[dict[str, Path], dict[str, Path]]:
    """The documents that lie in two folders (not below), by file name, else by BASE.

    Raises:
        InputError: ``compare.ambiguous``, ``file.nothing-matches``.
    """
    sides = []
    for folder in (first, second):
        inside = [path for path in page_files([folder]) if path.parent == folder]
        if not inside:
            raise InputError(
                "file.nothing-matches",
                "this folder has no documents",
                where=folder,
                remedy="Name the folder that holds the documents themselves",
            )
        sides.append(inside)
    names = {path.name for path in sides[0]} & {path.name for path in sides[1]}
    paired: tuple[dict[str, Path], dict[str, Path]] = ({}, {})
    for found, inside, folder in zip(paired, sides, (first, second), strict=True):
        for path in inside:
            key = page_name(path) if path.name in names else page_base(path)
            if key in found:
                raise InputError(
                    "compare.ambiguous",
                    f"{found[key].name} and {path.name} belong to the same document",
                    where=folder,
                    remedy="Keep only one file of each document in the folder",
                )
            found[key] = path
    return paired


def _one(
    base: str,
    ours: Path | None,
    theirs: Path | None,
    first: Path,
    second: Path,
    threshold: float,
) -> ComparedFile:
    try:
        if ours is None or theirs is None:
            raise InputError(
                "compare.missing",
                f"{base} is in one folder only",
                where=first if ours is None else second,
                remedy="Add it, or leave it out of the other folder",
            )
        return ComparedFile(base, _pages(ours, theirs, threshold))
    except StudioError as error:
        return ComparedFile(base, error=error)


def _pages(first: Path, second: Path, threshold: float) -> tuple[PageComparison, ...]:
    one, other = open_any(first), open_any(second)
    if len(one.pages) != len(other.pages):
        raise InputError(
            "compare.page-count",
            f"one file has {len(one.pages)} pages, the other {len(other.pages)}",
            where=second,
            remedy="Check that they belong to the same document",
        )
    return tuple(
        compare_pages(a, b, threshold) for a, b in zip(one.pages, other.pages, strict=True)
    )


def totals(
    pages: Sequence[PageComparison], unit: Callable[[PageComparison], UnitComparison]
) -> Totals:
    """The sums over pages for lines or for words."""
    units = [unit(page) for page in pages]
    first = sum(u.first for u in units)
    matched = sum(len(u.matches) for u in units)
    shared = sum(iou for u in units for _, _, iou in u.matches)
    return Totals(
        first,
        sum(u.second for u in units),
        matched,
        sum(len(u.missed) for u in units),
        sum(len(u.extra) for u in units),
        sum(len(u.split) for u in units),
        sum(len(u.merged) for u in units),
        shared / first if first else None,
        shared / matched if matched else None,
        sum(u.covered_order * u.first for u in units) / first if first else None,
    )
