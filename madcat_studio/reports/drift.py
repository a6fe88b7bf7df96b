"""Drift on the control set: whether old output is edited otherwise than in the earlier phase.

Like is held against like: what teams made of an output now, each against its own text, against what
the teams of the earlier phase made of the same output, each against its own. Where only the scores
of then are there, which are those of the better of two teams, the better of two is taken now as
well, and nothing is said of one team.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from madcat_studio.errors import UsageError
from madcat_studio.model.control import FEWEST_DOCUMENTS
from madcat_studio.reports.table import NOT_A_RATE, Cell, CellKind, Column, Table, plain
from madcat_studio.scoring.resampling import Interval, Resampling, difference_interval
from madcat_ter.ter import rate

__all__ = [
    "ALL_TEAMS",
    "BETTER_OF_TWO",
    "Drift",
    "MixedModel",
    "OwnMeasure",
    "alarms",
    "drift_table",
    "drifts",
    "mixed_model",
]

ALL_TEAMS, BETTER_OF_TWO = "all teams", "better of two"

MOST_ROWS = 600
"""Measures from which a mixed model is made; beyond that a random sample of documents."""


class OwnMeasure(NamedTuple):
    """One text of a document against the output: one team's own, or the better of two."""

    system: str
    base: str
    source_document: str
    team: str
    edits: float
    words: float


@dataclass(frozen=True, slots=True)
class Drift:
    """What a team, or all, edit now against then, on the same documents.

    Attributes:
        team: its name, :data:`ALL_TEAMS` or :data:`BETTER_OF_TWO`.
        documents: outputs of documents; ``clusters``: their source documents, which are drawn.
        now, then: edits and words.
        sums: edits and words now and then, of each source document.
        interval: of the difference of HTER; None over fewer than :data:`FEWEST_DOCUMENTS`.
    """

    team: str
    documents: int
    clusters: int
    now: tuple[float, float]
    then: tuple[float, float]
    sums: tuple[tuple[float, float, float, float], ...]
    interval: Interval | None

    @property
    def difference(self) -> float | None:
        """HTER now minus then; None where a rate is none."""
        now, then = rate(*self.now), rate(*self.then)
        return None if now is None or then is None else now - then


def drifts(
    now: Iterable[OwnMeasure], then: Iterable[OwnMeasure], settings: Resampling = Resampling()
) -> list[Drift]:
    """Each team's drift, in the order in which teams come, and that of all together.

    Args:
        now: each team's own measure of each control document, or the better of two
            (``team`` is :data:`BETTER_OF_TWO`).
        then: likewise of the earlier phase. A document is compared with all that there was of it.
        settings: of the resampling.
    """
    before: dict[tuple[str, str], list[OwnMeasure]] = {}
    for one in then:
        before.setdefault((one.system, one.base), []).append(one)
    by_team: dict[str, list[OwnMeasure]] = {}
    for one in now:
        if (one.system, one.base) in before:
            by_team.setdefault(one.team, []).append(one)
    found = [_drift(team, own, before, settings) for team, own in by_team.items()]
    if by_team and BETTER_OF_TWO not in by_team:
        every = [one for own in by_team.values() for one in own]
        found.append(_drift(ALL_TEAMS, every, before, settings))
    return found


def _drift(
    team: str,
    own: Sequence[OwnMeasure],
    before: dict[tuple[str, str], list[OwnMeasure]],
    settings: Resampling,
) -> Drift:
    by_document: dict[tuple[str, str], list[OwnMeasure]] = {}
    for one in own:
        by_document.setdefault((one.system, one.base), []).append(one)
    sums: dict[str, list[float]] = {}
    for key, measures in by_document.items():
        cluster = sums.setdefault(measures[0].source_document, [0.0] * 4)
        # The mean of those who edited a document, then and now: a document counts the same on
        # both sides, however many teams it had.
        for place, side in ((0, measures), (2, before[key])):
            cluster[place] += sum(one.edits for one in side) / len(side)
            cluster[place + 1] += sum(one.words for one in side) / len(side)
    columns = np.array(list(sums.values())).T
    total = columns.sum(axis=1)
    interval = None
    if len(sums) >= FEWEST_DOCUMENTS:
        first, second = (columns[0], columns[1]), (columns[2], columns[3])
        interval = difference_interval(first, second, settings)
    return Drift(
        team,
        len(by_document),
        len(sums),
        (float(total[0]), float(total[1])),
        (float(total[2]), float(total[3])),
        tuple(tuple(one) for one in sums.values()),  # type: ignore[misc]
        interval,
    )


