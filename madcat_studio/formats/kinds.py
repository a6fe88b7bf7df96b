"""The formats of pages, and which one a file is in."""

from __future__ import annotations

from enum import StrEnum

from madcat_studio.errors import FormatError
from madcat_studio.formats.source import Source

__all__ = ["FileFormat", "recognise"]


class FileFormat(StrEnum):
    """Formats of pages. hOCR and GEDI are only read."""

    MADCAT = "madcat"
    PAGE = "page"
    ALTO = "alto"
    HOCR = "hocr"
    GEDI = "gedi"


def recognise(source: Source) -> FileFormat:
    """The format of a file, by its root element; HTML counts as hOCR.

    Raises:
        FormatError: ``convert.unknown-format``.
    """
    text = source.decoded.text
    root = _first_element(text)
    known = {
        "madcat": FileFormat.MADCAT,
        "pcgts": FileFormat.PAGE,
        "alto": FileFormat.ALTO,
        "gedi": FileFormat.GEDI,
        "html": FileFormat.HOCR,
    }
    if root.lower() in known:
        return known[root.lower()]
    if "ocr_page" in text:  # HTML without its outer elements
        return FileFormat.HOCR
    raise FormatError(
        "convert.unknown-format",
        f"the file is none of MADCAT, PAGE, ALTO, hOCR and GEDI (it begins with "
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
            name = ""
            for character in text[at + 1 :]:
                if character.isspace() or character in "/>":
                    break
                name += character
            return name.rpartition(":")[2]
    return ""
