"""``--on``: commands that compute on many machines, and what they tell of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.cli.bar import bar

if TYPE_CHECKING:
    from madcat_studio.operations.many import Failure, Many
    from madcat_studio.operations.scores.hter_workers import HterWorkers
    from madcat_studio.operations.scores.on_many import ScoredOnMany
    from madcat_studio.progress import Progress
    from madcat_ter.options import TerOptions, WerOptions

__all__ = ["here_or_on", "hter_here_or_on", "on_workers", "tell", "ter", "wer"]


def tell(note: str) -> None:
    """Say beforehand what may take long."""
    print(f"note: {note}", file=sys.stderr)


@contextmanager
def on_workers(on: str) -> Iterator[tuple[Many, Progress]]:
    """The workers that ``--on`` names, with a bar; afterwards it is told what went wrong."""
    from madcat_studio.operations.many import PartsFailed, workers

    with bar() as progress, workers(on, progress) as many:
        try:
            yield many, progress
        except PartsFailed as error:
            _tell_gone(many)
            _tell_failures(error.failures)
            raise
        _tell_gone(many)


@contextmanager
def here_or_on(on: str) -> Iterator[tuple[Many | None, Progress]]:
    """A bar, and the workers that ``--on`` names; None where it names none."""
    if on:
        with on_workers(on) as found:
            yield found
    else:
        with bar() as progress:
            yield None, progress


@contextmanager
def hter_here_or_on(on: str) -> Iterator[tuple[HterWorkers | None, Progress]]:
    """The same, for a campaign's report."""
    with here_or_on(on) as (many, progress):
        if many is None:
            yield None, progress
        else:
            from madcat_studio.operations.scores.hter_workers import HterWorkers

            yield HterWorkers(many, progress), progress


def _tell_gone(many: Many) -> None:
    """Say which workers went away meanwhile."""
    if gone := many.gone:
        shown = ", ".join(gone[:5]) + (", …" if len(gone) > 5 else "")
        ended = "worker ended" if len(gone) == 1 else "workers ended"
        print(f"note: {len(gone)} {ended} ({shown}); others did their parts", file=sys.stderr)


def _tell_failures(failures: Sequence[Failure]) -> None:
    """A table of the parts that gave no result, on the error stream."""
    from madcat_studio.reports.table import Column, Table
    from madcat_studio.reports.terminal import print_table

    columns = Column("part", "Part"), Column("segment", "Segment"), Column("reason", "Why")
    rows = [(one.part, one.segment, one.reason) for one in failures]
    with redirect_stdout(sys.stderr):
        print_table(Table("failures", "Parts without a result", columns, rows))


def ter(
    on: str, output: Path, references: Sequence[Path], options: TerOptions, jobs: int
) -> ScoredOnMany:
    """``ter --on``."""
    from madcat_studio.operations.scores.on_many import score_ter

    with on_workers(on) as (many, progress):
        return score_ter(output, references, options, many, jobs=jobs, tell=tell, progress=progress)


def wer(
    on: str,
    output: Path,
    reference: Path,
    options: WerOptions,
    characters: bool,
    confusions: int,
) -> ScoredOnMany:
    """``wer --on``."""
    from madcat_studio.operations.scores.on_many import score_wer

    with on_workers(on) as (many, progress):
        return score_wer(
            output,
            reference,
            options,
            many,
            characters=characters,
            confusions=confusions > 0,
            progress=progress,
        )
