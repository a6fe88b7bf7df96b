"""Bytes that another process makes, so that the threads of this one wait for nothing.

A thread that computes in Python holds the interpreter's lock in between, and each call of the
window's thread into Qt has to get it back: on a busy machine those waits add up to ten pictures on
the screen. A copy of this process has everything there already, at no cost but that of what is
changed. It makes bytes and hands them over; it opens, writes and locks nothing.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

__all__ = ["made_apart"]

_PATIENCE = 300
"""Seconds after which a copy that came to no end is ended by the system."""


def made_apart(make: Callable[[], bytes]) -> bytes | None:
    """What ``make`` gives, made in a copy of this process; to be called in a thread.

    Returns:
        None where there are no copies of processes, or where ``make`` failed: then it is for
        whoever asks to do it here, and to meet the error where it can be told.
    """
    if sys.platform != "linux":
        return None
    reading, writing = os.pipe()
    try:
        with warnings.catch_warnings():
            # Newer Pythons warn of copies of processes with threads: a lock that another thread
            # holds is never let go in the copy. This one asks for none but the allocator's, which
            # the system keeps in order, and the interpreter's, which Python does.
            warnings.simplefilter("ignore", DeprecationWarning)
            copy = os.fork()
    except OSError:  # no room for it
        os.close(reading)
        os.close(writing)
        return None
    if copy == 0:
        _hand_over(make, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        made = stream.read()
    _, status = os.waitpid(copy, 0)
    return made if status == 0 else None


def _hand_over(make: Callable[[], bytes], writing: int) -> NoReturn:
    """In the copy: make it, write it, and end without a word to anybody."""
    try:
        gc.disable()
        signal.alarm(_PATIENCE)  # which nobody handles
        # Nothing that the window has open: its locks on files would outlive it.
        os.closerange(3, writing)
        os.closerange(writing + 1, os.sysconf("SC_OPEN_MAX"))
        with os.fdopen(writing, "wb") as stream:
            stream.write(make())
    except BaseException:
        os._exit(1)
    os._exit(0)
