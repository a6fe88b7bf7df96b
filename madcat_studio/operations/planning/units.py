"""What there is to plan in a campaign: manuscripts with the output of a system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from madcat_studio.model.campaign import CampaignDocument, DataSet, System, Team
from madcat_studio.planning.units import Unit, UnitKey
from madcat_studio.store import Campaign

__all__ = [
    "campaign_units",
    "first_editors",
    "forbidden_teams",
    "unchosen_control",
    "units_of",
]

_OF_NEW_OUTPUT = (DataSet.EVALUATION, DataSet.PROGRESS)
"""Sets of which new output is edited; of an earlier phase's output, the control set is."""


def campaign_units(campaign: Campaign) -> list[Unit]:
    """Every manuscript and system that belongs into a kit, whether it is in one or not.

    New output of evaluation and progress pages; where passages were selected for a set, only
    those. Where an earlier phase was brought in with its scores, its output of control pages only
    once they were selected: it is never edited again as a whole because nobody said how much of it.
    """
    selected = dict(campaign.selections.chosen())
    if unchosen_control(campaign):
        selected[DataSet.CONTROL] = frozenset()
    documents = {
        one.base: one
        for one in campaign.contents.documents()
        if one.data_set not in selected or one.passage in selected[one.data_set]
    }
    words = campaign.contents.reference_words()
    return [
        unit
        for system in campaign.contents.systems()
        for unit in _units(
            system,
            (
                documents[base]
                for base in campaign.contents.documents_of(system.name)
                if base in documents and _belongs(documents[base], system)
            ),
            words,
        )
    ]


def unchosen_control(campaign: Campaign) -> int:
    """How many passages of an earlier phase wait for the choice of a control set; 0 if none do.

    Output that was added by itself, without scores to choose by, is meant as it is.
    """
    if DataSet.CONTROL in campaign.selections.chosen() or not campaign.earlier.scores():
        return 0
    documents = {
        one.base: one.passage
        for one in campaign.contents.documents()
        if one.data_set is DataSet.CONTROL
    }
    return len(
        {
            documents[base]
            for system in campaign.contents.systems()
            if system.earlier
            for base in campaign.contents.documents_of(system.name)
            if base in documents
        }
    )


def _belongs(document: CampaignDocument, system: System) -> bool:
    if system.earlier:
        return document.data_set is DataSet.CONTROL
    return document.data_set in _OF_NEW_OUTPUT


def _units(
    system: System, documents: Iterable[CampaignDocument], words: Mapping[str, int]
) -> list[Unit]:
    manuscripts: dict[str, list[CampaignDocument]] = {}
    for document in documents:
        manuscripts.setdefault(document.manuscript, []).append(document)
    found = []
    for manuscript, pages in manuscripts.items():
        pages.sort(key=lambda page: page.base)
        found.append(
            Unit(
                manuscript=manuscript,
                passage=pages[0].passage,
                genre=pages[0].genre,
                system=system.name,
                documents=tuple(page.base for page in pages),
                words=sum(words.get(page.base, 0) for page in pages),
                data_set=pages[0].data_set.value,
                track=pages[0].track,
            )
        )
    return found


def units_of(
    items: Iterable[tuple[str, str]],
    documents: Mapping[str, CampaignDocument],
    words: Mapping[str, int],
) -> tuple[Unit, ...]:
    """The units that (system, BASE) items of a kit make, in the order of the kit."""
    by_system: dict[str, list[CampaignDocument]] = {}
    for system, base in items:
        by_system.setdefault(system, []).append(documents[base])
    return tuple(
        unit
        for system, pages in by_system.items()
        for unit in _units(System(system, ""), pages, words)
    )


def first_editors(campaign: Campaign) -> dict[tuple[str, str], frozenset[str]]:
    """Of each output (system, BASE) of an earlier phase, who edited it then."""
    found: dict[tuple[str, str], set[str]] = {}
    for text in campaign.earlier.texts():
        found.setdefault((text.system, text.segment.base), set()).update(
            name for name in (text.first_editor, text.reviewer) if name
        )
    return {output: frozenset(names) for output, names in found.items()}


def forbidden_teams(
    units: Iterable[Unit],
    teams: Sequence[Team],
    edited: Mapping[tuple[str, str], frozenset[str]],
) -> dict[UnitKey, frozenset[str]]:
    """Of control output, the teams with somebody who edited it in the earlier phase."""
    found: dict[UnitKey, frozenset[str]] = {}
    for unit in units:
        people = frozenset[str]().union(
            *(edited.get((unit.system, base), frozenset()) for base in unit.documents)
        )
        barred = frozenset(
            team.name for team in teams if any(editor.id in people for editor in team.editors)
        )
        if barred:
            found[UnitKey(unit.system, unit.manuscript)] = barred
    return found
