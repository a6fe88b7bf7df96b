"""HTER by the two-team rule: which team's text counts for a segment, and sums of what was chosen.

HTER is TER of a system's output against its post-edited text. Two teams edit every output; for
each segment the text with the lower rate counts, and a document or a system gets the sum of the
chosen segments' edits over the sum of their denominators, never a mean of rates (MADCAT Phase 2
evaluation plan, sections 6 and 7.2). What the plan leaves open is decided here:

* rates are compared unrounded;
* equal rates are a *tie*: fewer edits win, then the team listed first. A tie is counted as a tie
  and credited to neither team;
* the denominator is the chosen final text's words, or the words of the gold reference (what
  tercom's ``-a`` divides by). The choice is made anew under each;
* an empty final text is never chosen over a text;
* where the system gave no output there is nothing to edit: the reference counts as the final
  text of every team. The outcome has a name of its own, so that ties tell about editors;
* a segment with the text of one team only is *preliminary*; one with none is *open* and adds
  nothing to a total.

A rate is None where its denominator is 0 and there are edits. It is never nan or infinite, and a
rate above 1 is not clamped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, Protocol

from madcat_ter.options import TerOptions, TextOptions
from madcat_ter.ter import TerResult, rate, ter_counts
from madcat_ter.text import check_text, fold

__all__ = [
    "Choice",
    "Counts",
    "Denominator",
    "Outcome",
    "SegmentScore",
    "Stage",
    "Tally",
    "TeamScore",
    "TeamTotals",
    "TextsOfTeam",
    "Totals",
    "is_empty",
    "score_segment",
    "score_segments",
]


class Denominator(StrEnum):
    """Whose words a rate divides by."""

    CHOSEN = "chosen"
    REFERENCE = "reference"


class Stage(StrEnum):
    """Which texts are compared: those of the first pass or the final ones."""

    FIRST = "first"
    FINAL = "final"


class Outcome(StrEnum):
    """How the choice for one segment came out."""

    LOWER = "lower"
    TIE = "tie"
    NO_OUTPUT = "no output"
    PRELIMINARY = "preliminary"
    OPEN = "open"


# By names of their own: asking an enumeration for a member costs as much as what is done with it.
_FIRST, _FINAL = Stage
_REFERENCE = Denominator.REFERENCE
_LOWER, _TIE, _NO_OUTPUT, _PRELIMINARY, _OPEN = Outcome


class TextsOfTeam(Protocol):
    """What :func:`score_segment` reads of a team; ``model.campaign.TeamText`` has it."""

    @property
    def team(self) -> str:
        """The team's name."""
        ...

    @property
    def first(self) -> str | None:
        """The first pass's text, None while it is not handed over."""
        ...

    @property
    def final(self) -> str | None:
        """The reviewer's text, None while it is not handed over."""
        ...


class Counts(NamedTuple):
    """Edits of one output against one text, and that text's ``words``."""

    insertions: int = 0
    deletions: int = 0
    substitutions: int = 0
    shifts: int = 0
    shifted_words: int = 0
    edits: float = 0.0
    words: float = 0.0

    @property
    def rate(self) -> float | None:
        """``edits / words``; 0 for nothing against nothing, None for edits against no words."""
        return rate(self.edits, self.words)

    @classmethod
    def of(cls, result: TerResult) -> Counts:
        """The counts of a TER result, without its alignment."""
        return cls(
            insertions=result.insertions,
            deletions=result.deletions,
            substitutions=result.substitutions,
            shifts=result.shift_count,
            shifted_words=result.shifted_words,
            edits=result.edits,
            words=result.words,
        )


class TeamScore(NamedTuple):
    """One segment's counts against one team's texts, None where a text is not there yet."""

    team: str
    first: Counts | None = None
    final: Counts | None = None
    first_empty: bool = False
    final_empty: bool = False

    def counts(self, stage: Stage) -> Counts | None:
        """The counts against the text of ``stage``."""
        return self.first if stage is Stage.FIRST else self.final

    def empty(self, stage: Stage) -> bool:
        """Whether the text of ``stage`` is there and empty."""
        return self.first_empty if stage is Stage.FIRST else self.final_empty


