"""One line that tells all settings that a number depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from madcat_ter import __version__
from madcat_ter.options import Costs, TerOptions, WerOptions

__all__ = ["signature", "ter_signature", "wer_signature"]


def signature(engine: str, settings: Iterable[tuple[str, object]]) -> str:
    """Join settings to one line: ``engine|version:…|name:value|…``.

    Bars and line breaks within a value become blanks, so that the line can be taken apart again.
    """
    parts = [engine, f"version:{__version__}"]
    for name, value in settings:
        text = " ".join(str(value).replace("|", " ").split())
        parts.append(f"{name}:{text}")
    return "|".join(parts)


def ter_signature(
    options: TerOptions, references: int | str = 1, extra: Mapping[str, object] | None = None
) -> str:
    """The signature of a TER.

    Args:
        options: what it was computed with.
        references: how many references a segment has, or ``var``.
        extra: more settings, such as the denominator, the tie rule and hashes of the input.

    >>> ter_signature(TerOptions()).partition("|")[0]
    'TER'
    """
    beam = "none" if options.beam is None else options.beam
    settings: list[tuple[str, object]] = [
        ("like", "tercom-0.7.25" if options.beam is not None else "exact"),
        ("refs", references),
        *options.settings(),
        ("beam", beam),
        ("shift", options.max_shift_distance),
    ]
    if options.costs != Costs():
        settings.append(("costs", ",".join(f"{cost:g}" for cost in options.costs.values())))
    settings.extend((extra or {}).items())
    return signature("TER", settings)


def wer_signature(
    options: WerOptions, extra: Mapping[str, object] | None = None, *, metric: str = "WER"
) -> str:
    """The signature of a WER, or a CER; arguments as :func:`ter_signature`."""
    settings: list[tuple[str, object]] = [
        ("refs", 1),
        *options.settings(),
        *([("alternatives", options.alternatives)] if options.alternatives != "no" else []),
        *(extra or {}).items(),
    ]
    return signature(metric, settings)
