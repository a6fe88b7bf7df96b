"""Where in the window the steps of a campaign are done."""

from __future__ import annotations

from enum import Enum, auto

__all__ = ["Door"]


class Door(Enum):
    """What a step asks of the window; an action says which of them it opens."""

    NEW_CAMPAIGN = auto()
    ADD_SYSTEM = auto()
    ADD_EARLIER = auto()
    SELECT = auto()
    PLAN = auto()
    PROPOSE = auto()
    GIVE_OUT = auto()
    TAKE_IN = auto()
    LOOK_AGAIN = auto()
    SCORE = auto()
    EXPORT = auto()
    EVIDENCE = auto()
