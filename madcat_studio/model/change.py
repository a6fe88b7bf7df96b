"""What an edit changed, as a value: views read it and refresh only that."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Change"]


@dataclass(frozen=True, slots=True)
class Change:
    """The kinds of things that one edit (or its undoing) touched.

    Attributes:
        lines: (page index, line index) of lines whose polygon or words' order changed.
        words: (page index, line index, word index) of words whose polygon changed.
        segments: (section index, segment index) of segments whose text or tokens changed.
        structure: whether objects were added, removed or moved, so that indices shifted.
    """

    lines: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    words: frozenset[tuple[int, int, int]] = field(default_factory=frozenset)
    segments: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    structure: bool = False
