"""Text scores of many regions at once: the language gate, then chrF2; in processes if it pays."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring.scorecards.chrf import chrf2_all, chrf2_sacrebleu
from madcat_studio.scoring.scorecards.gate import GateRules, Verdict, check

__all__ = ["TextQuery", "TextScore", "measure"]

WORTH_A_PROCESS = 10_000
"""Distinct texts below which starting another process takes longer than it saves."""


class TextQuery(NamedTuple):
    """A predicted text, its reference, and the target language."""

    output: str
    reference: str
    target: str


class TextScore(NamedTuple):
    """chrF2 in 0..100 (0 if the gate rejected the text) and the gate's verdict."""

    chrf: float
    verdict: Verdict


def measure(
    queries: Sequence[TextQuery],
    rules: GateRules,
    formula: bool,
    workers: int | None = None,
    *,
    progress: Progress = SILENT,
) -> list[TextScore]:
    """The score of each query; equal queries are computed once.

    The result does not depend on the number of processes.

    Args:
        queries: what to compare.
        rules: of the language gate.
        formula: chrF2 by the scorecard's formula; else sacrebleu's default.
        workers: processes; None: one for every :data:`WORTH_A_PROCESS` distinct queries, as far
            as there are processors.
        progress: told now and then.

    Raises:
        Cancelled: the user stopped it.
    """
    distinct = list(dict.fromkeys(queries))
    if workers is None:
        workers = min(os.cpu_count() or 1, len(distinct) // WORTH_A_PROCESS)
    if workers <= 1:
        found = _measure(distinct, rules, formula)
    else:
        size = -(-len(distinct) // workers)
        parts = [distinct[start : start + size] for start in range(0, len(distinct), size)]
        found = []
        # Processes are started afresh: forking a program that has threads is not safe.
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            futures = [pool.submit(_measure, part, rules, formula) for part in parts]
            for done, future in enumerate(futures):
                if progress.cancelled():
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise Cancelled
                progress.advance(done, len(futures), "comparing texts")
                found += future.result()
    scores = dict(zip(distinct, found, strict=True))
    return [scores[query] for query in queries]


def _measure(queries: Sequence[TextQuery], rules: GateRules, formula: bool) -> list[TextScore]:
    verdicts = check([(query.output, query.target) for query in queries], rules)
    scores = [0.0] * len(queries)
    kept = [place for place, verdict in enumerate(verdicts) if verdict.accepted]
    outputs = [queries[place].output for place in kept]
    references = [queries[place].reference for place in kept]
    found = chrf2_all(outputs, references) if formula else map(chrf2_sacrebleu, outputs, references)
    for place, value in zip(kept, found, strict=True):
        scores[place] = value
    return [TextScore(*pair) for pair in zip(scores, verdicts, strict=True)]
