"""The texts that tercom 0.7.25 reads: Trans lines, SGML and XML, with its own rules of reading.

What the original drops without a word is dropped here too, so that the scores stay the same, but it
is told: each loss becomes a :class:`Dropped`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from lxml import etree

from madcat_studio.errors import FormatError, WorldError

__all__ = ["Dropped", "Entry", "Kind", "TercomFile", "read_tercom_file"]


class Kind(Enum):
    """How a file was understood; the values are the original's words for it."""

    TRANS = "Trans text"
    SGML = "SGML"
    XML = "XML"


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something in a file that is not scored.

    Attributes:
        line: 1-based line, or 0 where it is not known.
        what: one phrase.
    """

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One text under its id.

    Attributes:
        id: as tercom keys it: the id of a Trans line, or ``[doc][0001]``, or ``[doc][0001]:1``.
        text: trimmed of blanks and control characters.
        system: the ``sysid`` of the document, "" in Trans.
        document: the ``docid``, "" in Trans.
        segment: the segment as the XML output names it.
    """

    id: str
    text: str
    system: str = ""
    document: str = ""
    segment: str = ""


@dataclass(slots=True)
class TercomFile:
    """A file as tercom understands it.

    Attributes:
        kind: what it was taken for.
        entries: the texts in their order; several of one id are several references.
        attributes: ``setid``, ``srclang``, ``trglang`` of the set, "" where not given.
        dropped: what is not scored, and why.
        invalid_lines: the Trans lines that tercom names on its standard output.
    """

    kind: Kind
    entries: list[Entry] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    invalid_lines: list[str] = field(default_factory=list)

    def by_id(self) -> dict[str, list[Entry]]:
        """The entries under their ids, ids in order of first appearance."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(entry.id, []).append(entry)
        return found


_BLANKS = " \t\n\v\f\r"
_TRIMMED = "".join(map(chr, range(0x21)))
_LINES = re.compile("\r\n|\n|\r")
_NO_DOT = re.compile("[\u0085\u2028\u2029]")  # what Java's dot does not match besides LF and CR


def read_tercom_file(path: Path) -> TercomFile:
    """Read a file as tercom would: as XML, else as SGML, else as Trans lines.

    Raises:
        WorldError: the file cannot be opened.
        FormatError: a segment number of an SGML or XML file is not a whole number.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WorldError(
            "tercom.unreadable",
            f"the file cannot be read ({error.strerror})",
            where=path,
            remedy="Check the path and the rights",
        ) from error
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and (found := _read_xml(data, path)):
        return found
    text = data.decode("utf-8", errors="replace")
    notes: list[Dropped] = []
    if "\ufffd" in text:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            notes.append(Dropped(line, f"bytes that are not UTF-8, the first at {error.start}"))
    if "\0" in text:
        notes.append(Dropped(text.count("\n", 0, text.index("\0")) + 1, "NUL characters"))
    found = (_read_sgml(text, path) if "<" in text else None) or _read_trans(text)
    found.dropped[:0] = notes
    return found


def _read_trans(text: str) -> TercomFile:
    found = TercomFile(Kind.TRANS)
    entries = found.entries
    lines = text.split("\n") if "\r" not in text else _LINES.split(text)
    for number, line in enumerate(lines, 1):
        stripped = line.rstrip(_BLANKS)
        if not stripped:
            continue
        at = stripped.rfind("(")
        name = stripped[at + 1 : -1]
        if (
            at < 0
            or stripped[-1] != ")"
            or not name
            or ")" in name
            or (not stripped.isascii() and _NO_DOT.search(stripped, 0, at))
        ):
            found.invalid_lines.append(line)
            found.dropped.append(Dropped(number, f"a line without a final (id): {line[:60]}"))
            continue
        entries.append(Entry(name, stripped[:at].strip(_TRIMMED), segment=name))
    return found


_Event = tuple[str, str, dict[str, str]]  # "start", "end" or "text"; name or text; attributes


