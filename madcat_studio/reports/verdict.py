"""What a report says first: which system is better, by how much, where each is bad."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from madcat_studio.model.campaign import DataSet
from madcat_studio.model.naming import natural_key
from madcat_studio.reports.closer import CloserLook
from madcat_studio.reports.grouping import UNKNOWN, Breakdown
from madcat_studio.reports.ranking import Ranking
from madcat_studio.reports.results import CampaignResults, ScoredSegment
from madcat_studio.reports.significance import few_documents
from madcat_studio.reports.table import Cell, CellKind, Column, Table
from madcat_studio.scoring.columns import Column as DrawnColumn
from madcat_studio.scoring.columns import ColumnKind, columns
from madcat_studio.scoring.resampling import (
    Comparison,
    Interval,
    Resampling,
    difference_interval,
    holm,
    more_needed,
)
from madcat_ter.hter import Denominator
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter

__all__ = [
    "By",
    "Duel",
    "Line",
    "Standing",
    "Verdict",
    "WeakPoint",
    "told_edits",
    "verdict_of",
]

LEVEL = 0.05
"""Systems are told apart where p after Holm's correction is not above it."""

_MOST_TOLD = 1000
"""More documents than that are not in anybody's reach: their number is not told."""

_MOST_EDITS_TOLD = 8

_FEWEST_WORDS = 100
"""Words that a group must have to be called weak, with two source documents or more."""


def _percent(value: float) -> str:
    return f"{value * 100:.1f} %".replace("-", "\u2212")


