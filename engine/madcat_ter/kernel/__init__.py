"""The kernel: compiled where a compiler worked, in Python where none did.

``MADCAT_TER_KERNEL`` chooses by hand: ``python``, ``compiled`` (an error where there is none) or
``plain`` (compiled, without the newer instruction sets). Left out, the fastest that runs is taken.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from madcat_ter.errors import UsageError
from madcat_ter.kernel import python
from madcat_ter.kernel.python import Alignment, Costs, Spans, move

__all__ = [
    "NAME",
    "Alignment",
    "Costs",
    "Spans",
    "align",
    "align_batch",
    "like_sacrebleu_batch",
    "move",
    "nist_path",
    "text",
    "wer_batch",
]

_VARIABLE = "MADCAT_TER_KERNEL"

_INTERFACE = 3
"""What the compiled modules take and give; counted up in ter_module.cpp when that changes."""


def _choose(wanted: str) -> tuple[str, ModuleType, ModuleType]:
    """The name of the kernel, and its modules of searches and of texts."""
    from madcat_ter.kernel import python_text

    if wanted not in ("", "python", "plain", "compiled"):
        raise UsageError(
            "scoring.kernel-name",
            f"{_VARIABLE} is {wanted!r}",
            remedy="Set it to python, plain or compiled, or leave it out",
        )
    if wanted == "python":
        return "python", python, python_text
    try:
        from madcat_ter.kernel import _ter, _text
    except ImportError as error:
        if wanted:
            raise UsageError(
                "scoring.kernel-missing",
                f"the compiled kernel is missing ({error})",
                remedy=f"Install again with a C++ compiler, or unset {_VARIABLE}",
            ) from error
        logging.getLogger(__name__).warning(
            "No compiled kernel: scores are the same, but take some hundred times longer. "
            "Install again with a C++ compiler to have it."
        )
        return "python", python, python_text
    if getattr(_ter, "INTERFACE", 1) != _INTERFACE:
        raise UsageError(
            "scoring.kernel-stale",
            "the compiled kernel belongs to another version of this program",
            remedy="Install madcat-ter again (in a checkout: python3 run.py)",
        )
    if wanted != "plain" and _ter.has_avx2():
        try:
            from madcat_ter.kernel import _ter_avx2
        except ImportError:
            pass  # built where the compiler could not make it
        else:
            return "avx2", _ter_avx2, _text
    return "plain", _ter, _text


NAME: str
"""``avx2``, ``plain`` or ``python``: which kernel computes."""

NAME, _searches, text = _choose(os.environ.get(_VARIABLE, ""))

align: Callable[..., Alignment] = _searches.align
nist_path: Callable[[Sequence[int], Sequence[int]], str] = _searches.nist_path
align_batch: Callable[..., Any] = _searches.align_batch
like_sacrebleu_batch: Callable[..., Any] = _searches.like_sacrebleu_batch
wer_batch: Callable[..., Any] = _searches.wer_batch
