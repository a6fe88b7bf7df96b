"""The page scorecard's results as JSON values; ``schemas/ltb.schema.json`` describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from madcat_studio.scoring.scorecards.intervals import Interval
from madcat_studio.scoring.scorecards.layout import Box
from madcat_studio.scoring.scorecards.ltb import (
    DocumentScore,
    Means,
    Options,
    Prediction,
    Submission,
    TruthDocument,
)
from madcat_studio.scoring.scorecards.ltb_board import Ablation, DroppedReference, SystemResult

__all__ = ["ltb_json"]


def _interval(interval: Interval) -> dict[str, float | None]:
    return {"low": interval.low, "high": interval.high}


def _means(means: Means) -> dict[str, Any]:
    return {
        "chrf": means.chrf,
        "layout_iou": means.iou,
        "tau": means.tau,
        "ltb_100": means.ltb,
        "confidence_interval": _interval(means.interval),
    }


def _box(box: Box) -> list[float]:
    return [box.x, box.y, box.width, box.height]


def ltb_json(
    truth: Sequence[TruthDocument],
    pictures: Mapping[str, tuple[str, int]],
    systems: Sequence[tuple[SystemResult, Submission]],
    boards: Mapping[str, Sequence[Any]],
    ablation: Ablation,
    dropped: Sequence[DroppedReference],
    options: Options,
    show_texts: bool,
) -> dict[str, Any]:
    """All results; without ``show_texts`` nothing about single documents.

    Args:
        truth: what the systems were scored against.
        pictures: the picture of each document's page and which frame of it, where it is named.
        systems: each with what it submitted.
        boards, ablation, dropped: as the report has them.
        options: of the scores.
        show_texts: False for a held-out split.
    """
    made: dict[str, Any] = {
        "pages": [_page(one, *pictures.get(one.id, (None, 0))) for one in truth]
    }
    return {
        **(made if show_texts else {}),
        "profile": options.profile.name,
        "leaderboards": {
            system_type: [
                {"rank": placed.rank, "system": placed.row.name, "ltb_100": placed.row.means.ltb}
                for placed in board
            ]
            for system_type, board in boards.items()
        },
        "weight_ablation": {
            "rankings": [
                {"weights": list(weights), "systems": list(names)}
                for weights, names in ablation.rankings.items()
            ],
            "lowest_tau": ablation.lowest,
            "stable": ablation.stable,
        },
        "dropped_references": len(dropped),
        "systems": [_system(result, given, show_texts) for result, given in systems],
    }


def _page(document: TruthDocument, picture: str | None, frame: int) -> dict[str, Any]:
    return {
        "document": document.id,
        "size": None if document.page_size is None else list(document.page_size),
        "picture": picture,
        "frame": frame,
        "regions": [{"region": one.id, "box": _box(one.box)} for one in document.regions],
    }


def _system(result: SystemResult, given: Submission, show_texts: bool) -> dict[str, Any]:
    score = result.score
    made: dict[str, Any] = {
        "system": result.name,
        "system_type": result.manifest.system_type,
        "verified": result.manifest.verified,
        "manifest_missing": list(result.manifest.missing),
        "overall": _means(score.overall),
        "core": _means(score.core),
        "extension": _means(score.extension),
        "pairs": [
            {
                "pair": pair.pair,
                "group": pair.group,
                "documents": pair.documents,
                **_means(pair.means),
            }
            for pair in score.pairs
        ],
        "counts": {
            "documents": sum(pair.documents for pair in score.pairs),
            "excluded": len(score.excluded),
            "missing": len(score.missing),
            "unknown": len(score.unknown),
            "parser_failures": len(score.parser_failures),
            "gate_rejected": score.gate_rejected,
        },
        "gate_run": not score.gate_not_run,
    }
    if show_texts:
        made["documents"] = [
            _document(one, given.pairs[one.pair].get(one.id)) for one in score.documents
        ]
    return made


def _document(one: DocumentScore, given: Prediction | None) -> dict[str, Any]:
    regions = () if given is None else given.regions
    matched = {region.prediction for region in one.regions}
    return {
        "document": one.id,
        "pair": one.pair,
        "chrf": one.chrf,
        "layout_iou": one.iou,
        "tau_b": one.tau_b,
        "coverage": one.coverage,
        "tau": one.tau,
        "ltb_100": one.ltb,
        "missing": one.missing,
        "parser_failure": one.parser_failure,
        "regions": [
            {
                "region": region.id,
                "matched_by": region.by,
                "prediction": region.prediction,
                "box": None if region.prediction is None else _box(regions[region.prediction].box),
                "chrf": region.chrf,
                "iou": region.iou,
                "gate": None
                if region.gate is None
                else {"accepted": region.gate.accepted, "reason": region.gate.reason},
            }
            for region in one.regions
        ],
        "unmatched": [
            _box(region.box) for number, region in enumerate(regions) if number not in matched
        ],
    }
