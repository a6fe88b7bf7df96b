"""Reports of the public harness as runs: what it nests is brought to where a run has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from madcat_studio.scoring.scorecards import fields

__all__ = ["REPORTED", "is_harness_report", "reported_by", "run_of_report"]

REPORTED: Mapping[str, str] = {
    "corpus_chrf": "chrf_plus_plus",
    "corpus_bleu": "bleu",
    "corpus_ter": "ter",
    "exact_match_rate": "exact_match_rate",
    "avg_length_ratio": "length_ratio_mean",
}
"""The harness's name of a figure, and the card's."""

_OWN = ("overall", "by_segment", "by_difficulty", "by_domain", "entries", "confidence_intervals")
"""What the report computed; the card computes its own."""


def is_harness_report(value: object) -> bool:
    """Whether a JSON value is a report that the public harness wrote of one run."""
    return isinstance(value, dict) and {"run_id", "config", "overall", "entries"} <= value.keys()


def run_of_report(value: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The report as a run in one object, cost taken over.

    The cost is that of the whole run as the report has it, else the sum of the entries'. Metrics
    and counts of the harness's plug-ins become the entries' own.
    """
    overall = fields.mapping(value["overall"], where, "overall")
    entries = []
    total: float | None = None
    for number, one in enumerate(fields.listed(value, "entries", where), 1):
        place = f"{where}, entry {number}"
        entry = dict(fields.mapping(one, place, "an entry"))
        own = fields.scaled(entry, "cost_usd", place)
        if own is not None:
            total = (total or 0.0) + own
        plugins = fields.mapping(entry.pop("plugin_metrics", None) or {}, place, "plugin_metrics")
        found: dict[str, Any] = {}
        for name, part in plugins.items():
            found |= fields.mapping(part or {}, place, name)
        entry["metrics"] = {**found, **fields.mapping(entry.get("metrics") or {}, place, "metrics")}
        words, accepted = found.get("fst_total_words"), found.get("fst_valid_words")
        if entry.get("fst") is None and words is not None and accepted is not None:
            entry["fst"] = {"words": words, "accepted": accepted}
        entry["metrics"] = {
            name: number
            for name, number in entry["metrics"].items()
            if not isinstance(number, str | list | dict | bool)
        }
        entries.append(entry)
    cost = fields.scaled(overall, "total_cost_usd", where)
    return {
        **{name: part for name, part in value.items() if name not in _OWN},
        "total_cost_usd": total if cost is None else cost,
        "entries": entries,
    }


def reported_by(value: Mapping[str, Any], where: str) -> dict[str, float]:
    """The figures that the report itself has, by the card's names."""
    overall = fields.mapping(value["overall"], where, "overall")
    found = {
        own: fields.optional_number(overall, theirs, where) for theirs, own in REPORTED.items()
    }
    return {name: number for name, number in found.items() if number is not None}
