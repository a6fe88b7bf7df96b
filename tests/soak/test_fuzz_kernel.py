"""The kernel under sanitizers for ten minutes, by a new seed each time."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.soak.fuzz_kernel import main

SECONDS = 600


@pytest.mark.soak
def test_the_kernel_under_sanitizers(record_property: Callable[[str, object], None]) -> None:
    seed = random.randrange(1, 10**6)
    record_property("seed", seed)
    assert main(SECONDS, seed) == 0
