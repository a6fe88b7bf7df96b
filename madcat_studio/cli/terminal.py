"""What a command may do to the terminal it speaks to, and how it ends when it is told to.

Names, notes and texts come from others, who may have put control characters into them. So what is
printed goes through here, where each becomes a mark that can be seen. Rich makes control sequences
of its own: what it prints goes past this, and through :func:`reports.terminal.console`.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any, TextIO, cast

from madcat_studio.model.characters import marked

__all__ = ["Changing", "Ended", "be_quiet", "speaking", "tell_log", "tell_warnings"]

_WARNINGS = "madcat_studio.store.odd"
"""The logger whose warnings are for whoever gave the command."""


class Ended(BaseException):
    """The system told the program to end; what it was doing is cleared away on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Changing:
    """A stream on which each text is changed on its way to another.

    Rich writes past it, to ``rich_proxied_file``.
    """

    def __init__(self, stream: Any, change: Callable[[str], str]) -> None:
        self._stream, self._change = stream, change
        self.rich_proxied_file: Any = stream

    def write(self, text: str) -> int:
        """Write it, changed; the length is that of what was given."""
        self._stream.write(self._change(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of them so."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def speaking() -> Iterator[None]:
    """For one command: marks on both streams, and a way out when the system asks."""
    with ExitStack() as after:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is not None:
                setattr(sys, name, cast(TextIO, Changing(stream, marked)))
                after.callback(setattr, sys, name, stream)
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, getattr(signal, "SIGHUP", None)):
                # Who runs it with nohup has said what SIGHUP is to do.
                if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, _end)
                    after.callback(signal.signal, number, signal.SIG_DFL)
        yield


def _end(number: int, _frame: FrameType | None) -> None:
    # Once: what clears away must not be stopped in the middle.
    signal.signal(number, signal.SIG_IGN)
    raise Ended(number)


def tell_warnings() -> Callable[[], None]:
    """Tell on the error stream what the store warns of, each thing once.

    Returns:
        What ends it.
    """
    import logging

    told: set[str] = set()

    class Teller(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = record.getMessage()
            if text not in told:
                told.add(text)
                print(f"warning: {text}", file=sys.stderr)

    logger, teller = logging.getLogger(_WARNINGS), Teller(logging.WARNING)
    logger.addHandler(teller)
    return lambda: logger.removeHandler(teller)


def be_quiet() -> Callable[[], None]:
    """Show neither bars nor warnings. Returns what ends it."""
    from madcat_studio.cli.bar import without

    return without()


def tell_log() -> Callable[[], None]:
    """Write the log on the error stream too. Returns what ends it."""
    import logging

    logger, teller = logging.getLogger("madcat_studio"), logging.StreamHandler(sys.stderr)
    teller.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logger.addHandler(teller)
    return lambda: logger.removeHandler(teller)
