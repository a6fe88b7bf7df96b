"""Parsing HTML from strangers: anything is taken, and nothing is dropped for its depth."""

from __future__ import annotations

import re

from lxml import etree

from madcat_studio.errors import FormatError
from madcat_studio.formats.xml import Element

__all__ = ["parse_html"]

_DIV = re.compile(r"<div(\s[^>]*)?>|</div\s*>", re.IGNORECASE)


def parse_html(text: str, name: str) -> Element:
    """The root element of a page of HTML.

    The parser drops what lies too deep; ``div`` elements that say nothing are left out then.

    Raises:
        FormatError: ``hocr.no-page``, ``hocr.too-deep``.
    """
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    root, too_deep = _parsed(text, name)
    if too_deep:
        root, too_deep = _parsed(_without_bare_divs(text), name)
    if too_deep:
        raise FormatError(
            "hocr.too-deep",
            "elements are nested more than 2,000 deep",
            where=name,
            remedy="Remove elements that hold nothing but another one",
        )
    return root


def _parsed(text: str, name: str) -> tuple[Element, bool]:
    from lxml import html as lxml_html  # 2 MiB that no other format needs

    parser = lxml_html.HTMLParser(huge_tree=True)
    try:
        root = lxml_html.document_fromstring(text, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise FormatError(
            "hocr.no-page",
            "this is not an hOCR file",
            where=name,
            remedy="Check that it is the file you meant",
        ) from None
    return root, any("depth" in entry.message for entry in parser.error_log)


def _without_bare_divs(text: str) -> str:
    kept: list[bool] = []

    def replaced(tag: re.Match[str]) -> str:
        if tag.group().startswith("</"):
            return tag.group() if not kept or kept.pop() else ""
        kept.append(bool((tag.group(1) or "").strip()))
        return tag.group() if kept[-1] else ""

    return _DIV.sub(replaced, text)