class Choice(NamedTuple):
    """What counts for one segment under one denominator.

    Attributes:
        outcome: how the choice came out.
        team: index of the chosen team; None for no output and open segments.
        counts: edits against the chosen text; ``counts.words`` are *its* words.
        words: the denominator.
        made: of which score, under which denominator, in which stage.
    """

    outcome: Outcome
    team: int | None
    counts: Counts
    words: float
    made: tuple[SegmentScore, Denominator, Stage] | None = None

    @property
    def reason(self) -> str:
        """Why, in words that a report can print."""
        return "" if self.made is None else self.made[0]._reason(self, *self.made[1:])

    @property
    def edits(self) -> float:
        """The chosen text's edits."""
        return self.counts.edits

    @property
    def rate(self) -> float | None:
        """The segment's own rate: None for an open segment and for edits over no words."""
        return None if self.outcome is Outcome.OPEN else rate(self.counts.edits, self.words)

    @property
    def credited(self) -> int | None:
        """The team that won the segment: None at a tie and wherever there was no contest."""
        return self.team if self.outcome is Outcome.LOWER else None


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _fraction(edits: float, words: float) -> str:
    return f"{_number(edits)}/{_number(words)}"


def _compared(edits_a: float, words_a: float, edits_b: float, words_b: float) -> int:
    """-1, 0 or 1 as rate a is below, equal to or above rate b, exactly.

    Without words on either side the edits decide: rates that are not numbers are not compared.
    """
    if words_a <= 0 or words_b <= 0:
        return (edits_a > edits_b) - (edits_a < edits_b)
    left: float | Fraction = edits_a * words_b
    right: float | Fraction = edits_b * words_a
    if left != int(left) or right != int(right):  # costs other than 1 may not be whole numbers
        left = Fraction(edits_a) * Fraction(words_b)
        right = Fraction(edits_b) * Fraction(words_a)
    return (left > right) - (left < right)


class SegmentScore(NamedTuple):
    """One segment's counts against all texts there are; :meth:`choice` applies the rule.

    Attributes:
        teams: in the order of the assignment.
        reference_words: words of the gold reference after normalisation.
        no_output: the counts of nothing against the reference where the system gave no output,
            None where it gave some.
    """

    teams: tuple[TeamScore, ...]
    reference_words: float
    no_output: Counts | None = None

    def choice(
        self, denominator: Denominator = Denominator.CHOSEN, stage: Stage = Stage.FINAL
    ) -> Choice:
        """The team whose text counts, by the two-team rule (see the module's text)."""
        made = (self, denominator, stage)
        if self.no_output is not None:
            return Choice(_NO_OUTPUT, None, self.no_output, self.no_output.words, made)
        runners = self._runners(stage)
        if not runners:
            return Choice(_OPEN, None, _NOTHING, 0.0, made)
        reference_words = self.reference_words if denominator is _REFERENCE else None
        best_index, best = runners[0]
        best_words = best.words if reference_words is None else reference_words
        tie = False
        for index, counts in runners[1:]:
            words = counts.words if reference_words is None else reference_words
            order = _compared(counts.edits, words, best.edits, best_words)
            if order > 0:
                continue
            tie = order == 0
            if order < 0 or counts.edits < best.edits:
                best_index, best, best_words = index, counts, words
        # There are fewer runners where a text is missing, and where an empty one is left aside.
        whole = len(runners) == len(self.teams) or None not in [t.counts(stage) for t in self.teams]
        if not whole or len(self.teams) == 1:
            outcome = _PRELIMINARY
        elif tie:
            outcome = _TIE
        else:
            outcome = _LOWER
        return Choice(outcome, best_index, best, best_words, made)

    def _runners(self, stage: Stage) -> list[tuple[int, Counts]]:
        """Index and counts of the texts to choose from: an empty one only if all are empty."""
        first = stage is _FIRST
        texts: list[tuple[int, Counts]] = []
        empty: list[tuple[int, Counts]] = []
        for index, team in enumerate(self.teams):
            counts = team.first if first else team.final
            if counts is not None:
                nothing = team.first_empty if first else team.final_empty
                (empty if nothing else texts).append((index, counts))
        return texts or empty

    def reason(
        self, denominator: Denominator = Denominator.CHOSEN, stage: Stage = Stage.FINAL
    ) -> str:
        """Why :meth:`choice` chose as it did, in words that a report can print."""
        return self.choice(denominator, stage).reason

    def _reason(self, choice: Choice, denominator: Denominator, stage: Stage) -> str:
        if choice.outcome is Outcome.NO_OUTPUT:
            return "no output: the reference counts as the final text of every team"
        if choice.team is None:
            return f"open: no {'final text' if stage is Stage.FINAL else 'first pass'} yet"
        by_reference = denominator is Denominator.REFERENCE
        name = self.teams[choice.team].team
        own = _fraction(choice.edits, choice.words)
        if choice.outcome is Outcome.PRELIMINARY:
            missing = [team.team for team in self.teams if team.counts(stage) is None]
            lacking = f"nothing yet from {', '.join(missing)}" if missing else "one team only"
            return f"preliminary: {name} {own}, {lacking}"
        others = [
            (counts.edits, self.reference_words if by_reference else counts.words)
            for index, counts in self._runners(stage)
            if index != choice.team
        ]
        if choice.outcome is Outcome.TIE:
            equal = [o for o in others if _compared(*o, choice.edits, choice.words) == 0]
            if all(edits == choice.edits for edits, _ in equal):
                return f"tie at {own}, {name} listed first"
            told = ", ".join(_fraction(*other) for other in equal)
            return f"tie at the same rate, {name} with fewer edits: {own} against {told}"
        told = ", ".join(_fraction(*other) for other in others)
        empty = ", ".join(team.team for team in self.teams if team.empty(stage))
        aside = len(others) + 1 < len(self.teams)
        left = f"; the text of {empty} is empty and is not chosen over a text" if aside else ""
        return f"{name}: {own} against {told}{left}" if told else f"{name}: {own}{left}"


