"""What an open kit needs of the place that its texts come from and go to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from madcat_studio.model.campaign import Claim, Delivery, KitSegment, Pass, Revision, SegmentName
from madcat_studio.model.sittings import Sitting
from madcat_studio.model.visits import Visit

__all__ = ["KitClaims", "KitRevisions", "KitSittings", "KitSource", "KitVisits"]


class KitRevisions(Protocol):
    """The texts of a pass; of a campaign, or of a bundle."""

    def kit_segments(self, kit: str, team: str, pass_: Pass) -> tuple[KitSegment, ...]:
        """What the editor sees."""
        ...

    def latest(self, kit: str, team: str, pass_: Pass) -> Mapping[SegmentName, Revision]:
        """Segment -> its latest revision."""
        ...

    def history(self, kit: str, team: str, pass_: Pass) -> Sequence[Revision]:
        """All revisions of the pass, in the order of storing."""
        ...

    def append(self, revisions: Sequence[Revision]) -> Delivery:
        """Store revisions."""
        ...


class KitVisits(Protocol):
    """The log of visits; of a campaign, or of a bundle."""

    def times_only(self) -> bool:
        """Whether times are recorded and nothing else."""
        ...

    def of_pass(self, kit: str, team: str, pass_: Pass, editor: str) -> Sequence[Visit]:
        """The editor's visits of the pass."""
        ...

    def append(self, visits: Sequence[Visit]) -> Delivery:
        """Store visits."""
        ...


class KitSittings(Protocol):
    """Where the pass is open."""

    def current(self, claim: Claim) -> Sitting | None:
        """Where it is open now."""
        ...

    def sit(self, claim: Claim, place: str, machine: str) -> None:
        """It is open there from now on."""
        ...

    def leave(self, claim: Claim, place: str, machine: str) -> None:
        """It is open there no more."""
        ...


class KitClaims(Protocol):
    """Finishing a pass."""

    def hand_over(self, kit: str, team: str, pass_: Pass, *, editor: str) -> None:
        """Finish a pass."""
        ...


class KitSource(Protocol):
    """A campaign (:class:`store.Campaign`), or a bundle (:class:`workspace.bundle.OpenBundle`)."""

    @property
    def id(self) -> str:
        """The campaign's id."""
        ...

    @property
    def where(self) -> str:
        """What the user calls it."""
        ...

    @property
    def revisions(self) -> KitRevisions:
        """The texts."""
        ...

    @property
    def visits(self) -> KitVisits:
        """The log."""
        ...

    @property
    def sittings(self) -> KitSittings:
        """Where it is open."""
        ...

    @property
    def claims(self) -> KitClaims:
        """Who holds what."""
        ...
