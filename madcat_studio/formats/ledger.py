"""The ledger of a conversion: what a file holds, counted in the file itself.

Nothing here goes through the readers: what a reader steps over is counted all the same, and what
comes out is counted in the bytes that were written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from madcat_studio.formats.html import parse_html
from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.layouts import number
from madcat_studio.formats.madcat_problems import EXTENSION
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names, parse_xml

__all__ = ["KINDS", "Row", "count", "ledger"]

KINDS = ("regions", "lines", "words", "baselines", "texts", "characters")
"""What is counted. A text is that of a line, a segment, or a region that has no other; characters
are those of the texts without blanks."""

_HOCR_LINES = {"ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption"}
_PLACE = re.compile(r"readingOrder\s*\{[^}]*?index\s*:\s*(\d+)")
_GEDI_TEXTS = {"text_content", "contents", "content", "text", "transcription", "transcript"}


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of things: how many went in and came out."""

    kind: str
    came: int
    went: int

    @property
    def left(self) -> int:
        """How many fewer came out than went in."""
        return max(self.came - self.went, 0)


def ledger(before: Source, after: Iterable[Source]) -> list[Row]:
    """What a conversion made of a file, recounted from the files that were written."""
    came = count(before)
    went: Counter[str] = Counter()
    for source in after:
        went += count(source)
    return [Row(kind, came[kind], went[kind]) for kind in KINDS]


def count(source: Source) -> Counter[str]:
    """What a file of any format holds."""
    found: Counter[str] = Counter()
    match recognise(source):
        case FileFormat.PAGE:
            texts = _page(parse_xml(source), found)
        case FileFormat.ALTO:
            texts = _alto(parse_xml(source), found)
        case FileFormat.MADCAT:
            texts = _madcat(parse_xml(source), found)
        case FileFormat.GEDI:
            texts = _gedi(parse_xml(source), found)
        case FileFormat.HOCR:
            texts = _hocr(source, found)
    for text in texts:
        letters = len("".join(text.split()))
        found["texts"] += letters > 0
        found["characters"] += letters
    return found


def _page(root: Element, found: Counter[str]) -> Iterator[str]:
    names = Names()

    def own(element: Element) -> str:
        texts = [child for child in element if names[child.tag] == "TextEquiv"]
        for text in sorted(texts, key=lambda each: number(each.get("index")) or 0):
            for child in text:
                if names[child.tag] == "Unicode":
                    return str(child.xpath("string()"))
        return ""

    def said(line: Element) -> list[str]:
        words = (own(child) for child in line if names[child.tag] == "Word")
        return (own(line) or " ".join(words)).split()

    def lines_of(region: Element) -> list[Element]:
        lines = [child for child in region if names[child.tag] == "TextLine"]
        given = [_PLACE.search(line.get("custom") or "") for line in lines]
        places = [int(place.group(1)) for place in given if place]
        if len(places) < len(lines):
            return lines
        return [lines[n] for n in sorted(range(len(lines)), key=places.__getitem__)]

    for element in root.iter("*"):
        name = names[element.tag]
        if name.endswith("Region") or name == "TableCell":
            found["regions"] += 1
            if own(element).split() != [w for line in lines_of(element) for w in said(line)]:
                yield own(element)
        elif name == "TextLine":
            found["lines"] += 1
            found["words"] += sum(names[child.tag] == "Word" for child in element)
            yield " ".join(said(element))
        elif name == "Baseline":
            found["baselines"] += bool((element.get("points") or "").strip()) or len(element) > 0


def _alto(root: Element, found: Counter[str]) -> Iterator[str]:
    names = Names()
    blocks = {"TextBlock", "ComposedBlock", "Illustration", "GraphicalElement"}
    for element in root.iter("*"):
        name = names[element.tag]
        found["regions"] += name in blocks
        if name != "TextLine":
            continue
        found["lines"] += 1
        found["baselines"] += bool((element.get("BASELINE") or "").strip())
        contents = [
            child.get("CONTENT") or "" for child in element if names[child.tag] in ("String", "HYP")
        ]
        strings = [child for child in element if names[child.tag] == "String"]
        bare = len(strings) == 1 and (
            len((strings[0].get("CONTENT") or "").split()) > 1 or strings[0].get("ID") is None
        )
        found["words"] += 0 if bare and not _is_measured(strings[0]) else len(strings)
        yield " ".join(contents)


def _is_measured(string: Element) -> bool:
    """Whether a lone string says of itself what only a word does."""
    text = (string.get("CONTENT") or "").split()
    place = {"CONTENT", "HPOS", "VPOS", "WIDTH", "HEIGHT"}
    line = string.getparent()
    elsewhere = any(string.get(name) not in (None, line.get(name)) for name in place - {"CONTENT"})
    return len(text) < 2 and (bool(set(string.attrib) - place) or len(string) > 0 or elsewhere)


def _madcat(root: Element, found: Counter[str]) -> Iterator[str]:
    names = Names()
    for element in root.iter("*"):
        name = names[element.tag]
        if element.tag == f"{{{EXTENSION}}}region":
            found["regions"] += 1
            yield element.text or ""
        elif name == "zone":
            found["lines"] += 1
            found["baselines"] += bool(element.get(f"{{{EXTENSION}}}baseline"))
        elif name == "token-image":
            found["words"] += 1
        elif name == "segment":
            own = [child for child in element if names[child.tag] == "transcription"]
            said = str(own[0].xpath("string()")) if own else ""
            yield said or " ".join(
                str(text) for text in element.xpath("*/*[local-name()='source']/text()")
            )


def _gedi(root: Element, found: Counter[str]) -> Iterator[str]:
    names = Names()
    lines: list[str] = []
    words: list[str] = []
    for zone in root.iter("*"):
        if names[zone.tag] != "DL_ZONE":
            continue
        kind = (zone.get("gedi_type") or "").lower()
        text = next((value for key, value in zone.items() if key.lower() in _GEDI_TEXTS), "")
        if "line" in kind:
            found["lines"] += 1
            lines.append(text)
        elif re.search(r"text$|word|token|paw", kind):
            found["words"] += 1
            words.append(text)
        else:
            found["regions"] += 1
            yield text
    yield from lines if any(lines) else [" ".join(words)]


def _hocr(source: Source, found: Counter[str]) -> Iterator[str]:
    root = parse_html(source.decoded.text, source.name)
    for element in root.iter("*"):
        kinds = set((element.get("class") or "").split())
        found["regions"] += bool(kinds & {"ocr_carea", "ocrx_block", "ocr_textfloat"})
        found["words"] += bool(kinds & {"ocrx_word", "ocr_word"})
        found["baselines"] += "baseline" in (element.get("title") or "")
        if kinds & _HOCR_LINES:
            found["lines"] += 1
        if "ocr_page" in kinds:
            yield str(element.text_content())
