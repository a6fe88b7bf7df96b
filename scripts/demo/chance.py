"""Chance that stays the same: every decision hangs on a key, not on the order of calls."""

from __future__ import annotations

import hashlib

import numpy as np

__all__ = ["generator", "share"]

_SEED = "madcat-studio demo 1"


def _digest(key: tuple[object, ...]) -> bytes:
    return hashlib.sha256("\x1f".join([_SEED, *map(str, key)]).encode()).digest()


def share(*key: object) -> float:
    """A number from 0 up to 1 that belongs to ``key``."""
    return int.from_bytes(_digest(key)[:8], "big") / 2**64


def generator(*key: object) -> np.random.Generator:
    """A random generator that belongs to ``key``."""
    return np.random.default_rng(int.from_bytes(_digest(key)[:8], "big"))
