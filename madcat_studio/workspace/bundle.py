"""A kit that is edited in a bundle: the file takes the place of the campaign."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from madcat_studio.closing import Closing
from madcat_studio.errors import ConflictError, UsageError, WorldError
from madcat_studio.model.campaign import Claim, Delivery, KitSegment, Pass, Revision, SegmentName
from madcat_studio.model.visits import TIMES_ONLY_OPTION, Visit
from madcat_studio.operations.campaign.kit_files import AskPassphrase
from madcat_studio.operations.pages.segment_lines import DocumentLines
from madcat_studio.store import BUNDLE_SUFFIX, Work, is_locked, read_bundle, write_bundle
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["OpenBundle", "Sent", "return_bundle"]


class OpenBundle(Closing):
    """A bundle in which an editor works; the file is written anew with each revision.

    It serves a :class:`workspace.kit.KitWorkspace` as its campaign. The file can be sent back at
    any moment. Close it, or use it in a ``with``.

    Attributes:
        path: the file.
        claim: under which the kit is edited.
        guidelines: the campaign's text for editors.
        options: the campaign's ``editing.`` options.
        finished: the editor handed the pass over; it is handed over when the file is imported.
        id, name, where, revisions, visits, sittings, claims: as a campaign has them.
    """

    def __init__(self, path: Path, passphrase: str = "") -> None:
        """Open a bundle.

        Raises:
            UsageError: locked, and the passphrase is not given or another.
            FormatError: it is none, or damaged.
            WorldError: it cannot be read.
        """
        self._read = read_bundle(path, passphrase)
        self._lock = threading.Lock()
        self._scans: tempfile.TemporaryDirectory[str] | None = None
        bundle = self._read.bundle
        work = self._read.work or Work()
        self._made = {one.id: one for one in work.revisions}
        self._log = {one.id: one for one in work.visits}
        self.path = path
        self.id = bundle.campaign
        self.name = bundle.campaign_name
        self.where = str(path)
        self.claim: Claim = bundle.claim
        self.guidelines = bundle.guidelines
        self.options = bundle.options
        self.finished = work.finished
        self.revisions = _Revisions(self)
        self.visits = _Visits(self)
        self.sittings = _Sittings()
        self.claims = _Claims(self)

    def close(self) -> None:
        """Remove the scans that were put beside for the window."""
        with self._lock:
            if self._scans is not None:
                with contextlib.suppress(OSError):
                    self._scans.cleanup()
                self._scans = None

    # -- the page -----------------------------------------------------------------------------

    def image(self, base: str) -> bytes | None:
        """The scan of a document, where the campaign shows it and the file still has it."""
        sha256 = self._read.bundle.images.get(base)
        return None if sha256 is None else self._read.images.get(sha256)

    def lines(self, base: str) -> DocumentLines:
        """Where the segments of a document stand on its scan, which is a file until :meth:`close`.

        Raises:
            WorldError: ``bundle.cannot-show``: there is no room for the scan.
        """
        image = self.image(base)
        if image is None:
            return DocumentLines(None, {})
        found = {
            name.segment: lines
            for name, lines in self._read.bundle.lines.items()
            if name.base == base
        }
        return DocumentLines(self._scan_file(base, image), found)

    def _scan_file(self, base: str, image: bytes) -> Path:
        try:
            with self._lock:
                if self._scans is None:
                    self._scans = tempfile.TemporaryDirectory(prefix="madcat-kit-")
                file = Path(self._scans.name) / self._read.bundle.images[base]
                if not file.exists():
                    file.write_bytes(image)
        except OSError as error:
            raise WorldError(
                "bundle.cannot-show",
                f"The scan cannot be written where the window reads it ({error.strerror or error})",
                where=base,
                remedy="Make room on the disk; the text can be edited without the page",
            ) from error
        return file

    # -- the work -----------------------------------------------------------------------------

    def save(
        self, revisions: Sequence[Revision], *, finished: bool, visits: Sequence[Visit] = ()
    ) -> int:
        """Write revisions and visits into the file. Returns how many revisions were new.

        Raises:
            WorldError: it cannot be written.
        """
        with self._lock:
            new = {one.id: one for one in revisions if one.id not in self._made}
            work = Work(
                (*self._made.values(), *new.values()),
                finished,
                tuple({**self._log, **{one.id: one for one in visits}}.values()),
            )
            self._write(self.path, work, scans=True)
            self._made.update(new)
            self._log.update((one.id, one) for one in visits)
            self.finished = finished
            return len(new)

    def _write(self, path: Path, work: Work, *, scans: bool) -> None:
        read = self._read
        images = read.images if scans else {}
        write_bundle(path, read.issued, read.seal, images, work, read.lock)

    def copy_to_send(self, target: Path, *, replace_it: bool = False) -> Path:
        """Write what is to be sent back: all but the scans, which the campaign has.

        Args:
            target: the file, or a folder in which it keeps its name.
            replace_it: write over a file that is there, unless it is the bundle itself.

        Returns:
            The file.

        Raises:
            UsageError: ``bundle.exists``: there is another file; ``bundle.untouched``: nothing
                was written yet.
            WorldError: it cannot be written.
        """
        path = target / self.path.name if target.is_dir() else target
        if path.suffix != BUNDLE_SUFFIX:
            path = path.with_name(path.name + BUNDLE_SUFFIX)
        if path.exists() and (not replace_it or path.samefile(self.path)):
            raise UsageError(
                "bundle.exists",
                "A file with this name exists, and may hold somebody's work",
                where=path,
                remedy="Move it away, or choose another name",
            )
        with self._lock:
            if not self._made and not self.finished:
                raise UsageError(
                    "bundle.untouched",
                    "Nobody has worked on this bundle",
                    where=self.path,
                    remedy="Open it, work in it, and then send it back",
                )
            work = Work(tuple(self._made.values()), self.finished, self.log())
            self._write(path, work, scans=False)
        return path

    def take_back(self) -> None:
        """Go on with a pass that was finished, as long as the file is still here.

        Raises:
            WorldError: it cannot be written.
        """
        self.save((), finished=False)

    def latest(self, kit: str, team: str, pass_: Pass) -> dict[SegmentName, Revision]:
        """Segment -> its latest revision, those that were issued included."""
        claim, bundle = self.claim, self._read.bundle
        if (kit, team, pass_) != (claim.kit, claim.team, claim.pass_):
            raise ConflictError("bundle.other-kit", "The bundle holds another kit")
        found = {
            one.name: Revision(
                id=bundle.latest[one.name],
                kit=kit,
                team=team,
                pass_=pass_,
                segment=one.name,
                editor=claim.editor,
                machine=claim.machine,
                at=claim.at,
                state=one.state,
                text=one.text,
                turn=claim.turn,
                reason=one.reason,
                flags=one.flags,
            )
            for one in bundle.segments
            if one.text is not None and one.name in bundle.latest
        }
        for revision in self._made.values():
            if not revision.side:
                found[revision.segment] = revision
        return found

    def kit_segments(self, kit: str, team: str, pass_: Pass) -> tuple[KitSegment, ...]:
        """What the editor sees, with the latest texts."""
        latest, issued = self.latest(kit, team, pass_), self._read.bundle.latest
        found = []
        for one in self._read.bundle.segments:
            made = latest.get(one.name)
            if made is not None and made.id != issued.get(one.name):
                one = replace(
                    one,
                    text=made.text,
                    state=made.state,
                    reason=made.reason,
                    flags=made.flags,
                    # A first editor has answered the reviewer by saving the segment again.
                    returned=one.returned if pass_ is Pass.REVIEW else None,
                )
            found.append(one)
        return tuple(found)

    def log(self) -> tuple[Visit, ...]:
        """The visits of the log that were made in the bundle, in order."""
        return tuple(self._log.values())

    def made(self) -> tuple[Revision, ...]:
        """The revisions made in the bundle, in order."""
        return tuple(self._made.values())


class Sent(NamedTuple):
    """What was written to be sent back: the file, what is in it, whether it is finished."""

    path: Path
    texts: int
    finished: bool
    visits: int


def return_bundle(
    path: Path,
    target: Path,
    *,
    finish: bool = False,
    ask: AskPassphrase | None = None,
    folder: Path | None = None,
) -> Sent:
    """Put all that was typed on this machine into a bundle, and write what is to be sent back.

    Args:
        path: the bundle.
        target: the file to write, or a folder for it.
        finish: hand the pass over first.
        ask: for the passphrase of a locked one.
        folder: of spools; by default the user's.

    Raises:
        InputError: ``kit.not-ready``: the pass cannot be handed over yet.
        ConflictError: a window has the kit open.
        StudioError: it cannot be read, or not be written.
    """
    passphrase = ask(path) if ask is not None and is_locked(path) else ""
    with OpenBundle(path, passphrase) as bundle:
        if not bundle.finished:
            kit = KitWorkspace(bundle, bundle.claim, folder=folder)
            try:
                if finish:
                    kit.hand_over()
            finally:
                kit.close()
        sent = bundle.copy_to_send(target)
        return Sent(sent, len(bundle.made()), bundle.finished, len(bundle.log()))


class _Revisions:
    """A bundle's revisions, as a campaign's."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._bundle = bundle

    def kit_segments(self, kit: str, team: str, pass_: Pass) -> tuple[KitSegment, ...]:
        """What the editor sees."""
        return self._bundle.kit_segments(kit, team, pass_)

    def latest(self, kit: str, team: str, pass_: Pass) -> dict[SegmentName, Revision]:
        """Segment -> its latest revision."""
        return self._bundle.latest(kit, team, pass_)

    def history(self, kit: str, team: str, pass_: Pass) -> tuple[Revision, ...]:
        """The revisions that were made in the bundle."""
        return self._bundle.made()

    def append(self, revisions: Sequence[Revision]) -> Delivery:
        """Store revisions in the file."""
        new = self._bundle.save(revisions, finished=self._bundle.finished)
        return Delivery(new, len(revisions) - new)


