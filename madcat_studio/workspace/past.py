"""What a segment said before: the output, the first pass's texts, and the own ones, in order.

An editor is told of the own team's passes up to the own one. A first editor never hears of the
review, not even of one that gave the kit back; the server holds the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from madcat_studio.model.campaign import Claim, KitSegment, Pass, Revision, SegmentState
from madcat_studio.workspace.kit_source import KitSource

__all__ = ["Past", "past_of"]


@dataclass(frozen=True, slots=True)
class Past:
    """One text that a segment had.

    Attributes:
        text: what it was.
        pass_: in which pass; None for the system's output.
        mine: whether it is the editor's own who asks.
        at: when it was saved; None where nobody can tell.
        state: which state it gave the segment; None for the output.
        aside: it was kept aside, and never the text of the pass.
    """

    text: str
    pass_: Pass | None = None
    mine: bool = False
    at: datetime | None = None
    state: SegmentState | None = None
    aside: bool = False


def past_of(campaign: KitSource, claim: Claim, segment: KitSegment) -> tuple[Past, ...]:
    """All saved texts of a segment that the holder of a claim may see, the oldest first.

    Raises:
        StudioError: the campaign cannot be reached.
    """
    found = [Past(segment.output)]
    if claim.pass_ is Pass.REVIEW:
        firsts = _saved(campaign, claim, segment, Pass.FIRST)
        found += firsts
        if not firsts and segment.first is not None:  # a file brings no more than the last one
            found.append(Past(segment.first, Pass.FIRST, state=SegmentState.CONFIRMED))
    return tuple(found + _saved(campaign, claim, segment, claim.pass_))


def _saved(campaign: KitSource, claim: Claim, segment: KitSegment, pass_: Pass) -> list[Past]:
    def seen(one: Revision) -> bool:
        own = one.editor == claim.editor
        return one.segment == segment.name and one.pass_ is pass_ and (own or not one.side)

    return [
        Past(one.text, pass_, one.editor == claim.editor, one.at, one.state, one.side)
        for one in campaign.revisions.history(claim.kit, claim.team, pass_)
        if seen(one)
    ]
