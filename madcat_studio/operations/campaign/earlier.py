"""Bringing an earlier phase in: its pages, its systems' outputs, its texts and its HTER.

The control set (old outputs edited again) and the progress set (sequestered pages with new
output) are chosen from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.tables import read_table
from madcat_studio.model.campaign import DataSet, EarlierScore, EarlierText, SegmentName
from madcat_studio.operations.campaign.filling import (
    Documents,
    known_documents,
    read_documents,
    store_documents,
)
from madcat_studio.operations.checked import Checking, Outcome, describe_added
from madcat_studio.operations.corpus.outputs import Known, Outputs, read_outputs, store_outputs
from madcat_studio.operations.scores.drift import read_earlier
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import Campaign, open_campaign

__all__ = ["EarlierPhase", "add_earlier", "read_phase", "store_phase"]

_TEXT_COLUMNS = (
    "system",
    "segment",
    "team",
    "first",
    "reviewer",
    "first_text",
    "final_text",
)


@dataclass(frozen=True, slots=True)
class EarlierPhase:
    """An earlier phase as it was read, ready to be put into a campaign."""

    documents: Documents
    systems: tuple[Outputs, ...]
    texts: tuple[EarlierText, ...]
    scores: tuple[EarlierScore, ...]


def read_phase(
    folder: Path,
    checking: Checking,
    *,
    images: Path | None = None,
    known: Mapping[str, Known] | None = None,
) -> EarlierPhase:
    """Read an earlier phase's folder; nothing is written, and findings are told.

    Args:
        folder, images: as :func:`add_earlier`.
        checking: is told.
        known: the documents that the campaign has already.

    Raises:
        StudioError: a table is missing or cannot be read, or there are no systems.
    """
    systems = _systems(folder)
    sequestered = folder / "sequestered.txt"
    _check_sets(folder / "corpus.tsv", checking)
    scores = read_earlier(folder / "hter.tsv")
    texts = _texts(folder / "finals.tsv", checking)
    documents = read_documents(
        folder / "reference",
        checking,
        corpus=folder / "corpus.tsv",
        images=images,
        sequestered=sequestered if sequestered.is_file() else None,
    )
    bases = {**(known or {}), **documents.known}
    outputs = tuple(
        read_outputs(name, place, bases, checking, earlier=True) for name, place in systems.items()
    )
    return EarlierPhase(
        documents,
        outputs,
        tuple(texts),
        tuple(
            EarlierScore(one.system, one.base, one.passage, one.edits, one.words) for one in scores
        ),
    )


def store_phase(campaign: Campaign, phase: EarlierPhase, checking: Checking) -> list[str]:
    """Put an earlier phase into a campaign, within the caller's transaction; what was done.

    Raises:
        StudioError: something is in the campaign already and is another.
    """
    done = store_documents(campaign, _in_track(campaign, phase.documents), checking)
    for read in phase.systems:
        done += store_outputs(campaign, read, earlier=True)
    added = campaign.earlier.add_texts(phase.texts)
    measured = campaign.earlier.add_scores(phase.scores)
    done.append(describe_added(added, len(phase.texts) - added, "text", "of the earlier phase"))
    done.append(
        describe_added(measured, len(phase.scores) - measured, "score", "of the earlier phase")
    )
    return done


def add_earlier(
    where: str, folder: Path, *, images: Path | None = None, progress: Progress = SILENT
) -> Outcome:
    """Bring an earlier phase into a campaign (the folder that docs/files.md describes).

    Its documents join the control and progress sets, its systems are marked as earlier: what
    they gave is never in the score of a system. Run again, nothing is doubled.

    Args:
        where: the campaign.
        folder: with ``corpus.tsv``, ``reference/``, ``systems/``, ``finals.tsv``, ``hter.tsv``
            and, where there are any, ``sequestered.txt``.
        images: the folder of the pages' images, if they are kept.
        progress: told after each document.

    Raises:
        Refused: something in it is wrong; all is listed, and nothing was written.
        StudioError: a table is missing, or the database cannot be used.
    """
    checking = Checking(progress)
    # Adding is to a campaign that is there: a slip of the pen makes none.
    with open_campaign(where) as campaign:
        phase = read_phase(folder, checking, images=images, known=known_documents(campaign))
        checking.settle()
        with campaign.transaction():
            done = store_phase(campaign, phase, checking)
    return Outcome(tuple(done), tuple(checking.problems))


def _in_track(campaign: Campaign, documents: Documents) -> Documents:
    """Pages without a track join that of a campaign that has one alone.

    Else they would make kits of their own, which would tell that they are control pages.
    """
    tracks = {one.track for one in campaign.contents.documents() if one.track}
    if len(tracks) != 1:
        return documents
    (track,) = tracks
    intakes = (
        one if one.document.track else replace(one, document=replace(one.document, track=track))
        for one in documents.intakes
    )
    return replace(documents, intakes=tuple(intakes))


def _systems(folder: Path) -> Mapping[str, Path]:
    """System -> the folder of its outputs; a submission's folder is called name_n."""
    place = folder / "systems"
    found = (
        {
            one.name.rpartition("_")[0] or one.name: one
            for one in sorted(place.iterdir())
            if one.is_dir()
        }
        if place.is_dir()
        else {}
    )
    if not found:
        raise InputError(
            "earlier.no-systems",
            "The earlier phase has no systems",
            where=place,
            remedy="Put a folder with each system's outputs there",
        )
    return found


def _check_sets(corpus: Path, checking: Checking) -> None:
    table = read_table(corpus, required=("base", "set"), optional=())
    for row in table.rows:
        if row["set"] not in (DataSet.CONTROL, DataSet.PROGRESS):
            checking.error(
                "earlier.set",
                table.where(row),
                f"the set is {row['set']!r}",
                "A page of an earlier phase may serve for control or progress",
            )


def _texts(path: Path, checking: Checking) -> list[EarlierText]:
    table = read_table(path, required=_TEXT_COLUMNS)
    checking.problems.extend(table.problems)
    found = []
    for row in table.rows:
        try:
            segment = SegmentName.parse(row["segment"])
        except ValueError:
            checking.error(
                "earlier.segment",
                table.where(row),
                f"{row['segment']!r} names no segment",
                "Write BASE/segment",
            )
            continue
        found.append(
            EarlierText(
                system=row["system"],
                segment=segment,
                team=row["team"],
                first_editor=row["first"],
                reviewer=row["reviewer"],
                first_text=row["first_text"],
                final_text=row["final_text"],
            )
        )
    return found
