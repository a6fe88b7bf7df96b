"""How much work a segment took: time without idling, counts of keys, mouse and paste."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["IDLE_SECONDS", "Activity", "Effort"]

IDLE_SECONDS = 60.0
"""A rest longer than this is left out as a whole."""


class Activity(StrEnum):
    """What an editor did; no content is ever kept."""

    KEY = "keys"
    MOUSE = "mouse"
    PASTE = "pastes"


@dataclass(slots=True)
class Effort:
    """Time and counts since the last revision of a segment.

    The clock is monotonic: setting the machine's time changes nothing. A pause that the editor
    makes is left out, and so is a rest longer than ``idle`` seconds.
    """

    clock: Callable[[], float] = time.monotonic
    idle: float = IDLE_SECONDS
    paused: bool = False
    _seconds: float = 0.0
    _last: float | None = None
    _counts: dict[Activity, int] = field(default_factory=dict)

    def note(self, activity: Activity) -> None:
        """The editor did something."""
        if self.paused:
            self.resume()
        self._beat()
        self._counts[activity] = self._counts.get(activity, 0) + 1

    def _beat(self) -> None:
        now = self.clock()
        if self._last is not None and 0 <= now - self._last <= self.idle:
            self._seconds += now - self._last
        self._last = now

    def begin(self) -> None:
        """The segment was entered: time runs from now."""
        self._last = self.clock()

    def leave(self) -> None:
        """The segment was left."""
        if not self.paused:
            self._beat()
        self._last = None

    def pause(self) -> None:
        """Stop the time until the editor goes on."""
        self.leave()
        self.paused = True

    def resume(self) -> None:
        """Let the time run again."""
        self.paused = False
        self.begin()

    def seconds(self) -> float:
        """Time so far, since the last revision; a rest that is still going on counts at first."""
        if self._last is None or self.paused:
            return self._seconds
        resting = self.clock() - self._last
        return self._seconds + (resting if 0 <= resting <= self.idle else 0.0)

    def take(self) -> dict[str, int]:
        """What a revision carries: ``ms`` and the counts. They begin at nothing again."""
        if self._last is not None and not self.paused:
            self._beat()
        taken = {"ms": round(self._seconds * 1000)}
        taken.update({activity.value: count for activity, count in self._counts.items()})
        self._seconds = 0.0
        self._counts = {}
        return taken
