"""How far each team is with each kit, as rows of edits.tsv."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scripts.demo.editing import final_text, first_text
from scripts.demo.plan import ASSIGNMENTS, KITS, Assignment, Kit, Manuscript, Text

__all__ = ["EDITS_COLUMNS", "edit_rows"]

EDITS_COLUMNS = ("kit", "team", "pass", "editor", "segment", "state", "text")
"""The columns of edits.tsv."""


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far a team is: segments confirmed in each pass, and drafts in the pass at hand."""

    first: int
    review: int
    drafts: int = 0


_WHOLE = 23
"""The segments of a kit; a pass with all of them confirmed is handed over."""

_PROGRESS = {
    ("K4", "T2"): _Progress(_WHOLE, _WHOLE),
    ("K4", "T4"): _Progress(_WHOLE, 11, drafts=1),
    ("K5", "T1"): _Progress(8, 0, drafts=4),
    ("K5", "T4"): _Progress(0, 0),
    ("K6", "T2"): _Progress(0, 0),
    ("K6", "T3"): _Progress(0, 0),
}
"""The kits of the second system; those of the first are finished by both teams."""


def edit_rows() -> Iterator[tuple[str, ...]]:
    """The rows of edits.tsv: every text that an editor confirmed or left as a draft."""
    kits = {kit.name: kit for kit in KITS}
    for assignment in ASSIGNMENTS:
        kit = kits[assignment.kit]
        progress = _PROGRESS.get((kit.name, assignment.team), _Progress(_WHOLE, _WHOLE))
        reviewing = progress.first == _WHOLE
        drafts = (0, progress.drafts) if reviewing else (progress.drafts, 0)
        yield from _pass_rows(kit, assignment, "first", progress.first, drafts[0])
        yield from _pass_rows(kit, assignment, "review", progress.review, drafts[1])


def _pass_rows(
    kit: Kit, assignment: Assignment, name: str, confirmed: int, drafts: int
) -> Iterator[tuple[str, ...]]:
    segments = [
        (copy, number, text)
        for copy in kit.manuscripts
        for number, text in enumerate(copy.passage.segments, 1)
    ]
    editor = assignment.first if name == "first" else assignment.reviewer
    for place, (copy, number, text) in enumerate(segments[: confirmed + drafts], 1):
        edited = _text(kit, assignment, name, copy, number, text)
        if place == confirmed + drafts and drafts:
            # Left in the middle of a sentence.
            words = edited.split()
            edited = " ".join(words[: 2 * len(words) // 3])
        state = "confirmed" if place <= confirmed else "draft"
        segment = f"{copy.base}/s{number}"
        yield (kit.name, assignment.team, name, editor, segment, state, edited)


def _text(
    kit: Kit, assignment: Assignment, name: str, copy: Manuscript, number: int, text: Text
) -> str:
    if name == "review":
        return final_text(text, kit.system, copy, assignment.team, number)
    return first_text(text, kit.system, copy, assignment.team, number, kit.name)
