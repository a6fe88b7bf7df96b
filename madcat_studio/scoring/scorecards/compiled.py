"""The compiled inner loops of the page scorecard, where the kernel is compiled."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from madcat_studio.scoring import kernel

__all__ = ["cards"]


@cache
def cards() -> ModuleType | None:
    """The module, or None where the kernel is the one in Python (see ``scoring.kernel``)."""
    if kernel.NAME == "python":
        return None
    try:
        from madcat_studio.scoring.kernel import _cards
    except ImportError:
        return None
    return _cards
