"""The reply of the benchmark's data filter: may a pair of images serve as evaluation data?

The filter asks a judge model for one JSON object. It is strict: a pair is valid only if the reply
has every field and every check is true.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["CHECKS", "DETAILS", "FilterReply", "bare_reply", "read_filter_reply"]

CHECKS = (
    "text_coverage_source",
    "text_coverage_target",
    "layout_consistent",
    "no_text_overlap",
    "translation_quality_ok",
)

DETAILS = (
    "missing_source_texts",
    "missing_target_texts",
    "extra_visible_text_in_source",
    "extra_visible_text_in_target",
    "layout_issues",
    "overlap_issues",
    "translation_issues",
)


@dataclass(frozen=True, slots=True)
class FilterReply:
    """A reply that was read.

    Attributes:
        valid: the decision; None with an error.
        reason: the model's words.
        failed: the checks that are false.
        details: what was found, by kind.
        warnings: ``markdown_fence``, ``contradiction`` (valid, but a check is false: invalid).
        error: None, or ``empty_response``, ``not_json``, ``not_an_object``, ``missing_<field>``,
            ``bad_<field>``.
    """

    valid: bool | None = None
    reason: str = ""
    failed: tuple[str, ...] = ()
    details: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    error: str | None = None


def bare_reply(text: str) -> tuple[str, tuple[str, ...]]:
    """A reply that should be one JSON object without what stands around it, and what that was."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        # Asked not to, models do it all the same.
        return text.split("\n", 1)[1][:-3].strip(), ("markdown_fence",)
    return text, ()


def read_filter_reply(text: str) -> FilterReply:
    """Read the content of a filter's reply; never raises."""
    text, noticed = bare_reply(text)
    warnings = list(noticed)
    if not text:
        return FilterReply(error="empty_response")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return FilterReply(error="not_json", warnings=tuple(warnings))
    if not isinstance(value, dict):
        return FilterReply(error="not_an_object", warnings=tuple(warnings))
    wanted: tuple[tuple[str, type], ...] = (
        ("valid", bool),
        ("checks", dict),
        ("reason", str),
        ("details", dict),
    )
    for name, kind in wanted:
        if name not in value:
            return FilterReply(error=f"missing_{name}", warnings=tuple(warnings))
        if not isinstance(value[name], kind):
            return FilterReply(error=f"bad_{name}", warnings=tuple(warnings))
    checks, details = value["checks"], value["details"]
    for name in CHECKS:
        if name not in checks:
            return FilterReply(error=f"missing_{name}", warnings=tuple(warnings))
        if not isinstance(checks[name], bool):
            return FilterReply(error=f"bad_{name}", warnings=tuple(warnings))
    for name in DETAILS:
        if name not in details:
            return FilterReply(error=f"missing_{name}", warnings=tuple(warnings))
        if not isinstance(details[name], list):
            return FilterReply(error=f"bad_{name}", warnings=tuple(warnings))
    failed = tuple(name for name in CHECKS if not checks[name])
    if value["valid"] and failed:
        warnings.append("contradiction")
    return FilterReply(
        value["valid"] and not failed,
        " ".join(value["reason"].split()),
        failed,
        {name: tuple(str(item) for item in details[name]) for name in DETAILS},
        tuple(warnings),
    )
