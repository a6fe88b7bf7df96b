"""A bundle: one file with a kit for an editor without the network, and the way back.

A bundle is a ZIP file that holds nothing but what its editor may see, systems under neutral codes:

    bundle.json   what was issued: kit, team, pass, editor, claim, segments, guidelines
    seal          HMAC-SHA256 of bundle.json and of the images' names, by the campaign's own key
    images/HASH   scans, where the campaign shows them; the name is the content's SHA-256
    work.json     what came of it: revisions, and whether the pass is finished (when returned)
    work.seal     HMAC-SHA256 of work.json, by the bundle's key

The campaign's key never leaves the campaign, so that issued members cannot be changed unnoticed.
The bundle's key is in the bundle: the seal of the work shows damage, not forgery.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import re
import stat
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from madcat_studio.errors import ConflictError, FormatError, WorldError
from madcat_studio.model.campaign import (
    Claim,
    Flag,
    KitSegment,
    Pass,
    Revision,
    SegmentName,
    SegmentState,
)
from madcat_studio.model.characters import FORBIDDEN

__all__ = [
    "BUNDLE_SUFFIX",
    "Bundle",
    "BundleRevisions",
    "ReadBundle",
    "Work",
    "issue",
    "read_bundle",
    "seal_of",
    "write_bundle",
]

BUNDLE_SUFFIX = ".madcat-kit"

_VERSION = 1
_ISSUED, _SEAL, _WORK, _WORK_SEAL = "bundle.json", "seal", "work.json", "work.seal"
_IMAGE = re.compile(r"images/[0-9a-f]{64}\Z")

MOST_MEMBERS = 2_000
MOST_TEXT_BYTES = 64 << 20
MOST_BYTES = 4 << 30
"""Limits of what a bundle may unpack to: a kit is some hundred kilobytes and a few scans."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What was issued.

    Attributes:
        campaign, campaign_name: id and name.
        key: of this bundle, hexadecimal.
        claim: under which it is edited.
        segments: what the editor sees, with the texts that the pass had when it was issued.
        latest: segment -> id of its latest revision then.
        options: the ``editing.`` options.
        guidelines: the campaign's text for editors.
        images: BASE -> SHA-256 of its scan.
    """

    campaign: str
    campaign_name: str
    key: str
    claim: Claim
    segments: tuple[KitSegment, ...]
    latest: Mapping[SegmentName, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    guidelines: str = ""
    images: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Work:
    """What came of a bundle: revisions in order, and whether the editor finished the pass."""

    revisions: tuple[Revision, ...] = ()
    finished: bool = False


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """A bundle that was read: what was issued (also as bytes, with its seal), work, scans."""

    bundle: Bundle
    issued: bytes
    seal: str
    work: Work | None
    images: Mapping[str, bytes]


def seal_of(key: str, issued: bytes) -> str:
    """The seal of what was issued, by the campaign's key (hexadecimal)."""
    return hmac.new(bytes.fromhex(key), issued, hashlib.sha256).hexdigest()


# -- writing ----------------------------------------------------------------------------------


def write_bundle(
    path: Path,
    issued: bytes,
    seal: str,
    images: Mapping[str, bytes],
    work: Work | None = None,
) -> None:
    """Write a bundle, whole or not at all.

    Args:
        path: the file.
        issued: of :func:`issue`.
        seal: of :func:`seal_of`.
        images: SHA-256 -> content.
        work: when it is returned.

    Raises:
        WorldError: ``bundle.cannot-write``.
    """
    beside = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(_ISSUED, issued)
            file.writestr(_SEAL, seal)
            for name, content in images.items():
                # Scans are compressed already.
                file.writestr(f"images/{name}", content, zipfile.ZIP_STORED)
            if work is not None:
                done = _json(_plain_work(work))
                key = json.loads(issued)["key"]
                file.writestr(_WORK, done)
                file.writestr(_WORK_SEAL, seal_of(key, done))
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise WorldError(
            "bundle.cannot-write",
            f"The bundle cannot be written ({error.strerror or error})",
            where=path,
            remedy="Check the rights of the folder and the space on the disk",
        ) from error


def issue(bundle: Bundle) -> bytes:
    """A bundle's ``bundle.json``."""
    claim = bundle.claim
    return _json(
        {
            "bundle": _VERSION,
            "campaign": bundle.campaign,
            "name": bundle.campaign_name,
            "key": bundle.key,
            "kit": claim.kit,
            "team": claim.team,
            "pass": claim.pass_.value,
            "turn": claim.turn,
            "editor": claim.editor,
            "machine": claim.machine,
            "at": claim.at.isoformat(),
            "segments": [_plain_segment(one) for one in bundle.segments],
            "latest": {str(name): known for name, known in bundle.latest.items()},
            "options": dict(bundle.options),
            "guidelines": bundle.guidelines,
            "images": dict(bundle.images),
        }
    )


