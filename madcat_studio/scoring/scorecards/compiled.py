"""The compiled inner loops of the page scorecard, where the kernel is compiled."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from madcat_ter import kernel

__all__ = ["cards"]


@cache
def cards() -> ModuleType | None:
    """The module, or None where the kernel is the one in Python (see ``madcat_ter.kernel``)."""
    if kernel.NAME == "python":
        return None
    try:
        from madcat_studio.scoring.scorecards import _cards
    except ImportError:
        return None
    return _cards
