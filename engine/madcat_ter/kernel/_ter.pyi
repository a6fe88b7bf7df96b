# The compiled searches. What they take and give is told at their twins in python.py.
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

def align(
    output: Sequence[int],
    reference: Sequence[int],
    costs: tuple[float, float, float, float, float] = ...,
    beam: int = 20,
    max_distance: int = 50,
    output_spans: Sequence[tuple[int, int]] | None = None,
    reference_spans: Sequence[tuple[int, int]] | None = None,
    poll: Callable[[], object] | None = None,
    spans_move: bool = False,
) -> tuple[float, str, list[tuple[int, int, int, int]]]: ...
def align_batch(
    outputs: npt.NDArray[np.int32],
    output_ends: npt.NDArray[np.int64],
    references: npt.NDArray[np.int32],
    reference_ends: npt.NDArray[np.int64],
    costs: tuple[float, float, float, float, float],
    beam: int,
    max_distance: int,
    jobs: int = 1,
    details: bool = True,
    poll: Callable[[], object] | None = None,
) -> tuple[Any, ...]: ...
def like_sacrebleu_batch(
    outputs: npt.NDArray[np.int32],
    output_ends: npt.NDArray[np.int64],
    references: npt.NDArray[np.int32],
    reference_ends: npt.NDArray[np.int64],
    jobs: int = 1,
    poll: Callable[[], object] | None = None,
) -> npt.NDArray[np.int32]: ...
def wer_batch(
    outputs: npt.NDArray[np.int32],
    output_ends: npt.NDArray[np.int64],
    references: npt.NDArray[np.int32],
    reference_ends: npt.NDArray[np.int64],
    nist: bool,
    poll: Callable[[], object] | None = None,
) -> tuple[npt.NDArray[np.int32], str, npt.NDArray[np.int64]]: ...
def nist_path(output: Sequence[int], reference: Sequence[int]) -> str: ...
def has_avx2() -> bool: ...

INTERFACE: int
