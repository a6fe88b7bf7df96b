"""What a site promises of a submission, since no program can see to it (evaluation plan, 4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["NOTHING_DECLARED", "Declaration", "Manifest", "missing"]


class Declaration(StrEnum):
    """A rule that the site declares to have kept; its value is its name in files."""

    NO_ADAPTATION = "no-adaptation"
    NO_INTERACTION = "no-interaction"
    NO_SEQUESTERED = "no-sequestered"

    @property
    def sentence(self) -> str:
        """What is declared."""
        return _SENTENCES[self]


_SENTENCES = {
    Declaration.NO_ADAPTATION: "No language model was adapted across pages",
    Declaration.NO_INTERACTION: (
        "Neither people nor programs looked at the evaluation data before the results were handed "
        "in"
    ),
    Declaration.NO_SEQUESTERED: (
        "Sequestered passages were used neither in training nor in development"
    ),
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """What lies beside the outputs in a submission.

    Attributes:
        site: who hands it in.
        declared: in the order of the rules.
    """

    site: str = ""
    declared: tuple[Declaration, ...] = ()


NOTHING_DECLARED = Manifest()
"""Where there is no manifest."""


def missing(declared: Iterable[Declaration]) -> tuple[Declaration, ...]:
    """The rules that are not among those that were declared."""
    there = frozenset(declared)
    return tuple(one for one in Declaration if one not in there)
