"""The natural order of names: T2 before T10."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["natural_key"]

_NUMBERS = re.compile("([0-9]+)")


@lru_cache(maxsize=4096)
def natural_key(name: str) -> tuple[tuple[tuple[bool, int, str], ...], str]:
    """A key to sort names by: runs of digits as numbers, letters without regard to case.

    >>> sorted(["T10", "t2", "T1"], key=natural_key)
    ['T1', 't2', 'T10']
    """
    parts = filter(None, _NUMBERS.split(name))
    # Numbers come before letters; two names that differ at all have keys that differ.
    key = tuple(
        (False, int(part), "") if part[0] in "0123456789" else (True, 0, part.casefold())
        for part in parts
    )
    return key, name
