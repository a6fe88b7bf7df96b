"""The drift on the control set as far as a campaign is, and what the earlier phase's teams made.

What scores is loaded where there is something to score: every look at a campaign asks for drift.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.errors import FormatError
from madcat_studio.model.campaign import DataSet, EarlierText, SegmentRecord, TeamText
from madcat_studio.model.control import FEWEST_DOCUMENTS, set_of
from madcat_studio.store import Campaign, open_campaign

if TYPE_CHECKING:
    from madcat_studio.reports.drift import Drift, OwnMeasure
    from madcat_studio.reports.statistics import Earlier
    from madcat_ter.hter import SegmentScore
    from madcat_ter.options import TerOptions

__all__ = [
    "alarms_of",
    "drifts_of",
    "own_earlier",
    "own_finals",
    "read_alarms",
    "read_earlier",
    "told",
]


def read_alarms(where: str) -> tuple[Drift, ...]:
    """What differs beyond chance from how the earlier phase edited, as far as teams are.

    Raises:
        StudioError: the campaign cannot be read, or a text cannot be scored.
    """
    with open_campaign(where, read_only=True) as campaign:
        return alarms_of(campaign)


def alarms_of(campaign: Campaign) -> tuple[Drift, ...]:
    """The same of an open campaign."""
    texts = campaign.earlier.texts()
    if not texts:
        return ()
    records = _control_records(campaign)
    finished = {
        one.source_document for one in records if any(team.final is not None for team in one.teams)
    }
    if len(finished) < FEWEST_DOCUMENTS:
        return ()  # over so few nothing is beyond chance, and nothing need be scored
    from madcat_studio.reports.drift import alarms

    return tuple(alarms(_drifts(campaign, texts, records)))


def drifts_of(campaign: Campaign) -> list[Drift]:
    """Each team's drift on the control pages that it has finished, and that of all together.

    Raises:
        StudioError: a text cannot be scored.
    """
    return _drifts(campaign, campaign.earlier.texts(), _control_records(campaign))


def _control_records(campaign: Campaign) -> list[SegmentRecord]:
    return [one for one in campaign.segment_records() if set_of(one) is DataSet.CONTROL]


def _drifts(
    campaign: Campaign, texts: Sequence[EarlierText], records: Sequence[SegmentRecord]
) -> list[Drift]:
    from madcat_studio.operations.scores.options import scoring_options
    from madcat_studio.reports.drift import drifts

    options = scoring_options(campaign.options())
    return drifts(_measured(records, options), _finals_of(campaign, texts, options))


def told(one: Drift) -> str:
    """An alarm as a sentence."""
    from madcat_studio.reports.drift import ALL_TEAMS

    assert one.interval is not None
    who = "All teams together edit" if one.team == ALL_TEAMS else f"Team {one.team} edits"
    points, low, high = (
        100 * value for value in (one.interval.point, one.interval.low, one.interval.high)
    )
    return (
        f"Drift: {who} {abs(points):.1f} points of HTER {'more' if points > 0 else 'less'} on the "
        f"control set than the earlier phase did [{low:+.1f}, {high:+.1f}], over {one.documents} "
        "documents"
    )


def own_finals(campaign: Campaign, options: TerOptions) -> list[OwnMeasure]:
    """What each team of the earlier phase made of each document, against its own final text.

    A document counts for a team that gave a final text for each of its segments.

    Raises:
        StudioError: a text cannot be scored.
    """
    return _finals_of(campaign, campaign.earlier.texts(), options)


def _finals_of(
    campaign: Campaign, given: Iterable[EarlierText], options: TerOptions
) -> list[OwnMeasure]:
    texts: dict[tuple[str, str], dict[str, list[TeamText]]] = {}
    for one in given:
        own = texts.setdefault((one.system, one.segment.base), {})
        made = TeamText(one.team, one.first_text, one.final_text)
        own.setdefault(one.segment.segment, []).append(made)
    found: list[OwnMeasure] = []
    for (system, base), of_segments in texts.items():
        outputs = campaign.contents.outputs(system, base)
        segments = [
            (outputs.get(one.name) or "", one.reference, of_segments.get(one.name, []))
            for one in campaign.contents.segments(base)
        ]
        # Where the system gave nothing, nobody had anything to edit.
        wanted = [(output, reference, teams) for output, reference, teams in segments if output]
        found += _own(system, base, "", wanted, options)
    return found


def _measured(records: Sequence[SegmentRecord], options: TerOptions) -> Iterator[OwnMeasure]:
    documents: dict[tuple[str, str], list[SegmentRecord]] = {}
    for record in records:
        if record.output:
            documents.setdefault((record.system, record.base), []).append(record)
    for (system, base), own in documents.items():
        segments = [(one.output, one.reference, one.teams) for one in own]
        yield from _own(system, base, own[0].source_document, segments, options)


def _own(
    system: str,
    base: str,
    source_document: str,
    segments: Sequence[tuple[str, str, Sequence[TeamText]]],
    options: TerOptions,
) -> Iterator[OwnMeasure]:
    """Each team's sums over all segments; of teams that finished all of them."""
    from madcat_studio.reports.drift import OwnMeasure
    from madcat_ter.hter import score_segments

    scores = score_segments(segments, options)
    for team in dict.fromkeys(team.team for _, _, teams in segments for team in teams):
        counts = list(_finals(scores, team))
        if len(counts) == len(segments):
            edits, words = (sum(one[place] for one in counts) for place in range(2))
            yield OwnMeasure(system, base, source_document, team, edits, words)


def _finals(scores: Iterable[SegmentScore], team: str) -> Iterator[tuple[float, float]]:
    from madcat_ter.hter import Stage

    for score in scores:
        for one in score.teams:
            counts = one.counts(Stage.FINAL)
            if one.team == team and counts is not None:
                yield counts.edits, counts.words


def read_earlier(path: Path) -> list[Earlier]:
    """What an earlier phase measured: a row for each document of each of its systems.

    Raises:
        InputError: no such file, a column missing, a number that is none.
    """
    from madcat_studio.formats.tables import read_number, read_table
    from madcat_studio.reports.statistics import Earlier

    table = read_table(path, required=("system", "base", "passage", "edits", "words"))
    found = []
    for row in table.rows:
        try:
            edits, words = read_number(row["edits"]), read_number(row["words"])
            if not (0 <= edits < float("inf") and 0 <= words < float("inf")):
                raise ValueError
        except ValueError:
            raise FormatError(
                "report.earlier",
                f"edits and words must be numbers, here they are {row['edits']!r} and "
                f"{row['words']!r}",
                where=table.where(row),
            ) from None
        found.append(Earlier(row["system"], row["base"], row["passage"], edits, words))
    return found


def own_earlier(campaign: Campaign) -> list[Earlier]:
    """What an earlier phase measured, as the campaign holds it."""
    from madcat_studio.reports.statistics import Earlier

    return [
        Earlier(one.system, one.base, one.passage, one.edits, one.words)
        for one in campaign.earlier.scores()
    ]
