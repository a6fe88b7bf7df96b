"""Checking documents, one or a corpus: streamed, on all cores, with the safe mends if asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.checks import check
from madcat_studio.checks.progress import Marked, marked
from madcat_studio.edits.base import Edit
from madcat_studio.errors import ConflictError, StudioError
from madcat_studio.formats.any_document import read_any
from madcat_studio.formats.documents import IN_PLACE, format_of, save
from madcat_studio.formats.files import filled_folder, read_file, write_atomically
from madcat_studio.formats.repair import REPAIRABLE, repaired
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.problem import Problem
from madcat_studio.operations.pages.convert import open_source
from madcat_studio.operations.pages.pool import each
from madcat_studio.progress import SILENT, Progress

__all__ = ["CheckOptions", "CheckedFile", "check_file", "check_files"]


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How to check.

    Attributes:
        images: whether to look at page images.
        image_folders: where to look for them besides the usual places.
        fix: whether to make the safe mends; a backup ``NAME.bak`` is kept.
        repaired: a folder for copies of files that are broken, with what can be read of them.
    """

    images: bool = True
    image_folders: tuple[Path, ...] = ()
    fix: bool = False
    repaired: Path | None = None


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What came out for one file.

    Attributes:
        problems: in the file's order; those that were mended are not among them.
        mended: what was mended, with the problems as they were.
        error: why the file could not be read or mended, or None.
        repaired: the copy that was written instead, and what was done to make it.
        marked: how far its marking is; None where nothing is left to mark.
    """

    path: Path
    problems: tuple[Problem, ...] = ()
    mended: tuple[Problem, ...] = ()
    error: StudioError | None = None
    repaired: tuple[Path, str] | None = None
    marked: Marked | None = None


def check_file(
    path: Path, options: CheckOptions = CheckOptions(), finder: ImageFinder | None = None
) -> CheckedFile:
    """Check one file; what makes it unreadable is part of the answer."""
    if finder is None and options.images:
        finder = ImageFinder(options.image_folders)
    try:
        opened = _read(path)
        findings = check(opened, finder)
        far = marked(opened.document)
        if not options.fix or format_of(opened.source) not in IN_PLACE:
            return CheckedFile(path, tuple(f.problem for f in findings), marked=far)
        mendable = [finding for finding in findings if finding.mend]
        if not mendable:
            return CheckedFile(path, tuple(f.problem for f in findings), marked=far)
        edits: list[Edit] = [edit for finding in mendable for edit in finding.mend]
        for edit in edits:
            edit.apply(opened.document)
        save(path, opened.document, opened.source, backup=True)
        # What is left is found in the file as it is now: a mend may move lines.
        left = check(_read(path), finder)
        mended = tuple(f.problem for f in mendable)
        return CheckedFile(path, tuple(f.problem for f in left), mended, marked=far)
    except StudioError as error:
        return _unreadable(path, error, options.repaired)


def _unreadable(path: Path, error: StudioError, folder: Path | None) -> CheckedFile:
    """What is told of a file that cannot be read; a repaired copy of it, if one is wanted."""
    if folder is None or error.code not in REPAIRABLE:
        return CheckedFile(path, error=error)
    copy = folder / path.name
    try:
        made = repaired(Source(read_file(path), str(path), path))
        if made is None:
            return CheckedFile(path, error=error)
        if copy.exists():
            raise ConflictError(
                "check.copy-exists",
                "a file with the name of the repaired copy already exists",
                where=copy,
                remedy="Name another folder",
            )
        with filled_folder(folder):
            write_atomically(copy, made.data)
    except StudioError as other:
        return CheckedFile(path, error=other)
    return CheckedFile(path, error=error, repaired=(copy, made.done))


def _read(path: Path) -> ReadDocument:
    return read_any(open_source(read_file(path), path))


def check_files(
    paths: Sequence[Path],
    options: CheckOptions = CheckOptions(),
    *,
    progress: Progress = SILENT,
    workers: int | None = None,
) -> Iterator[CheckedFile]:
    """Check many files, in their order; results come as they are ready and are not kept.

    Args:
        paths: the files.
        options: how to check.
        progress: told after every file.
        workers: processes; None for one a core, and none for a few files.

    Raises:
        Cancelled: the user stopped it; files that were mended until then stay mended.
    """
    return each(
        paths, _checker, (options,), lambda path: path.name, progress=progress, workers=workers
    )


def _checker(options: CheckOptions) -> Callable[[Path], CheckedFile]:
    finder = ImageFinder(options.image_folders) if options.images else None
    return lambda path: check_file(path, options, finder)
