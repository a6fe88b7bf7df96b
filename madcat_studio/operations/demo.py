"""The demo campaign: made from the files that come with the program, then scored and reported."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import madcat_studio
from madcat_studio.errors import WorldError
from madcat_studio.model.campaign import DataSet
from madcat_studio.model.problem import Problem, Where
from madcat_studio.operations.campaign.earlier import add_earlier
from madcat_studio.operations.campaign.edits_table import import_edits
from madcat_studio.operations.campaign.filling import add_system, create
from madcat_studio.operations.checked import Outcome
from madcat_studio.operations.planning.overview import write_overview
from madcat_studio.operations.planning.practice import make_practice_kit
from madcat_studio.operations.planning.selection import keep_selection, select_set
from madcat_studio.operations.planning.tables import import_plan
from madcat_studio.operations.scores.report import (
    open_report,
    read_tracks,
    write_campaign_report,
)
from madcat_studio.paths import resources
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import campaign_there, open_campaign

__all__ = ["Demo", "make_demo"]

_NO_OUTPUT = ("output.no-file",)


@dataclass(frozen=True, slots=True)
class Demo:
    """What was made.

    Attributes:
        campaign: its folder.
        made: False where the campaign was there already and was left as it is.
        done: what was done, a sentence each.
        problems: what the files' own defects gave (the demo has some on purpose).
        files: the reports.
        preliminary: what makes the reports preliminary, a sentence each.
        scores: of each track and system its HTER as a rate, None where it has none.
    """

    campaign: Path
    made: bool
    done: tuple[str, ...]
    problems: tuple[Problem, ...]
    files: tuple[Path, ...]
    preliminary: tuple[str, ...]
    scores: tuple[tuple[str, str, float | None], ...]


def make_demo(target: Path, *, progress: Progress = SILENT) -> Demo:
    """Make the demo campaign in a folder, its pages in ``pages`` and its reports in ``report``.

    Run again, it leaves a campaign in which somebody has edited as it is, and makes the reports
    anew where anything is newer than they are.

    Raises:
        WorldError: the demo's files are not installed, or ``target`` cannot be written.
        StudioError: there is something else at ``target``.
        Cancelled: the user stopped it.
    """
    source = resources() / "demo"
    if not (source / "corpus.tsv").is_file():
        raise WorldError(
            "demo.not-installed",
            "The files of the demo campaign are missing",
            where=source,
            remedy="Install MADCAT Studio again",
        )
    report = target / "report"
    start = report / "index.html"
    fresh = _newer(start, target)
    outcomes = [] if _begun(target) else _make(source, target, progress)
    _copy_pages(source / "reference", target / "pages")
    files, preliminary = sorted(report.glob("*/hter.html")), tuple[str, ...]()
    if outcomes or not fresh:
        files, preliminary = write_campaign_report(target, report, progress=progress)
        pages = {file.parent.name: file for file in files if file.name == "hter.html"}
        write_overview(str(target), report, pages)
    return Demo(
        campaign=target,
        made=bool(outcomes),
        done=tuple(line for outcome in outcomes for line in outcome.done),
        problems=tuple(problem for outcome in outcomes for problem in outcome.problems),
        files=(start, *files),
        preliminary=preliminary,
        scores=_scores(target),
    )


def _newer(report: Path, campaign: Path) -> bool:
    """Whether a report was made after the last change of its campaign and of the program."""
    if not report.is_file():
        return False
    program = Path(madcat_studio.__file__).parent.rglob("*.py")
    made_of = (*campaign.glob("campaign.sqlite*"), *program)
    return report.stat().st_mtime >= max(path.stat().st_mtime for path in made_of)


def _scores(campaign: Path) -> tuple[tuple[str, str, float | None], ...]:
    found: list[tuple[str, str, float | None]] = []
    for track in read_tracks(campaign):
        with open_report(campaign, track=track, full=False, verdict=False) as (report, _):
            for row in report.table("systems").records():
                rate = row["hter"]
                found.append((track, str(row["system"]), rate if isinstance(rate, float) else None))
    return tuple(found)


def _copy_pages(source: Path, target: Path) -> None:
    """Put the pages beside the campaign, to be marked; what somebody did in them stays."""
    if target.exists():
        return
    beside = target.with_name(f".{target.name}.part")
    shutil.rmtree(beside, ignore_errors=True)
    shutil.copytree(source, beside, copy_function=shutil.copyfile)
    beside.rename(target)


def _begun(target: Path) -> bool:
    """Whether the campaign is there with its texts; they come last and all at once."""
    if not campaign_there(target):
        return False
    with open_campaign(target) as campaign:
        return campaign.frozen


def _further(where: str, further: Path, earlier: Path, progress: Progress) -> list[Outcome]:
    """Pages of a second track, pages to practise on, and the earlier phase's for new output."""
    return [
        create(
            where,
            corpus=further / "corpus.tsv",
            documents=further / "reference",
            conditions=further / "writing_conditions.tab",
            progress=progress,
        ),
        create(
            where,
            corpus=earlier / "corpus.tsv",
            documents=earlier / "reference",
            sequestered=earlier / "sequestered.txt",
            progress=progress,
        ),
    ]


def _outputs(where: str, folders: Sequence[Path], progress: Progress) -> Outcome:
    """Add a system whose outputs lie in several folders.

    It gave none for the control set, which is an earlier system's: that is not told.
    """
    # A submission's folder is called name_n (the evaluation plan, section 9).
    name = folders[0].name.rpartition("_")[0] or folders[0].name
    with TemporaryDirectory(prefix="madcat-demo-") as together:
        for folder in folders:
            for file in folder.glob("*.linesys.madcat.xml"):
                shutil.copyfile(file, Path(together) / file.name)
        found = add_system(where, name=name, outputs=Path(together), progress=progress)
        told = (
            replace(one, where=Where(str(one.where).replace(together, str(folders[0]))))
            for one in found.problems
            if one.code not in _NO_OUTPUT
        )
        return replace(found, problems=tuple(told))


def _make(source: Path, target: Path, progress: Progress) -> list[Outcome]:
    where = str(target)
    pages = source / "reference"
    outcomes = [
        create(
            where,
            corpus=source / "corpus.tsv",
            documents=pages,
            images=pages,
            standoff=source / "scribe_errors.standoff.tsv",
            conditions=source / "writing_conditions.tab",
            name="Demo",
            options={"editing.show_page": True},
            progress=progress,
        )
    ]
    further, earlier = source / "further", source / "earlier"
    outcomes += _further(where, further, earlier, progress)
    for folder in sorted((source / "systems").iterdir()):
        both = folder, further / "systems" / folder.name
        outcomes.append(_outputs(where, both, progress))
    outcomes.append(add_earlier(where, earlier, progress=progress))
    outcomes.append(
        Outcome(keep_selection(where, select_set(where, DataSet.CONTROL, progress=progress)))
    )
    outcomes.append(
        import_plan(
            where,
            teams=source / "teams.tsv",
            kits=source / "kits.tsv",
            assignments=source / "assignments.tsv",
            progress=progress,
        )
    )
    outcomes.append(
        import_plan(
            where,
            kits=further / "kits.tsv",
            assignments=further / "assignments.tsv",
            progress=progress,
        )
    )
    outcomes.append(make_practice_kit(where, words=40))
    # The texts come last: by them it is seen that the campaign is whole.
    outcomes.append(import_edits(where, source / "edits.tsv", progress=progress))
    return outcomes