def alarms(found: Sequence[Drift], settings: Resampling = Resampling()) -> list[Drift]:
    """Those that differ from the earlier phase beyond chance.

    So many teams are looked at that one would stand out by chance: the level is shared among them
    (Bonferroni), so that all is quiet in 95 of 100 campaigns in which nothing has changed.
    """
    judged = [one for one in found if one.interval is not None]
    alarming = []
    for one in judged:
        level = 1 - (1 - settings.level) / len(judged)
        columns = np.array(one.sums).T
        first, second = (columns[0], columns[1]), (columns[2], columns[3])
        wide = difference_interval(first, second, replace(settings, level=level))
        if wide is not None and (wide.low > 0 or wide.high < 0):
            alarming.append(one)
    return alarming


# -- the model -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MixedModel:
    """HTER of a document by a team, by the phase, with random effects of document and team.

    Attributes:
        point, low, high: how much more is edited now, with a 95 % interval; None: not given.
        p: of no difference.
        said: what was done, or why it was not.
    """

    point: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    said: str = ""


def mixed_model(now: Sequence[OwnMeasure], then: Sequence[OwnMeasure], seed: int = 1) -> MixedModel:
    """Estimate the drift with statsmodels, where there is data enough.

    Raises:
        UsageError: ``report.no-statsmodels``: it is not installed.
    """
    both = {(one.system, one.base) for one in now} & {(one.system, one.base) for one in then}
    sides = [[one for one in side if (one.system, one.base) in both] for side in (now, then)]
    teams = [len({one.team for one in side}) for side in sides]
    sources = len({one.source_document for one in sides[0]})
    if sources < FEWEST_DOCUMENTS or min(teams) < 2:
        return MixedModel(
            said=f"No mixed model: it needs {FEWEST_DOCUMENTS} documents and two teams in each "
            f"phase; here are {sources} documents, {teams[0]} teams now and {teams[1]} then."
        )
    rows = [
        (number, one, value)
        for number, side in enumerate(sides)
        for one in side
        if (value := rate(one.edits, one.words)) is not None
    ]
    return _fitted(_some(rows, seed))


_Measured = tuple[int, OwnMeasure, float]


def _some(rows: list[_Measured], seed: int) -> list[_Measured]:
    """All rows, or those of a random sample of documents."""
    if len(rows) <= MOST_ROWS:
        return rows
    documents = sorted({(one.system, one.base) for _, one, _ in rows})
    kept = int(len(documents) * MOST_ROWS / len(rows))
    order = np.random.default_rng(seed).permutation(len(documents))[:kept]
    chosen = {documents[place] for place in order}
    return [row for row in rows if (row[1].system, row[1].base) in chosen]


