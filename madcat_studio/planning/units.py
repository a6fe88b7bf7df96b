"""What is planned: manuscripts of a system's output, kits, and teams' parts in them.

All numbers of words are reference words, so that kits are the same for every system.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from madcat_studio.errors import InputError
from madcat_studio.model.naming import natural_key

__all__ = ["KitRules", "PlannedKit", "Unit", "UnitKey", "by_track", "check_units"]


class UnitKey(NamedTuple):
    """What names a unit: a manuscript of one system's output."""

    system: str
    manuscript: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One manuscript of one system's output: never divided between kits.

    Attributes:
        manuscript, passage, genre, system: as in the campaign.
        documents: BASEs, in page order.
        words: reference words of all of them.
        data_set: evaluation, progress or control.
        track: a kit never holds output of two.
    """

    manuscript: str
    passage: str
    genre: str
    system: str
    documents: tuple[str, ...]
    words: int
    data_set: str = "evaluation"
    track: str = ""

    @property
    def key(self) -> UnitKey:
        """What names it."""
        return UnitKey(self.system, self.manuscript)


@dataclass(frozen=True, slots=True)
class KitRules:
    """What a kit should be.

    Attributes:
        target: reference words of a kit.
        tolerance: share of the target by which a kit may be longer or shorter.
    """

    target: int = 600
    tolerance: float = 0.15

    def __post_init__(self) -> None:
        if self.target < 1 or not 0 <= self.tolerance < 1:
            raise InputError(
                "planning.rules",
                (
                    f"A kit of {self.target} words with a tolerance of {self.tolerance} is not "
                    "possible"
                ),
                remedy="Give a target of 1 word or more and a tolerance from 0 to less than 1",
            )

    @property
    def least(self) -> float:
        """Fewest words of a kit within the tolerance."""
        return self.target * (1 - self.tolerance)

    @property
    def most(self) -> float:
        """Most words of a kit within the tolerance."""
        return self.target * (1 + self.tolerance)


def by_track(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Units of each track: what is planned, and summed, apart."""
    found: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: natural_key(unit.track)):
        found.setdefault(unit.track, []).append(unit)
    return found


@dataclass(slots=True)
class PlannedKit:
    """A kit in the making."""

    units: list[Unit] = field(default_factory=list)

    @property
    def words(self) -> int:
        """Reference words."""
        return sum(unit.words for unit in self.units)

    @property
    def track(self) -> str:
        """The track of its units."""
        return self.units[0].track if self.units else ""


def check_units(units: Sequence[Unit], rules: KitRules) -> int:
    """How many kits the units make, after seeing that there is a plan at all.

    Raises:
        InputError: nothing to plan; a manuscript longer than a kit may be; a passage that occurs
            more often than there are kits. The message says which rule binds.
    """
    if not units:
        raise InputError(
            "planning.nothing",
            "There is nothing to plan: every output in the campaign is already in a kit",
            remedy="Add a system first",
        )
    longest = max(units, key=lambda unit: unit.words)
    if longest.words > rules.most:
        raise InputError(
            "planning.long-manuscript",
            f"Manuscript {longest.manuscript} has {longest.words} words, more than a kit "
            f"may have ({rules.most:.0f}), and a manuscript is never split",
            remedy="Choose a larger target or tolerance, or leave the manuscript out",
        )
    total = sum(unit.words for unit in units)
    # A kit holds a unit at least: long manuscripts may make fewer kits than their words would.
    kits = min(max(1, round(total / rules.target)), len(units))
    occurrences: dict[str, int] = {}
    for unit in units:
        occurrences[unit.passage] = occurrences.get(unit.passage, 0) + 1
    passage, most = max(occurrences.items(), key=lambda entry: entry[1])
    if most > kits:
        if total / most < rules.least:
            raise InputError(
                "planning.passage-twice",
                f"Passage {passage} occurs {most} times, and {total} words make only {kits} "
                f"kit{'' if kits == 1 else 's'} of about {rules.target} words: it would be "
                "in a kit twice",
                remedy=f"Choose a target of {total // most} words or fewer, or add other passages",
            )
        kits = most
    return kits
