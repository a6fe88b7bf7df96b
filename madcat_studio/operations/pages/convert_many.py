"""Converting many files into a folder: one that is bad is one problem, the rest goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import ConflictError, StudioError, UsageError, WorldError
from madcat_studio.formats.kinds import TRAITS, FileFormat
from madcat_studio.operations.pages.convert import (
    Converted,
    convert_file,
    settled,
)
from madcat_studio.operations.pages.folder import page_base, page_files
from madcat_studio.operations.pages.pool import each
from madcat_studio.progress import SILENT, Progress

__all__ = ["ConvertOptions", "ConvertedFile", "Job", "convert_files", "jobs"]


@dataclass(frozen=True, slots=True)
class Job:
    """One file to convert; ``taken`` is another file that has the output's name already."""

    path: Path
    output: Path
    taken: Path | None = None


@dataclass(frozen=True, slots=True)
class ConvertOptions:
    """How to convert; see ``convert_file``."""

    target: FileFormat
    version: str | None = None
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """What became of one file: what was written, or why nothing was."""

    path: Path
    converted: Converted | None = None
    error: StudioError | None = None


def jobs(paths: Sequence[str | Path], folder: Path, target: FileFormat) -> list[Job]:
    """What to convert, and to which files: a folder's pages keep their places below it.

    Raises:
        InputError: ``file.not-found``, ``file.nothing-matches``.
        UsageError: ``convert.target``: the format is only read; ``convert.folder``.
    """
    settled(target, None)
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            "convert.folder",
            "several files are converted into a folder, and this is a file",
            where=folder,
            remedy="Name a folder, which is made if it does not exist",
        )
    found: dict[Path, Path] = {}
    for named in paths:
        root = Path(named)
        for path in page_files([named]):
            inside = path.relative_to(root).parent if root.is_dir() else Path()
            name = page_base(path) + TRAITS[target].written
            found.setdefault(path, folder / inside / name)
    first: dict[Path, Path] = {}
    made = []
    for path, output in found.items():
        taken = first.setdefault(output, path)
        made.append(Job(path, output, taken if taken is not path else None))
    return made


def convert_files(
    work: Sequence[Job],
    options: ConvertOptions,
    *,
    progress: Progress = SILENT,
    workers: int | None = None,
) -> Iterator[ConvertedFile]:
    """Convert files, in their order; results come as they are ready and are not kept.

    Args:
        work: from :func:`jobs`.
        options: how to convert.
        progress: told after every file.
        workers: processes; None for one a core, and none for a few files.

    Raises:
        UsageError: ``convert.version``.
        Cancelled: the user stopped it; the files that were written stay, each of them whole.
    """
    settled(options.target, options.version)
    return each(
        work, _converter, (options,), lambda job: job.path.name, progress=progress, workers=workers
    )


def _converter(options: ConvertOptions) -> Callable[[Job], ConvertedFile]:
    return lambda job: _convert(job, options)


def _convert(job: Job, options: ConvertOptions) -> ConvertedFile:
    try:
        if job.taken is not None:
            raise ConflictError(
                "convert.same-output",
                f"{job.taken} would be converted to the same file, {job.output.name}",
                where=job.path,
                remedy="Rename one of the two, or convert them into separate folders",
            )
        made = convert_file(
            job.path,
            job.output,
            target=options.target,
            version=options.version,
            overwrite=options.overwrite,
        )
    except StudioError as error:
        return ConvertedFile(job.path, error=error)
    except OSError as error:
        told = WorldError(
            "file.cannot-read",
            f"the file cannot be read ({error.strerror or error})",
            where=job.path,
            remedy="Check its name, its permissions and the disk",
        )
        return ConvertedFile(job.path, error=told)
    return ConvertedFile(job.path, made)
