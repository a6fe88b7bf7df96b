"""Moving words within a text: what is one shift for the score is one key for the editor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from madcat_studio.operations.scores.alignments import removal

__all__ = ["moved", "moved_to"]

_CLOSING = ",.;:!?)]}”’»"
_OPENING = "([{“‘«"

WordsOf = Callable[[str], Sequence[tuple[int, int]]]


def moved(
    text: str, caret: int, anchor: int, direction: int, words_of: WordsOf
) -> tuple[str, int, int] | None:
    """The text with the selected words moved by one word.

    Args:
        text: one paragraph.
        caret, anchor: the selection, in characters; any part of a word takes the whole word, and
            without a selection it is the word at the caret.
        direction: -1 to the left, 1 to the right.
        words_of: where the words of a text stand that are scored; a full stop is one of its own.

    Returns:
        Text, caret and anchor (around the moved words), or None where there is nothing to move,
        nowhere to go, or no spacing that leaves the words as they are.
    """
    words = words_of(text)
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
    left, right = (other, last) if direction < 0 else (first, other)
    split = first if direction < 0 else other
    begin = words[left - 1][1] if left else 0
    end = words[right + 1][0] if right + 1 < len(words) else len(text)
    one, two = text[words[left][0] : words[split - 1][1]], text[words[split][0] : words[right][1]]
    before = text[words[left - 1][0] : begin] if left else ""
    after = text[end : words[right + 1][1]] if right + 1 < len(words) else ""
    gaps = (
        text[begin : words[left][0]],
        text[words[split - 1][1] : words[split][0]],
        text[words[right][1] : end],
    )
    spelt = [text[start:stop] for start, stop in words]
    expected = [*spelt[:left], *spelt[split : right + 1], *spelt[left:split], *spelt[right + 1 :]]
    for spacing in _spacings(gaps, before, one, two, after):
        changed = text[:begin] + spacing[0] + two + spacing[1] + one + spacing[2] + text[end:]
        if [changed[start:stop] for start, stop in words_of(changed)] == expected:
            break
    else:
        return None
    place, block = begin + len(spacing[0]), two
    if direction > 0:
        place, block = place + len(two) + len(spacing[1]), one
    if low == high:
        caret = place + max(0, min(caret - words[first][0], len(block)))
        return changed, caret, caret
    return changed, place + len(block), place


_Gaps = tuple[str, str, str]


def _spacings(gaps: _Gaps, before: str, one: str, two: str, after: str) -> Iterator[_Gaps]:
    """What may stand before, between and after two parts that change places, the best first."""
    usual = _usual_gaps(before, two, one, after)
    yield usual if gaps == _usual_gaps(before, one, two, after) else gaps
    yield usual
    # Words that were joined without a blank, such as a possessive, would become others.
    yield (" " if before else "", " ", " " if after else "")


def _usual_gaps(before: str, one: str, other: str, after: str) -> _Gaps:
    """What usually stands between words that follow each other: nothing before a full stop."""

    def gap(left: str, right: str) -> str:
        glued = not left or not right or right[0] in _CLOSING or left[-1] in _OPENING
        return "" if glued else " "

    return gap(before, one), gap(one, other), gap(other, after)


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
