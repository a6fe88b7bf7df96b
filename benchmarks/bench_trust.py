"""How long it takes to hold ten metrics against HTER, on made data.

    python benchmarks/bench_trust.py [OUTPUTS [METRICS [RESAMPLES]]]

OUTPUTS (100,000) segments of five systems: source documents in three scribes' copies of six
segments, of two genres and 24 scribes, as the plan has them. Everything is computed that the report
has: tau-b, rho and r of segments and documents, over all and within systems; accuracies; by genre,
scribe and length; every two metrics compared. The scores themselves are there before: what
sacrebleu takes for them is its own.

It fails above 60 s of processor time, above 400 MiB of memory, and where a figure is not what
scipy gives of the same segments. Beside it stands how long scipy alone takes for one tau-b: all
the coefficients of a report that resamples them one by one would take so long each.
"""

from __future__ import annotations

import os

# As the command does; see there.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import sys
import time

import numpy as np
import scipy.stats

from madcat_studio.progress import SILENT
from madcat_studio.scoring.resampling import Resampling
from madcat_studio.scoring.trust.correlation import Coefficient
from madcat_studio.scoring.trust.metrics import Mean, Metric, Rate
from madcat_studio.scoring.trust.study import Grouping, Level, Units, study

SYSTEMS, COPIES, SEGMENTS = 5, 3, 6
MOST_SECONDS, MOST_MEMORY = 60.0, 400.0


def made(outputs: int, metrics: int) -> tuple[list[Metric], Metric, Units, dict[str, list[str]]]:
    """Outputs whose true quality people and metrics see through noise of their own."""
    generator = np.random.default_rng(20090813)
    documents = max(2, outputs // (SYSTEMS * COPIES * SEGMENTS))
    segments = documents * COPIES * SEGMENTS
    segment = np.tile(np.arange(segments), SYSTEMS)
    system = np.repeat(np.arange(SYSTEMS), segments)
    page = segment // SEGMENTS
    document = page // COPIES
    words = generator.integers(5, 60, segments)[segment]
    wrong = generator.beta(2, 5, len(segment))
    people = Rate("HTER", np.stack([generator.binomial(words, wrong), words], axis=1))
    found: list[Metric] = [
        Rate("TER", np.stack([generator.binomial(words, np.minimum(1, 1.5 * wrong)), words], 1))
    ]
    while len(found) < metrics:
        noise = generator.normal(0, 0.05 * len(found), len(segment))
        found.append(Mean(f"metric {len(found)}", noise - wrong))
    groups = {
        "genre": [("newswire", "web")[one % 2] for one in document.tolist()],
        "scribe": [f"S{(5 * (one // COPIES) + 7 * one) % 24}" for one in page.tolist()],
        "length": np.digitize(words, (10, 20, 40)).astype(str).tolist(),
    }
    return found, people, Units(system, document, page, segment), groups


def main() -> int:
    outputs, metrics, resamples = (
        int(sys.argv[place]) if len(sys.argv) > place else default
        for place, default in ((1, 100_000), (2, 10), (3, 1000))
    )
    others, people, units, groups = made(outputs, metrics)
    begun, wall = time.process_time(), time.perf_counter()
    found = study(others, people, units, groups, Resampling(resamples=resamples), SILENT)
    seconds, wall = time.process_time() - begun, time.perf_counter() - wall
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begun = time.process_time()
    tau = scipy.stats.kendalltau(others[0].segments(), people.segments()).statistic
    alone = time.process_time() - begun
    value = found.coefficients[Level.SEGMENT, Grouping.ALL, Coefficient.KENDALL][0].value
    documents = int(units.documents.max()) + 1
    print(f"{len(units.segments):,} outputs of {documents:,} source documents, {metrics} metrics,")
    print(f"{resamples:,} resamples: {seconds:.1f} s of processor time ({wall:.1f} s), ", end="")
    print(f"{memory:.0f} MiB; one tau-b by scipy: {alone:.3f} s")
    one_by_one = alone * metrics * resamples
    print(f"tau-b over all of every resample by scipy alone: {one_by_one:,.0f} s")
    failed = []
    if value is None or abs(value - tau) > 1e-12:
        failed.append(f"tau-b is {value}, and scipy's {tau}")
    if seconds > MOST_SECONDS:
        failed.append(f"more than {MOST_SECONDS:.0f} s of processor time")
    if memory > MOST_MEMORY:
        failed.append(f"more than {MOST_MEMORY:.0f} MiB")
    for line in failed:
        print(f"FAILED: {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
