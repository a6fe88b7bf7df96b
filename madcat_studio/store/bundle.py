"""What a bundle holds, and how it is spelt: what was issued, and what came of it.

The file around it is :mod:`madcat_studio.store.bundlefile`'s.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, NoReturn

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
from madcat_studio.model.outlines import SegmentLines
from madcat_studio.model.visits import Visit, events_of, plain_events

__all__ = [
    "Bundle",
    "Work",
    "issue",
    "key_of",
    "parse_issued",
    "parse_work",
    "spell_work",
]

_VERSION = 1

_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 9998
_MOST_COUNT: Final = 2**53


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
        images: page, as editors call it -> SHA-256 of its scan.
        lines: segment -> where it stands on its scan.
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
    lines: Mapping[SegmentName, SegmentLines] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Work:
    """What came of a bundle.

    Attributes:
        revisions: in order.
        finished: whether the editor finished the pass.
        visits: the log of what was done in it.
    """

    revisions: tuple[Revision, ...] = ()
    finished: bool = False
    visits: tuple[Visit, ...] = ()


# -- spelling ---------------------------------------------------------------------------------


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
            "lines": {str(name): lines for name, lines in bundle.lines.items()},
        }
    )


def _json(plain: Mapping[str, Any]) -> bytes:
    return json.dumps(plain, ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode()


def _plain_segment(one: KitSegment) -> dict[str, Any]:
    return {
        "in": str(one.name),
        "reference": one.reference,
        "output": one.output,
        "transcription": one.transcription,
        "first": one.first,
        "text": one.text,
        "state": one.state.value,
        "reason": one.reason,
        "flags": dict(one.flags),
        "returned": one.returned,
    }


def spell_work(work: Work) -> bytes:
    """A bundle's ``work.json``."""
    return _json(
        {
            "finished": work.finished,
            "revisions": [
                {
                    "id": one.id,
                    "in": str(one.segment),
                    "machine": one.machine,
                    "at": one.at.isoformat(),
                    "state": one.state.value,
                    "text": one.text,
                    "reason": one.reason,
                    "flags": dict(one.flags),
                    "side": one.side,
                }
                for one in work.revisions
            ],
            "visits": [
                {
                    "id": one.id,
                    "in": str(one.segment),
                    "machine": one.machine,
                    "at": one.at.isoformat(),
                    "ms": one.ms,
                    "events": plain_events(one.events),
                }
                for one in work.visits
            ],
        }
    )


# -- reading ----------------------------------------------------------------------------------


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _read(data: bytes) -> Any:
    return json.loads(data, parse_constant=_refuse)


def key_of(issued: bytes) -> str:
    """The key of a bundle, from its ``bundle.json``."""
    return bytes.fromhex(_str(_read(issued)["key"])).hex()


def parse_issued(issued: bytes) -> Bundle:
    """What a ``bundle.json`` says. ValueError, KeyError, TypeError where it makes no sense."""
    plain = _read(issued)
    if plain["bundle"] != _VERSION:
        raise ValueError(f"it is of version {plain['bundle']}; this program knows {_VERSION}")
    claim = Claim(
        kit=_str(plain["kit"]),
        team=_str(plain["team"]),
        pass_=Pass(plain["pass"]),
        turn=_count(plain["turn"]),
        editor=_str(plain["editor"]),
        machine=_str(plain["machine"]),
        at=_time(plain["at"]),
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
        images={_str(base): _hash(one) for base, one in plain["images"].items()},
        lines={SegmentName.parse(name): _lines(one) for name, one in plain["lines"].items()},
    )


def _segment(plain: Mapping[str, Any]) -> KitSegment:
    def maybe(name: str) -> str | None:
        return None if plain[name] is None else _str(plain[name])

    return KitSegment(
        name=SegmentName.parse(plain["in"]),
        reference=_str(plain["reference"]),
        output=_str(plain["output"]),
        transcription=maybe("transcription"),
        first=maybe("first"),
        text=maybe("text"),
        state=SegmentState(plain["state"]),
        reason=_str(plain["reason"]),
        flags=_flags(plain["flags"]),
        returned=maybe("returned"),
    )


def parse_work(done: bytes, claim: Claim) -> Work:
    """What a ``work.json`` says. ValueError, KeyError, TypeError where it makes no sense."""
    plain = _read(done)
    return Work(
        tuple(_revision(one, claim) for one in plain["revisions"]),
        finished=plain["finished"] is True,
        visits=tuple(_visit(one, claim) for one in plain["visits"]),
    )


def _revision(plain: Mapping[str, Any], claim: Claim) -> Revision:
    state = SegmentState(plain["state"])
    if state is SegmentState.UNTOUCHED:
        raise ValueError("a revision is not as the program makes them")
    for name in ("text", "reason", "machine"):
        if FORBIDDEN.search(_str(plain[name])):
            raise ValueError("a text holds characters that no file can hold")
    return Revision(
        id=_id(plain["id"]),
        kit=claim.kit,
        team=claim.team,
        pass_=claim.pass_,
        segment=SegmentName.parse(plain["in"]),
        editor=claim.editor,
        machine=plain["machine"],
        at=_time(plain["at"]),
        state=state,
        text=plain["text"],
        turn=claim.turn,
        reason=plain["reason"],
        side=plain["side"] is True,
        flags=_flags(plain["flags"]),
    )


def _visit(plain: Mapping[str, Any], claim: Claim) -> Visit:
    events, odd = events_of(plain["events"])
    if odd or FORBIDDEN.search(_str(plain["machine"])):
        raise ValueError("the log is not as the program writes it")
    return Visit(
        id=_id(plain["id"]),
        kit=claim.kit,
        team=claim.team,
        pass_=claim.pass_,
        segment=SegmentName.parse(plain["in"]),
        editor=claim.editor,
        machine=plain["machine"],
        at=_time(plain["at"]),
        ms=_count(plain["ms"]),
        turn=claim.turn,
        events=events,
    )


def _id(value: object) -> str:
    if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", _str(value)):
        raise ValueError("a text, or a part of the log, has no proper id")
    return str(value)


def _flags(plain: Mapping[str, Any]) -> dict[Flag, str]:
    found = {Flag(name): _str(words) for name, words in plain.items()}
    if any(FORBIDDEN.search(words) for words in found.values()):
        raise ValueError("a flag holds characters that no file can hold")
    return found


def _lines(plain: list[Any]) -> SegmentLines:
    frame, outlines = plain
    return SegmentLines(
        _count(frame),
        tuple(tuple((_number(x), _number(y)) for x, y in outline) for outline in outlines),
    )


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError("a point has no place")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST_COUNT:
        raise ValueError("a count is no count")
    return value


def _time(value: object) -> datetime:
    at = datetime.fromisoformat(_str(value))
    # The years that every clock, zone and database can hold.
    if at.tzinfo is None or not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        raise ValueError("a time is no time")
    return at.astimezone(UTC)


def _hash(value: object) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", _str(value)):
        raise ValueError("a hash is no hash")
    return str(value)


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is not a text")
    return value
