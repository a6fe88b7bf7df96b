"""What a run took: cost, speed, tokens. None of it enters the composite."""

from __future__ import annotations

import numpy as np

from madcat_studio.scoring.scorecards.rosetta_run import Run

__all__ = ["cost_of", "per_second", "per_thousand", "ratio", "speed_of", "tokens_of"]


def ratio(value: float | None, by: float | None) -> float | None:
    """A quotient; None without a dividend or with a divisor of 0 or None."""
    return value / by if value is not None and by else None


def cost_of(run: Run) -> dict[str, float | None]:
    """What the run cost, over all entries."""
    cost = run.total_cost_usd
    return {
        "total_cost_usd": cost,
        "cost_per_entry_usd": ratio(cost, len(run.entries)),
        "cost_per_1k_tokens": None,
        "cost_per_source_char": ratio(cost, sum(len(entry.source) for entry in run.entries)),
    }


def per_thousand(cost: float | None, tokens: float | None) -> float | None:
    """Cost of 1,000 tokens."""
    each = ratio(cost, tokens)
    return None if each is None else each * 1000


def per_second(amount: float | None, seconds: float | None) -> float | None:
    """Amount over time; None without either."""
    if amount is None or not seconds or seconds <= 0 or not amount:
        return None
    return amount / seconds


def speed_of(run: Run) -> dict[str, float | None]:
    """Latencies over entries without an error, percentiles linear, and throughput."""
    latencies = [
        entry.latency for entry in run.entries if entry.latency is not None and not entry.error
    ]
    entries = per_second(len(run.entries), run.elapsed_seconds)
    return {
        "elapsed_seconds": run.elapsed_seconds,
        "avg_latency_seconds": sum(latencies) / len(latencies) if latencies else None,
        "median_latency_seconds": float(np.percentile(latencies, 50)) if latencies else None,
        "p95_latency_seconds": float(np.percentile(latencies, 95)) if latencies else None,
        "tokens_per_second": None,
        "entries_per_minute": None if entries is None else entries * 60,
    }


def tokens_of(run: Run) -> dict[str, float | None]:
    """Tokens of all entries."""
    usages = [entry.usage for entry in run.entries]
    prompt = sum(usage.prompt for usage in usages)
    completion = sum(usage.completion for usage in usages)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "reasoning_tokens": sum(usage.reasoning for usage in usages),
        "cached_tokens": sum(usage.cached for usage in usages),
        "total_tokens": prompt + completion,
        "tokens_per_entry": ratio(prompt + completion, len(usages)),
    }
