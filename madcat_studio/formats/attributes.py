"""The attributes of elements that a patch changes, perhaps each for several reasons."""

from __future__ import annotations

from collections.abc import Iterator

from madcat_studio.formats.madcat_elements import attribute_text
from madcat_studio.formats.spans import Spans, attributes_of

__all__ = ["Attributes"]


class Attributes:
    """The attributes of elements as they will be written."""

    def __init__(self, spans: Spans) -> None:
        self._spans = spans
        self._set: dict[int, dict[str, str | None]] = {}

    def get(self, origin: int, name: str) -> str | None:
        """What was set last, or what the file has."""
        return self._set.get(origin, self._spans[origin].values).get(name)

    def set(self, origin: int, name: str, value: str | None) -> None:
        """Change, add or (None) remove an attribute."""
        self._set.setdefault(origin, dict(self._spans[origin].values))[name] = value

    def replacements(self, data: bytes) -> Iterator[tuple[int, int, str]]:
        """The ranges of the file that change, and what stands there then."""
        for origin, values in self._set.items():
            span = self._spans[origin]
            there = attributes_of(data, span)
            ends = [attribute.end for attribute in there.values()]
            behind = max(ends, default=span.start + 1 + len(span.name.encode()))
            for name, value in values.items():
                found = there.get(name)
                if value == span.values.get(name):
                    continue
                if found is None:
                    yield behind, behind, f' {name}="{attribute_text(value or "", chr(34))}"'
                elif value is None:
                    yield found.start, found.end, ""
                else:
                    new = attribute_text(value, found.quote)
                    yield found.value_start, found.value_end, new
