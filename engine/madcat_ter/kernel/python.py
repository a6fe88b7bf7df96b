"""The kernel's twin in Python: the same signatures, the same results, some hundred times slower.

It follows the behaviour of tercom 0.7.25 step by step. Words come as small integers; inside, each
is one character of a string, so that moving a block is slicing and looking a block up in the
reference is a substring search. One shortcut is taken: with all costs 1, a shifted output is only
worth a search with the beam if its true edit distance is low enough, for the beam can raise the
cost and never lower it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from madcat_ter.kernel.python_edits import Columns, minimum_path

__all__ = [
    "LONGEST_SHIFT",
    "Alignment",
    "Costs",
    "Spans",
    "align",
    "align_batch",
    "like_sacrebleu_batch",
    "move",
    "nist_path",
    "wer_batch",
]

LONGEST_SHIFT = 10
"""Most words in one shift (tercom 0.7.25; no option changes it)."""

_FAR = 999999.0
"""tercom's cost of a column that no diagonal step has reached."""

Costs = tuple[float, float, float, float, float]
"""Costs of a match, shift, insertion, deletion and substitution."""

Spans = Sequence[tuple[int, int]]
"""First and last position of each word; two words can only meet where these overlap."""

Alignment = tuple[float, str, list[tuple[int, int, int, int]]]
"""Cost of the edits, path, shifts. See :func:`align`."""

_T = TypeVar("_T")

_Search = Callable[[str, Sequence[int]], tuple[float, str]]


def align(
    output: Sequence[int],
    reference: Sequence[int],
    costs: Costs = (0.0, 1.0, 1.0, 1.0, 1.0),
    beam: int = 20,
    max_distance: int = 50,
    output_spans: Spans | None = None,
    reference_spans: Spans | None = None,
    poll: Callable[[], object] | None = None,
    spans_move: bool = False,
) -> Alignment:
    """Turn ``output`` into ``reference`` by shifts and edits, as tercom 0.7.25 does.

    Args:
        output: word ids, 0 or more; equal ids are equal words.
        reference: likewise.
        costs: of match, shift, insertion, deletion, substitution; finite, not negative.
        beam: how far above the best of the column before a cell may lie; negative: no limit.
        max_distance: how far a block may move; 0 or less turns shifts off.
        output_spans: with ``reference_spans``, where in the source each word comes from.
        reference_spans: likewise.
        poll: called now and then; what it raises ends the search.
        spans_move: a word's span goes with it for good. tercom moves it for the shift that it
            tries, and puts all back for the next one, whichever words stand there by then.

    Returns:
        The cost of edits and shifts together; the path over the shifted output, one character a
        step (blank match, ``S`` substitution, ``I`` word of the output only, ``D`` word of the
        reference only); the shifts in order as ``(start, end, moveto, newloc)``: the block
        ``start..end`` of the output as it then stood went behind its word ``newloc`` (-1: to the
        front), because it belongs behind word ``moveto`` of the reference.

    Raises:
        ValueError: a shift costs next to nothing, and the search would never end.
    """
    hyp, ref = "".join(map(chr, output)), "".join(map(chr, reference))
    order: Sequence[int] = list(range(len(hyp)))  # whose span stands where

    ask = poll if poll is not None else _go_on

    def search(shifted: str, order: Sequence[int]) -> tuple[float, str]:
        ask()
        if output_spans is None or reference_spans is None:
            return _search(shifted, ref, costs, beam, None, ask)
        spans = ([output_spans[word] for word in order], reference_spans)
        return _search(shifted, ref, costs, beam, spans, ask)

    cost, path = search(hyp, order)
    shifts: list[tuple[int, int, int, int]] = []
    # A shift that costs nothing may gain nothing, and then tercom can go round for ever: what
    # comes again comes again and again (Brent's way of noticing it).
    seen, since, until = (cost, path, hyp, order), 0, 1
    unit = costs == (0.0, 1.0, 1.0, 1.0, 1.0) and output_spans is None
    while max_distance > 0 and path.strip(" "):
        ask()
        found = _best_shift(hyp, ref, order, cost, path, costs[1], max_distance, search, unit)
        if found is None:
            break
        shift, cost, path = found
        shifts.append(shift)
        start, end, _, newloc = shift
        hyp = move(hyp, start, end, newloc)
        if spans_move:
            order = move(list(order), start, end, newloc)
        if (cost, path, hyp, order) == seen:
            raise ValueError("the shifts cost too little and would never end")
        since += 1
        if since == until:
            seen, since, until = (cost, path, hyp, order), 0, 2 * until
    return cost + _repeat(costs[1], len(shifts)), path, shifts


