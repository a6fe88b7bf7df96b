"""The texts that tercom 0.7.25 reads: Trans lines, SGML and XML, with its own rules of reading.

What the original drops without a word is dropped here too, so that the scores stay the same, but it
is told: each loss becomes a :class:`Dropped`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.errors import FormatError, WorldError

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["Dropped", "Origin", "TercomFile", "TextFormat", "TransLines", "read_tercom_file"]


class TextFormat(Enum):
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
class Origin:
    """Where a text of an SGML or XML file stands.

    Attributes:
        system: the ``sysid`` of the document.
        document: the ``docid``.
        segment: the number of the segment.
    """

    system: str
    document: str
    segment: str


@dataclass(slots=True)
class TercomFile:
    """A file as tercom understands it: ids and texts side by side, in the file's order.

    Attributes:
        kind: what it was taken for.
        ids: as tercom keys them: the id of a Trans line, or ``[doc][0001]``, or
            ``[doc][0001]:1``. One that occurs again is another reference.
        texts: trimmed of blanks and control characters.
        origins: of each text; empty for Trans lines.
        attributes: ``setid``, ``srclang``, ``trglang`` of the set, "" where not given.
        dropped: what is not scored, and why.
        invalid_lines: the Trans lines that tercom names on its standard output.
        has_nul: whether NUL characters are in it.
    """

    kind: TextFormat
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    invalid_lines: list[str] = field(default_factory=list)
    has_nul: bool = False

    def by_id(self) -> dict[str, list[int]]:
        """Where each id's texts are, ids in order of first appearance."""
        found: dict[str, list[int]] = {}
        for index, name in enumerate(self.ids):
            if name in found:
                found[name].append(index)
            else:
                found[name] = [index]
        return found


_BLANKS = " \t\n\v\f\r"
_TRIMMED = "".join(map(chr, range(0x21)))
_LINES = re.compile("\r\n|\n|\r")
_NO_DOT = re.compile("[\u0085\u2028\u2029]")  # what Java's dot does not match besides LF and CR


TransLines = Callable[[bytes], tuple[list[str], list[str]] | None]
"""A quick reader of plain Trans lines in UTF-8: ids and texts, or None where it cannot."""


def read_tercom_file(path: Path, quick: TransLines | None = None) -> TercomFile:
    """Read a file as tercom would: as XML, else as SGML, else as Trans lines.

    Args:
        path: of the file.
        quick: tried first on a file without ``<``, which cannot be SGML or XML.

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
            remedy="Check the path and the permissions",
        ) from error
    if quick is not None and b"<" not in data and b"\0" not in data and (lines := quick(data)):
        return TercomFile(TextFormat.TRANS, *lines)
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
    found.has_nul = "\0" in text
    return found


def _read_trans(text: str) -> TercomFile:
    found = TercomFile(TextFormat.TRANS)
    ids, texts = found.ids, found.texts
    lines = text.split("\n") if "\r" not in text else _LINES.split(text)
    unusual = not text.isascii() and _NO_DOT.search(text) is not None
    for number, line in enumerate(lines, 1):
        before, _, name = line.rpartition("(")
        if name.find(")") != len(name) - 1 or len(name) < 2 or unusual:
            # Not the plain form of a line, or one of the characters that Java's dot excludes.
            stripped = line.rstrip(_BLANKS)
            if not stripped:
                continue
            before, bracket, name = stripped.rpartition("(")
            if (
                not bracket
                or len(name) < 2
                or name.find(")") != len(name) - 1
                or _NO_DOT.search(before)
            ):
                found.invalid_lines.append(line)
                found.dropped.append(Dropped(number, f"a line without a final (id): {line[:60]}"))
                continue
        ids.append(name[:-1])
        content = before.strip(" ")
        if content and (content[0] < " " or content[-1] < " "):
            content = content.strip(_TRIMMED)
        texts.append(content)
    return found


_Event = tuple[str, str, dict[str, str]]  # "start", "end" or "text"; name or text; attributes


def _read_xml(data: bytes, path: Path) -> TercomFile | None:
    from lxml import etree  # Trans lines need none of it

    parser = etree.XMLParser(no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return None
    found = TercomFile(TextFormat.XML)
    _gather(_walk(root), found, path)
    return found


def _walk(element: etree._Element) -> Iterator[_Event]:
    if isinstance(element.tag, str):
        name = element.tag.rpartition("}")[2]
        yield "start", name, {str(key): str(value) for key, value in element.attrib.items()}
        if element.text:
            yield "text", element.text, {}
        for child in element:
            yield from _walk(child)
            if child.tail:
                yield "text", child.tail, {}
        yield "end", name, {}


def _read_sgml(text: str, path: Path) -> TercomFile | None:
    found = TercomFile(TextFormat.SGML)
    events: list[_Event] = []
    opened: list[str] = []
    seen = False
    for number, line in enumerate(_LINES.split(text), 1):
        if _NO_DOT.search(line):
            # None of the original's patterns gets over these characters: the line is no line.
            found.dropped.append(
                Dropped(number, f"a line with U+0085, U+2028 or U+2029: {line[:60]}")
            )
            continue
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
                found.ids.append(waiting)
                found.texts.append(name.strip(_TRIMMED))
                found.origins.append(Origin(system, document, segment))
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
