"""What version 0.2 of LTB-100 will add to submissions that were scored: OCR, visual fidelity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from madcat_studio.errors import StudioError
from madcat_studio.images.crops import plain_image
from madcat_studio.images.likeness import ssim
from madcat_studio.images.reading import open_image
from madcat_studio.operations.scorecards.recognising import Engine, Reader, reader_for, version
from madcat_studio.progress import Cancelled, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_ltb_next import Rendered, with_next
from madcat_studio.scoring.scorecards.chrf import chrf2, chrf2_sacrebleu
from madcat_studio.scoring.scorecards.gate import target_of
from madcat_studio.scoring.scorecards.imtbench import background_mask, background_score
from madcat_studio.scoring.scorecards.lpips import Distance
from madcat_studio.scoring.scorecards.ltb import (
    DocumentScore,
    Prediction,
    Submission,
    SubmissionScore,
    TruthDocument,
)
from madcat_studio.scoring.scorecards.ltb_board import SystemResult
from madcat_studio.scoring.scorecards.ltb_next import NextScore, best_chrf, round_trip

__all__ = ["PreviewOptions", "preview_of", "with_preview"]


@dataclass(frozen=True, slots=True)
class PreviewOptions:
    """How the preview is made.

    Attributes:
        backbone: AlexNet's weights, for LPIPS; None: not computed.
        engine: who reads rendered pages.
    """

    backbone: Path | None = None
    engine: Engine = Engine.TESSERACT


def with_preview(
    report: CardReport,
    systems: Sequence[tuple[SystemResult, Submission]],
    folders: Sequence[Path],
    truth: Sequence[TruthDocument],
    sources: Mapping[str, tuple[Path, int]],
    options: PreviewOptions,
    documents: bool,
    progress: Progress,
) -> tuple[CardReport, list[Rendered]]:
    """A report with what version 0.2 will add, and what that is; see :func:`preview_of`.

    Args:
        report: of version 0.1.
        systems: each with what it submitted.
        folders: where each system's files are.
        truth: the ground truth.
        sources: the page of each document before translation.
        options: how it is made.
        documents: whether single documents may be shown.
        progress: may cancel.
    """
    distance = Distance(options.backbone) if options.backbone is not None else None
    rendered = [
        preview_of(
            own.name, own.score, submission, folder, truth, sources, distance, progress,
            options.engine,
        )
        for (own, submission), folder in zip(systems, folders, strict=True)
    ]  # fmt: skip
    made = with_next(
        report,
        rendered,
        reader=version(options.engine) if any(one.scores for one in rendered) else "",
        backbone=f"alex,{distance.backbone},sha256:{distance.sha256[:16]}" if distance else "",
        documents=documents,
    )
    return made, rendered


def preview_of(
    name: str,
    score: SubmissionScore,
    submission: Submission,
    folder: Path,
    truth: Sequence[TruthDocument],
    sources: Mapping[str, tuple[Path, int]],
    distance: Distance | None,
    progress: Progress,
    engine: Engine = Engine.TESSERACT,
) -> Rendered:
    """Read a system's rendered pages and hold them against their sources.

    Args:
        name: of the system.
        score: its scores by version 0.1.
        submission: what it gave; names of pictures are relative to ``folder``.
        folder: where its files are.
        truth: the ground truth.
        sources: the page of each document before translation.
        distance: LPIPS with the user's backbone; None: not computed.
        progress: may cancel.
        engine: who reads the pages.

    Raises:
        WorldError: ``ocr.no-tesseract``, ``ocr.no-rapidocr``, ``ocr.no-language``.
        Cancelled: the user stopped it.
    """
    pages = {one.id: one for one in truth}
    compare = chrf2 if score.options.profile.formula else chrf2_sacrebleu
    readers: dict[str, Reader] = {}
    found: list[NextScore] = []
    without: list[tuple[str, str]] = []
    failed: dict[str, str] = {}
    resized = 0
    for done, own in enumerate(score.documents):
        if progress.cancelled():
            raise Cancelled
        progress.advance(done, len(score.documents), f"reading the pages of {name}")
        prediction = submission.pairs[own.pair].get(own.id)
        if prediction is None or not prediction.output_file:
            without.append((own.id, own.pair))
            continue
        target = target_of(own.pair)
        if target not in readers:
            readers[target] = reader_for(target, engine)
        try:
            made, other_size = _one(
                own,
                prediction,
                pages[own.id],
                folder / prediction.output_file,
                sources.get(own.id),
                readers[target],
                distance,
                compare,
            )
        except StudioError as error:
            failed[own.id] = str(error)
            continue
        found.append(made)
        resized += other_size
    made_of = [pages[one.document] for one in found]
    regions = [
        (one.pair, region)
        for one, page in zip(found, made_of, strict=True)
        for region in page.regions
        if one.pair in region.references
    ]
    several = sum(pair in region.further for pair, region in regions)
    return Rendered(name, tuple(found), tuple(without), failed, resized, len(regions), several)


def _one(
    own: DocumentScore,
    prediction: Prediction,
    page: TruthDocument,
    picture: Path,
    source: tuple[Path, int] | None,
    reader: Reader,
    distance: Distance | None,
    compare: Callable[[str, str], float],
) -> tuple[NextScore, bool]:
    ordered = sorted(prediction.regions, key=lambda region: region.order)
    with open_image(picture) as image:
        output = plain_image(image).convert("RGB")
    ocr = round_trip(reader.read(picture), [region.text for region in ordered])
    lpips = likeness = None
    other_size = False
    if source is not None:
        with open_image(*source) as image:
            before = plain_image(image).convert("RGB")
        other_size = output.size != before.size
        if other_size:
            output = output.resize(before.size, Image.Resampling.BICUBIC)
        boxes = [region.box for region in (*page.regions, *prediction.regions)]
        mask = background_mask(
            before.height, before.width, [(b.x, b.y, b.width, b.height) for b in boxes]
        )
        likeness = ssim(np.asarray(before.convert("L")), np.asarray(output.convert("L")), mask)
        if distance is not None and mask.any():
            lpips = background_score(
                distance.map(np.asarray(before), np.asarray(output)), mask.astype(np.float64)
            )
    chrf = best_chrf(own, page, prediction, compare)
    made = NextScore(own.id, own.pair, chrf, own.iou, own.tau, own.ltb, ocr, lpips, likeness)
    return made, other_size
