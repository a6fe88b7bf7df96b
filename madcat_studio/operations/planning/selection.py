"""Choosing passages: a control set, a progress set, evaluation passages.

The control set is a share of the earlier phase's old output, the progress set sequestered passages
of it; both so that their HTER is distributed as the earlier phase's. Evaluation passages are
chosen so that the TER of a translation engine on them is distributed as on the earlier phase's.
A choice that is kept in the campaign is what kits are planned from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError, InputError, UsageError
from madcat_studio.formats.files import write_atomically
from madcat_studio.formats.tables import Row, read_number, read_table
from madcat_studio.formats.tables import Table as ReadTable
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.checked import counted
from madcat_studio.operations.scores.options import scoring_options
from madcat_studio.operations.user import who
from madcat_studio.planning.selection import Candidate, Match, Selection, select
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.charts import distributions_chart, file_of
from madcat_studio.reports.csv_tables import write_csv
from madcat_studio.reports.files import prepare_folder
from madcat_studio.reports.selection import write_page_html
from madcat_studio.reports.tables import CellKind, Chart, Column, Table
from madcat_studio.store import Campaign, open_campaign
from madcat_ter.ter import ter_counts

__all__ = [
    "CONTROL_SHARE",
    "Selected",
    "forget_selection",
    "keep_selection",
    "read_scores",
    "scores_of",
    "select_from_tables",
    "select_set",
    "selection_chart",
    "write_selection",
]

CONTROL_SHARE = 0.10
"""The share of the earlier phase's passages that are edited again (evaluation plan, 3.1.3.5)."""


@dataclass(frozen=True, slots=True)
class Selected:
    """A choice of passages, ready to be looked at, kept and written.

    Attributes:
        data_set: what they are for; None: made from tables, without a campaign.
        measure: HTER or TER.
        selection: passages and figures.
        candidates: how many there were to choose from.
        basis: one sentence: from what it was made.
        track: of which passages; "" where the set has no track or one only.
    """

    data_set: DataSet | None
    measure: str
    selection: Selection
    candidates: int
    basis: str
    track: str = ""

    def sentences(self) -> tuple[str, ...]:
        """What was chosen and how well it matches, a sentence each."""
        match = self.selection.match
        return (
            f"{match.chosen} of {self.candidates} passages, matched to {match.target} "
            f"({self.basis}; {f'track {self.track}, ' if self.track else ''}"
            f"seed {self.selection.seed})",
            *(
                _sentence(self.measure, name, one)
                for name, one in (("all genres", match), *self.selection.by_genre.items())
            ),
        )

    def details(self) -> dict[str, Any]:
        """All figures as plain values."""
        selection = self.selection
        return {
            "measure": self.measure,
            "basis": self.basis,
            "track": self.track,
            "seed": selection.seed,
            "candidates": self.candidates,
            "match": asdict(selection.match),
            "by_genre": {genre: asdict(one) for genre, one in selection.by_genre.items()},
            "chosen": [asdict(one) for one in selection.chosen],
            "target": [asdict(one) for one in selection.target],
        }


def _sentence(measure: str, name: str, match: Match) -> str:
    return (
        f"{name}: mean {measure} {100 * match.chosen_mean:.1f} % against "
        f"{100 * match.target_mean:.1f} %; Kolmogorov-Smirnov D = {match.distance:.3f}, "
        f"p = {match.distance_p:.2f}; rank sum U = {match.rank_sum:g}, p = {match.rank_sum_p:.2f}"
    )


# -- from a campaign --------------------------------------------------------------------------


