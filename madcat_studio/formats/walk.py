"""One walk over a file in document order: elements are counted, what is passed by is looked at."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from madcat_studio.formats.layouts import Notes
from madcat_studio.formats.numbers import Points, number
from madcat_studio.formats.source import Source
from madcat_studio.formats.survey import Survey
from madcat_studio.formats.xml import Element

__all__ = ["Walk"]


class Walk:
    """A reader that comes by every element once, which is what makes reading quick.

    Whoever takes an element over counts it in ``ordinal``; the others are skipped. Points are read
    before the walk, all at once, and asked of ``points``; numbers are looked at before it as well,
    but for those of the elements that are read for their numbers: who reads one looks at it.

    Args:
        source: the file.
        survey: of its elements.
        numbers: attributes that hold numbers.
        points: attributes that hold points; those that are in both hold one or the other.
        own: names of the elements whose numbers the reader reads.
    """

    def __init__(
        self, source: Source, survey: Survey, numbers: Set[str], points: Set[str], own: Set[str]
    ) -> None:
        self.survey = survey
        self.names = survey.names
        self.notes = Notes(source)
        self.ordinal = -1
        self._odd = False
        # Names of attributes and nothing that knows the reader: a ring of objects would keep the
        # whole tree in memory until somebody looks for garbage.
        self._watched: dict[Any, Set[str]] = {}
        texts: set[str | None] = set()
        outlines: list[str] = []
        for tag, keys in survey.keys.items():
            elements = survey.tagged[tag]
            for key in keys & points:
                given = [text for each in elements if (text := each.get(key)) is not None]
                if key in numbers:
                    given = [text for text in given if " " in text or number(text) is None]
                outlines += given
            alone = keys & numbers - points
            if not alone:
                continue
            if self.names[tag] in own:
                self._watched[tag] = alone
            else:
                for key in alone:
                    texts.update([each.get(key) for each in elements])
        self.points = Points(outlines)
        texts.discard(None)
        for text in texts:
            if number(text) is None:
                self.look_at(text)

    @property
    def odd(self) -> bool:
        """Whether there was a number, or points, that cannot be read."""
        return self._odd or self.points.odd

    def look_at(self, text: str | None) -> None:
        """Notice whether a text that should be a number is none."""
        if text is not None and number(text) is None and text.strip():
            self._odd = True

    def skip(self, element: Element) -> None:
        """Step over an element that is not taken over, and all that is in it."""
        watched = self._watched
        if not len(element) and element.tag not in watched:
            self.ordinal += 1  # as most
            return
        for inner in element.iter("*"):
            if inner.tag in watched:
                self.step(inner)
            else:
                self.ordinal += 1

    def skip_children(self, element: Element) -> None:
        """Step over all that is in an element."""
        for child in element:
            self.skip(child)

    def step(self, element: Element) -> None:
        """Count one element, and look at its numbers where nobody did."""
        self.ordinal += 1
        for key in self._watched.get(element.tag, ()):
            self.look_at(element.get(key))
