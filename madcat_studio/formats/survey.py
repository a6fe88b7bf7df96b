"""What elements a file of XML has, by their tags: what readers need to tell what they left out."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from itertools import chain
from operator import methodcaller
from typing import Any

from madcat_studio.formats.xml import Element, Names

__all__ = ["Survey"]

_keys = methodcaller("keys")


class Survey:
    """All elements of a file.

    Attributes:
        names: their local names by their tags.
        tagged: the elements of each tag, in document order.
        keys: all attributes that the elements of a tag have.
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        self.names = Names()
        self.tagged: dict[Any, list[Element]] = {}
        tagged = self.tagged
        for element in root.iter("*"):
            tag = element.tag
            if tag in tagged:
                tagged[tag].append(element)
            else:
                tagged[tag] = [element]
        self.keys: dict[Any, set[str]] = {
            tag: set().union(*map(_keys, elements)) for tag, elements in tagged.items()
        }

        self._tags: dict[str, list[Any]] = {}
        for tag in tagged:
            self._tags.setdefault(self.names[tag], []).append(tag)

    @cached_property
    def ordinals(self) -> dict[Element, int]:
        """The place of each element in document order, as :mod:`formats.spans` counts them."""
        return {element: place for place, element in enumerate(self._root.iter("*"))}

    def every(self, *names: str) -> list[Element]:
        """The elements of these local names in document order."""
        found = [self.tagged[tag] for name in names for tag in self._tags.get(name, ())]
        if len(found) < 2:
            return found[0] if found else []
        return sorted(chain.from_iterable(found), key=self.ordinals.__getitem__)

    def keys_of(self, name: str) -> set[str]:
        """All attributes that the elements of a local name have."""
        return set().union(*(self.keys[tag] for tag in self._tags.get(name, ())))

    def having(self, name: str, keys: Set[str]) -> set[Element]:
        """The elements of a local name that have one of these attributes."""
        return {
            element
            for tag in self._tags.get(name, ())
            for key in self.keys[tag] & keys
            for element in self.tagged[tag]
            if element.get(key) is not None
        }
