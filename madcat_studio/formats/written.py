"""What a writer of a format gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from madcat_studio.model.problem import Problem

__all__ = ["Written"]


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of files, and what they cannot hold.

    Attributes:
        files: one, or one for each page.
        problems: what has no place in them, or had to be changed.
        beside: other files that belong to them, by their names.
    """

    files: list[bytes]
    problems: list[Problem]
    beside: Mapping[str, bytes] = field(default_factory=dict)