def _json(plain: Mapping[str, Any]) -> bytes:
    return json.dumps(plain, ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode()


def _plain_segment(one: KitSegment) -> dict[str, Any]:
    return {
        "in": str(one.name),
        "code": one.code,
        "reference": one.reference,
        "output": one.output,
        "transcription": one.transcription,
        "first": one.first,
        "text": one.text,
        "state": one.state.value,
        "reason": one.reason,
        "flags": dict(one.flags),
    }


def _plain_work(work: Work) -> dict[str, Any]:
    return {
        "finished": work.finished,
        "revisions": [
            {
                "id": one.id,
                "in": str(one.segment),
                "machine": one.machine,
                "at": one.at.isoformat(),
                "state": one.state.value,
                "text": one.text,
                "effort": dict(one.effort),
                "reason": one.reason,
                "flags": dict(one.flags),
                "side": one.side,
            }
            for one in work.revisions
        ],
    }


# -- reading ----------------------------------------------------------------------------------


def read_bundle(path: Path, *, images: bool = True) -> ReadBundle:
    """Read a bundle and check all that can be checked without the campaign.

    Args:
        path: the file.
        images: read the scans too.

    Raises:
        FormatError: ``bundle.damaged``: not a bundle, damaged, or made to do harm.
        WorldError: ``bundle.cannot-read``.
    """
    try:
        with zipfile.ZipFile(path) as file:
            members = _members(file)
            issued = file.read(members[_ISSUED])
            seal = file.read(members[_SEAL]).decode("ascii")
            bundle = _bundle(json.loads(issued))
            work = None
            if _WORK in members:
                done = file.read(members[_WORK])
                given = file.read(members[_WORK_SEAL]).decode("ascii")
                if not hmac.compare_digest(seal_of(bundle.key, done), given):
                    raise ValueError("the work's seal is broken")
                work = _work(json.loads(done), bundle.claim)
            scans = _scans(file, members, bundle) if images else {}
    except OSError as error:
        raise WorldError(
            "bundle.cannot-read",
            f"The bundle cannot be read ({error.strerror or error})",
            where=path,
            remedy="Check the name, the rights and the disk",
        ) from error
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        zipfile.zlib.error,  # type: ignore[attr-defined]
    ) as error:
        raise FormatError(
            "bundle.damaged",
            f"This is no bundle, or it is damaged ({_reason(error)})",
            where=path,
            remedy="Nothing was changed; ask for the file again",
        ) from error
    return ReadBundle(bundle, issued, seal, work, scans)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing" if error.args else "something is missing"
    return str(error) or type(error).__name__


