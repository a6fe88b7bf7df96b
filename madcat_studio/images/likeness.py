"""How alike two pictures are where there is no text: the structural similarity (SSIM).

Wang, Bovik, Sheikh and Simoncelli (2004), with their Gaussian of 1.5 pixels and their constants.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["ssim"]

Mask = npt.NDArray[np.bool_]

_SIGMA = 1.5
_REACH = 3.5
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


def ssim(first: npt.NDArray[np.uint8], second: npt.NDArray[np.uint8], mask: Mask) -> float | None:
    """The mean over the places of a mask, of two grey pictures; None where the mask is empty."""
    from scipy import ndimage  # slow to import, and few ask for it

    if not mask.any():
        return None

    def mean(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = ndimage.gaussian_filter(values, _SIGMA, truncate=_REACH)
        return found

    x, y = first.astype(np.float64), second.astype(np.float64)
    mx, my = mean(x), mean(y)
    xx, yy, xy = mean(x * x) - mx * mx, mean(y * y) - my * my, mean(x * y) - mx * my
    found = (2 * mx * my + _C1) * (2 * xy + _C2)
    found /= (mx * mx + my * my + _C1) * (xx + yy + _C2)
    return float(found[mask].mean())
