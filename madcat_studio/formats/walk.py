"""One walk over a file in document order: elements are counted, what is passed by is looked at."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from madcat_studio.formats.layouts import Notes
from madcat_studio.formats.numbers import Points, number
from madcat_studio.formats.source import Source
from madcat_studio.formats.survey import Survey
from madcat_studio.formats.xml import Element

__all__ = ["Walk"]


class Walk:
    """A reader that comes by every element once, which is what makes reading quick.

    Whoever takes an element over counts it in ``ordinal``; the others are skipped. Whoever
    takes a number over looks at what is none; points are asked of ``points``.

    Args:
        source: the file.
        survey: of its elements.
        read: attributes that hold numbers.
        points: attributes that hold points.
    """

    def __init__(
        self, source: Source, survey: Survey, read: Set[str], points: Set[str] = frozenset()
    ) -> None:
        self.survey = survey
        self.names = survey.names
        self.notes = Notes(source)
        self.points = Points()
        self.ordinal = -1
        self._odd = False
        self._watched: dict[Any, list[tuple[str, Callable[[str], object]]]] = {}
        for tag, keys in survey.keys.items():
            if keys.isdisjoint(read | points):
                continue
            look, look_at_points = self.look_at, self.points.look_at
            self._watched[tag] = [
                (key, look_at_points if key in points else look) for key in keys & (read | points)
            ]

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
        if not len(element):
            self.step(element)
            return
        watched = self._watched
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
        """Count one element, and look at its numbers."""
        self.ordinal += 1
        tag = element.tag
        if tag in self._watched:
            for key, look in self._watched[tag]:
                value = element.get(key)
                if value is not None:
                    look(value)
