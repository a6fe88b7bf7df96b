"""A whole copy of a file that is broken: what XML can be read of it, in an encoding that fits."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from madcat_studio.errors import FormatError
from madcat_studio.formats.source import Source
from madcat_studio.model.characters import ARABIC, remove_forbidden

__all__ = ["REPAIRABLE", "Repaired", "repaired"]

REPAIRABLE = frozenset(
    {"xml.not-xml", "xml.truncated", "xml.wrong-encoding", "xml.unknown-encoding"}
)
"""The codes of what a copy can mend."""

_WITHIN_LATIN = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]|[\x80-\xff](?=[A-Za-z])")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


class Repaired(NamedTuple):
    """A copy in UTF-8, and what was done to make it."""

    data: bytes
    done: str


def repaired(source: Source) -> Repaired | None:
    """A copy that is well-formed, or None where there is nothing to be saved.

    A start tag that is not closed is closed where its parent ends; what stands at a broken place
    is left out. Bytes that belong to no letter become U+FFFD.
    """
    text, told = _decoded(source)
    text, forbidden = remove_forbidden(text)
    if forbidden:
        many = len(forbidden) > 1
        told.append(
            f"{len(forbidden)} character{'s' * many} that XML cannot hold "
            f"{'were' if many else 'was'} left out"
        )
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, encoding="utf-8"
    )
    try:
        root = etree.fromstring(_DECLARATION.sub("", text).encode("utf-8"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is None or not len(root):
        return None
    broken = [entry for entry in parser.error_log if entry.level >= etree.ErrorLevels.ERROR]
    if broken:
        line = broken[0].line
        told.append(f"mended from line {line} on ({len(broken)} place{'s' * (len(broken) > 1)})")
    data = etree.tostring(root.getroottree(), encoding="UTF-8", xml_declaration=True)
    return Repaired(bytes(data) + b"\n", "; ".join(told) or "written anew")


def _decoded(source: Source) -> tuple[str, list[str]]:
    try:
        return source.decoded.text, []
    except FormatError:
        pass
    data = source.data
    kept = data.decode("utf-8", "replace")
    bad = kept.count("\ufffd")
    if bad == 0:
        return kept, ["read as UTF-8"]
    if sum(ord(letter) > 0x7F for letter in kept) > 2 * bad:  # else it only looks like UTF-8
        times = f"{bad} place{'s' * (bad > 1)}"
        return kept, [f"read as UTF-8, with U+FFFD in {times} where there is no letter"]
    name = "windows-1256"
    text = data.decode(name, "replace")
    foreign = [letter for letter in text if ord(letter) > 0x7F]
    arabic = sum(ARABIC.match(letter) is not None for letter in foreign)
    # The umlauts of Latin-1 are Arabic letters there, but stand within Latin words.
    if min(arabic, len(foreign) - len(_WITHIN_LATIN.findall(data))) * 2 < len(foreign):
        name = "windows-1252"
        text = data.decode(name, "replace")
    return text, [f"read as {name}, by its letters"]
