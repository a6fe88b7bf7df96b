"""The ledger of a conversion: what a file holds, counted in the file itself.

Nothing here goes through the readers: what a reader steps over is counted all the same, and what
comes out is counted in the bytes that were written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.registry import RULES
from madcat_studio.formats.source import Source

__all__ = ["KINDS", "Row", "count", "ledger"]

KINDS = ("regions", "lines", "words", "baselines", "texts", "characters")
"""What is counted. A text is that of a line, a segment, or a region that has no other; characters
are those of the texts without blanks."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of things: how many went in and came out."""

    kind: str
    came: int
    went: int

    @property
    def left(self) -> int:
        """How many fewer came out than went in."""
        return max(self.came - self.went, 0)


def ledger(before: Source, after: Iterable[Source], kind: FileFormat) -> list[Row]:
    """What a conversion made of a file, recounted from the files that were written in ``kind``."""
    came = count(before)
    went: Counter[str] = Counter()
    for source in after:
        went += count(source, kind)
    return [Row(kind, came[kind], went[kind]) for kind in KINDS]


def count(source: Source, kind: FileFormat | None = None) -> Counter[str]:
    """What a file holds, of a format that is known, or told by the file."""
    found: Counter[str] = Counter()
    texts = RULES[kind or recognise(source)].count(source, found)
    for text in texts:
        letters = len("".join(text.split()))
        found["texts"] += letters > 0
        found["characters"] += letters
    return found
