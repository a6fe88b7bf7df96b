"""The page scorecard's results as JSON values; ``schemas/ltb.schema.json`` describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from madcat_studio.scoring.scorecards.intervals import Interval
from madcat_studio.scoring.scorecards.ltb import Means, Options
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


def ltb_json(
    results: Sequence[SystemResult],
    boards: Mapping[str, Sequence[Any]],
    ablation: Ablation,
    dropped: Sequence[DroppedReference],
    options: Options,
    show_texts: bool,
) -> dict[str, Any]:
    """All results; without ``show_texts`` nothing about single documents."""
    return {
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
        "systems": [_system(result, show_texts) for result in results],
    }


def _system(result: SystemResult, show_texts: bool) -> dict[str, Any]:
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
            {
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
                        "chrf": region.chrf,
                        "iou": region.iou,
                        "gate": None
                        if region.gate is None
                        else {"accepted": region.gate.accepted, "reason": region.gate.reason},
                    }
                    for region in one.regions
                ],
            }
            for one in score.documents
        ]
    return made
