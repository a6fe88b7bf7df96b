"""Whether a MADCAT file follows ``schemas/madcat.xsd``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from lxml import etree

from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import parse_xml
from madcat_studio.paths import schemas

__all__ = ["Violation", "violations"]

_PREFIX = re.compile(r"^Element '[^']*'(?:, attribute '[^']*')?: ")


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a file does not follow the schema; ``what`` is the validator's sentence."""

    line: int
    element: str
    what: str


@cache
def _schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(schemas() / "madcat.xsd"))


def violations(source: Source) -> list[Violation]:
    """Where a file does not follow the schema, in the file's order; empty for a valid one.

    Raises:
        FormatError: the file is no XML.
    """
    root: Any = source.take_tree()
    if root is None:
        root = parse_xml(source)
    schema = _schema()
    if schema.validate(root):
        return []
    found = []
    log: Any = schema.error_log
    for entry in log:
        what = _PREFIX.sub("", entry.message.strip()).rstrip(".")
        element = re.match(r"^Element '([^']*)'", entry.message)
        found.append(Violation(entry.line, element.group(1) if element else "", what))
    return found
