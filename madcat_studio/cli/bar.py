"""Progress on a terminal: a bar where there is one, nothing in a file; Ctrl+C stops in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from madcat_studio.progress import Progress

__all__ = ["bar"]


@contextmanager
def bar() -> Iterator[Progress]:
    """A bar for the work inside. The first Ctrl+C asks the work to stop, a second one stops it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    stopped = threading.Event()
    bars = Bars(
        TextColumn("{task.description}", table_column=None),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not Console(stderr=True).is_terminal,
    )
    task = bars.add_task("", total=None)

    class Shown:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            bars.update(task, completed=done, total=total, description=text)

        def cancelled(self) -> bool:
            return stopped.is_set()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    ours = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, stop) if ours else None
    try:
        with bars:
            yield Shown()
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)
