"""Distances and alignments without shifts, in Python, a column at a time as one number's bits.

Bit i of ``up`` says that a column of the matrix of distances rises by 1 from row i to row i + 1,
bit i of ``down`` that it falls (Hyyrö, "A bit-vector algorithm for computing Levenshtein and
Damerau edit distances", Nordic Journal of Computing 10, 2003).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

__all__ = ["Columns", "minimum_path"]


class Columns:
    """Columns, one for each word of an output, whose rows are the words of a reference."""

    def __init__(self, output: Sequence[Hashable], reference: Sequence[Hashable]) -> None:
        self._rows = len(reference)
        self._mask = (1 << self._rows) - 1
        self._where: dict[Hashable, int] = {}
        for row, word in enumerate(reference):
            self._where[word] = self._where.get(word, 0) | 1 << row
        self.up, self.down = [self._mask], [0]
        for word in output:
            up, down = self._next(self.up[-1], self.down[-1], word)
            self.up.append(up)
            self.down.append(down)

    def distance(self, output: Sequence[Hashable], same: int) -> int:
        """Fewest edits from another output, whose first ``same`` words are those of this one."""
        up, down = self.up[same], self.down[same]
        for word in output[same:]:
            up, down = self._next(up, down, word)
        return len(output) + up.bit_count() - down.bit_count()

    def _next(self, up: int, down: int, word: Hashable) -> tuple[int, int]:
        equal = self._where.get(word, 0)
        zero = (((equal & up) + up) ^ up) | equal | down
        rises = (down | ~(zero | up)) << 1 | 1
        falls = (zero & up) << 1
        return (falls | ~(zero | rises)) & self._mask, rises & zero & self._mask


def minimum_path(output: Sequence[Hashable], reference: Sequence[Hashable]) -> str:
    """The path of the fewest edits that rapidfuzz takes (and so jiwer), written as the kernel's.

    Equal ends are set aside; then, from the end backwards, a deletion comes before an insertion
    and that before a diagonal step.
    """
    n, m = len(output), len(reference)
    head = 0
    while head < min(n, m) and output[head] == reference[head]:
        head += 1
    tail = 0
    while tail < min(n, m) - head and output[n - 1 - tail] == reference[m - 1 - tail]:
        tail += 1
    output, reference = output[head : n - tail], reference[head : m - tail]
    columns = Columns(output, reference)
    steps = []
    j, i = len(output), len(reference)
    while i > 0 and j > 0:
        if columns.up[j] >> (i - 1) & 1:
            steps.append("D")
            i -= 1
            continue
        j -= 1
        if j > 0 and columns.down[j] >> (i - 1) & 1:
            steps.append("I")
        else:
            i -= 1
            steps.append(" " if output[j] == reference[i] else "S")
    return " " * head + "I" * j + "D" * i + "".join(reversed(steps)) + " " * tail
