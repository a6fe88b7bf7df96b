"""Giving kits out as bundles and taking them back."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.errors import ConflictError, FormatError, StudioError
from madcat_studio.model.campaign import Claim, Delivery, Pass, SegmentName
from madcat_studio.model.outlines import SegmentLines
from madcat_studio.model.sittings import AS_FILE
from madcat_studio.store.bundle import Bundle, issue
from madcat_studio.store.bundlefile import read_bundle, seal_of, write_bundle
from madcat_studio.store.campaigns import Campaign
from madcat_studio.store.guards import BUNDLE_MACHINE
from madcat_studio.store.locking import new_lock

__all__ = ["Returned", "give_out", "take_back"]

_SHOW_PAGE = "editing.show_page"


@dataclass(frozen=True, slots=True)
class Returned:
    """What a returned bundle brought.

    Attributes:
        claim: under which it was edited.
        delivery: what became of its revisions.
        finished: whether the pass is handed over now.
        hindrance: why it could not be, though the editor finished it; or "".
        visits: how many visits of the log are new.
        called_back: the file had been called back, or the pass been opened in a window since; its
            texts are kept aside.
    """

    claim: Claim
    delivery: Delivery
    finished: bool
    hindrance: str = ""
    visits: int = 0
    called_back: bool = False


def give_out(
    campaign: Campaign,
    kit: str,
    team: str,
    pass_: Pass,
    editor: str,
    path: Path,
    *,
    passphrase: str = "",
) -> int:
    """Claim a pass for an editor and write it as a bundle.

    An editor who holds the pass already gets a new bundle of it, with the texts so far.

    Args:
        campaign: that holds the kit.
        kit, team, pass_, editor: whose pass.
        path: the file.
        passphrase: to lock it with; "" for none.

    Returns:
        How many scans are in it.

    Raises:
        StudioError: the editor cannot have the pass, or the file cannot be written.
    """
    lock = new_lock(passphrase) if passphrase else None
    # A file that cannot be written leaves the pass, and the campaign's options, as they were.
    with campaign.transaction():
        claim = campaign.claims.claim(kit, team, pass_, editor, BUNDLE_MACHINE)
        # Whatever window has it open: from now on the file has it.
        campaign.sittings.sit(claim, AS_FILE, BUNDLE_MACHINE)
        options = {
            name: value for name, value in campaign.options().items() if name.startswith("editing.")
        }
        own = campaign.for_editors().revisions
        scans: dict[str, str] = {}
        lines: dict[SegmentName, SegmentLines] = {}
        if options.get(_SHOW_PAGE):
            names = campaign.covers.of(kit)
            for base, page in {one.base: shown.base for one, shown in names.items()}.items():
                for scan in campaign.contents.scans(base):
                    if scan.sha256 is not None:
                        scans[page] = scan.sha256
                        lines |= {
                            names[SegmentName(base, segment)]: outlines
                            for segment, outlines in campaign.contents.lines(base).items()
                        }
        issued = issue(
            Bundle(
                campaign=campaign.id,
                campaign_name=campaign.name,
                key=secrets.token_hex(32),
                claim=claim,
                segments=own.kit_segments(kit, team, pass_),
                latest={
                    name: revision.id for name, revision in own.latest(kit, team, pass_).items()
                },
                options=options,
                guidelines=campaign.guidelines()[1],
                images=scans,
                lines=lines,
            )
        )
        images = {sha256: campaign.contents.blob(sha256) for sha256 in set(scans.values())}
        write_bundle(path, issued, seal_of(campaign.bundle_key(), issued), images, lock=lock)
        campaign.note("give out bundle", f"kit {kit}, team {team}, {pass_} pass", who=editor)
        return len(images)


def take_back(campaign: Campaign, path: Path, passphrase: str = "") -> Returned:
    """Take in what came of a bundle. Doing so again adds nothing.

    Revisions of a claim that has ended, or of segments that were edited elsewhere meanwhile, are
    kept as side revisions.

    Raises:
        UsageError: locked, and the passphrase is not given or another.
        FormatError: damaged, or tampered with; nothing was changed.
        ConflictError: of another campaign, or never worked on.
        WorldError: the file cannot be read, or the campaign not be written.
    """
    read = read_bundle(path, passphrase, images=False)
    bundle, claim = read.bundle, read.bundle.claim
    if bundle.campaign != campaign.id:
        raise ConflictError(
            "bundle.foreign",
            f"The bundle is of another campaign ({bundle.campaign_name})",
            where=path,
            remedy="Import it there",
        )
    if not hmac.compare_digest(seal_of(campaign.bundle_key(), read.issued), read.seal):
        raise FormatError(
            "bundle.tampered",
            "The contents that the bundle was issued with have been changed",
            where=path,
            remedy="Nothing was imported; ask the editor for the file as it was sent",
        )
    if read.work is None:
        raise ConflictError(
            "bundle.untouched",
            "Nobody has worked on this bundle",
            where=path,
            remedy="Import the file that came back from the editor",
        )
    with campaign.transaction():
        kept = campaign.for_editors()
        latest = kept.revisions.latest(claim.kit, claim.team, claim.pass_)
        own = {one.id for one in read.work.revisions}
        # Ours to follow: what was there when the bundle was issued, and what it made itself.
        stale = {
            name
            for name, revision in latest.items()
            if revision.id != bundle.latest.get(name) and revision.id not in own
        }
        delivery = kept.revisions.append(
            [
                replace(one, side=one.side or one.segment in stale, place=AS_FILE)
                for one in read.work.revisions
            ]
        )
        called_back = _called_back(campaign, claim)
        visits = kept.visits.append(read.work.visits).stored
        if delivery.stored or visits:
            campaign.note(
                "take bundle back",
                f"kit {claim.kit}, team {claim.team}, {claim.pass_} pass",
                who=claim.editor,
                detail=f"{delivery.stored} texts, {delivery.side} kept aside, {visits} visits",
            )
    finished, hindrance = _finish(campaign, claim, wanted=read.work.finished and not called_back)
    return Returned(claim, delivery, finished, hindrance, visits, called_back)


def _called_back(campaign: Campaign, claim: Claim) -> bool:
    """Whether a pass that is still its editor's is out as a file no more."""
    now = campaign.claims.current(claim.kit, claim.team, claim.pass_)
    if now is None or (now.turn, now.editor) != (claim.turn, claim.editor):
        return False
    sitting = campaign.sittings.current(claim)
    return sitting is None or not sitting.as_file


def _finish(campaign: Campaign, claim: Claim, *, wanted: bool) -> tuple[bool, str]:
    if campaign.claims.handed_over(claim.kit, claim.team, claim.pass_):
        return True, ""
    if not wanted:
        return False, ""
    current = campaign.claims.current(claim.kit, claim.team, claim.pass_)
    if current is None or (current.turn, current.editor) != (claim.turn, claim.editor):
        return False, "The claim of the pass has ended; its texts were kept aside"
    try:
        campaign.claims.hand_over(claim.kit, claim.team, claim.pass_, editor=claim.editor)
    except StudioError as error:
        return False, str(error)
    return True, ""