def _members(file: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members by name, none of which is anything but what a bundle may hold."""
    found: dict[str, zipfile.ZipInfo] = {}
    infos = file.infolist()
    if len(infos) > MOST_MEMBERS:
        raise ValueError(f"it has {len(infos)} members")
    total = 0
    for info in infos:
        text = info.filename in (_ISSUED, _SEAL, _WORK, _WORK_SEAL)
        if not text and not _IMAGE.match(info.filename):
            raise ValueError(f"{info.filename!r} does not belong there")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ValueError(f"{info.filename!r} is a link")
        if info.filename in found:
            raise ValueError(f"{info.filename!r} is there twice")
        total += info.file_size
        if total > MOST_BYTES or (text and info.file_size > MOST_TEXT_BYTES):
            raise ValueError("it would unpack to more than any kit")
        found[info.filename] = info
    return found


def _scans(
    file: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], bundle: Bundle
) -> dict[str, bytes]:
    found = {}
    for sha256 in bundle.images.values():
        content = file.read(members[f"images/{sha256}"])
        if hashlib.sha256(content).hexdigest() != sha256:
            raise ValueError("a scan is damaged")
        found[sha256] = content
    return found


def _bundle(plain: Mapping[str, Any]) -> Bundle:
    if plain["bundle"] != _VERSION:
        raise ValueError(f"it is of version {plain['bundle']}; this program knows {_VERSION}")
    claim = Claim(
        kit=_str(plain["kit"]),
        team=_str(plain["team"]),
        pass_=Pass(plain["pass"]),
        turn=int(plain["turn"]),
        editor=_str(plain["editor"]),
        machine=_str(plain["machine"]),
        at=datetime.fromisoformat(plain["at"]),
    )
    return Bundle(
        campaign=_str(plain["campaign"]),
        campaign_name=_str(plain["name"]),
        key=bytes.fromhex(plain["key"]).hex(),
        claim=claim,
        segments=tuple(_segment(one) for one in plain["segments"]),
        latest={SegmentName.parse(name): _str(one) for name, one in plain["latest"].items()},
        options=dict(plain["options"]),
        guidelines=_str(plain["guidelines"]),
        images={_str(base): _str(one) for base, one in plain["images"].items()},
    )


def _segment(plain: Mapping[str, Any]) -> KitSegment:
    def maybe(name: str) -> str | None:
        return None if plain[name] is None else _str(plain[name])

    return KitSegment(
        name=SegmentName.parse(plain["in"]),
        code=_str(plain["code"]),
        reference=_str(plain["reference"]),
        output=_str(plain["output"]),
        transcription=maybe("transcription"),
        first=maybe("first"),
        text=maybe("text"),
        state=SegmentState(plain["state"]),
        reason=_str(plain["reason"]),
        flags=_flags(plain["flags"]),
    )


def _work(plain: Mapping[str, Any], claim: Claim) -> Work:
    return Work(
        tuple(_revision(one, claim) for one in plain["revisions"]),
        finished=plain["finished"] is True,
    )


def _revision(plain: Mapping[str, Any], claim: Claim) -> Revision:
    at = datetime.fromisoformat(plain["at"])
    state = SegmentState(plain["state"])
    if at.tzinfo is None or state is SegmentState.UNTOUCHED:
        raise ValueError("a revision is not as the program makes them")
    for name in ("text", "reason", "machine"):
        if FORBIDDEN.search(_str(plain[name])):
            raise ValueError("a text holds characters that no file can hold")
    if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", _str(plain["id"])):
        raise ValueError("a revision has no proper id")
    return Revision(
        id=plain["id"],
        kit=claim.kit,
        team=claim.team,
        pass_=claim.pass_,
        segment=SegmentName.parse(plain["in"]),
        editor=claim.editor,
        machine=plain["machine"],
        at=at,
        state=state,
        text=plain["text"],
        turn=claim.turn,
        effort={_str(name): int(count) for name, count in plain["effort"].items()},
        reason=plain["reason"],
        side=plain["side"] is True,
        flags=_flags(plain["flags"]),
    )


def _flags(plain: Mapping[str, Any]) -> dict[Flag, str]:
    found = {Flag(name): _str(words) for name, words in plain.items()}
    if any(FORBIDDEN.search(words) for words in found.values()):
        raise ValueError("a flag holds characters that no file can hold")
    return found


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is not a text")
    return value


# -- editing in a bundle ----------------------------------------------------------------------


class BundleRevisions:
    """The revisions of one bundle: what was issued, and what has come to it since."""

    def __init__(self, read: ReadBundle) -> None:
        self._bundle = read.bundle
        self._made: dict[str, Revision] = {}
        if read.work is not None:
            self._made = {one.id: one for one in read.work.revisions}

    def kit_segments(self, kit: str, team: str, pass_: Pass) -> tuple[KitSegment, ...]:
        """What the editor sees, with the latest texts."""
        latest = self.latest(kit, team, pass_)
        found = []
        for one in self._bundle.segments:
            revision = latest.get(one.name)
            found.append(
                one
                if revision is None or revision.id == self._bundle.latest.get(one.name)
                else KitSegment(
                    name=one.name,
                    code=one.code,
                    reference=one.reference,
                    output=one.output,
                    transcription=one.transcription,
                    first=one.first,
                    text=revision.text,
                    state=revision.state,
                    reason=revision.reason,
                    flags=revision.flags,
                )
            )
        return tuple(found)

    def latest(self, kit: str, team: str, pass_: Pass) -> dict[SegmentName, Revision]:
        """Segment -> its latest revision, those that were issued included."""
        claim = self._bundle.claim
        if (kit, team, pass_) != (claim.kit, claim.team, claim.pass_):
            raise ConflictError("bundle.other-kit", "The bundle holds another kit")
        found = {
            one.name: Revision(
                id=self._bundle.latest[one.name],
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
            for one in self._bundle.segments
            if one.text is not None and one.name in self._bundle.latest
        }
        for revision in self._made.values():
            if not revision.side:
                found[revision.segment] = revision
        return found

    def all(self) -> tuple[Revision, ...]:
        """The revisions made in the bundle, in order."""
        return tuple(self._made.values())

    def keep(self, revisions: Sequence[Revision]) -> int:
        """Add revisions; returns how many are new."""
        new = [one for one in revisions if one.id not in self._made]
        self._made.update((one.id, one) for one in new)
        return len(new)
