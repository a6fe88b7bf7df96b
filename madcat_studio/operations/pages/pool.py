"""One function done to many files: on all cores, streamed in order, stopped when asked."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from madcat_studio.errors import WorldError
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["each"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_BATCH = 32
_FEW = 2 * _BATCH
"""Up to so many files, starting other processes costs more than it saves."""


def each(
    items: Sequence[_Item],
    prepare: Callable[..., Callable[[_Item], _Result]],
    arguments: tuple[Any, ...],
    name: Callable[[_Item], str],
    *,
    progress: Progress = SILENT,
    workers: int | None = None,
) -> Iterator[_Result]:
    """The results of all items in their order, as they are ready; none is kept.

    Args:
        items: what is worked on.
        prepare: makes the function for one item, once in each process.
        arguments: of ``prepare``.
        name: of an item, for the progress.
        progress: told after every item.
        workers: processes; None for one a core, and none for a few items.

    Raises:
        Cancelled: the user stopped it; what was done until then stays done.
    """
    count = workers if workers is not None else os.cpu_count() or 1
    if count < 2 or len(items) <= _FEW:
        results = _alone(items, prepare, arguments)
    else:
        results = _together(items, prepare, arguments, count)
    for done, (item, result) in enumerate(zip(items, results, strict=True), 1):
        yield result
        progress.advance(done, len(items), name(item))
        if progress.cancelled():
            results.close()
            raise Cancelled


def _alone(
    items: Sequence[_Item],
    prepare: Callable[..., Callable[[_Item], _Result]],
    arguments: tuple[Any, ...],
) -> Generator[_Result, None, None]:
    work = prepare(*arguments)
    for item in items:
        yield work(item)


def _together(
    items: Sequence[_Item],
    prepare: Callable[..., Callable[[_Item], _Result]],
    arguments: tuple[Any, ...],
    count: int,
) -> Generator[_Result, None, None]:
    batches = (items[at : at + _BATCH] for at in range(0, len(items), _BATCH))
    # Started anew, not forked: a fork of a process with threads can hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context, _start_worker, (prepare, arguments)) as pool:
        waiting: deque[Future[list[Any]]] = deque()

        def submit(most: int) -> None:
            # The pool starts its processes when work comes, and they are what this one is.
            with _uninterrupted():
                waiting.extend(pool.submit(_do_batch, batch) for batch in islice(batches, most))

        try:
            submit(count * 2)
            while waiting:
                yield from waiting.popleft().result()
                submit(1)
        except BrokenProcessPool as error:
            raise WorldError(
                "file.worker-ended",
                "a process that did part of the work was killed",
                remedy=(
                    "It may have run out of memory: use fewer processes; what is done stays done"
                ),
            ) from error
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep Ctrl+C back; a process that is started meanwhile never hears of it.

    It reaches every process of a terminal, and one that only begins to load its modules would die
    of it: the first process stops the others in order.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_work: Callable[[Any], Any] | None = None


def _start_worker(prepare: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]) -> None:
    global _work
    _work = prepare(*arguments)


def _do_batch(items: Sequence[Any]) -> list[Any]:
    assert _work is not None
    return [_work(item) for item in items]