def align_batch(
    outputs: npt.NDArray[np.int32],
    output_ends: npt.NDArray[np.int64],
    references: npt.NDArray[np.int32],
    reference_ends: npt.NDArray[np.int64],
    costs: Costs,
    beam: int,
    max_distance: int,
    jobs: int = 1,
    details: bool = True,
    poll: Callable[[], object] | None = None,
) -> tuple[Any, ...]:
    """:func:`align` for many pairs, whose ids lie one after the other.

    Args:
        outputs: ids of all outputs.
        output_ends: where each output ends in them.
        references: ids of all references.
        reference_ends: where each reference ends.
        costs: as in :func:`align`; ``beam`` and ``max_distance`` too.
        beam: see there.
        max_distance: see there.
        jobs: threads of the compiled kernel; Python uses one.
        details: paths and shifts as well.
        poll: called now and then; what it raises ends the work.

    Returns:
        Counts, one row a pair: insertions, deletions, substitutions, shifts, shifted words; costs.
        With ``details`` also all paths in one string, where each ends in it, all shifts as rows of
        four, where each pair's end among them.
    """
    del jobs
    counts: list[tuple[int, int, int, int, int]] = []
    all_costs: list[float] = []
    paths: list[str] = []
    shifts: list[tuple[int, int, int, int]] = []
    shift_ends: list[int] = []
    first, first_reference = 0, 0
    for end, reference_end in zip(output_ends.tolist(), reference_ends.tolist(), strict=True):
        cost, path, moved = align(
            outputs[first:end].tolist(),
            references[first_reference:reference_end].tolist(),
            costs,
            beam,
            max_distance,
            poll=poll,
        )
        first, first_reference = end, reference_end
        words = sum(shift[1] - shift[0] + 1 for shift in moved)
        counts.append((path.count("I"), path.count("D"), path.count("S"), len(moved), words))
        all_costs.append(cost)
        paths.append(path)
        shifts += moved
        shift_ends.append(len(shifts))
    table = np.array(counts, np.int32).reshape(-1, 5)
    if not details:
        return table, np.array(all_costs, np.float64)
    return (
        table,
        np.array(all_costs, np.float64),
        "".join(paths),
        np.cumsum([len(path) for path in paths], dtype=np.int64),
        np.array(shifts, np.int32).reshape(-1, 4),
        np.array(shift_ends, np.int64),
    )


def _go_on() -> None:
    """What is asked where nobody wants to be."""


_BETWEEN_COLUMNS = 16
"""Columns between two questions whether to go on."""


def _repeat(cost: float, times: int) -> float:
    """Add as tercom does, one by one."""
    total = 0.0
    for _ in range(times):
        total += cost
    return total


@overload
def move(words: str, start: int, end: int, newloc: int) -> str: ...
@overload
def move(words: list[_T], start: int, end: int, newloc: int) -> list[_T]: ...
def move(words: Any, start: int, end: int, newloc: int) -> Any:
    """The words with the block ``start..end`` moved behind the word ``newloc``."""
    block, after = words[start : end + 1], words[end + 1 :]
    if newloc < start:
        return words[: newloc + 1] + block + words[newloc + 1 : start] + after
    # Within the block, newloc tells how many words to the right the block goes.
    passed = newloc - end if newloc > end else newloc - start
    return words[:start] + after[:passed] + block + after[passed:]


