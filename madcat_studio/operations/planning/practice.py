"""A kit to practise on: edited by every team, never scored, in no report."""

from __future__ import annotations

from collections.abc import Collection

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Assignment, CampaignDocument, DataSet, Kit, KitItem
from madcat_studio.operations.checked import Checking, Outcome, counted
from madcat_studio.operations.user import who
from madcat_studio.progress import SILENT
from madcat_studio.store import Campaign, open_campaign

__all__ = ["make_practice_kit"]

_SEEN_SETS = (DataSet.DEVELOPMENT, DataSet.TRAINING)
"""Sets whose pages nobody edits for the score."""


def make_practice_kit(
    where: str,
    name: str = "PRACTICE",
    *,
    system: str = "",
    bases: Collection[str] = (),
    words: int = 200,
) -> Outcome:
    """Make a practice kit and give it to all teams; whoever of a team comes first edits first.

    Args:
        where: the campaign.
        name: of the kit.
        system: whose output is edited; by default the first that gave some for the pages.
        bases: documents, in order; by default development and training pages, whole manuscripts
            of different passages, until there are ``words``.
        words: reference words that the kit should have at least, where there are so many.

    Raises:
        InputError: there is nothing to practise on.
        ConflictError: a practice kit of this name is there, is another and is claimed.
        StudioError: the campaign cannot be written.
    """
    checking = Checking(SILENT)
    with open_campaign(where) as campaign, campaign.transaction():
        chosen, giver = _pages(campaign, system, bases, words)
        scored = [one.base for one in chosen if one.data_set not in _SEEN_SETS]
        if scored:
            checking.warn(
                "plan.practice-set",
                ", ".join(scored),
                "these pages are edited for the score too, and whoever practises sees them before",
                remedy="Practise on development pages",
            )
        kit = Kit(name, tuple(KitItem(giver, one.base) for one in chosen), practice=True)
        teams = campaign.plans.teams()
        if not teams:
            raise InputError(
                "plan.no-teams",
                "There is no team to practise",
                where=where,
                remedy="Add the teams first, with `campaign plan --teams`",
            )
        changed = campaign.plans.plan_kit(kit)
        given = campaign.plans.assign(
            name, [Assignment(name, team.name, None, None) for team in teams], by=who()
        )
        if changed or given:
            campaign.note("plan practice kit", f"kit {name}", who=who())
        total = sum(campaign.contents.reference_words()[one.base] for one in chosen)
    done = (
        f"Practice kit {name}: {counted(len(chosen), 'document')} of {giver}, "
        f"{counted(total, 'word')}, for {counted(len(teams), 'team')}"
        + ("" if changed or given else "; it was so already"),
    )
    return Outcome(done, tuple(checking.problems))


def _pages(
    campaign: Campaign, system: str, bases: Collection[str], words: int
) -> tuple[list[CampaignDocument], str]:
    """The documents of the kit, and the system whose output it is."""
    documents = {one.base: one for one in campaign.contents.documents()}
    unknown = [base for base in bases if base not in documents]
    if unknown:
        raise InputError(
            "plan.practice-page",
            f"The campaign has no document {', '.join(unknown)}",
            remedy="Name documents by their BASE",
        )
    for one in campaign.contents.systems():
        if (system and one.name != system) or (one.earlier and not system):
            continue
        given = campaign.contents.documents_of(one.name)
        wanted = (
            [documents[base] for base in bases]
            if bases
            else _some(campaign, [documents[base] for base in given], words)
        )
        if wanted and all(page.base in given for page in wanted):
            return wanted, one.name
    raise InputError(
        "plan.nothing-to-practise",
        f"There is no system {system!r} with output for these pages"
        if system or bases
        else "No system gave output for development or training pages",
        where=campaign.where,
        remedy="Add such pages and a system's output for them, or name others with --page",
    )


def _some(campaign: Campaign, given: list[CampaignDocument], words: int) -> list[CampaignDocument]:
    """Whole manuscripts of different passages of one track, until there are so many words."""
    counts = campaign.contents.reference_words()
    chosen: dict[str, list[CampaignDocument]] = {}
    manuscripts: dict[str, str] = {}
    for page in sorted(given, key=lambda one: (one.data_set is DataSet.TRAINING, one.base)):
        if page.data_set not in _SEEN_SETS:
            continue
        if any(page.track != own[0].track for own in chosen.values()):
            continue  # a kit is of one track
        if page.passage not in manuscripts:
            if sum(counts.get(one.base, 0) for own in chosen.values() for one in own) >= words:
                continue
            manuscripts[page.passage] = page.manuscript
        if manuscripts[page.passage] == page.manuscript:
            chosen.setdefault(page.manuscript, []).append(page)
    return [page for own in chosen.values() for page in own]
