"""A scheduler with two workers within this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cluster_here() -> Iterator[str]:
    """Its address, until the block ends."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="inproc://",
        dashboard_address=":0",
        silence_logs=False,
    ) as cluster:
        yield cluster.scheduler_address