class _Visits:
    """A bundle's log, as a campaign's."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._bundle = bundle

    def times_only(self) -> bool:
        """Whether times are recorded and nothing else."""
        return self._bundle.options.get(TIMES_ONLY_OPTION) is True

    def of_pass(self, kit: str, team: str, pass_: Pass, editor: str) -> tuple[Visit, ...]:
        """The visits that were made in the bundle."""
        return self._bundle.log()

    def append(self, visits: Sequence[Visit]) -> Delivery:
        """Store visits in the file."""
        known = len(self._bundle.log())
        self._bundle.save((), finished=self._bundle.finished, visits=visits)
        new = len(self._bundle.log()) - known
        return Delivery(new, len(visits) - new)


class _Sittings:
    """A file is where it is; nobody can be told of another copy of it."""

    def current(self, claim: Claim) -> None:
        """Nowhere else, as far as anybody knows."""

    def sit(self, claim: Claim, place: str, machine: str) -> None:
        """Nobody is told."""

    def leave(self, claim: Claim, place: str, machine: str) -> None:
        """Nobody is told."""


class _Claims:
    """Finishing the pass of a bundle."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._bundle = bundle

    def hand_over(self, kit: str, team: str, pass_: Pass, *, editor: str) -> None:
        """Mark the pass as finished; it is handed over when the bundle is imported."""
        claim = self._bundle.claim
        if (kit, team, pass_, editor) != (claim.kit, claim.team, claim.pass_, claim.editor):
            raise ConflictError("bundle.other-kit", "The bundle holds another kit")
        self._bundle.save((), finished=True)
