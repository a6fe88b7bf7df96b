"""What a file of each format holds, counted in the file itself: what the ledger's rows are made of.

Nothing here goes through the readers: what a reader steps over is counted all the same. Each
function adds to the counts it is given, and gives the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from madcat_studio.formats.hocr import FLOATS
from madcat_studio.formats.html import parse_html
from madcat_studio.formats.madcat_problems import EXTENSION
from madcat_studio.formats.numbers import number
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names, parse_plain, parse_xml

__all__ = ["count_alto", "count_gedi", "count_hocr", "count_madcat", "count_page"]

_HOCR_LINES = {"ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption"}
_HOCR_REGIONS = {"ocr_carea", "ocrx_block", "ocr_textfloat", *FLOATS}
_PLACE = re.compile(r"readingOrder\s*\{[^}]*?index\s*:\s*([0-9]{1,9})")
_GEDI_TEXTS = {"text_content", "contents", "content", "text", "transcription", "transcript"}


def count_page(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a file in PAGE XML holds."""
    names = Names()

    def own(element: Element) -> str:
        texts = [child for child in element if names[child.tag] == "TextEquiv"]
        for text in sorted(texts, key=lambda each: number(each.get("index")) or 0):
            for child in text:
                if names[child.tag] == "Unicode":
                    return "".join(child.itertext())
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

    for element in parse_plain(source).iter("*"):
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


def count_alto(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a file in ALTO holds."""
    names = Names()
    blocks = {"TextBlock", "ComposedBlock", "Illustration", "GraphicalElement"}
    for element in parse_plain(source).iter("*"):
        name = names[element.tag]
        found["regions"] += name in blocks
        if name != "TextLine":
            continue
        found["lines"] += 1
        found["baselines"] += bool((element.get("BASELINE") or "").strip())
        contents: list[str] = []
        for child in element:
            content = child.get("CONTENT") or ""
            doubled = contents and contents[-1].endswith(content)
            if names[child.tag] == "String" or (names[child.tag] == "HYP" and not doubled):
                contents.append(content)
        strings = [child for child in element if names[child.tag] == "String"]
        bare = len(strings) == 1 and (
            len((strings[0].get("CONTENT") or "").split()) > 1 or strings[0].get("ID") is None
        )
        found["words"] += 0 if bare and not _is_measured(strings[0], element) else len(strings)
        yield " ".join(contents)


def _is_measured(string: Element, line: Element) -> bool:
    """Whether a lone string says of itself what only a word does."""
    text = (string.get("CONTENT") or "").split()
    place = {"CONTENT", "HPOS", "VPOS", "WIDTH", "HEIGHT"}
    elsewhere = any(string.get(name) not in (None, line.get(name)) for name in place - {"CONTENT"})
    return len(text) < 2 and (bool(set(string.attrib) - place) or len(string) > 0 or elsewhere)


def count_madcat(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a file in MADCAT XML holds."""
    names = Names()
    for element in parse_plain(source).iter("*"):
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
            said = "".join(own[0].itertext()) if own else ""
            inner = (each for child in element for each in child)
            yield said or " ".join(each.text or "" for each in inner if names[each.tag] == "source")


def count_gedi(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a file in GEDI holds."""
    names = Names()
    lines: list[str] = []
    words: list[str] = []
    for zone in parse_xml(source).iter("*"):
        if names[zone.tag] != "DL_ZONE":
            continue
        kind = (zone.get("gedi_type") or "").lower()
        text = next((value for key, value in zone.items() if key.lower() in _GEDI_TEXTS), "")
        found["baselines"] += bool((zone.get("baseline") or "").strip())
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


def count_hocr(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a file in hOCR holds."""
    root = parse_html(source.decoded.text, source.name)
    pages: set[Element] = set()
    holders: dict[Element, None] = {}
    for element in root.iter("*"):
        kinds = set((element.get("class") or "").split())
        found["regions"] += bool(kinds & _HOCR_REGIONS) and not kinds & _HOCR_LINES
        found["words"] += bool(kinds & {"ocrx_word", "ocr_word"})
        found["baselines"] += "baseline" in (element.get("title") or "")
        found["lines"] += bool(kinds & _HOCR_LINES)
        if "ocr_page" in kinds:
            pages.add(element)
        if kinds & (_HOCR_LINES | _HOCR_REGIONS | {"ocr_page", "ocr_par"}):
            holders[element] = None
    texts: dict[Element, list[str]] = {holder: [] for holder in holders}
    for node in root.xpath("//text()"):
        above = node.getparent()
        if node.is_tail and above is not None:
            above = above.getparent()
        holder = None
        while above is not None and above not in pages:
            holder = holder if holder is not None else above if above in holders else None
            above = above.getparent()
        if above is not None:
            texts[above if holder is None else holder].append(str(node))
    yield from map("".join, texts.values())
