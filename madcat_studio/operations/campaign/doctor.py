"""What is odd in a campaign: things that are allowed, and that a coordinator should know of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from madcat_studio.model.campaign import DataSet, SegmentRecord
from madcat_studio.model.problem import Problem
from madcat_studio.operations.campaign.board import read_board
from madcat_studio.operations.checked import Checking, counted
from madcat_studio.operations.planning.draft import draft_of
from madcat_studio.operations.planning.scans import warn_of_scans
from madcat_studio.operations.planning.units import unchosen_control
from madcat_studio.planning.units import KitRules
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import Campaign, open_campaign

__all__ = ["examine"]

_STEP = 1000
_MANY = 20
"""Segments from which a pass says something of its editor."""

_SHORT = 0.5
"""A final text with less than this share of its reference's words is shortened much."""


def examine(where: str, *, progress: Progress = SILENT) -> tuple[Problem, ...]:
    """Look at a campaign as a whole; it is only read.

    Raises:
        StudioError: the campaign cannot be read.
        Cancelled: ``progress`` said so.
    """
    checking = Checking(progress)
    with open_campaign(where, read_only=True) as campaign:
        for sentence in campaign.left_out():
            checking.warn("doctor.left-out", campaign.where, sentence)
        checking.step(0, None, "Looking at the material")
        _material(campaign, checking)
        checking.step(0, None, "Looking at the plan")
        _plan(campaign, checking)
        _texts(campaign, checking)
    _passes(where, checking)
    return tuple(checking.problems)


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _material(campaign: Campaign, checking: Checking) -> None:
    documents = {one.base: one for one in campaign.contents.documents()}
    bare = [one.base for one in documents.values() if one.image_sha256 is None]
    if bare and len(bare) < len(documents):
        checking.warn(
            "doctor.no-scan",
            _some(bare),
            f"{counted(len(bare), 'document')} of {len(documents)} without a scan",
            remedy="Run `campaign create` again with --images",
        )
    wanted = {
        base
        for base, one in documents.items()
        if one.data_set in (DataSet.EVALUATION, DataSet.PROGRESS)
    }
    for system in campaign.contents.systems():
        if system.earlier:
            continue
        lacking = sorted(wanted - set(campaign.contents.documents_of(system.name)))
        if lacking:
            checking.warn(
                "doctor.no-output",
                f"system {system.name}",
                f"no output for {counted(len(lacking), 'document')} ({_some(lacking)}): they are "
                "in no kit and no score of this system",
                remedy="Add the files with `campaign add-system`",
            )


def _plan(campaign: Campaign, checking: Checking) -> None:
    unchosen = unchosen_control(campaign)
    if unchosen:
        checking.warn(
            "doctor.control-unchosen",
            campaign.where,
            f"an earlier phase is there, and none of its {counted(unchosen, 'passage')} is chosen "
            "as control set",
            remedy="Choose some with `campaign select CAMPAIGN control`",
        )
    warn_of_scans(campaign, campaign.plans.kits(), checking)
    draft, left = draft_of(campaign, KitRules(), ())
    if draft.kits and left:
        checking.warn(
            "doctor.unplanned",
            _some([f"{unit.system} {unit.manuscript}" for unit in left]),
            f"{counted(len(left), 'manuscript')} in no kit",
            remedy="Plan what is left with `campaign propose-plan`",
        )
    for kit in draft.kits:
        if len(kit.parts) < 2:
            checking.warn(
                "doctor.teams",
                f"kit {kit.name}",
                f"it has {counted(len(kit.parts), 'team')}: the two-team rule needs two",
                remedy="Plan it anew with `campaign propose-plan --anew`",
            )
        away = [team for team in kit.teams if team in draft.absent]
        if away and not kit.frozen:
            checking.warn(
                "doctor.away",
                f"kit {kit.name}",
                f"team {', '.join(away)} is away, and nobody has begun the kit",
                remedy="Plan it anew, or change the team with `campaign change team`",
            )


def _passes(where: str, checking: Checking) -> None:
    for one in read_board(where).passes:
        own = one.progress
        place = f"kit {own.kit}, team {own.team}, {own.pass_} pass"
        if one.stalled:
            checking.warn(
                "doctor.stalled",
                place,
                f"{own.editor or 'its editor'} has written nothing for three days",
                remedy="Ask, or give it to another with `campaign replace-editor`",
            )
        if one.late:
            checking.warn("doctor.late", place, "it is past its due date")


def _texts(campaign: Campaign, checking: Checking) -> None:
    """What the handed-over texts show as a whole; no verdict on a single segment."""
    passes: Counter[tuple[str, str]] = Counter()
    unchanged: Counter[tuple[str, str]] = Counter()
    same: Counter[tuple[str, ...]] = Counter()
    shared: Counter[tuple[str, ...]] = Counter()
    quoted = short = finals = 0
    for number, record in enumerate(campaign.segment_records()):
        if number % _STEP == 0:
            checking.step(number, None, "Looking at the texts")
        if not record.output:
            continue
        for team, text in _finals(record):
            finals += 1
            passes[record.kit, team] += 1
            unchanged[record.kit, team] += text == record.output
            quoted += len(text) > 1 and text[0] == text[-1] == '"' != record.output[:1]
            short += len(text.split()) < _SHORT * len(record.reference.split())
        texts = dict(_finals(record))
        if len(texts) == 2:
            key = (record.kit, *texts)
            shared[key] += 1
            first, second = texts.values()
            same[key] += first == second != record.output
    for (kit, team), count in passes.items():
        if count >= _MANY and unchanged[kit, team] == count:
            checking.warn(
                "doctor.unchanged",
                f"kit {kit}, team {team}",
                f"all {count} segments are handed over just as the system gave them",
                remedy="Look at the kit together with the team",
            )
    for key, count in shared.items():
        if count >= _MANY and same[key] > 0.9 * count:
            checking.warn(
                "doctor.same-texts",
                f"kit {key[0]}, teams {' and '.join(key[1:])}",
                f"{same[key]} of {count} segments were changed to the very same text",
                remedy="Teams must work apart: look whether one had the other's texts",
            )
    if quoted:
        checking.warn(
            "doctor.quoted",
            "final texts",
            f"{counted(quoted, 'text')} of {finals} begin and end with a quotation mark that the "
            "output has not: a spreadsheet may have put it there",
            remedy="Look at them with `campaign export-edits`",
        )
    if finals >= _MANY and short > 0.05 * finals:
        checking.warn(
            "doctor.short",
            "final texts",
            f"{short} of {finals} have less than half of their reference's words",
            remedy="Look whether editors leave content out",
        )


def _finals(record: SegmentRecord) -> Iterator[tuple[str, str]]:
    for team in record.teams:
        if team.final is not None:
            yield team.team, team.final
