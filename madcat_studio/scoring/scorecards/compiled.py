"""The compiled inner loops of the scorecards, where the kernel is compiled."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from madcat_ter import kernel

__all__ = ["cards"]


@cache
def cards(function: str) -> ModuleType | None:
    """The module that has a function; None where the kernel is the one in Python.

    See ``madcat_ter.kernel``. Also None where the module was compiled before it had the function:
    then its twin in Python does the work.
    """
    if kernel.NAME == "python":
        return None
    try:
        from madcat_studio.scoring.scorecards import _cards
    except ImportError:
        return None
    return _cards if hasattr(_cards, function) else None
