"""Whether a proposal is sure: whether nothing else is nearly as likely, and it looks as it should.

A proposal that is not sure is no worse than before; it asks for a look. So the limits are set where
hardly anything that is wrong passes, even if much that is right does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from madcat_studio.pages.letters import letter_width
from madcat_studio.pages.sharing import Sharing
from madcat_studio.pages.writing import Writing

__all__ = ["is_sure"]

_MARGIN = 2.5
"""How much dearer every other way must be."""
_STRAY = 0.75
"""How much, as a logarithm, its width may stray from what its letters ask for."""


def is_sure(
    writing: Writing,
    texts: Sequence[str],
    free: Sequence[int],
    sharing: Sharing,
    number: int,
    letter: float,
) -> bool:
    """Whether a word's proposal needs no look.

    Args:
        writing, texts: what was shared out among which words.
        free: the parts that ``sharing`` counts.
        sharing: the way that was chosen.
        number: the word.
        letter: how wide an ordinary letter is, in cells.
    """
    begin, end = sharing.ranges[number]
    if begin == end or sharing.margins[number] < _MARGIN:
        return False
    parts = [writing.parts[free[part]] for part in range(begin, end)]
    if any(part.odd for part in parts):
        return False
    spans = [part.span for part in parts]
    width = max(span[1] for span in spans) - min(span[0] for span in spans)
    stray = abs(math.log(max(width, 1.0) / (letter_width(texts[number]) * letter)))
    if stray > _STRAY:
        return False
    # What is left over beside it may be its own.
    left_over = number and sharing.ranges[number - 1][1] < begin
    return not left_over and (
        number + 1 == len(texts) or sharing.ranges[number + 1][0] <= max(end, 0)
    )