def _read_xml(data: bytes, path: Path) -> TercomFile | None:
    parser = etree.XMLParser(no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return None
    found = TercomFile(Kind.XML)
    _gather(_walk(root), found, path)
    return found


def _walk(element: etree._Element) -> Iterator[_Event]:
    if isinstance(element.tag, str):
        name = etree.QName(element).localname
        yield "start", name, {str(key): str(value) for key, value in element.attrib.items()}
        if element.text:
            yield "text", element.text, {}
        for child in element:
            yield from _walk(child)
            if child.tail:
                yield "text", child.tail, {}
        yield "end", name, {}


def _read_sgml(text: str, path: Path) -> TercomFile | None:
    found = TercomFile(Kind.SGML)
    events: list[_Event] = []
    opened: list[str] = []
    seen = False
    for number, line in enumerate(_LINES.split(text), 1):
        rest = line
        while rest:
            if not rest.startswith("<") or ">" not in rest:
                end = rest.find("<", 1)
                run, rest = (rest, "") if end < 0 else (rest[:end], rest[end:])
                if run.strip(_TRIMMED):
                    events.append(("text", run, {}))
                continue
            inside, rest = rest[1 : rest.index(">")], rest[rest.index(">") + 1 :]
            if inside.startswith("/"):
                name = inside[1:].strip(_TRIMMED)
                if not opened or opened.pop() != name:
                    return None
                events.append(("end", name, {}))
                if rest.strip(_TRIMMED):
                    found.dropped.append(
                        Dropped(number, f"what follows </{name}> on its line: {rest[:60]}")
                    )
                break
            closed = inside.endswith("\\")
            parts = inside.rstrip("\\").split()
            if not parts:
                continue
            name = parts[0]
            attributes = {}
            for part in parts[1:]:
                key, equals, value = part.partition("=")
                if equals:
                    attributes[key] = value.replace('"', "").replace("'", "")
            seen = seen or name.lower() in ("tstset", "refset")
            events.append(("start", name, attributes))
            if closed:
                events.append(("end", name, {}))
            else:
                opened.append(name)
    if not seen:
        return None
    _gather(iter(events), found, path)
    return found


def _gather(events: Iterator[_Event], found: TercomFile, path: Path) -> None:
    """The texts of a tree: for each segment and hypothesis the first text after its start."""
    document = system = segment = ""
    waiting: str | None = None

    def lose() -> None:
        if waiting is not None:
            found.dropped.append(Dropped(0, f"segment {waiting}, which has no text"))

    def number(value: str, what: str) -> int:
        try:
            return int(value)
        except ValueError:
            raise FormatError(
                "tercom.number",
                f"a {what} of document {document!r} has the id {value!r}",
                where=path,
                remedy="Ids of seg and hyp are whole numbers; tercom cannot read others",
            ) from None

    lost_text: str | None = None
    for kind, name, attributes in events:
        if kind == "text":
            if waiting is not None:
                entry = Entry(waiting, name.strip(_TRIMMED), system, document, segment)
                found.entries.append(entry)
                lost_text, waiting = waiting, None
            elif lost_text is not None and name.strip(_TRIMMED):
                found.dropped.append(
                    Dropped(0, f"text of segment {lost_text} after its first line or element")
                )
                lost_text = None
            continue
        if kind == "end":
            if name.lower() in ("seg", "hyp"):
                lost_text = None
            continue
        tag = name.lower()
        if tag in ("tstset", "refset"):
            for key in ("setid", "srclang", "trglang"):
                found.attributes[key] = attributes.get(key, "")
        elif tag == "doc":
            document, system = attributes.get("docid", ""), attributes.get("sysid", "")
        elif tag == "audiofile":
            document = attributes.get("fileid", "")
        elif tag == "seg":
            lose()
            segment = str(number(attributes.get("id", ""), "seg"))
            waiting = f"[{document}][{int(segment):04d}]"
        elif tag == "hyp":
            lose()
            rank = number(attributes.get("id", ""), "hyp")
            waiting = f"[{document}][{int(segment or 0):04d}]:{rank}"
    lose()