def _search(
    hyp: str,
    ref: str,
    costs: Costs,
    beam: int,
    spans: tuple[Spans, Spans] | None,
    ask: Callable[[], object],
) -> tuple[float, str]:
    """The edit distance with tercom's beam, and its path (ties: diagonal, then I, then D)."""
    match, _, insertion, deletion, substitution = costs
    n, m = len(hyp), len(ref)
    limit = float(beam) if beam >= 0 else float("inf")
    unset = float("inf")
    column = [unset] * (m + 1)
    column[0] = 0.0
    steps = [bytearray(m + 1)]
    best = _FAR
    first_next, last_next = 0, 0
    for j in range(n):
        reached = best + limit
        best = _FAR
        first, last = first_next, last_next
        first_next, last_next = -1, -1
        if j % _BETWEEN_COLUMNS == 0:
            ask()
        following = [unset] * (m + 1)
        here, there = steps[j], bytearray(m + 1)
        word = hyp[j]
        i = first
        while i <= m and i <= last:
            cost = column[i]
            if cost == unset or cost > reached:
                i += 1
                continue
            if first_next < 0:
                first_next = i
            if i < m:
                if spans is None or _meet(spans[0][j], spans[1][i]):
                    same = ref[i] == word
                    diagonal = cost + (match if same else substitution)
                    if diagonal < following[i + 1]:
                        following[i + 1] = diagonal
                        there[i + 1] = 32 if same else 83
                    best = min(best, diagonal)
                if cost + deletion < column[i + 1]:
                    column[i + 1] = cost + deletion
                    here[i + 1] = 68
                    last = max(last, i + 1)
            last_next = i + 1
            if cost + insertion < following[i]:
                following[i] = cost + insertion
                there[i] = 73
            i += 1
        steps.append(there)
        column = following
    for i in range(max(first_next, 0), m):
        # The last column is never pruned, and only deletions lead on.
        if column[i] + deletion < column[i + 1]:
            column[i + 1] = column[i] + deletion
            steps[n][i + 1] = 68
    return column[m], _read_back(steps, n, m)


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _read_back(steps: list[bytearray], j: int, i: int) -> str:
    path = bytearray()
    while i > 0 or j > 0:
        step = steps[j][i]
        path.append(step)
        if step != 73:
            i -= 1
        if step != 68:
            j -= 1
    path.reverse()
    return path.decode("ascii")


def _marks(path: str) -> tuple[list[bool], list[bool], list[int]]:
    """Which output words and which reference words are wrong, and where each of the latter is."""
    hyp_wrong: list[bool] = []
    ref_wrong: list[bool] = []
    place: list[int] = []
    for step in path:
        if step != "D":
            hyp_wrong.append(step != " ")
        if step != "I":
            ref_wrong.append(step != " ")
            place.append(len(hyp_wrong) - 1)
    return hyp_wrong, ref_wrong, place


def _occurrences(block: str, ref: str) -> list[int]:
    found: list[int] = []
    at = ref.find(block)
    while at >= 0:
        found.append(at)
        at = ref.find(block, at + 1)
    return found


def _candidates(hyp: str, ref: str, path: str, far: int) -> list[list[tuple[int, int, int, int]]]:
    """The shifts worth trying, by length - 1, in tercom's order."""
    hyp_wrong, ref_wrong, place = _marks(path)
    n = len(hyp)
    found: list[list[tuple[int, int, int, int]]] = [[] for _ in range(LONGEST_SHIFT)]
    for start in range(n):
        if not any(
            start != place[a] and place[a] - start <= far and start - place[a] - 1 <= far
            for a in _occurrences(hyp[start], ref)
        ):
            continue
        for end in range(start, min(start + LONGEST_SHIFT, n)):
            length = end - start
            starts = _occurrences(hyp[start : end + 1], ref)
            if not starts:
                break
            if not any(hyp_wrong[start : end + 1]):
                continue
            longer = False
            for a in starts:
                at = place[a]
                if start <= at <= end or at - start > far or start - at > far:
                    continue
                longer = True
                if not any(ref_wrong[a : a + length + 1]):
                    continue
                for offset in range(-1, length + 1):
                    if a + offset < 0:
                        found[length].append((start, end, -1, -1))
                        continue
                    target = place[a + offset]
                    if target != start and (offset == 0 or target != at):
                        found[length].append((start, end, a + offset, target))
            if not longer:
                break
    return found


def _best_shift(
    hyp: str,
    ref: str,
    order: Sequence[int],
    cost: float,
    path: str,
    shift_cost: float,
    far: int,
    search: _Search,
    unit: bool,
) -> tuple[tuple[int, int, int, int], float, str] | None:
    """The shift that tercom takes next, with the cost and the path after it."""
    columns = Columns(hyp, ref) if unit else None
    candidates = _candidates(hyp, ref, path, far)
    chosen: tuple[int, int, int, int] | None = None
    best_cost, best_path, spent = cost, path, 0.0
    for length in reversed(range(LONGEST_SHIFT)):
        most = 2.0 * (length + 1)
        for shift in candidates[length]:
            # What better candidates have mended already against the most that this one can mend.
            mended = cost - (spent + best_cost)
            if mended > most or (spent != 0 and mended == most):
                break
            start, end, _, newloc = shift
            shifted = move(hyp, start, end, newloc)
            same = min(start, newloc + 1)
            if columns and columns.distance(shifted, same) > best_cost - 1:
                continue
            new_cost, new_path = search(shifted, move(list(order), start, end, newloc))
            gain = (best_cost + spent) - (new_cost + shift_cost)
            if gain > 0 or (spent == 0 and gain == 0):
                chosen, spent = shift, shift_cost
                best_cost, best_path = new_cost, new_path
    return None if chosen is None else (chosen, best_cost, best_path)


