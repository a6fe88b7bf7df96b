"""Moving words within a text: what is one shift for the score is one key for the editor."""

from __future__ import annotations

import re

from madcat_studio.operations.scores.alignments import removal

__all__ = ["moved", "moved_to"]

_CLOSING = ",.;:!?)"
_WORD = re.compile(r"\S+")


def moved(text: str, caret: int, anchor: int, direction: int) -> tuple[str, int, int] | None:
    """The text with the selected words moved by one word.

    Args:
        text: one paragraph.
        caret, anchor: the selection, in characters; any part of a word takes the whole word, and
            without a selection it is the word at the caret.
        direction: -1 to the left, 1 to the right.

    Returns:
        Text, caret and anchor (around the moved words), or None where there is nothing to move
        or nowhere to go.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    low, high = min(caret, anchor), max(caret, anchor)
    chosen = [
        number
        for number, (start, end) in enumerate(words)
        if (start < high and end > low) or (low == high and start <= low <= end)
    ]
    if not chosen:
        return None
    first, last = chosen[0], chosen[-1]
    if low == high:
        last = first
    other = first - 1 if direction < 0 else last + 1
    if not 0 <= other < len(words):
        return None
    block_start, block_end = words[first][0], words[last][1]
    start, end = words[other]
    block, word = text[block_start:block_end], text[start:end]
    if direction < 0:
        between = text[end:block_start]
        changed = text[:start] + block + between + word + text[block_end:]
        place = start
    else:
        between = text[block_end:start]
        changed = text[:block_start] + word + between + block + text[end:]
        place = block_start + len(word) + len(between)
    if low == high:
        caret = place + max(0, min(caret - block_start, len(block)))
        return changed, caret, caret
    return changed, place + len(block), place


def moved_to(text: str, start: int, end: int, place: int) -> tuple[str, int, int] | None:
    """The text with the words from ``start`` to ``end`` moved to another place.

    Blanks are kept in order, and words are never put into the middle of a word: they go behind it.

    Returns:
        Text, caret and anchor (around the moved words), or None where nothing would move.
    """
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end or start - 1 <= place <= end + 1:
        return None
    words = text[start:end]
    gone = removal(text, start, end)
    rest = gone.apply(text)
    if place >= gone.end:
        place -= gone.end - gone.start
    while 0 < place < len(rest) and not rest[place - 1].isspace() and rest[place].isalnum():
        place += 1
    before = " " if place and not rest[place - 1].isspace() else ""
    behind = rest[place : place + 1]
    after = " " if behind and not behind.isspace() and behind not in _CLOSING else ""
    changed = rest[:place] + before + words + after + rest[place:]
    first = place + len(before)
    return changed, first + len(words), first