def _fitted(rows: Sequence[_Measured]) -> MixedModel:
    try:
        from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec
    except ImportError as error:
        raise UsageError(
            "report.no-statsmodels",
            "statsmodels, which estimates the mixed model, is not installed",
            remedy="Install it with `pip install madcat-studio[models]`, or leave the model out",
        ) from error
    documents = sorted({(one.system, one.base) for _, one, _ in rows})
    teams = sorted({(number, one.team) for number, one, _ in rows})
    of_document, of_team = (np.zeros((len(rows), len(each))) for each in (documents, teams))
    for place, (number, one, _) in enumerate(rows):
        of_document[place, documents.index((one.system, one.base))] = 1
        of_team[place, teams.index((number, one.team))] = 1
    values = np.array([value for _, _, value in rows])
    phase = np.array([1.0 - number for number, _, _ in rows])
    names = [[str(place) for place in range(each.shape[1])] for each in (of_document, of_team)]
    parts = VCSpec(["document", "team"], [[names[0]], [names[1]]], [[of_document], [of_team]])
    with warnings.catch_warnings():
        # It warns where a variance comes to nothing, which is a result as well.
        warnings.simplefilter("ignore")
        try:
            fit = MixedLM(
                values,
                np.column_stack([np.ones(len(rows)), phase]),
                np.zeros(len(rows)),
                exog_vc=parts,
            ).fit(reml=True, method=["lbfgs", "powell"])
            point, spread = float(fit.fe_params[1]), float(fit.bse_fe[1])
        except (ValueError, np.linalg.LinAlgError) as failed:
            return MixedModel(said=f"No mixed model: it cannot be estimated here ({failed}).")
    if not np.isfinite(spread) or spread <= 0:
        return MixedModel(said="No mixed model: it cannot be estimated here.")
    from scipy.stats import t

    # Teams are few, and they are what differs between phases: theirs are the degrees of freedom.
    free = max(len(teams) - 2, 1)
    half = float(t.ppf(0.975, free)) * spread
    return MixedModel(
        point,
        point - half,
        point + half,
        float(2 * t.sf(abs(point) / spread, free)),
        "Mixed model (statsmodels): HTER of a document by a team, phase as fixed effect, document "
        f"and team as random effects; {len(rows)} measures, {len(documents)} documents, "
        f"{len(teams)} teams, {free} degrees of freedom.",
    )


# -- the table -------------------------------------------------------------------------------------


def drift_table(found: Sequence[Drift], model: MixedModel | None) -> Table:
    """The drift of each team and of all, and what the model says."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        cells: list[Cell] = []
        for side in (one.now, one.then):
            point = rate(*side)
            cells += [plain(side[0]), plain(side[1]), NOT_A_RATE if point is None else point]
        low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
        short = "" if one.interval else _too_few(one.clusters)
        rows.append((one.team, one.documents, *cells, one.difference, low, high, short))
    if model is not None and model.point is not None:
        rows.append(
            (
                *("mixed model", None, *[None] * 6),
                *(model.point, model.low, model.high, f"p = {model.p:.3g}"),
            )
        )
    columns = (
        Column("team", "Team"),
        Column("documents", "Documents", CellKind.COUNT),
        Column("edits", "Edits", CellKind.COUNT),
        Column("words", "Words", CellKind.COUNT),
        Column("hter", "HTER", CellKind.RATE),
        Column("edits_earlier", "Edits then", CellKind.COUNT),
        Column("words_earlier", "Words then", CellKind.COUNT),
        Column("hter_earlier", "HTER then", CellKind.RATE),
        Column("difference", "Difference", CellKind.RATE, "now minus then"),
        Column("low", "From", CellKind.RATE),
        Column("high", "To", CellKind.RATE),
        Column("note", "Note"),
    )
    like = (
        "the better of two teams now against the better of two then, as scores were made then"
        if any(one.team == BETTER_OF_TWO for one in found)
        else "each team's own HTER now against the mean of the earlier phase's teams, each against "
        "its own final text, on the same documents"
    )
    note = (
        f"Old output, edited again: {like}. Above 0: more is edited now than then. Edits and words "
        "are means over the teams of a document."
    )
    if model is not None:
        note += f" {model.said}"
    return Table("drift", "Drift on the control set", columns, rows, note)


def _too_few(clusters: int) -> str:
    missing = FEWEST_DOCUMENTS - clusters
    if missing <= 0:
        return "no interval: there are no words"
    there = "there is 1" if clusters == 1 else f"there are {clusters}"
    return f"no interval: it needs {FEWEST_DOCUMENTS} source documents, and {there}"