_NOTHING = Counts()


def is_empty(text: str, options: TextOptions = TextOptions()) -> bool:
    """Whether a text holds nothing that the engine would count, as tercom decides it.

    Blanks and control characters up to U+0020 are nothing; a no-break space is a word.
    """
    return not fold(text, options)


def score_segment(
    output: str,
    reference: str,
    teams: Sequence[TextsOfTeam],
    options: TerOptions = TerOptions(),
) -> SegmentScore:
    """Score one system's output for one segment against all its post-edited texts.

    Args:
        output: the system's text, "" where it gave none.
        reference: the gold reference, for its words and for segments without output.
        teams: in the order of the assignment, which breaks ties.
        options: of TER; by default the plan's (case kept, punctuation split off).

    Raises:
        InputError: a text that cannot be scored (NUL, half a character, over-long).
    """
    check_text(output, "the output")
    check_text(reference, "the reference")
    for team in teams:
        for text in (team.first, team.final):
            if text is not None:
                check_text(text, f"the text of {team.team}")
    return score_segments([(output, reference, teams)], options)[0]


def _counts(row: list[int], edits: float, words: float) -> Counts:
    insertions, deletions, substitutions, shifts, shifted_words = row
    return Counts(insertions, deletions, substitutions, shifts, shifted_words, edits, words)


def score_segments(
    segments: Sequence[tuple[str, str, Sequence[TextsOfTeam]]],
    options: TerOptions = TerOptions(),
    *,
    jobs: int = 1,
) -> list[SegmentScore]:
    """Score many segments at once: the numbers of :func:`score_segment`, in a tenth of the time.

    Args:
        segments: output, reference and teams of each.
        options: of TER.
        jobs: how many threads compute.

    Raises:
        InputError: a text that cannot be scored; :func:`score_segment` tells of one at a time.
    """
    outputs: list[str] = []
    texts: list[list[str]] = []
    places: list[dict[str, int]] = []
    for output, reference, teams in segments:
        place = {}
        empty = is_empty(output, options)
        # Against an empty output a reference gives its words and nothing else.
        outputs.append("")
        texts.append([reference])
        if not empty:
            given = (text for team in teams for text in (team.first, team.final))
            for text in dict.fromkeys(text for text in given if text is not None):
                place[text] = len(outputs)
                outputs.append(output)
                texts.append([text])
        places.append(place)
    found = ter_counts(outputs, texts, options, jobs=jobs)
    rows = found.counts.tolist()
    edits, words = found.edits.tolist(), found.words.tolist()
    made: list[SegmentScore] = []
    start = 0
    for (output, _reference, teams), place in zip(segments, places, strict=True):
        reference_words = words[start]
        if not place and is_empty(output, options):
            nothing = _counts(rows[start], edits[start], words[start])
            same = tuple(TeamScore(team.team, nothing, nothing) for team in teams)
            made.append(SegmentScore(same, reference_words, nothing))
        else:
            known = {t: _counts(rows[i], edits[i], words[i]) for t, i in place.items()}
            scores = tuple(
                TeamScore(
                    team.team,
                    None if team.first is None else known[team.first],
                    None if team.final is None else known[team.final],
                    team.first is not None and is_empty(team.first, options),
                    team.final is not None and is_empty(team.final, options),
                )
                for team in teams
            )
            made.append(SegmentScore(scores, reference_words))
        start += 1 + len(place)
    return made


