"""Believable post-edits: what two editors of a team made of a system's output.

An editor mends what is wrong, leaves or mends what is merely odd, overlooks something now and
then; the reviewer mends that too. Teams differ in how much they change.
"""

from __future__ import annotations

from dataclasses import dataclass

from scripts.demo.chance import share
from scripts.demo.markup import Span, parse, render
from scripts.demo.outputs import occurs
from scripts.demo.plan import Manuscript, Text

__all__ = ["SLIPS", "Slip", "final_text", "first_text"]

_MENDS_HARMLESS = {"T1": 0.2, "T2": 0.35, "T3": 0.55, "T4": 0.3}
"""How often each team mends what is merely odd."""

_OVERLOOKS = 0.08
"""How often a first editor overlooks an error."""

_REWRITES = {"T1": 0.02, "T2": 0.04, "T3": 0.08, "T4": 0.05}
"""How often each team rewrites a segment after the reference instead of mending it."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake that a first editor made and the reviewer mended: ``right`` became ``wrong``."""

    kit: str
    team: str
    passage: str
    segment: int
    right: str
    wrong: str


SLIPS = (
    Slip("K1", "T1", "P1", 3, "187", "178"),
    Slip("K2", "T4", "P2", 3, "no reports", "reports"),
    Slip("K3", "T3", "P4", 1, "seven", "seventeen"),
)
"""The mistakes that are made on purpose: a number, a negation, a number."""


def final_text(text: Text, system: str, copy: Manuscript, team: str, segment: int) -> str:
    """The reviewer's text; the reference where the system gave nothing."""
    return _edited(text, system, copy, team, segment, overlooks=0)


def first_text(text: Text, system: str, copy: Manuscript, team: str, segment: int, kit: str) -> str:
    """The first editor's text: like the final one, but for what was overlooked or mistaken."""
    edited = _edited(text, system, copy, team, segment, overlooks=_OVERLOOKS)
    place = (kit, team, copy.passage.key, segment)
    for slip in SLIPS:
        if (slip.kit, slip.team, slip.passage, slip.segment) == place:
            edited = edited.replace(slip.right, slip.wrong)
    return edited


def _edited(
    text: Text, system: str, copy: Manuscript, team: str, segment: int, overlooks: float
) -> str:
    marked = text.output(system, copy.number)
    key = (team, system, copy.base, segment)
    if not marked or share("rewrite", *key) < _REWRITES[team]:
        return text.reference

    def choose(number: int, span: Span) -> str:
        if not occurs(text, system, copy.number, number, span):
            return span.right[0]
        if share("overlook", number, *key) < overlooks:
            return span.wrong
        if span.harmless and share("harmless", number, *key) >= _MENDS_HARMLESS[team]:
            return span.wrong
        return span.right[int(share("taste", *key) * len(span.right))]

    return render(parse(marked), choose)