def select_set(
    where: str,
    data_set: DataSet,
    *,
    count: int | None = None,
    share: float | None = None,
    per_genre: bool = False,
    system: str = "",
    earlier_system: str = "",
    track: str = "",
    seed: int = 1,
    progress: Progress = SILENT,
) -> Selected:
    """Choose passages of a set from what the campaign holds. Nothing is written.

    Args:
        where: the campaign, with the earlier phase brought in.
        data_set: control, progress or evaluation.
        count: how many passages; of each genre where ``per_genre``.
        share: how many, as a share of the earlier phase's passages; for the control set a tenth
            by default.
        per_genre: whether ``count`` is meant for each genre.
        system: for evaluation passages the system whose TER decides; by default the only one.
        earlier_system: that system's old output; by default the only earlier one.
        track: of which passages; needed where the set has several tracks, which are kept apart.
        seed: the same seed gives the same choice.
        progress: may cancel.

    Raises:
        InputError: there is nothing to match, or too little to choose from.
        UsageError: it is not said how many, or there is no such set.
        StudioError: the campaign cannot be read.
        Cancelled: ``progress`` said so.
    """
    if data_set not in (DataSet.CONTROL, DataSet.PROGRESS, DataSet.EVALUATION):
        raise UsageError(
            "select.set",
            f"Passages are not selected for the {data_set} set",
            remedy="Choose control, progress or evaluation",
        )
    with open_campaign(where, read_only=True) as campaign:
        own = _of_track(campaign, data_set, track)
        tracks = {one.passage: one.track for one in campaign.contents.documents()}
        if data_set is DataSet.EVALUATION:
            measure = "TER"
            pool, target, basis = _by_ter(campaign, system, earlier_system, progress)
        else:
            measure = "HTER"
            pool, target = _by_hter(campaign, data_set)
            basis = "HTER of the earlier phase"
    pool = [one for one in pool if one.passage in own]
    if track:  # an earlier phase without such a track is matched as a whole
        target = [one for one in target if tracks.get(one.passage) == track] or target
    if not target:
        raise InputError(
            "select.no-earlier",
            "The campaign has no scores of an earlier phase to match",
            where=where,
            remedy="Add the earlier phase with `campaign add-earlier`",
        )
    if count is None and share is None and data_set is DataSet.CONTROL:
        share = CONTROL_SHARE
    if count is None and share is not None:
        if not 0 < share <= 1:
            raise UsageError(
                "select.share", f"{share:g} is not a share", remedy="Give more than 0 and at most 1"
            )
        count, per_genre = max(1, round(share * len(target))), False
    wanted = _wanted(count, per_genre, target)
    chosen = select(pool, target, wanted, seed=seed)
    return Selected(data_set, measure, chosen, len(pool), basis, track)


def _of_track(campaign: Campaign, data_set: DataSet, track: str) -> frozenset[str]:
    """The passages of a set and a track."""
    tracks: dict[str, set[str]] = {}
    for one in campaign.contents.documents():
        if one.data_set is data_set:
            tracks.setdefault(one.track, set()).add(one.passage)
    if len(tracks) > 1 and not track:
        raise UsageError(
            "select.track",
            (
                f"The {data_set} set has more than one track, and passages are selected for "
                "one at a time"
            ),
            where=campaign.name,
            remedy=f"Name one by --track: {', '.join(sorted(filter(None, tracks)))}",
        )
    if track and track not in tracks:
        there = ", ".join(sorted(filter(None, tracks))) or "none"
        raise UsageError(
            "select.track",
            f"The {data_set} set has no track {track}",
            where=campaign.name,
            remedy=f"There are: {there}",
        )
    return frozenset(tracks.get(track, ()) if track else set().union(*tracks.values()))


def _wanted(
    count: int | None, per_genre: bool, target: Iterable[Candidate]
) -> int | dict[str, int]:
    if count is None or count < 1:
        raise UsageError(
            "select.count",
            "The number of passages is missing",
            remedy="Give --count, or --share of the earlier phase's passages",
        )
    return dict.fromkeys(sorted({one.genre for one in target}), count) if per_genre else count


def _by_hter(campaign: Campaign, data_set: DataSet) -> tuple[list[Candidate], list[Candidate]]:
    """Passages of a set, and all that the earlier phase measured; systems and copies together."""
    documents = {one.base: one for one in campaign.contents.documents()}
    scores = [one for one in campaign.earlier.scores() if one.base in documents]
    target = _summed(
        (one.passage, documents[one.base].genre, one.edits, one.words) for one in scores
    )
    own = {one.passage for one in documents.values() if one.data_set is data_set}
    return [one for one in target if one.passage in own], target


def _summed(rows: Iterable[tuple[str, str, float, float]]) -> list[Candidate]:
    """Passages with their edits and words added up; those without words have no rate."""
    sums: dict[tuple[str, str], tuple[float, float]] = {}
    for passage, genre, edits, words in rows:
        old = sums.get((passage, genre), (0.0, 0.0))
        sums[passage, genre] = (old[0] + edits, old[1] + words)
    return [
        Candidate(passage, genre, edits, words)
        for (passage, genre), (edits, words) in sums.items()
        if words > 0
    ]


def _by_ter(
    campaign: Campaign, system: str, earlier_system: str, progress: Progress
) -> tuple[list[Candidate], list[Candidate], str]:
    systems = campaign.contents.systems()
    new = _only([one.name for one in systems if not one.earlier], system, "--system")
    old = _only([one.name for one in systems if one.earlier], earlier_system, "--earlier-system")
    pool = _measured(campaign, new, (DataSet.EVALUATION,), progress)
    target = _measured(campaign, old, (DataSet.CONTROL, DataSet.PROGRESS), progress)
    then = {one.passage for one in target}
    return (
        [one for one in pool if one.passage not in then],
        target,
        f"TER of {new} against TER of {old} on the earlier phase's passages",
    )


