"""The formats of pages, what is said of each in one place, and which one a file is in.

What each *does* (reading, writing, counting) is in :mod:`formats.registry`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from madcat_studio.errors import FormatError

if TYPE_CHECKING:
    from madcat_studio.formats.source import Source

__all__ = ["ENDINGS", "HEAD", "TRAITS", "WRITTEN", "FileFormat", "Traits", "format_in", "recognise"]


class FileFormat(StrEnum):
    """Formats of pages."""

    MADCAT = "madcat"
    PAGE = "page"
    ALTO = "alto"
    HOCR = "hocr"
    GEDI = "gedi"
    LABELME = "labelme"
    COCO = "coco"
    YOLO = "yolo"
    METS = "mets"
    ABBYY = "abbyy"


@dataclass(frozen=True, slots=True)
class Traits:
    """What is said of a format wherever formats are listed.

    Attributes:
        name: for people.
        endings: of its files' names.
        root: the local name of its root element, in small letters.
        mark: what shows near the beginning of a file that it may be one.
        written: the ending of a file that is written in it; "" where it is only read.
        versions: that can be written, the latest last.
        in_place: whether a document is saved to it as it was read, but for what was edited.
        by_image: whether a file belongs to the image of its name.
    """

    name: str
    endings: tuple[str, ...]
    root: str = ""
    mark: bytes = b""
    written: str = ""
    versions: tuple[str, ...] = ()
    in_place: bool = False
    by_image: bool = False


TRAITS = {
    FileFormat.MADCAT: Traits(
        "MADCAT", (".xml",), "madcat", rb"<(?:[\w.-]+:)?madcat\b", ".madcat.xml", in_place=True
    ),
    FileFormat.PAGE: Traits(
        "PAGE XML",
        (".xml",),
        "pcgts",
        rb"<(?:[\w.-]+:)?PcGts\b",
        ".page.xml",
        ("2010", "2013", "2016", "2017", "2018", "2019"),
        in_place=True,
    ),
    FileFormat.ALTO: Traits(
        "ALTO",
        (".xml",),
        "alto",
        rb"<(?:[\w.-]+:)?alto\b",
        ".alto.xml",
        ("2", "3", "4"),
        in_place=True,
    ),
    FileFormat.HOCR: Traits(
        "hOCR", (".hocr", ".html", ".htm", ".xml"), "html", rb"\bocr_page\b", ".hocr"
    ),
    FileFormat.GEDI: Traits("GEDI", (".xml",), "gedi", rb"<(?:[\w.-]+:)?GEDI\b", ".gedi.xml"),
    FileFormat.LABELME: Traits(
        "labelme", (".json",), mark=rb'"shapes"\s*:\s*\[', written=".json", by_image=True
    ),
    FileFormat.COCO: Traits(
        "COCO", (".json",), mark=rb'\A\s*\{(?s:.*?)"images"\s*:\s*\[', written=".coco.json"
    ),
    FileFormat.YOLO: Traits(
        "YOLO",
        (".txt",),
        mark=rb"\A\s*\d{1,5}(?:[ \t]+-?\d*\.?\d+(?:[eE]-?\d+)?){4,}[ \t]*(?:\r?\n|\Z)",
        written=".txt",
        by_image=True,
    ),
    # Named, it stands for its pages; in a folder these are found as they are.
    FileFormat.METS: Traits("METS", (".xml",), "mets"),
    FileFormat.ABBYY: Traits(
        "ABBYY XML", (".xml",), "document", rb"<document\b[^>]*\babbyy\.com/FineReader_xml"
    ),
}
"""Every format that is read."""

ENDINGS = tuple(dict.fromkeys(end for traits in TRAITS.values() for end in traits.endings))
"""How the names of files end that may be pages."""

WRITTEN = tuple(kind for kind, traits in TRAITS.items() if traits.written)
"""The formats that are written."""

HEAD = 1 << 16
"""So many bytes of a file tell what it may be."""

_NAME = re.compile(r"[^\s/>]*")
_BEFORE = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
_ROOTS = {traits.root: kind for kind, traits in TRAITS.items() if traits.root}
_MARKS = re.compile(
    b"|".join(
        b"(?P<%s>%s)" % (kind.value.encode("ascii"), traits.mark)
        for kind, traits in TRAITS.items()
        if traits.mark
    )
)


def format_in(beginning: bytes) -> FileFormat | None:
    """The format that a file is probably in, by its beginning; None for anything but a page."""
    # UTF-16 has a NUL beside each of these letters.
    found = _MARKS.search(beginning.replace(b"\0", b"").lstrip(_BEFORE))
    return FileFormat(found.lastgroup) if found is not None and found.lastgroup else None


def recognise(source: Source) -> FileFormat:
    """The format of a file, by its root element or how it begins; HTML counts as hOCR.

    Raises:
        FormatError: ``convert.unknown-format``.
    """
    if not source.data[:HEAD].lstrip(_BEFORE).startswith(b"<"):
        found = format_in(source.data[:HEAD])
        if found is not None and not TRAITS[found].root:
            return found
    text = source.decoded.text
    root = _first_element(text)
    kind = _ROOTS.get(root.lower())
    # Anything may be a “document”.
    if kind is not None and (kind is not FileFormat.ABBYY or format_in(source.data[:HEAD]) is kind):
        return kind
    if "ocr_page" in text:  # HTML without its outer elements
        return FileFormat.HOCR
    names = [traits.name for traits in TRAITS.values()]
    raise FormatError(
        "convert.unknown-format",
        f"the file is neither {', '.join(names[:-1])} nor {names[-1]} (it begins with "
        f"“{root or text[:20].strip()}”)",
        where=source.name,
        remedy="Check that it is the file you meant",
    )


def _first_element(text: str) -> str:
    """The local name of the first start tag."""
    at = 0
    while (at := text.find("<", at)) >= 0:
        if text.startswith("<!--", at):
            end = text.find("-->", at)
            at = end if end >= 0 else len(text)
        elif text[at + 1 : at + 2] in ("?", "!"):
            at += 1
        else:
            found = _NAME.match(text, at + 1)
            return found[0].rpartition(":")[2] if found is not None else ""
    return ""
