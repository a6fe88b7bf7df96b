"""One segment of one system, scored, with how each team's text came from the output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.alignments import align
from madcat_studio.operations.scores.options import scoring_options
from madcat_studio.scoring.changes import Alignment
from madcat_studio.store import open_campaign
from madcat_ter.hter import SegmentScore, score_segment

__all__ = ["ShownSegment", "show_segment"]


@dataclass(frozen=True, slots=True)
class ShownSegment:
    """A segment's texts, its score, and for each team its alignment where there is one."""

    record: SegmentRecord
    score: SegmentScore
    alignments: tuple[Alignment | None, ...]


def show_segment(where: str, target: Mapping[str, str]) -> ShownSegment:
    """Find and score a segment of a campaign as it is now.

    Args:
        where: the campaign.
        target: ``system``, ``document``, ``segment``, and ``kit`` where it matters.

    Raises:
        InputError: ``report.no-segment``: it is not there any more.
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        options = scoring_options(campaign.options())
        for record in campaign.segment_records():
            if (record.system, record.base, record.segment) == (
                target["system"],
                target["document"],
                target["segment"],
            ) and target.get("kit", record.kit) == record.kit:
                alignments = tuple(
                    None
                    if team.final is None or not record.output
                    else align(record.output, team.final, options)
                    for team in record.teams
                )
                score = score_segment(record.output, record.reference, record.teams, options)
                return ShownSegment(record, score, alignments)
    raise InputError(
        "report.no-segment",
        "The campaign no longer has this segment",
        where=f"{target['document']}/{target['segment']}",
        remedy="Score the campaign again",
    )
