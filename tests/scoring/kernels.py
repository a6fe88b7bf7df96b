"""What the tests of the engine share: the kernels that are there, and a slow and obvious oracle."""

from __future__ import annotations

import gzip
import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from madcat_ter.kernel import python

DATA = Path(__file__).parents[1] / "data" / "ter"


def records(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def compiled() -> list[ModuleType]:
    """The compiled searches that run on this machine; empty where no compiler worked."""
    try:
        plain = importlib.import_module("madcat_ter.kernel._ter")
    except ImportError:
        return []
    found = [plain]
    if plain.has_avx2():
        found.append(importlib.import_module("madcat_ter.kernel._ter_avx2"))
    return found


def compiled_text() -> list[ModuleType]:
    """The compiled module of texts, where there is one."""
    try:
        return [importlib.import_module("madcat_ter.kernel._text")]
    except ImportError:
        return []


KERNELS: list[ModuleType] = [python, *compiled()]


def number(output: Sequence[str], reference: Sequence[str]) -> tuple[list[int], list[int]]:
    ids: dict[str, int] = {}
    numbered = [ids.setdefault(word, len(ids)) for word in reference]
    return [ids.setdefault(word, len(ids)) for word in output], numbered


def textbook(
    hyp: Sequence[int],
    ref: Sequence[int],
    costs: tuple[float, float, float, float, float],
    beam: int,
    far: int,
    most_rounds: int = 1000,
) -> tuple[float, str, list[tuple[int, int, int, int]]]:
    """The search as one would tell it: whole matrices, every candidate searched in full."""
    match, shift_cost, ins, dele, sub = costs
    infinity = float("inf")

    def distance(c: list[int]) -> tuple[float, str]:
        n, m = len(c), len(ref)
        cost = {(0, 0): 0.0}
        step: dict[tuple[int, int], str] = {}
        reached = infinity
        for j in range(n + 1):
            offered = infinity
            for i in range(m + 1):
                here = cost.get((i, j))
                if here is None or (j < n and beam >= 0 and here > reached + beam):
                    continue
                moves = []
                if i < m and j < n:
                    same = ref[i] == c[j]
                    diagonal = here + (match if same else sub)
                    offered = min(offered, diagonal)
                    moves.append(((i + 1, j + 1), diagonal, " " if same else "S"))
                if j < n:
                    moves.append(((i, j + 1), here + ins, "I"))
                if i < m:
                    moves.append(((i + 1, j), here + dele, "D"))
                for target, value, kind in moves:
                    if value < cost.get(target, infinity):
                        cost[target] = value
                        step[target] = kind
            reached = offered
        i, j, path = m, n, ""
        while (i, j) != (0, 0):
            kind = step[i, j]
            path = kind + path
            i -= kind != "I"
            j -= kind != "D"
        return cost[m, n], path

    def shifted(c: list[int], start: int, end: int, newloc: int) -> list[int]:
        block, rest = c[start : end + 1], c[:start] + c[end + 1 :]
        if newloc < start:
            at = newloc + 1
        elif newloc > end:
            at = newloc + 1 - len(block)
        else:
            at = newloc
        return rest[:at] + block + rest[at:]

    current = list(hyp)
    edits, path = distance(current)
    taken: list[tuple[int, int, int, int]] = []
    while far > 0:
        if len(taken) == most_rounds:
            raise RuntimeError(f"{most_rounds} rounds and no end")
        hyp_wrong, ref_wrong, place = [], [], []
        for kind in path:
            if kind != "D":
                hyp_wrong.append(kind != " ")
            if kind != "I":
                ref_wrong.append(kind != " ")
                place.append(len(hyp_wrong) - 1)
        starts: dict[tuple[int, ...], list[int]] = {}
        for a in range(len(ref)):
            for b in range(a + 1, min(a + 11, len(ref) + 1)):
                starts.setdefault(tuple(ref[a:b]), []).append(a)
        lists: list[list[tuple[int, int, int, int]]] = [[] for _ in range(10)]
        for start in range(len(current)):
            if not any(
                start != place[a] and place[a] - start <= far and start - place[a] - 1 <= far
                for a in starts.get((current[start],), ())
            ):
                continue
            for end in range(start, min(start + 10, len(current))):
                where = starts.get(tuple(current[start : end + 1]))
                if not where:
                    break
                if not any(hyp_wrong[start : end + 1]):
                    continue
                go_on = False
                for a in where:
                    if start <= place[a] <= end or place[a] - start > far or start - place[a] > far:
                        continue
                    go_on = True
                    if not any(ref_wrong[a : a + end - start + 1]):
                        continue
                    for off in range(-1, end - start + 1):
                        if off == -1 and a == 0:
                            lists[end - start].append((start, end, -1, -1))
                        elif start != place[a + off] and (off == 0 or place[a + off] != place[a]):
                            lists[end - start].append((start, end, a + off, place[a + off]))
                if not go_on:
                    break
        chosen = None
        best, best_path, spent = edits, path, 0.0
        done = False
        for length in range(9, -1, -1):
            most = 2 * (length + 1)
            for candidate in lists[length]:
                mended = edits - (spent + best)
                if mended > most or (spent != 0 and mended == most):
                    done = True
                    break
                start, end, _, newloc = candidate
                after, after_path = distance(shifted(current, start, end, newloc))
                gain = (best + spent) - (after + shift_cost)
                if gain > 0 or (spent == 0 and gain == 0):
                    chosen, spent, best, best_path = candidate, shift_cost, after, after_path
            if done:
                break
        if chosen is None:
            break
        taken.append(chosen)
        current = shifted(current, chosen[0], chosen[1], chosen[3])
        edits, path = best, best_path
    total = 0.0
    for _ in taken:
        total += shift_cost
    return edits + total, path, taken