def _only(names: list[str], wanted: str, option: str) -> str:
    if wanted in names:
        return wanted
    if not wanted and len(names) == 1:
        return names[0]
    raise UsageError(
        "select.system",
        f"There is no such system: {wanted}" if wanted else "No system is named for TER",
        remedy=f"Name one with {option}: {', '.join(names) or 'the campaign has none'}",
    )


def _measured(
    campaign: Campaign, system: str, sets: tuple[DataSet, ...], progress: Progress
) -> list[Candidate]:
    """TER of a system's output against the references, by passage."""
    options = scoring_options(campaign.options())
    documents = [
        one
        for one in campaign.contents.documents()
        if one.data_set in sets and one.base in campaign.contents.documents_of(system)
    ]
    rows = []
    for number, document in enumerate(documents):
        if progress.cancelled():
            raise Cancelled
        progress.advance(number, len(documents), f"TER of {system}")
        outputs = campaign.contents.outputs(system, document.base)
        segments = campaign.contents.segments(document.base)
        counts = ter_counts(
            [outputs.get(one.name) or "" for one in segments],
            [[one.reference] for one in segments],
            options,
        )
        rows.append(
            (
                document.passage,
                document.genre,
                float(counts.edits.sum()),
                float(counts.words.sum()),
            )
        )
    return _summed(rows)


# -- from tables ------------------------------------------------------------------------------


def select_from_tables(
    candidates: Path,
    earlier: Path,
    *,
    count: int,
    per_genre: bool = False,
    measure: str = "TER",
    seed: int = 1,
) -> Selected:
    """Choose passages before there is a campaign.

    Both tables have the columns ``passage``, ``genre``, ``edits`` and ``words``; rows of one
    passage are added up. Passages that the earlier table has are not chosen again.

    Raises:
        InputError: a table is not there, or there is too little to choose from.
        FormatError: a table is not as it should be.
        UsageError: ``count`` is below 1.
    """
    pool, target = read_scores(candidates), read_scores(earlier)
    then = {one.passage for one in target}
    fresh = [one for one in pool if one.passage not in then]
    wanted = _wanted(count, per_genre, target)
    basis = f"{measure} of {candidates.name} against {earlier.name}"
    return Selected(None, measure, select(fresh, target, wanted, seed=seed), len(fresh), basis)


def read_scores(path: Path) -> list[Candidate]:
    """The scores of a table with ``passage genre edits words``; rows of a passage are added up.

    Raises:
        StudioError: the table cannot be read, or a row makes no sense.
    """
    table = read_table(
        path,
        required=("passage", "genre", "edits", "words"),
        optional=("system", "base", "hter", "ter", "tokens"),
    )
    return scores_of(table, table.rows)


def scores_of(table: ReadTable, rows: Iterable[Row]) -> list[Candidate]:
    """The scores of some rows of such a table.

    Raises:
        FormatError: ``select.scores``.
    """
    found = []
    for row in rows:
        try:
            edits, words = read_number(row["edits"]), read_number(row["words"])
            if not (0 <= edits < float("inf") and 0 <= words < float("inf")):
                raise ValueError
        except ValueError:
            raise FormatError(
                "select.scores",
                f"edits and words must be numbers, here they are {row['edits']!r} and "
                f"{row['words']!r}",
                where=table.where(row),
            ) from None
        found.append((row["passage"].strip(), row["genre"], edits, words))
    return _summed(found)


# -- keeping and writing ----------------------------------------------------------------------


def keep_selection(where: str, selected: Selected) -> tuple[str, ...]:
    """Keep a choice in the campaign: from now on only these passages of the set are planned.

    Returns:
        What was done, a sentence each, and which kits hold passages that were not chosen.

    Raises:
        StudioError: the campaign cannot be written.
    """
    data_set = selected.data_set
    if data_set is None:
        raise UsageError(
            "select.no-campaign",
            "A choice made from tables does not belong to a campaign",
            remedy="Write it into a folder",
        )
    own = [one.passage for one in selected.selection.chosen]
    with open_campaign(where) as campaign, campaign.transaction():
        passages = [*own, *_of_other_tracks(campaign, data_set, selected.track)]
        new = campaign.selections.add(data_set, passages, selected.details(), by=who())
        others = {
            one.base
            for one in campaign.contents.documents()
            if one.data_set is data_set and one.passage not in passages
        }
        held = [
            kit.name
            for kit in campaign.plans.kits()
            if not kit.practice and any(item.base in others for item in kit.items)
        ]
    verbs = ("is", "was") if len(own) == 1 else ("are", "were")
    of = f"track {selected.track} of the" if selected.track else "the"
    done = [
        f"{counted(len(own), 'passage')} of {of} {data_set} set "
        + (f"{verbs[0]} planned from now on" if new else f"{verbs[1]} chosen already")
    ]
    if held:
        done.append(
            f"Kits with passages that were not chosen: {', '.join(held)}. Plan the "
            "unclaimed ones again"
        )
    return tuple(done)


