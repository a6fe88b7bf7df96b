"""Checking documents, one or a corpus: streamed, on all cores, with the safe mends if asked."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from madcat_studio.checks import check
from madcat_studio.edits.base import Edit
from madcat_studio.errors import StudioError
from madcat_studio.formats.documents import read_document, save
from madcat_studio.formats.files import read_file
from madcat_studio.formats.source import ReadDocument
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.problem import Problem
from madcat_studio.operations.pages.convert import open_source
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["CheckOptions", "CheckedFile", "check_file", "check_files"]

_BATCH = 32
_FEW = 2 * _BATCH
"""Up to so many files, starting other processes costs more than it saves."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How to check.

    Attributes:
        images: whether to look at page images.
        image_folders: where to look for them besides the usual places.
        fix: whether to make the safe mends; a backup ``NAME.bak`` is kept.
    """

    images: bool = True
    image_folders: tuple[Path, ...] = ()
    fix: bool = False


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What came out for one file.

    Attributes:
        problems: in the file's order; those that were mended are not among them.
        mended: what was mended, with the problems as they were.
        error: why the file could not be read or mended, or None.
    """

    path: Path
    problems: tuple[Problem, ...] = ()
    mended: tuple[Problem, ...] = ()
    error: StudioError | None = None


def check_file(
    path: Path, options: CheckOptions = CheckOptions(), finder: ImageFinder | None = None
) -> CheckedFile:
    """Check one file; what makes it unreadable is part of the answer."""
    if finder is None and options.images:
        finder = ImageFinder(options.image_folders)
    try:
        opened = _read(path)
        findings = check(opened, finder)
        if not options.fix:
            return CheckedFile(path, tuple(f.problem for f in findings))
        mendable = [finding for finding in findings if finding.mend]
        if not mendable:
            return CheckedFile(path, tuple(f.problem for f in findings))
        edits: list[Edit] = [edit for finding in mendable for edit in finding.mend]
        for edit in edits:
            edit.apply(opened.document)
        save(path, opened.document, opened.source, backup=True)
        # What is left is found in the file as it is now: a mend may move lines.
        left = check(_read(path), finder)
        return CheckedFile(path, tuple(f.problem for f in left), tuple(f.problem for f in mendable))
    except StudioError as error:
        return CheckedFile(path, error=error)


def _read(path: Path) -> ReadDocument:
    return read_document(open_source(read_file(path), path))


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
    count = workers if workers is not None else os.cpu_count() or 1
    if count < 2 or len(paths) <= _FEW:
        results = _alone(paths, options)
    else:
        results = _together(paths, options, count)
    for done, result in enumerate(results, 1):
        yield result
        progress.advance(done, len(paths), result.path.name)
        if progress.cancelled():
            results.close()
            raise Cancelled


def _alone(paths: Sequence[Path], options: CheckOptions) -> Generator[CheckedFile, None, None]:
    finder = ImageFinder(options.image_folders) if options.images else None
    for path in paths:
        yield check_file(path, options, finder)


def _together(
    paths: Sequence[Path], options: CheckOptions, count: int
) -> Generator[CheckedFile, None, None]:
    batches = (paths[at : at + _BATCH] for at in range(0, len(paths), _BATCH))
    # Started anew, not forked: a fork of a process with threads can hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context, _start_worker, (options,)) as pool:
        waiting: deque[Future[list[CheckedFile]]] = deque(
            pool.submit(_check_batch, batch) for batch in islice(batches, count * 2)
        )
        try:
            while waiting:
                yield from waiting.popleft().result()
                waiting.extend(pool.submit(_check_batch, batch) for batch in islice(batches, 1))
        finally:
            for future in waiting:
                future.cancel()


_worker: tuple[CheckOptions, ImageFinder | None] = (CheckOptions(), None)


def _start_worker(options: CheckOptions) -> None:
    global _worker
    _worker = options, ImageFinder(options.image_folders) if options.images else None


def _check_batch(paths: Sequence[Path]) -> list[CheckedFile]:
    options, finder = _worker
    return [check_file(path, options, finder) for path in paths]
