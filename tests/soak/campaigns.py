"""Made campaigns with known truth, scored and reported as any other: for the long tests."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from madcat_studio.model.campaign import DataSet, SegmentRecord, TeamText
from madcat_studio.operations.scores.report import report_records
from madcat_studio.reports.verdict import Verdict
from madcat_studio.scoring.resampling import Resampling

__all__ = ["TRUTH", "drawn", "told"]

TRUTH = {"willow": 0.22, "maple": 0.19}
"""The systems' true HTER."""

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]  # edits (systems x documents), words


def drawn(documents: int, seed: int, truth: dict[str, float] = TRUTH) -> Counts:
    """Edits and words of documents as they come.

    A document is harder or easier than others, for both systems and for one, and longer or shorter.
    What a word asks for is a chance that never leaves 0 to 1, so that the truth is exact.
    """
    generator = np.random.default_rng([documents, seed])
    words = generator.integers(15, 45, documents)
    hard = 2 * generator.beta(4, 4, documents)
    rates = [
        rate * hard * 2 * generator.beta(8, 8, documents)
        for rate in truth.values()  # at most four times a rate that is below a quarter
    ]
    return np.array([generator.binomial(words, one) for one in rates]), words


def told(counts: Counts, seed: int, systems: dict[str, float] = TRUTH) -> Verdict:
    """The verdict of a report on a campaign with these edits, from its texts on."""
    records = list(_records(counts, systems))
    how = Resampling(seed=seed)
    with report_records(records, title="Made", full=False, resampling=how) as report:
        assert report.verdict is not None
        return report.verdict


def _records(counts: Counts, systems: dict[str, float]) -> Iterator[SegmentRecord]:
    for system, edits in zip(systems, counts[0], strict=True):
        for source, (changed, length) in enumerate(zip(edits, counts[1], strict=True)):
            words = [f"w{source}.{place}" for place in range(length)]
            final = " ".join(words)
            yield SegmentRecord(
                kit=f"K{source // 10}",
                system=system,
                code=system[0],
                base=f"D{source:04}",
                segment="s1",
                genre="web",
                source_document=f"SD{source:04}",
                passage=f"P{source}",
                manuscript=f"M{source}",
                page="1",
                scribe="S1",
                exposure="unexposed",
                data_set=DataSet.EVALUATION,
                reference=final,
                output=" ".join(["x"] * changed + words[changed:]),
                missing=False,
                scribe_error=False,
                teams=(TeamText("T1", final, final), TeamText("T2", final, final)),
            )
