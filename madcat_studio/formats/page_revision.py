"""PAGE XML in another revision: only what the revision does not allow is changed.

The namespace is written anew; then the file is held against the published schema of the revision,
and what that refuses is taken out and told: attributes, and elements that hold no text. All other
bytes stay.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from madcat_studio.formats.layouts import Notes, number, ordinals
from madcat_studio.formats.page_xml_writer import NAMESPACE, VERSIONS
from madcat_studio.formats.patching import TextPatch, patched
from madcat_studio.formats.schema import schema_of
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names
from madcat_studio.model.problem import Problem, Severity

__all__ = ["revised"]

_ANY = re.compile(r"https?://schema\.primaresearch\.org/PAGE/gts/pagecontent/[\d-]+")
_ATTRIBUTE = re.compile(r"attribute '([^']*)'")
_ROUNDS = 12
_TEXTS = {"TextLine", "Word", "Unicode"}


class _Unheld(Exception):
    """The revision refuses something that cannot just be taken out."""


def revised(source: Source, version: str) -> tuple[bytes, list[Problem]] | None:
    """A PAGE XML file in another revision, and what that could not hold.

    Returns:
        None where it must be made anew: 2010 writes outlines otherwise, and sometimes what a
        revision refuses holds text.
    """
    if version == "2010" or "pagecontent/2010" in source.decoded.text[:2000]:
        return None
    notes = Notes(source)
    try:
        return patched(source, lambda data: _Revision(version, notes).of(data)), notes.problems
    except _Unheld:
        return None


class _Revision:
    def __init__(self, version: str, notes: Notes) -> None:
        self.version = version
        self.notes = notes
        self.names = Names()
        self.schema = schema_of(f"page-{VERSIONS[version]}.xsd")

    def of(self, data: bytes) -> bytes:
        """The file, after as many rounds as it takes until the schema refuses nothing."""
        data = self.renamed(data)
        for _ in range(_ROUNDS):
            root: Any = etree.fromstring(_undeclared(data))
            if self.schema.validate(root):
                return data
            data = self.mended(data, root)
        raise _Unheld

    def renamed(self, data: bytes) -> bytes:
        """The file in the namespace of the revision; cells of tables become text regions."""
        patch = TextPatch(data, {})
        for name, value in patch.spans[0].values.items():
            if _ANY.search(value):
                patch.set_attribute(0, name, _ANY.sub(NAMESPACE + VERSIONS[self.version], value))
        for span in patch.spans:
            if span.local == "TableCell":
                name = f"{span.prefix}TextRegion"
                start = span.start + 1
                patch.text(start, start + len(span.name.encode()), name)
                if not span.is_empty_tag:
                    patch.text(span.inner_end, span.end, f"</{name}>")
        return patch.render_all()

    def mended(self, data: bytes, root: Element) -> bytes:
        """The file without what the schema refuses first of each element."""
        places = ordinals(root)
        tree = root.getroottree()
        patch = TextPatch(data, {})
        done: set[tuple[int, str]] = set()
        log: Any = self.schema.error_log
        for entry in log:
            found = tree.xpath(re.sub(r"/@[^/]*$", "", entry.path))
            if not found:
                raise _Unheld
            element = found[0]
            attribute = _ATTRIBUTE.search(entry.message)
            what = attribute.group(1) if attribute else ""
            if (places[element], what) in done:
                continue
            done.add((places[element], what))
            if attribute:
                self.without_attribute(patch, element, places[element], what)
            elif "This element is not expected" in entry.message:
                self.without(patch, element, places[element])
            else:
                raise _Unheld
        return patch.render_all()

    def without_attribute(self, patch: TextPatch, element: Element, place: int, what: str) -> None:
        """Take an attribute out; a region's type goes where programs look for it otherwise."""
        name = self.names[element.tag]
        if what not in element.attrib or what in ("id", "points"):
            raise _Unheld
        patch.set_attribute(place, what, None)
        value = element.get(what) or ""
        if what == "type" and element.get("custom") is None and not set(value) & set("{};"):
            patch.set_attribute(place, "custom", f"structure {{type:{value};}}")
        else:
            self.lost(f"{name}/@{what} “{value}”", element)

    def without(self, patch: TextPatch, element: Element, place: int) -> None:
        """Take an element out that holds no text, or an alternative to one."""
        inner = {self.names[child.tag] for child in element.iter("*")}
        name = self.names[element.tag]
        if name == "TextEquiv":
            texts = [c for c in element.getparent() if self.names[c.tag] == name]
            if min(texts, key=lambda text: number(text.get("index")) or 0) is element:
                raise _Unheld
        elif inner & _TEXTS:
            raise _Unheld
        patch.remove(place)
        self.lost(name, element)

    def lost(self, what: str, element: Element) -> None:
        self.notes.tell(
            "convert-lost",
            f"PAGE {self.version} has no room for {what}",
            place=str(element.get("id") or ""),
            severity=Severity.NOTE,
        )


def _undeclared(data: bytes) -> bytes:
    """A file without its declaration, which names another encoding than it is in here."""
    return re.sub(rb"^\s*<\?xml[^>]*\?>", b"", data)
