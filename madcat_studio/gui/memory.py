"""When garbage is not looked for, and what is free is given back to the system."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["give_back", "without_search"]


def give_back() -> None:
    """Give back memory that is free but kept by the C library; in any thread.

    Only glibc keeps so much that there is a call for it.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def without_search() -> Iterator[None]:
    """Nobody looks for garbage in what is made in here, while it is made.

    Modules and a view are some hundred thousand objects that stay; to look through them again and
    again is a fifth of the time that they take.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
