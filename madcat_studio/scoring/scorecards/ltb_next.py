"""LTB-100 as its document announces version 0.2: the weights, and the round trip of rendered text.

A preview of the published intent; results of version 0.1 stay valid and are shown beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from madcat_studio.scoring.scorecards.chrf import chrf2
from madcat_studio.scoring.scorecards.ltb_values import DocumentScore, Prediction, TruthDocument

__all__ = ["NEXT_WEIGHTS", "NextScore", "best_chrf", "composite_next", "round_trip"]

NEXT_WEIGHTS = (0.40, 0.25, 0.15, 0.10, 0.10)
"""Of chrF, IoU, tau, the round trip by OCR, and visual fidelity."""


@dataclass(frozen=True, slots=True)
class NextScore:
    """One document in one pair with what version 0.2 adds.

    Attributes:
        document, pair: whose.
        chrf: 0..100, each region's by the reference that it is nearest to.
        iou, tau: 0..1, as in version 0.1; ltb: LTB-100 v0.1.
        ocr: 0..100, the chrF of what is read on the rendered page against the declared text.
        lpips: 0..1, 1 minus the distance outside all text; None without the backbone's weights.
        ssim: -1..1, the likeness outside all text; None where text covers the page.
    """

    document: str
    pair: str
    chrf: float
    iou: float
    tau: float
    ltb: float
    ocr: float
    lpips: float | None
    ssim: float | None

    @property
    def next_ltb(self) -> float | None:
        """LTB-100 (v0.2); None without LPIPS."""
        return self._with(self.lpips)

    @property
    def with_ssim(self) -> float | None:
        """The same sum with SSIM in the place of LPIPS: another number, under its own name."""
        return self._with(self.ssim)

    def _with(self, visual: float | None) -> float | None:
        if visual is None:
            return None
        return composite_next(self.chrf, self.iou, self.tau, self.ocr, max(0.0, visual))


def composite_next(chrf: float, iou: float, tau: float, ocr: float, visual: float) -> float:
    """LTB-100 (v0.2) of chrF and OCR (0..100) and IoU, tau and visual fidelity (0..1)."""
    parts = (chrf / 100, iou, tau, ocr / 100, visual)
    return 100 * sum(weight * part for weight, part in zip(NEXT_WEIGHTS, parts, strict=True))


def best_chrf(
    scored: DocumentScore,
    page: TruthDocument,
    prediction: Prediction,
    compare: Callable[[str, str], float] = chrf2,
) -> float:
    """The document's chrF where a region may have several references: the best of each counts.

    A region that the language gate rejected stays 0: no reference makes its language right.

    Args:
        scored: the document by version 0.1, which compares with the first reference.
        page: the ground truth.
        prediction: what was scored.
        compare: chrF2 of two texts.
    """
    total = area = 0.0
    for own, region in zip(scored.regions, page.regions, strict=True):
        if own.chrf is None:
            continue
        best = own.chrf
        if own.prediction is not None and own.gate is not None and own.gate.accepted:
            output = prediction.regions[own.prediction].text
            best = max(
                [best, *(compare(output, text) for text in region.further.get(scored.pair, ()))]
            )
        total += own.area * best
        area += own.area
    return total / area if area else 0.0


def round_trip(read: str, declared: Sequence[str]) -> float:
    """The chrF of what was read against the declared texts in reading order.

    White space is one blank: where lines break is no matter of the text.
    """
    return chrf2(" ".join(read.split()), " ".join(" ".join(declared).split()))
