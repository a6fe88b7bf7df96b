"""What tests of many machines share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.operations.schedulers import cluster_here


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A scheduler with two workers within this process."""
    with cluster_here() as address:
        yield address
