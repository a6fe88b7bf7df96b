"""Runs of text translation and their entries, as the run card takes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

__all__ = ["Entry", "FstCount", "Run", "Usage", "contradict", "data_set_of", "number"]


def number(value: object) -> float | None:
    """``value`` if it is a finite number (a bool is none), else None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


@dataclass(frozen=True, slots=True)
class FstCount:
    """Words of an output, and how many the analyser accepted."""

    words: int
    accepted: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one entry. Reasoning tokens are part of the completion."""

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One translated text.

    Attributes:
        variants: other accepted translations; None if the corpus has no such field.
        metrics: supplied values; what is no finite number counts as not supplied.
        difficulty, provenance: for the breakdowns; None is "unknown".
        latency: in seconds; None if not measured.
        error: what went wrong; empty if nothing did.
    """

    id: str
    source: str
    expected: str
    predicted: str
    variants: tuple[str, ...] | None = None
    fst: FstCount | None = None
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    difficulty: str | None = None
    provenance: str | None = None
    latency: float | None = None
    usage: Usage = Usage()
    error: str = ""

    @property
    def evaluated(self) -> bool:
        """Whether quality is measured on it: no error, and a reference."""
        return not self.error and bool(self.expected.strip())


def data_set_of(entries: Iterable[Entry]) -> frozenset[tuple[str, str, str]]:
    """What tells data sets apart: (id, source, reference) of each entry."""
    return frozenset((one.id, one.source, one.expected) for one in entries)


def contradict(first: Iterable[Entry], second: Iterable[Entry]) -> bool:
    """Whether an id means one text in the first run and another in the second."""
    texts = {one.id: (one.source, one.expected) for one in first}
    return any(
        texts.get(one.id, (one.source, one.expected)) != (one.source, one.expected)
        for one in second
    )


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one method over a corpus, entries in the order of the run.

    Attributes:
        has_fst: whether the language has an analyser; None: it has one if there are counts.
        about: anything else that the run's file says, passed on to the card.
        reported: figures that its file has, by the card's names; the card computes its own.
    """

    name: str
    entries: tuple[Entry, ...]
    total_cost_usd: float | None = None
    elapsed_seconds: float | None = None
    has_fst: bool | None = None
    about: Mapping[str, object] = field(default_factory=dict)
    reported: Mapping[str, float] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The language that it translates into, where its file tells; else ""."""
        config = self.about.get("config")
        for told in (self.about, config if isinstance(config, Mapping) else {}):
            for name in ("target_lang", "target_language", "target"):
                value = told.get(name)
                if isinstance(value, str) and value.strip():
                    return value.strip()
        return ""