def _points(value: float) -> str:
    return f"{value * 100:.1f}".replace("-", "\u2212")


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.0005 else f"p = {value:.3f}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's place.

    Attributes:
        best, worst: between which places it is, by whom it can be told apart from.
        clusters: source documents.
    """

    system: str
    best: int
    worst: int
    hter: float | None
    interval: Interval | None
    clusters: int

    @property
    def place(self) -> str:
        """The place as people write it: 1, or 2–3."""
        return str(self.best) if self.best == self.worst else f"{self.best}\u2013{self.worst}"

    @property
    def figures(self) -> str:
        """The rate with its interval."""
        if self.hter is None:
            return "no rate yet"
        if self.interval is None:
            return _percent(self.hter)
        return (
            f"{_percent(self.hter)} [{_percent(self.interval.low)}, {_percent(self.interval.high)}]"
        )

    @property
    def sentence(self) -> str:
        """All of it."""
        if not self.clusters:
            return f"{self.system}: nothing is scored yet"
        noun = "source document" if self.clusters == 1 else "source documents"
        return f"{self.system}: HTER {self.figures}, over {self.clusters:,} {noun}"


@dataclass(frozen=True, slots=True)
class Duel:
    """One system against another.

    Attributes:
        better: the one with the lower rate on the documents that both were scored on.
        difference: how much lower, with its interval: above 0.
        p: of approximate randomisation, with Holm's correction over all pairs.
        more: documents that would probably tell them apart; None where that cannot be said.
    """

    better: str
    worse: str
    clusters: int
    difference: Interval | None = None
    p: float = 1.0
    more: int | None = None

    @property
    def apart(self) -> bool:
        """Whether they can be told apart."""
        return self.difference is not None and self.p <= LEVEL

    @property
    def sentence(self) -> str:
        """What to say of them."""
        if self.difference is None:
            return (
                f"{self.better} and {self.worse} cannot be compared: they have fewer than two "
                "source documents in common."
            )
        one = self.difference
        extent = f"[{_points(one.low)}, {_points(one.high)}]"
        over = f"{_p(self.p)} after Holm, over {self.clusters:,} source documents"
        if self.apart:
            told = (
                f"{self.better} is better than {self.worse} by {_points(one.point)} points of "
                f"HTER {extent}, {over}."
            )
        else:
            told = (
                f"{self.better} and {self.worse} cannot be told apart: {_points(one.point)} points "
                f"of HTER {extent}, {over}; {self._needed()}."
            )
        few = few_documents(self.clusters)
        return f"{told} ({_capital(few)}.)" if few else told

    def _needed(self) -> str:
        if self.more is None:
            return "no number of documents would show so small a difference"
        if self.more > _MOST_TOLD:
            return f"more than {_MOST_TOLD:,} more documents would be needed"
        noun = "document" if self.more == 1 else "documents"
        return f"about {_rounded(self.more)} more {noun} would be needed"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _rounded(number: int) -> int:
    """As exact as such an estimate is: 17, 45, 130, 900."""
    step = 1 if number < 20 else 5 if number < 100 else 10 if number < 300 else 50
    return -(-number // step) * step


@dataclass(frozen=True, slots=True)
class WeakPoint:
    """The worst group of a system in one breakdown, against all its other groups.

    Attributes:
        by: genre, scribe, implement, length.
        name: of the group; ``rest``: the rate of all others together.
        difference: how much higher, with an interval that heeds how many groups there are.
        clusters: source documents of the group; ``groups``: how many there are to choose from.
    """

    system: str
    by: str
    name: str
    hter: float
    rest: float
    difference: Interval | None
    clusters: int
    groups: int

    @property
    def stands_out(self) -> bool:
        """Whether it is more than chance among so many groups."""
        return self.difference is not None and self.difference.low > 0

    @property
    def phrase(self) -> str:
        """A part of a sentence."""
        hter, rest = _percent(self.hter), _percent(self.rest)
        # Each written out, so that the window knows it again.
        match self.by:
            case By.GENRE:
                return f"genre {self.name} ({hter}; elsewhere {rest})"
            case By.SCRIBE:
                return f"scribe {self.name} ({hter}; elsewhere {rest})"
            case By.IMPLEMENT:
                return f"implement {self.name} ({hter}; elsewhere {rest})"
        return f"length {self.name} words ({hter}; elsewhere {rest})"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of handwriting whose output needed very much editing.

    Attributes:
        columns: how the output became the final text.
    """

    system: str
    document: str
    segment: str
    edits: float
    words: float
    hter: float
    output: str
    final: str
    columns: tuple[DrawnColumn, ...]

    @property
    def told(self) -> str:
        """The edits in words."""
        return told_edits(self.columns)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What stands on top of every form of a report.

    Attributes:
        standings: the systems, the best first.
        duels: each pair.
        weak_points: of each system and breakdown, whether or not they stand out.
        lines: the worst lines of each system.
        preliminary: what is missing; empty where all is final.
    """

    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
    weak_points: tuple[WeakPoint, ...]
    lines: tuple[Line, ...]
    preliminary: tuple[str, ...]

    def weakness(self, system: str) -> str:
        """A sentence on where a system is bad, or "" where there is nothing to break down by."""
        told = self.weaknesses(system)
        return "; ".join(told) + "." if told else ""

    def weaknesses(self, system: str) -> list[str]:
        """The clauses of that sentence."""
        own = [point for point in self.weak_points if point.system == system]
        if not own:
            return []
        out = [point.phrase for point in own if point.stands_out]
        plain = [point.by for point in own if not point.stands_out]
        told = []
        if out:
            told.append(f"{system} is worst in " + ", ".join(out))
        if plain:
            said = " or ".join([", ".join(plain[:-1]), plain[-1]] if len(plain) > 1 else plain)
            start = "" if out else f"{system}: "
            told.append(f"{start}nothing stands out by {said}")
        return told

    def rows(self) -> list[tuple[str, str]]:
        """What kind of sentence, and the sentence; in the order of reading."""
        made = [("ranking", f"{one.place}. {one.sentence}.") for one in self.standings]
        made += [("systems compared", duel.sentence) for duel in self.duels]
        made += [
            ("weak points", told) for one in self.standings if (told := self.weakness(one.system))
        ]
        made += [
            (
                "worst lines",
                f"{line.system}, {line.document}/{line.segment}, {_percent(line.hter)}: "
                f"{line.told}.",
            )
            for line in self.lines
        ]
        made += [("preliminary", f"{sentence}.") for sentence in self.preliminary]
        return made

    def line_rows(self) -> dict[int, Line]:
        """Which of the rows, from 0, tell of which line."""
        places = [place for place, (what, _) in enumerate(self.rows()) if what == "worst lines"]
        return dict(zip(places, self.lines, strict=True))

    def table(self) -> Table:
        """The sentences as a table."""
        columns = (Column("what", "What"), Column("text", "Verdict"))
        return Table("verdict", "Verdict", columns, self.rows())

    def weak_points_table(self) -> Table:
        """The figures behind the sentences on weak points."""
        columns = (
            Column("system", "System"),
            Column("by", "By"),
            Column("name", "Worst group"),
            Column("hter", "HTER", CellKind.RATE),
            Column("rest", "HTER elsewhere", CellKind.RATE, "of all other groups together"),
            Column("difference", "Difference", CellKind.RATE),
            Column("low", "From", CellKind.RATE),
            Column("high", "To", CellKind.RATE),
            Column("clusters", "Source documents", CellKind.COUNT, "of the worst group"),
            Column("groups", "Groups", CellKind.COUNT, "to choose the worst from"),
            Column("stands_out", "Stands out", CellKind.FLAG),
        )
        rows: list[tuple[Cell, ...]] = []
        for one in self.weak_points:
            d = one.difference
            ends = (None, None, None) if d is None else (d.point, d.low, d.high)
            rows.append(
                (
                    *(one.system, one.by, one.name, one.hter, one.rest, *ends),
                    *(one.clusters, one.groups, one.stands_out),
                )
            )
        note = (
            "Of each system, evaluation set: the group with the highest HTER, of those with two "
            f"source documents and {_FEWEST_WORDS} words. The worst of many groups is high by "
            "chance too: intervals are widened for their number (Bonferroni)."
        )
        return Table("weak-points", "Weak points", columns, rows, note)

    def text(self, width: int = 100) -> str:
        """For a terminal."""
        lines = []
        if self.preliminary:
            lines.append("Preliminary: figures may change with what is open or left out.")
        before = ""
        for what, sentence in self.rows():
            if what == "preliminary":
                continue
            if what != before and what == "worst lines":
                lines.append("Worst lines:")
            before = what
            start = "  " if what == "worst lines" else ""
            lines += textwrap.wrap(
                sentence, width, initial_indent=start, subsequent_indent=start + "   ",
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
        return "\n".join(lines)


_WORDS = {
    ColumnKind.INSERTION: "{output} out",
    ColumnKind.DELETION: "{text} in",
    ColumnKind.SUBSTITUTION: "{output} \u2192 {text}",
}


def told_edits(drawn: Iterable[DrawnColumn]) -> str:
    """The edits of an alignment in words, those of one kind side by side as one."""
    told: list[str] = []
    run: list[DrawnColumn] = []

    def end() -> None:
        if run:
            outputs = " ".join(one.output for one in run if one.output)
            texts = " ".join(one.text for one in run if one.text)
            moved = run[0].shift and run[0].kind is ColumnKind.MATCH
            form = "{output} moved" if moved else _WORDS[run[0].kind]
            told.append(form.format(output=f"\u201c{outputs}\u201d", text=f"\u201c{texts}\u201d"))
            run.clear()

    for one in drawn:
        changed = one.kind in _WORDS or (one.kind is ColumnKind.MATCH and one.shift)
        if run and (not changed or (one.kind, one.shift) != (run[0].kind, run[0].shift)):
            end()
        if changed:
            run.append(one)
    end()
    if len(told) > _MOST_EDITS_TOLD:
        left_out = len(told) - _MOST_EDITS_TOLD
        told[_MOST_EDITS_TOLD:] = [f"and {left_out} more"]
    return ", ".join(told) or "nothing was edited"


def verdict_of(
    results: CampaignResults,
    denominator: Denominator,
    options: TerOptions,
    ranking: Ranking,
    closer: CloserLook,
    settings: Resampling,
    preliminary: Sequence[str],
) -> Verdict:
    """The verdict on a campaign; control and progress sets have no part in it.

    Args:
        results: whose systems are ranked.
        denominator: of the report.
        options: by which the worst lines are aligned.
        ranking: of these results.
        closer: has seen all their segments.
        settings: of the resampling.
        preliminary: what is still missing, in sentences.
    """
    duels = _duels(ranking)
    rates = {
        group.system: group.all.of(denominator).rate
        for group in results.of(Breakdown.SYSTEM, DataSet.EVALUATION)
    }
    return Verdict(
        standings=tuple(_standings(rates, duels, ranking)),
        duels=duels,
        weak_points=tuple(
            point
            for system in rates
            for point in _weak_points(results, denominator, closer, system, settings)
        ),
        lines=tuple(_lines(results, denominator, options, closer, rates)),
        preliminary=tuple(preliminary),
    )


def _duels(ranking: Ranking) -> tuple[Duel, ...]:
    found: Mapping[tuple[str, str], Comparison] = ranking.comparisons
    p_values = holm([one.p_randomisation for one in found.values()])
    corrected = dict(zip(found, p_values, strict=True))
    made = []
    for (first, second), clusters in ranking.pairs.items():
        one = found.get((first, second))
        if one is None:
            made.append(Duel(first, second, clusters))
            continue
        better, worse, d = first, second, one.difference
        lower = Interval(-d.point, -d.high, -d.low)
        if d.point > 0:
            better, worse, lower = second, first, d
        # In the worst case Holm holds the smallest of all p-values against this level.
        more = more_needed(one, LEVEL / len(found))
        made.append(Duel(better, worse, clusters, lower, corrected[first, second], more))
    return tuple(made)


def _standings(
    rates: Mapping[str, float | None], duels: Sequence[Duel], ranking: Ranking
) -> list[Standing]:
    made = []
    for system, rate in rates.items():
        above = sum(duel.apart and duel.worse == system for duel in duels)
        below = sum(duel.apart and duel.better == system for duel in duels)
        key = (str(DataSet.EVALUATION), system)
        made.append(
            Standing(
                *(system, 1 + above, len(rates) - below, rate),
                *(ranking.intervals.get(key), ranking.clusters.get(key, 0)),
            )
        )
    return made


class By(StrEnum):
    """What weak points are looked for by."""

    GENRE = "genre"
    SCRIBE = "scribe"
    IMPLEMENT = "implement"
    LENGTH = "length"


_BREAKDOWNS = (
    (By.GENRE.value, Breakdown.GENRE),
    (By.SCRIBE.value, Breakdown.SCRIBE),
    (By.IMPLEMENT.value, Breakdown.IMPLEMENT),
)

_Part = tuple[str, str, float, float]  # group, source document, edits, words


def _weak_points(
    results: CampaignResults,
    denominator: Denominator,
    closer: CloserLook,
    system: str,
    settings: Resampling,
) -> list[WeakPoint]:
    parts: list[tuple[str, list[_Part]]] = [
        (by, list(results.by_source(breakdown, system, denominator)))
        for by, breakdown in _BREAKDOWNS
    ]
    lengths = [
        (part.bucket.label, part.source_document, part.edits, part.words)
        for part in closer.by_length(system)
    ]
    found = [
        _weak_point(system, by, own, settings) for by, own in [*parts, (By.LENGTH.value, lengths)]
    ]
    return [point for point in found if point is not None]


def _weak_point(
    system: str, by: str, parts: Sequence[_Part], settings: Resampling
) -> WeakPoint | None:
    """The worst group, where there are two that say something."""
    parts = [part for part in parts if part[0] not in ("", UNKNOWN)]
    sources = {name: place for place, name in enumerate(dict.fromkeys(p[1] for p in parts))}
    groups: dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]] = {}
    for name, source, edits, words in parts:
        sums = groups.setdefault(name, np.zeros((2, len(sources))))
        sums[:, sources[source]] += edits, words
    if len(groups) < 2:
        return None
    large = {
        name: float(sums[0].sum() / sums[1].sum())
        for name, sums in groups.items()
        if sums[1].sum() >= _FEWEST_WORDS and (sums[1] > 0).sum() >= 2
    }
    if not large:
        return None
    name = max(sorted(large, key=natural_key), key=large.__getitem__)
    own, whole = groups[name], sum(groups.values())
    rest = whole - own
    if not rest[1].sum():
        return None
    level = 1 - (1 - settings.level) / len(large)
    how = Resampling(settings.resamples, level, settings.seed)
    return WeakPoint(
        *(system, by, name, large[name], float(rest[0].sum() / rest[1].sum())),
        difference_interval((own[0], own[1]), (rest[0], rest[1]), how),
        int((own[1] > 0).sum()),
        len(large),
    )


def _lines(
    results: CampaignResults,
    denominator: Denominator,
    options: TerOptions,
    closer: CloserLook,
    systems: Iterable[str],
) -> list[Line]:
    numbers = [number for system in systems for number in closer.worst_of(system)]
    found = results.segments.some(numbers)
    return [_line(found[number], denominator, options) for number in numbers]


def _line(scored: ScoredSegment, denominator: Denominator, options: TerOptions) -> Line:
    record, choice = scored.record, scored.score.choice(denominator)
    assert choice.team is not None
    assert choice.rate is not None
    final = record.teams[choice.team].final or ""
    drawn = columns(ter(record.output, [final], options))
    return Line(
        *(record.system, record.base, record.segment, choice.edits, choice.words, choice.rate),
        *(record.output, final, drawn),
    )
