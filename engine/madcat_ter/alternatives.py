"""Texts with alternatives and optional words, as NIST's transcripts have them, and their WER.

``{ colour / color / @ }`` stands for any one of its texts, ``@`` for none at all; they may lie
within one another. A word in parentheses may be left out. Both texts may have them. What is
compared are then two networks of words, and of all pairs of ways through them the cheapest counts.
Costs and the choice among equal ones are sclite's: 4 for a substitution, 3 for an insertion or a
deletion, 2 for an optional word, 0.001 for ``@``, added in single precision; from the end of the
texts backwards the diagonal goes before an insertion before a deletion, and an alternative before
those that stand behind it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from madcat_ter.errors import InputError

__all__ = ["Network", "has_alternatives", "least_edits", "network_of"]

_NULL = "@"
_SUBSTITUTION, _EDIT, _OPTIONAL, _NOTHING, _NULLS = 4.0, 3.0, 2.0, array("f", [0.001])[0], 1.0
_TOKEN = re.compile(r"\s*([^\s]\S*)")


@dataclass(slots=True)
class Network:
    """The words of a text, and which may stand before each.

    Attributes:
        words: the words; the first is the beginning, which is none.
        optional: whether a word may be left out.
        before: for each word those before it, in the order of the text.
        ends: the words that the text may end with.
    """

    words: list[str] = field(default_factory=lambda: [""])
    optional: list[bool] = field(default_factory=lambda: [False])
    before: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    ends: tuple[int, ...] = (0,)


def has_alternatives(text: str) -> bool:
    """Whether a text is more than a row of words."""
    return any(mark in text for mark in "{}(@")


def network_of(
    text: str, units: Callable[[str], Sequence[str]] = str.split, *, optional: bool = False
) -> Network:
    """The network of a text.

    Args:
        text: words between blanks; ``{`` begins an alternation where a word could begin.
        units: the words that one word becomes, as the options of scoring would have it.
        optional: whether words in parentheses are words that may be left out; without it the
            parentheses belong to the words.

    Raises:
        InputError: ``scoring.alternatives``: braces that do not pair, or have nothing in them.
    """
    network = Network()
    network.ends = _Parser(network, units, optional).add(text, (0,))
    return network


class _Parser:
    def __init__(
        self, network: Network, units: Callable[[str], Sequence[str]], optional: bool
    ) -> None:
        self._network, self._units, self._optional = network, units, optional

    def add(self, text: str, before: tuple[int, ...]) -> tuple[int, ...]:
        """Add a text behind these words; the words that it may end with."""
        at = 0
        while (found := _TOKEN.match(text, at)) is not None:
            at = found.start(1)
            if text[at] == "{":
                end = _end_of(text, at)
                ends: list[int] = []
                for alternative in _parts(text[at + 1 : end - 1]):
                    ends += self.add(alternative, before)
                if not ends:
                    raise _fault(text, "an alternation is empty", "Write @ for no word")
                before, at = tuple(dict.fromkeys(ends)), end
                continue
            at = found.end()
            if "{" in found[1] or "}" in found[1]:
                raise _fault(text, f"a brace is inside “{found[1]}”", "Put spaces around braces")
            before = self._word(found[1], before)
        return before

    def _word(self, word: str, before: tuple[int, ...]) -> tuple[int, ...]:
        may_go = self._optional and len(word) > 2 and word[0] == "(" and word[-1] == ")"
        if word == _NULL:
            units: Sequence[str] = (_NULL,)
        else:
            units = self._units(word[1:-1] if may_go else word)
        for unit in units:
            network = self._network
            network.words.append(unit)
            network.optional.append(may_go)
            network.before.append(before)
            before = (len(network.words) - 1,)
        return before


def _fault(text: str, reason: str, remedy: str) -> InputError:
    shown = text.strip()
    shown = shown[:60] + "…" if len(shown) > 60 else shown
    return InputError("scoring.alternatives", f"{reason}: “{shown}”", remedy=remedy)


def _end_of(text: str, begin: int) -> int:
    """Behind the brace that closes the one at ``begin``."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at + 1
    raise _fault(text[begin:], "a brace is not closed", "Close each { with }")


def _parts(text: str) -> Iterator[str]:
    """The alternatives of an alternation; empty ones are none."""
    depth = begin = 0
    for at, character in enumerate(f"{text}/"):
        depth += (character == "{") - (character == "}")
        if character == "/" and depth == 0:
            if text[begin:at].strip():
                yield text[begin:at]
            begin = at + 1


def least_edits(output: Network, reference: Network) -> list[tuple[str, str | None, str | None]]:
    """The cheapest way from a reference to an output, without ``@``.

    Returns:
        one step each: blank, ``S``, ``I`` or ``D``, the word of the output, that of the reference.
        An optional word that is left out agrees with "".
    """
    rows, columns = len(reference.words), len(output.words)
    costs = [array("f", bytes(4 * columns)) for _ in range(rows)]
    back = [[(0, 0)] * columns for _ in range(rows)]
    gaps = [_gap(output, b) for b in range(columns)]
    for b in range(1, columns):
        least, at = _least(costs[0], output.before[b])
        costs[0][b] = least + gaps[b]
        back[0][b] = (0, at)
    for a in range(1, rows):
        row, word, gap = costs[a], reference.words[a], _gap(reference, a)
        above = reference.before[a]
        column = [costs[each] for each in above]
        for b in range(columns):
            deleted, from_a = min((line[b], n) for n, line in enumerate(column))
            deleted += gap
            if b == 0:
                row[b] = deleted
                back[a][b] = (above[from_a], b)
                continue
            inserted, from_b = _least(row, output.before[b])
            inserted += gaps[b]
            kept, diagonal = _diagonal(column, above, output.before[b])
            kept += _apart(word, output.words[b])
            # Compared as they are kept: in single precision.
            kept, deleted, inserted = array("f", (kept, deleted, inserted))
            if kept <= deleted and kept <= inserted:
                row[b], back[a][b] = kept, diagonal
            elif deleted < inserted:
                row[b], back[a][b] = deleted, (above[from_a], b)
            else:
                row[b], back[a][b] = inserted, (a, from_b)
    ends = ((costs[a][b], a, b) for a in reference.ends for b in output.ends)
    _, a, b = min(ends, key=lambda found: found[0])
    return list(_steps(output, reference, back, a, b))[::-1]


def _gap(network: Network, at: int) -> float:
    """What it costs that the other side has no such word."""
    if network.words[at] == _NULL:
        return _NOTHING
    return _OPTIONAL if network.optional[at] else _EDIT


def _apart(one: str, other: str) -> float:
    if one == _NULL == other:
        return _NULLS
    return 0.0 if one == other else _SUBSTITUTION


def _least(row: array[float], before: tuple[int, ...]) -> tuple[float, int]:
    """The cheapest of the words before, the first of equal ones."""
    at = min(before, key=row.__getitem__)
    return row[at], at


def _diagonal(
    column: Sequence[array[float]], above: tuple[int, ...], before: tuple[int, ...]
) -> tuple[float, tuple[int, int]]:
    found = ((line[b], (a, b)) for line, a in zip(column, above, strict=True) for b in before)
    return min(found, key=lambda one: one[0])


def _steps(
    output: Network, reference: Network, back: Sequence[Sequence[tuple[int, int]]], a: int, b: int
) -> Iterator[tuple[str, str | None, str | None]]:
    """The steps from the end to the beginning."""
    while a or b:
        before_a, before_b = back[a][b]
        ours, theirs = output.words[b], reference.words[a]
        if before_a == a:
            if ours != _NULL:
                yield (" ", ours, "") if output.optional[b] else ("I", ours, None)
        elif before_b == b:
            if theirs != _NULL:
                yield (" ", "", theirs) if reference.optional[a] else ("D", None, theirs)
        elif not ours == theirs == _NULL:
            yield (" " if ours == theirs else "S"), ours, theirs
        a, b = before_a, before_b
