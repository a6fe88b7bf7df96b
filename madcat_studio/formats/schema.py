"""Whether a file follows the schema of its format: our own for MADCAT, the published ones else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from lxml import etree

from madcat_studio.errors import FormatError
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import parse_xml
from madcat_studio.paths import schemas

__all__ = ["Violation", "schema_of", "violations"]

_PREFIX = re.compile(r"^Element '[^']*'(?:, attribute '[^']*')?: ")
_AT = re.compile(r"/@[^/]*$")
_NAMESPACE = re.compile(r"\{https?://[^{}]*\}")
_PAGE = re.compile(r"\{https?://schema\.primaresearch\.org/PAGE/gts/pagecontent/([\d-]+)\}PcGts")
_ALTO = re.compile(r"\{http://www\.loc\.gov/standards/alto/ns-v(\d)#\}alto")
_NEWEST = {"2": "2.1", "3": "3.1", "4": "4.4"}
"""ALTO's revisions of one version share a namespace; a file that names none is held to these."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a file does not follow the schema; ``what`` is the validator's sentence.

    Attributes:
        origin: the ordinal of the element, only of the first one; None where it cannot be told.
    """

    line: int
    element: str
    what: str
    origin: int | None = None


def _name(root: Any) -> str:
    """The file of the schema that a document claims to follow."""
    if page := _PAGE.fullmatch(root.tag):
        return f"page-{page.group(1)}.xsd"
    if alto := _ALTO.fullmatch(root.tag):
        version = alto.group(1)
        claimed = str(root.get("SCHEMAVERSION") or "")
        said = claimed if claimed.startswith(f"{version}.") else _NEWEST.get(version, version)
        return f"alto-{said.replace('.', '-')}.xsd"
    return "madcat.xsd"


@cache
def schema_of(name: str) -> etree.XMLSchema:
    """The schema in a file of ``schemas/``."""
    return etree.XMLSchema(etree.parse(schemas() / name))


def violations(source: Source) -> list[Violation]:
    """Where a file does not follow its schema, in the file's order; empty for a valid one.

    PAGE XML and ALTO are held to the published schema of the revision that the file names; where
    that is not known, nothing is said.

    A file that was read, and that the validator's own parser refuses (a namespace that is no URI,
    elements in hundreds within one another), has that as its one violation.
    """
    try:
        root = parse_xml(source)
    except FormatError as error:
        return [Violation(source.line_of(0) or 1, "", error.reason, 0)]
    name = _name(root)
    if not (schemas() / name).is_file():
        return []
    schema = schema_of(name)
    if schema.validate(root):
        return []
    found: list[Violation] = []
    log: Any = schema.error_log
    for entry in log:
        what = _NAMESPACE.sub("", _PREFIX.sub("", entry.message.strip()).rstrip("."))
        element = re.match(r"^Element '(?:\{[^}]*\})?([^']*)'", entry.message)
        origin = _ordinal(root, entry.path) if not found else None
        found.append(Violation(entry.line, element.group(1) if element else "", what, origin))
    return found


def _ordinal(root: Any, path: str | None) -> int | None:
    """The place in document order of the element at a path of the validator."""
    prefixes = {prefix: name for prefix, name in root.nsmap.items() if prefix}
    try:
        (element,) = root.getroottree().xpath(_AT.sub("", path or ""), namespaces=prefixes)
    except (etree.XPathError, ValueError):
        return None
    return next(place for place, each in enumerate(root.iter("*")) if each is element)
