"""What reading a MADCAT file notices: problems with their place, and what was made of them."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = ["EXTENSION", "FOREIGN", "MOST", "WHOLE_NUMBER", "Noticing"]

WHOLE_NUMBER = re.compile(r"\s*[+-]?\d{1,40}\s*\Z", re.ASCII)
MOST = 10**9
"""No page has so many pixels."""

_LEADING = re.compile(r"\s*(\d{1,20})", re.ASCII)
EXTENSION = "urn:madcat-studio:layout"
"""The namespace of what other formats have and MADCAT has not: baselines and regions."""
FOREIGN = (
    "{http://www.w3.org/2001/XMLSchema-instance}",
    "{http://www.w3.org/XML/1998/namespace}",
    f"{{{EXTENSION}}}",
)

_KNOWN: dict[str, tuple[str, ...]] = {
    "madcat": ("version",),
    "doc": ("id", "src", "type", "nbpages"),
    "writer": ("id",),
    "image": (),
    "page": ("id", "width", "height", "dpi", "colordepth"),
    "zone": ("id", "type"),
    "polygon": (),
    "point": ("x", "y"),
    "token-image": ("id",),
    "content": (),
    "section": ("id", "type"),
    "segment": ("id",),
    "zone_ref": (),
    "token": ("id", "ref_id", "status"),
    "source": (),
    "transcription": (),
    "translation": (),
}
_CHILDREN: dict[str, tuple[str, ...]] = {
    "madcat": ("doc",),
    "doc": ("writer", "image", "content"),
    "image": ("page",),
    "page": ("zone",),
    "zone": ("polygon", "token-image"),
    "token-image": ("polygon",),
    "polygon": ("point",),
    "content": ("section",),
    "section": ("segment",),
    "segment": ("zone_ref", "token", "transcription", "translation"),
    "token": ("source",),
}


class Noticing:
    """What a reader tells of as it goes over the tree in document order.

    Attributes:
        problems: those found so far.
        ordinal: of the element that was entered last; every element counts.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.names = Names()
        self.ordinal = -1

    def note(
        self,
        code: str,
        severity: Severity,
        place: str,
        what: str,
        done: str = "kept as it is",
        remedy: str = "",
        origin: int | None = None,
    ) -> None:
        """Record a problem at the element of this ordinal, else at the one that is read."""
        origin = self.ordinal if origin is None else origin
        line, column = self.source.place_of(origin)
        where = Where(self.source.name, line, place, origin, column)
        self.problems.append(Problem(code, severity, where, what, done, remedy))

    def attributes(
        self, element: Element, name: str, place: str, required: tuple[str, ...] = ()
    ) -> dict[str, str]:
        """The attributes by name; unknown and missing ones become problems."""
        found: dict[str, str] = element.attrib
        known = _KNOWN[name]
        for key in found:
            if key not in known and not key.startswith(FOREIGN):
                self.unknown_attribute(name, key, place)
        for key in required:
            if key not in found:
                self.note(
                    "attribute-missing",
                    Severity.WARNING,
                    place,
                    f"{name} has no attribute “{key}”",
                    "read without it",
                    f"Add {key} to the file",
                )
        return found

    def unknown_attribute(self, name: str, key: str, place: str) -> None:
        """Tell of an attribute that the model has no room for."""
        near = _near(key, _KNOWN[name], 0.6)
        self.note(
            "attribute-unknown",
            Severity.WARNING if near else Severity.NOTE,
            place,
            f"{name} has an unknown attribute “{key}”",
            "kept in the file, not used",
            f"Did you mean {near}?" if near else "",
        )

    def unknown_element(self, element: Element, parent: str, place: str) -> None:
        """Step over an element that the model has no room for, and all that is in it."""
        self.ordinal += 1
        name = self.names[element.tag]
        if name in _CHILDREN[parent]:
            self.note(
                "element-repeated",
                Severity.WARNING,
                place,
                f"{parent} has more than one “{name}”",
                "the first one was read; the others are kept in the file",
                "Keep one of them",
            )
        else:
            near = _near(name, _CHILDREN[parent], 0.75)
            elsewhere = name in _KNOWN and not near
            self.note(
                "element-unknown",
                Severity.WARNING if near or elsewhere else Severity.NOTE,
                place,
                f"{parent} has an element “{name}” that does not belong there"
                if elsewhere
                else f"{parent} has an unknown element “{name}”",
                "kept in the file, not used",
                f"Did you mean {near}?" if near else "",
            )
        self.ordinal += _inside(element)

    def number(self, place: str, name: str, value: str | None) -> int | None:
        """A whole number from an attribute that may hold something else."""
        if value is None:
            return None
        if WHOLE_NUMBER.match(value) and abs(int(value)) < MOST:
            return int(value)
        if not value.strip():
            self.note(
                "number-empty",
                Severity.NOTE,
                place,
                f"{name} is empty",
                "read as not given",
                f"Fill in {name} or remove it",
            )
            return None
        leading = _LEADING.match(value)
        number = int(leading.group(1)) if leading else None
        if number is not None and number >= MOST:
            number = None
        self.note(
            "number-unreadable",
            Severity.WARNING,
            place,
            f"{name} is “{value}”, not a whole number",
            "read as not given" if number is None else f"read as {number}",
            f"Write {name} as a whole number",
        )
        return number

    def text(self, element: Element, name: str, place: str) -> str:
        """All text in an element that should hold nothing else."""
        self.ordinal += 1
        keys = element.keys()
        if keys:
            self.attributes(element, name, place)
        if len(element) == 0:
            return element.text or ""
        self.note(
            "text-markup",
            Severity.WARNING,
            place,
            f"{name} has elements inside its text",
            "their text was read; they are kept until this text is edited",
            "Remove the elements",
        )
        self.ordinal += _inside(element)
        return "".join(element.itertext())

    def stray(self, element: Element, name: str, place: str, origin: int) -> None:
        """Tell of text where only elements belong."""
        texts = [element.text]
        texts += [child.tail for child in element]
        found = [text.strip() for text in texts if text and not text.isspace()]
        if not found:
            return
        words = " ".join(found)
        self.note(
            "text-stray",
            Severity.WARNING,
            place,
            f"{name} has text of its own: “{_short(words)}”",
            "kept in the file, not used",
            "Move the text into the element that it belongs to",
            origin,
        )

    def unknown_leaf(self, element: Element, parent: str, place: str) -> None:
        """Step over an element inside one that should hold none."""
        self.ordinal += 1
        self.note(
            "element-unknown",
            Severity.NOTE,
            place,
            f"{parent} has an unknown element “{self.names[element.tag]}”",
            "kept in the file, not used",
        )
        self.ordinal += _inside(element)

    def no_polygon(self, name: str, place: str, origin: int) -> None:
        """Tell of a line or word without an outline."""
        self.note(
            "polygon-missing",
            Severity.WARNING,
            place,
            f"{name} has no polygon",
            "read with an empty one",
            "Draw its outline",
            origin,
        )


def _inside(element: Element) -> int:
    """How many elements are in one, at any depth that a page could have."""
    return sum(1 + _inside(child) for child in element)


@lru_cache(maxsize=1024)
def _near(name: str, known: tuple[str, ...], cutoff: float) -> str:
    """The known name that this one may be a misspelling of, or ""."""
    return next(iter(difflib.get_close_matches(name, known, 1, cutoff)), "")


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