@dataclass(slots=True)
class Totals:
    """Sums over chosen segments: what a rate of many segments is made from."""

    segments: int = 0
    insertions: int = 0
    deletions: int = 0
    substitutions: int = 0
    shifts: int = 0
    shifted_words: int = 0
    edits: float = 0.0
    words: float = 0.0
    ties: int = 0
    no_output: int = 0
    preliminary: int = 0
    open: int = 0
    credited: dict[str, int] = field(default_factory=dict)

    @property
    def rate(self) -> float | None:
        """Sum of edits over sum of words; None without segments or with edits over no words."""
        return rate(self.edits, self.words) if self.segments else None

    def add(self, choice: Choice, teams: Sequence[TeamScore]) -> None:
        """Take in one segment. An open one is counted as open and adds nothing else."""
        outcome = choice.outcome
        if outcome is _OPEN:
            self.open += 1
            return
        self.segments += 1
        counts = choice.counts
        self.insertions += counts.insertions
        self.deletions += counts.deletions
        self.substitutions += counts.substitutions
        self.shifts += counts.shifts
        self.shifted_words += counts.shifted_words
        self.edits += counts.edits
        self.words += choice.words
        if outcome is _LOWER:
            assert choice.team is not None
            name = teams[choice.team].team
            self.credited[name] = self.credited.get(name, 0) + 1
        elif outcome is _TIE:
            self.ties += 1
        elif outcome is _NO_OUTPUT:
            self.no_output += 1
        else:
            self.preliminary += 1

    def merge(self, other: Totals) -> None:
        """Add another group's sums to this one's."""
        _merge(self, other, _SUMMED)
        for team, count in other.credited.items():
            self.credited[team] = self.credited.get(team, 0) + count


@dataclass(slots=True)
class TeamTotals:
    """One team's own sums over the segments it edited, whoever was chosen.

    ``words`` are those of the team's own texts.
    """

    segments: int = 0
    edits: float = 0.0
    words: float = 0.0

    @property
    def rate(self) -> float | None:
        """Sum of edits over sum of words, None without segments."""
        return rate(self.edits, self.words) if self.segments else None

    def add(self, counts: Counts) -> None:
        """Take in one segment."""
        self.segments += 1
        self.edits += counts.edits
        self.words += counts.words

    def merge(self, other: TeamTotals) -> None:
        """Add another group's sums to this one's."""
        _merge(self, other, _SUMMED_OF_TEAM)


def _merge(one: object, other: object, names: tuple[str, ...]) -> None:
    for name in names:
        setattr(one, name, getattr(one, name) + getattr(other, name))


_SUMMED = tuple(one.name for one in fields(Totals) if one.name != "credited")
_SUMMED_OF_TEAM = tuple(one.name for one in fields(TeamTotals))

_KEYS = tuple((stage, denominator) for stage in Stage for denominator in Denominator)


@dataclass(slots=True)
class Tally:
    """All sums of one group of segments: both stages, both denominators, each team's own."""

    totals: dict[tuple[Stage, Denominator], Totals] = field(
        default_factory=lambda: {key: Totals() for key in _KEYS}
    )
    teams: dict[tuple[str, Stage], TeamTotals] = field(default_factory=dict)

    @classmethod
    def over(cls, scores: Iterable[SegmentScore]) -> Tally:
        """The sums over these segments."""
        tally = cls()
        for score in scores:
            tally.add(score)
        return tally

    def of(
        self, denominator: Denominator = Denominator.CHOSEN, stage: Stage = Stage.FINAL
    ) -> Totals:
        """The sums of one stage under one denominator."""
        return self.totals[stage, denominator]

    @property
    def segments(self) -> int:
        """How many segments the group has, open ones included."""
        totals = self.of()
        return totals.segments + totals.open

    @property
    def preliminary(self) -> bool:
        """Whether a final text of any team is still to come."""
        totals = self.of()
        return totals.preliminary > 0 or totals.open > 0

    def add(self, score: SegmentScore) -> None:
        """Take in one segment."""
        for (stage, denominator), totals in self.totals.items():
            totals.add(score.choice(denominator, stage), score.teams)
        if score.no_output is not None:
            return
        for team in score.teams:
            for stage, counts in ((_FIRST, team.first), (_FINAL, team.final)):
                if counts is not None:
                    key = (team.team, stage)
                    own = self.teams.get(key)
                    if own is None:
                        own = self.teams[key] = TeamTotals()
                    own.add(counts)

    def merge(self, other: Tally) -> None:
        """Add another group's sums to this one's."""
        for key, totals in other.totals.items():
            self.totals[key].merge(totals)
        for team, own in other.teams.items():
            self.teams.setdefault(team, TeamTotals()).merge(own)
