"""Which edits the teams could have spared: the coach on all texts that were handed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from madcat_studio.coach.advise import coach
from madcat_studio.coach.values import Coaching, Fate
from madcat_studio.errors import StudioError
from madcat_studio.model.campaign import Pass, SegmentRecord, TeamText
from madcat_studio.model.visits import EventKind
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.avoidable import AvoidableInPass
from madcat_studio.store import Campaign
from madcat_ter.options import TerOptions

__all__ = ["avoidable_of"]

_STEP = 100


def avoidable_of(
    campaign: Campaign,
    options: TerOptions,
    kits: Collection[str] | None = None,
    *,
    progress: Progress = SILENT,
) -> tuple[AvoidableInPass, ...]:
    """What each team could have spared in each pass, in the order of teams and passes.

    Practice kits are left out. A text that cannot be scored is left out too: the report itself
    refuses it by name.

    Args:
        campaign: with its texts, and the log of visits.
        options: how the campaign counts edits.
        kits: of which; None: of all.
        progress: may cancel.

    Raises:
        Cancelled: ``progress`` said so.
    """
    found: dict[tuple[str, Pass], AvoidableInPass] = {}

    def of(team: str, pass_: Pass) -> AvoidableInPass:
        return found.setdefault((team, pass_), AvoidableInPass(team, pass_.value))

    for done, record in enumerate(campaign.segment_records()):
        _look(done, progress)
        if kits is not None and record.kit not in kits:
            continue
        for team, pass_, said in _coached(record, options):
            kinds = Counter(one.kind.value for one in said.advice)
            of(team, pass_).add(said.edits, said.words, said.avoidable, kinds)
    for done, (visit, _) in enumerate(campaign.visits.all()):
        _look(done, progress)
        if kits is not None and visit.kit not in kits:
            continue
        for event in visit.events:
            if event.kind is EventKind.NOTE and event.says[0] in tuple(Fate):
                log = of(visit.team, visit.pass_).log
                log[str(event.says[0])] = log.get(str(event.says[0]), 0) + 1
    order = {team.name: number for number, team in enumerate(campaign.plans.teams())}
    passes = list(Pass)
    return tuple(
        found[key]
        for key in sorted(found, key=lambda key: (order.get(key[0], -1), passes.index(key[1])))
    )


def _look(done: int, progress: Progress) -> None:
    if done % _STEP == 0:
        progress.advance(done, None, "Looking for avoidable edits")
        if progress.cancelled():
            raise Cancelled


def _coached(record: SegmentRecord, options: TerOptions) -> Iterator[tuple[str, Pass, Coaching]]:
    """What the coach says of each text of a segment; of texts that are the same once."""
    if not record.output:
        return
    known: dict[str, Coaching | None] = {}
    for team in record.teams:
        for pass_, text in _texts(team):
            if text not in known:
                known[text] = _tried(record, text, options)
            if (said := known[text]) is not None:
                yield team.team, pass_, said


def _texts(team: TeamText) -> Iterator[tuple[Pass, str]]:
    if team.first is not None:
        yield Pass.FIRST, team.first
    if team.final is not None:
        yield Pass.REVIEW, team.final


def _tried(record: SegmentRecord, text: str, options: TerOptions) -> Coaching | None:
    try:
        return coach(record.output, text, record.reference, options)
    except StudioError:
        return None
