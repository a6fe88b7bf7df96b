# The inner loops of the scorecards. What they take and give is told at their twins,
# scorecards/chrf.py, scorecards/rosetta_counts.py and scorecards/langid.py.
import numpy as np
from numpy.typing import NDArray

def chrf2(outputs: list[str], references: list[str]) -> NDArray[np.float64]: ...
def chrf_counts(outputs: list[str], references: list[str]) -> NDArray[np.float64]: ...
def detect(
    table: NDArray[np.float64],
    rows: NDArray[np.int64],
    ends: NDArray[np.int64],
    words: NDArray[np.uint32],
    trials: int,
    iterations: int,
    alpha: float,
    alpha_width: float,
    base: float,
    sure: float,
) -> NDArray[np.float64]: ...