def _of_other_tracks(campaign: Campaign, data_set: DataSet, track: str) -> list[str]:
    """The passages of a set's other tracks that are planned as it is: their choice stays."""
    if not track:
        return []
    others = {
        one.passage
        for one in campaign.contents.documents()
        if one.data_set is data_set and one.track != track
    }
    chosen = campaign.selections.chosen().get(data_set)
    if chosen is None:  # without a choice all are planned, but of the control set none
        chosen = frozenset() if data_set is DataSet.CONTROL else frozenset(others)
    return sorted(others & chosen)


def forget_selection(where: str, data_set: DataSet) -> bool:
    """Forget a choice: all passages of the set are planned again, of the control set none.

    Returns False where there was no choice.

    Raises:
        StudioError: the campaign cannot be written.
    """
    with open_campaign(where) as campaign:
        return campaign.selections.forget(data_set, by=who())


def selection_chart(selected: Selected) -> Chart:
    """Both distributions, one over the other."""
    selection = selected.selection
    return distributions_chart(
        {
            "to match": [one.rate for one in selection.target],
            "chosen": [one.rate for one in selection.chosen],
        },
        name="selection",
        title="Both distributions",
        note="The nearer the two lines, the better the match.",
        measure=selected.measure,
        unit="passages",
    )


_PASSAGE_COLUMNS = (
    Column("passage", "Passage"),
    Column("genre", "Genre"),
    Column("edits", "Edits", CellKind.NUMBER),
    Column("words", "Words", CellKind.NUMBER),
    Column("rate", "Rate", CellKind.RATE),
)

_MATCH_COLUMNS = (
    Column("genre", "Genre"),
    Column("chosen", "Chosen", CellKind.COUNT),
    Column("target", "To match", CellKind.COUNT),
    Column("chosen_mean", "Mean", CellKind.RATE),
    Column("target_mean", "Mean to match", CellKind.RATE),
    Column("distance", "Kolmogorov-Smirnov D", CellKind.NUMBER),
    Column("distance_p", "p", CellKind.NUMBER),
    Column("rank_sum", "Rank sum U", CellKind.NUMBER),
    Column("rank_sum_p", "p, rank sum", CellKind.NUMBER),
)


def write_selection(selected: Selected, folder: Path) -> tuple[Path, ...]:
    """Write a choice into a folder (made if need be): HTML, SVG, CSV, JSON and the bare names.

    Raises:
        WorldError: it cannot be written.
    """
    prepare_folder(folder)
    selection = selected.selection
    chart = selection_chart(selected)
    tables = (
        Table(
            "match",
            "How well it matches",
            _MATCH_COLUMNS,
            [
                (genre, *asdict(one).values())
                for genre, one in (("all", selection.match), *selection.by_genre.items())
            ],
            "A small p means that the two distributions differ.",
        ),
        Table(
            "selection",
            "Chosen passages",
            _PASSAGE_COLUMNS,
            [(one.passage, one.genre, one.edits, one.words, one.rate) for one in selection.chosen],
        ),
    )
    title = "Passages" if selected.data_set is None else f"{selected.data_set} set".capitalize()
    names = ("selection.html", "selection.svg", "match.csv", "selection.csv", "selection.json",
             "passages.txt")  # fmt: skip
    files = [folder / name for name in names]
    write_page_html(
        files[0],
        kicker="Selection of passages",
        title=title,
        sentences=selected.sentences(),
        charts=[chart],
        tables=tables,
    )
    write_atomically(files[1], file_of(chart))
    for table, file in zip(tables, files[2:4], strict=True):
        write_csv(table, file)
    document = json.dumps(selected.details(), ensure_ascii=False, indent=1) + "\n"
    write_atomically(files[4], document.encode())
    passages = "".join(f"{one.passage}\n" for one in selection.chosen)
    write_atomically(files[5], passages.encode())
    return tuple(files)
