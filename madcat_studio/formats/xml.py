"""Parsing XML from strangers: nothing is fetched, nothing expands, errors have a line."""

from __future__ import annotations

import re
import threading
from typing import Any, TypeAlias
from xml.etree import ElementTree

from lxml import etree

from madcat_studio.errors import FormatError
from madcat_studio.formats.source import Source

__all__ = ["Element", "Names", "has_doctype", "parse_plain", "parse_xml", "too_deep"]

Element: TypeAlias = Any
"""An element of lxml, or a plain one. The stubs of lxml say ``str | bytes`` of everything, which is
never bytes when read."""


_DOCTYPE = re.compile(r"(?>\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
"""It stands before the first element; what looks like one may stand anywhere."""


class Names(dict[object, str]):
    """Local names by lxml tag, remembered; comments and instructions have the name ""."""

    def __missing__(self, tag: object) -> str:
        name = tag.rpartition("}")[2] if isinstance(tag, str) else ""
        self[tag] = name
        return name


def parse_xml(source: Source) -> Element:
    """The root element of a file.

    Declared entities are refused, whether they expand or reach outside; a DTD that is only named
    is not read.

    Raises:
        FormatError: ``xml.empty``, ``xml.not-xml``, ``xml.truncated``, ``xml.entities``,
            ``xml.unknown-encoding``, ``xml.wrong-encoding``.
    """
    decoded = source.decoded
    if not decoded.text.strip():
        raise FormatError(
            "xml.empty", "the file is empty", where=source.name, remedy="Get a new copy of it"
        )
    if decoded.encoding == "utf-8" and not decoded.disagrees:
        data, override = source.data, None
    else:
        # libxml2 knows fewer encodings than Python; what was decoded is handed on as UTF-8.
        data, override = decoded.text.encode("utf-8"), "utf-8"
    try:
        root = etree.fromstring(data, _parser(override))
    except etree.XMLSyntaxError as error:
        raise _syntax_error(source, error) from None
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is not None and (
        next(iter(dtd.iterentities()), None) is not None
        or next(root.iter(etree.Entity), None) is not None
    ):
        raise FormatError(
            "xml.entities",
            "the file declares or uses entities, which are not opened for security reasons",
            where=source.name,
            remedy="Replace the entities by their text and remove their declarations",
        )
    return root


def parse_plain(source: Source) -> Element:
    """The root element of a file as Python's own elements, without comments and instructions.

    They take longer to make than those of lxml, and less to walk through: those are made anew, with
    a name of 70 letters, whenever somebody comes by. What :func:`parse_xml` refuses, this refuses,
    but for elements that stand deep within one another: whoever walks into them tells.
    """
    text = source.decoded.text
    if not text or text.isspace() or has_doctype(text):
        parse_xml(source)
    try:
        if source.decoded.encoding == "utf-8":
            parser = ElementTree.XMLParser(encoding="utf-8")
            parser.feed(source.data[len(source.decoded.bom) :])
            return parser.close()
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        parse_xml(source)
        # Names with letters that XML got later: saving could not find its places in such a file.
        line, _ = error.position
        raise FormatError(
            "xml.not-xml",
            f"the file is not well-formed XML ({error.msg})",
            where=f"{source.name}:{line}",
            remedy="Mend that line, or get a new copy of the file",
        ) from None


def has_doctype(text: str) -> bool:
    """Whether a file names or declares a document type."""
    return _DOCTYPE.match(text) is not None


_parsers = threading.local()


def _parser(encoding: str | None) -> etree.XMLParser:
    """A parser of this thread: making one costs as much as reading a small file."""
    name = encoding or "as declared"
    kept: dict[str, etree.XMLParser] = _parsers.__dict__
    if name not in kept:
        kept[name] = etree.XMLParser(
            encoding=encoding, resolve_entities=False, no_network=True, load_dtd=False
        )
    return kept[name]


def _syntax_error(source: Source, error: etree.XMLSyntaxError) -> FormatError:
    text = source.decoded.text
    line = error.lineno or 1
    where = f"{source.name}:{line}"
    message = str(error.msg).partition(", line ")[0].strip().rstrip(".")
    if "entity" in message.lower():
        return FormatError(
            "xml.entities",
            f"the file uses an entity, which is not opened for security reasons ({message})",
            where=where,
            remedy="Replace the entities by their text and remove their declarations",
        )
    if message.startswith("Excessive depth"):
        return too_deep(where)
    if not text.lstrip().startswith("<"):
        return FormatError(
            "xml.not-xml",
            "the file is not XML: it does not begin with “<”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    last = text.count("\n") + 1
    if line >= text.rstrip().count("\n") + 1 and (
        getattr(error, "code", 0) == etree.ErrorTypes.ERR_TAG_NOT_FINISHED
        or not text.rstrip().endswith(">")
    ):
        return FormatError(
            "xml.truncated",
            f"the file ends too early, in line {last} ({message})",
            where=where,
            remedy="Get a new copy of the file; this one is incomplete",
        )
    return FormatError(
        "xml.not-xml",
        f"the file is not well-formed XML ({message})",
        where=where,
        remedy="Mend that line, or get a new copy of the file",
    )


def too_deep(where: str) -> FormatError:
    """What is told of elements within one another that no reader gets to the bottom of."""
    return FormatError(
        "xml.too-deep",
        "elements are nested deeper than in any real page",
        where=where,
        remedy="Check that it is the file you meant",
    )
