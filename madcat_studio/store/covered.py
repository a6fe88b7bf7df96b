"""A campaign as editors' kits use it: pages under their covers (``covers.py``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

import sqlalchemy as sa

from madcat_studio.model.campaign import Delivery, KitSegment, Pass, Revision, SegmentName
from madcat_studio.model.visits import Visit
from madcat_studio.store import lookup, schema
from madcat_studio.store.claims import Claims
from madcat_studio.store.covers import cover_name
from madcat_studio.store.database import Database
from madcat_studio.store.revisions import Revisions
from madcat_studio.store.sittings import Sittings
from madcat_studio.store.visits import Visits

__all__ = ["CoveredCampaign", "Covers"]


class Covers:
    """From the segments of a campaign to what editors call them, and back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, kit: str) -> dict[SegmentName, SegmentName]:
        """Segment -> what editors call it, in the order in which they see the kit.

        Raises:
            InputError: ``store.unknown-kit``.
        """
        with self._database.reading() as connection:
            key = lookup.kit_id(connection, kit)
            rows = connection.execute(_names_of_kit(), {"kit": key}).all()
        return {
            SegmentName(row.base, row.name): SegmentName(
                cover_name(row.kit, row.shown), str(row.position + 1)
            )
            for row in rows
        }

    def behind(self, kit: str) -> dict[SegmentName, SegmentName]:
        """What editors call a segment of a kit -> the segment.

        Raises:
            InputError: ``store.unknown-kit``.
        """
        return {shown: real for real, shown in self.of(kit).items()}


@cache
def _names_of_kit() -> sa.Select[Any]:
    items, segments, documents = schema.kit_items, schema.segments, schema.documents
    return (
        sa.select(
            documents.c.base,
            segments.c.name,
            segments.c.position,
            items.c.shown,
            schema.kits.c.name.label("kit"),
        )
        .join_from(items, documents, items.c.document_id == documents.c.id)
        .join(segments, segments.c.document_id == documents.c.id)
        .join(schema.kits, schema.kits.c.id == items.c.kit_id)
        .where(items.c.kit_id == sa.bindparam("kit"))
        .order_by(items.c.shown, segments.c.position)
    )


class CoveredCampaign:
    """A campaign as an editor's kit uses it, with its pages under their covers.

    Attributes:
        id, where, claims, sittings: the campaign's.
        revisions, visits: texts and log, named as editors name segments.
    """

    def __init__(
        self,
        campaign: tuple[str, str],
        covers: Covers,
        revisions: Revisions,
        visits: Visits,
        claims: Claims,
        sittings: Sittings,
    ) -> None:
        self.id, self.where = campaign
        self.claims, self.sittings = claims, sittings
        self.revisions = _CoveredRevisions(covers, revisions)
        self.visits = _CoveredVisits(covers, visits)


_One = TypeVar("_One", Revision, Visit)


def _shown(covers: Covers, kit: str, made: Iterable[_One]) -> list[_One]:
    names = covers.of(kit)
    return [replace(one, segment=names[one.segment]) for one in made]


def _real(covers: Covers, made: Sequence[_One]) -> list[_One]:
    real = {kit: covers.behind(kit) for kit in {one.kit for one in made}}
    # What no segment of the kit is called is named in the refusal as it came.
    return [replace(one, segment=real[one.kit].get(one.segment, one.segment)) for one in made]


class _CoveredRevisions:
    def __init__(self, covers: Covers, revisions: Revisions) -> None:
        self._covers, self._revisions = covers, revisions

    def kit_segments(self, kit: str, team: str, pass_: Pass) -> tuple[KitSegment, ...]:
        """What the editor of a pass sees, in the order in which it is shown."""
        found = {one.name: one for one in self._revisions.kit_segments(kit, team, pass_)}
        return tuple(
            replace(found[real], name=shown) for real, shown in self._covers.of(kit).items()
        )

    def latest(self, kit: str, team: str, pass_: Pass) -> Mapping[SegmentName, Revision]:
        """Segment -> its latest revision in a pass."""
        found = _shown(self._covers, kit, self._revisions.latest(kit, team, pass_).values())
        return {one.segment: one for one in found}

    def history(self, kit: str, team: str, pass_: Pass) -> Sequence[Revision]:
        """All revisions of a pass, in the order of storing."""
        return _shown(self._covers, kit, self._revisions.history(kit, team, pass_))

    def append(self, revisions: Sequence[Revision]) -> Delivery:
        """Store revisions, as :meth:`Revisions.append`."""
        return self._revisions.append(_real(self._covers, revisions))


class _CoveredVisits:
    def __init__(self, covers: Covers, visits: Visits) -> None:
        self._covers, self._visits = covers, visits

    def times_only(self) -> bool:
        """Whether times are recorded and nothing else."""
        return self._visits.times_only()

    def of_pass(self, kit: str, team: str, pass_: Pass, editor: str = "") -> Sequence[Visit]:
        """The visits of a pass, as :meth:`Visits.of_pass`."""
        return _shown(self._covers, kit, self._visits.of_pass(kit, team, pass_, editor))

    def append(self, visits: Sequence[Visit]) -> Delivery:
        """Store visits, as :meth:`Visits.append`."""
        return self._visits.append(_real(self._covers, visits))
