"""A kit that is edited in a bundle: the file takes the place of the campaign."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import Claim, Delivery, KitSegment, Pass, Revision, SegmentName
from madcat_studio.store import read_bundle, write_bundle
from madcat_studio.store.bundle import BundleRevisions, Work

__all__ = ["OpenBundle"]


class OpenBundle:
    """A bundle in which an editor works; the file is written anew with each revision.

    It serves a :class:`workspace.kit.KitWorkspace` as its campaign. The file can be sent back at
    any moment.

    Attributes:
        path: the file.
        claim: under which the kit is edited.
        guidelines: the campaign's text for editors.
        options: the campaign's ``editing.`` options.
        id, name, where, revisions, claims: as a campaign has them.
    """

    def __init__(self, path: Path) -> None:
        """Open a bundle.

        Raises:
            FormatError: it is none, or damaged.
            WorldError: it cannot be read.
        """
        self._read = read_bundle(path)
        self._lock = threading.Lock()
        self._kept = BundleRevisions(self._read)
        bundle = self._read.bundle
        self.path = path
        self.id = bundle.campaign
        self.name = bundle.campaign_name
        self.where = str(path)
        self.claim: Claim = bundle.claim
        self.guidelines = bundle.guidelines
        self.options = bundle.options
        self.finished = self._read.work is not None and self._read.work.finished
        self.revisions = _Revisions(self)
        self.claims = _Claims(self)

    def image(self, base: str) -> bytes | None:
        """The scan of a document, where the campaign shows it."""
        sha256 = self._read.bundle.images.get(base)
        return None if sha256 is None else self._read.images[sha256]

    def save(self, revisions: Sequence[Revision], *, finished: bool) -> int:
        """Write revisions into the file. Returns how many were new.

        Raises:
            WorldError: it cannot be written.
        """
        with self._lock:
            work = (*self._kept.all(), *revisions)
            write_bundle(
                self.path,
                self._read.issued,
                self._read.seal,
                self._read.images,
                Work(tuple({one.id: one for one in work}.values()), finished),
            )
            self.finished = finished
            return self._kept.keep(revisions)

    def take_back(self) -> None:
        """Go on with a pass that was finished, as long as the file is still here.

        Raises:
            WorldError: it cannot be written.
        """
        self.save((), finished=False)


class _Revisions:
    """A bundle's revisions, as a campaign's."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._bundle = bundle

    def kit_segments(self, kit: str, team: str, pass_: Pass) -> tuple[KitSegment, ...]:
        """What the editor sees."""
        return self._bundle._kept.kit_segments(kit, team, pass_)

    def latest(self, kit: str, team: str, pass_: Pass) -> dict[SegmentName, Revision]:
        """Segment -> its latest revision."""
        return self._bundle._kept.latest(kit, team, pass_)

    def history(self, kit: str, team: str, pass_: Pass) -> tuple[Revision, ...]:
        """The revisions that were made in the bundle."""
        return self._bundle._kept.all()

    def append(self, revisions: Sequence[Revision]) -> Delivery:
        """Store revisions in the file."""
        new = self._bundle.save(revisions, finished=self._bundle.finished)
        return Delivery(new, len(revisions) - new)


class _Claims:
    """Finishing the pass of a bundle."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._bundle = bundle

    def hand_over(
        self, kit: str, team: str, pass_: Pass, *, editor: str, machine: str = ""
    ) -> None:
        """Mark the pass as finished; it is handed over when the bundle is imported."""
        claim = self._bundle.claim
        if (kit, team, pass_, editor) != (claim.kit, claim.team, claim.pass_, claim.editor):
            raise ConflictError("bundle.other-kit", "The bundle holds another kit")
        self._bundle.save((), finished=True)
