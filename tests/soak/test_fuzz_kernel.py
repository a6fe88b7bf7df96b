"""The kernel and its modules under sanitizers, for ten minutes each, by a new seed each time."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.soak import fuzz_kernel, fuzz_modules
from tests.soak.needs import need

SECONDS = 600


@pytest.mark.soak
def test_the_kernel_under_sanitizers(record_property: Callable[[str, object], None]) -> None:
    need("c++")
    seed = random.randrange(1, 10**6)
    record_property("seed", seed)
    assert fuzz_kernel.main(SECONDS, seed) == 0


@pytest.mark.soak
def test_the_modules_under_sanitizers(record_property: Callable[[str, object], None]) -> None:
    need("g++")
    seed = random.randrange(1, 10**6)
    record_property("seed", seed)
    assert fuzz_modules.main(SECONDS, seed) == 0
