"""How fast editors of a campaign were so far, and how long the rest will take."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from madcat_studio.model.campaign import Pass
from madcat_studio.operations.campaign.board import Board
from madcat_studio.store import Campaign, open_campaign

__all__ = ["Pace", "hours_left", "pace_of", "read_pace"]


@dataclass(frozen=True, slots=True)
class Pace:
    """Reference words an hour in each pass, over all editors; without a measure, left out.

    Counted over segments that have a time, outliers left out as in the report's table of effort.

    Attributes:
        words_an_hour: of each pass.
        by_editor: (editor, pass) -> words an hour.
    """

    words_an_hour: Mapping[Pass, float]
    by_editor: Mapping[tuple[str, Pass], float]


def read_pace(where: str) -> Pace:
    """How fast editors were so far, from their active time.

    Raises:
        StudioError: the campaign cannot be read.
    """
    with open_campaign(where, read_only=True) as campaign:
        return pace_of(campaign)


def pace_of(campaign: Campaign) -> Pace:
    """The same of an open campaign."""
    if not campaign.visits.any():
        return Pace({}, {})
    # Loaded only here: it brings numpy, and every look at a campaign asks for its pace.
    from madcat_studio.operations.scores.effort import efforts_of
    from madcat_studio.reports.effort import IDLE_SECONDS, outlier_limit

    own: dict[tuple[str, Pass], tuple[list[float], list[int]]] = {}
    for one in efforts_of(campaign, IDLE_SECONDS):
        seconds, words = own.setdefault((one.editor, Pass(one.pass_)), ([], []))
        seconds.append(one.seconds)
        words.append(one.words)
    by_editor: dict[tuple[str, Pass], float] = {}
    sums: dict[Pass, tuple[float, int]] = {}
    for key, (seconds, words) in own.items():
        limit = outlier_limit(seconds)
        kept = [(s, w) for s, w in zip(seconds, words, strict=True) if s <= limit]
        time, count = sum(s for s, _ in kept), sum(w for _, w in kept)
        if time > 0 and count:
            by_editor[key] = count / time * 3600
            old = sums.get(key[1], (0.0, 0))
            sums[key[1]] = (old[0] + time, old[1] + count)
    return Pace({pass_: count / time * 3600 for pass_, (time, count) in sums.items()}, by_editor)


def hours_left(board: Board, pace: Pace) -> float | None:
    """Hours of editing that are left over all editors at their pace so far.

    A pass of which nothing was measured counts with the mean pace of the others. None: nothing
    was measured at all. Practice kits are left out.
    """
    if not pace.words_an_hour:
        return None
    usual = statistics.fmean(pace.words_an_hour.values())
    return sum(
        (one.progress.words - one.progress.words_confirmed)
        / pace.words_an_hour.get(one.progress.pass_, usual)
        for row in board.rows
        if not row.practice
        for one in (row.first, row.review)
    )