def like_sacrebleu_batch(
    outputs: npt.NDArray[np.int32],
    output_ends: npt.NDArray[np.int64],
    references: npt.NDArray[np.int32],
    reference_ends: npt.NDArray[np.int64],
    jobs: int = 1,
    poll: Callable[[], object] | None = None,
) -> npt.NDArray[np.int32]:
    """The edits of many pairs by sacrebleu's search, which does it itself here.

    Args:
        outputs: ids of all outputs; ``output_ends`` and so on as in :func:`align_batch`.
        output_ends: see there.
        references: see there.
        reference_ends: see there.
        jobs: without effect here.
        poll: called between two pairs; what it raises ends the work.

    Returns:
        One number a pair.
    """
    # Only who wants its numbers has it.
    from sacrebleu.metrics.lib_ter import translation_edit_rate

    edits = []
    first, first_reference = 0, 0
    for end, reference_end in zip(output_ends.tolist(), reference_ends.tolist(), strict=True):
        if poll is not None:
            poll()
        pair = (outputs[first:end].tolist(), references[first_reference:reference_end].tolist())
        edits.append(translation_edit_rate(*pair)[0])
        first, first_reference = end, reference_end
    return np.array(edits, np.int32)


def wer_batch(
    outputs: npt.NDArray[np.int32],
    output_ends: npt.NDArray[np.int64],
    references: npt.NDArray[np.int32],
    reference_ends: npt.NDArray[np.int64],
    nist: bool,
    poll: Callable[[], object] | None = None,
) -> tuple[npt.NDArray[np.int32], str, npt.NDArray[np.int64]]:
    """Alignments without shifts of many pairs, whose ids lie one after the other.

    Args:
        outputs: ids of all outputs; ``output_ends`` and so on as in :func:`align_batch`.
        output_ends: see there.
        references: see there.
        reference_ends: see there.
        nist: sclite's weights (:func:`nist_path`) instead of the fewest edits, which come with the
            path that rapidfuzz takes among equals.
        poll: called now and then; what it raises ends the work.

    Returns:
        Counts, one row a pair: matches, substitutions, deletions, insertions; all paths in one
        string; where each ends.
    """
    paths: list[str] = []
    first, first_reference = 0, 0
    for end, reference_end in zip(output_ends.tolist(), reference_ends.tolist(), strict=True):
        output = outputs[first:end].tolist()
        reference = references[first_reference:reference_end].tolist()
        first, first_reference = end, reference_end
        if nist:
            paths.append(nist_path(output, reference, poll))
        else:
            paths.append(minimum_path(output, reference))
    counts = [[path.count(kind) for kind in " SDI"] for path in paths]
    return (
        np.array(counts, np.int32).reshape(-1, 4),
        "".join(paths),
        np.cumsum([len(path) for path in paths], dtype=np.int64),
    )


def nist_path(
    output: Sequence[int],
    reference: Sequence[int],
    poll: Callable[[], object] | None = None,
) -> str:
    """The alignment that sclite takes: least 4 x substitutions + 3 x insertions + 3 x deletions.

    Among those, read from the end backwards, a diagonal step comes before an insertion (a word of
    the output only) and that before a deletion. The path is written as in :func:`align`.
    """
    n, m = len(output), len(reference)
    rows = [[3 * i for i in range(m + 1)]]
    for number, word in enumerate(output):
        if poll is not None and number % _BETWEEN_COLUMNS == 0:
            poll()
        above = rows[-1]
        row = [above[0] + 3]
        for i, other in enumerate(reference):
            diagonal = above[i] + (0 if word == other else 4)
            row.append(min(diagonal, above[i + 1] + 3, row[i] + 3))
        rows.append(row)
    steps: list[str] = []
    while n > 0 or m > 0:
        cost = rows[n][m]
        if n > 0 and m > 0:
            same = output[n - 1] == reference[m - 1]
            if cost == rows[n - 1][m - 1] + (0 if same else 4):
                steps.append(" " if same else "S")
                n, m = n - 1, m - 1
                continue
        if n > 0 and cost == rows[n - 1][m] + 3:
            steps.append("I")
            n -= 1
        else:
            steps.append("D")
            m -= 1
    steps.reverse()
    return "".join(steps)
