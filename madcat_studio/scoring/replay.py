"""An alignment step by step: each shift, then the edits that are left. As data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from madcat_ter import kernel
from madcat_ter.ter import Shift, TerResult

__all__ = ["Edit", "Replay", "ShiftStep", "StepKind", "replay", "replay_lines"]


class StepKind(StrEnum):
    """What happens to a pair of words."""

    MATCH = "match"
    SUBSTITUTION = "substitution"
    INSERTION = "insertion"
    DELETION = "deletion"


_KINDS = {
    " ": StepKind.MATCH,
    "S": StepKind.SUBSTITUTION,
    "I": StepKind.INSERTION,
    "D": StepKind.DELETION,
}


@dataclass(frozen=True, slots=True)
class ShiftStep:
    """One shift.

    Attributes:
        shift: as tercom tells it.
        start: first word of the block before the shift, counted from 0.
        length: number of words of the block.
        to: first word of the block after the shift.
        before: all words of the output before it.
        after: all words after it.
    """

    shift: Shift
    start: int
    length: int
    to: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A word of the shifted output, of the reference, or both.

    Attributes:
        kind: what happens.
        output: the word of the output, None for a deletion.
        reference: the word of the reference, None for an insertion.
        origin: where the output's word stood before any shift, counted from 0, or None.
        shifts: numbers of the shifts that moved it, from 1.
    """

    kind: StepKind
    output: str | None
    reference: str | None
    origin: int | None
    shifts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """All steps: what a window draws and a terminal prints."""

    shifts: tuple[ShiftStep, ...]
    edits: tuple[Edit, ...]


def replay(result: TerResult) -> Replay:
    """The steps of a result, in order."""
    words = list(result.output_words)
    origins = list(range(len(words)))
    moved: list[list[int]] = [[] for _ in words]
    steps: list[ShiftStep] = []
    for number, shift in enumerate(result.shifts, 1):
        place = shift.start, shift.end, shift.newloc
        for word in origins[shift.start : shift.end + 1]:
            moved[word].append(number)
        head = origins[shift.start]
        before = tuple(words)
        words, origins = kernel.move(words, *place), kernel.move(origins, *place)
        length = shift.end - shift.start + 1
        steps.append(
            ShiftStep(shift, shift.start, length, origins.index(head), before, tuple(words))
        )
    edits: list[Edit] = []
    i = j = 0
    for step in result.alignment:
        output: str | None = None
        reference: str | None = None
        origin: int | None = None
        if step != "D":
            output, origin = words[j], origins[j]
            j += 1
        if step != "I":
            reference = result.reference_words[i]
            i += 1
        numbers = tuple(moved[origin]) if origin is not None else ()
        edits.append(Edit(_KINDS[step], output, reference, origin, numbers))
    return Replay(tuple(steps), tuple(edits))


def replay_lines(result: TerResult) -> list[str]:
    """The steps as lines for a terminal: the block in brackets, then both texts over each other.

    Shifted words carry the numbers of their shifts; ``*`` fills the side that has no word.
    """
    found = replay(result)
    lines = [f"output     {' '.join(result.output_words)}"]
    for number, step in enumerate(found.shifts, 1):
        end = step.to + step.length
        way = "left" if step.to < step.start else "right"
        words = [*step.after[: step.to], "[" + " ".join(step.after[step.to : end]) + "]"]
        lines.append(
            f"shift {number:<4} {' '.join([*words, *step.after[end:]])}"
            f"   ({step.length} {'word' if step.length == 1 else 'words'}, "
            f"{abs(step.to - step.start)} {way})"
        )
    columns = [_column(edit) for edit in found.edits]
    for name, row in zip(("reference", "output", "edits"), range(3), strict=True):
        lines.append(f"{name:<10} {' '.join(column[row] for column in columns)}".rstrip())
    lines.append(
        f"{result.insertions} insertions, {result.deletions} deletions, "
        f"{result.substitutions} substitutions, {result.shift_count} shifts"
    )
    return lines


def _column(edit: Edit) -> tuple[str, str, str]:
    mark = "" if edit.kind is StepKind.MATCH else edit.kind[0].upper()
    mark += ",".join(map(str, edit.shifts))
    reference = edit.reference if edit.reference is not None else "*" * len(edit.output or "")
    output = edit.output if edit.output is not None else "*" * len(edit.reference or "")
    width = max(len(reference), len(output), len(mark))
    return reference.ljust(width), output.ljust(width), mark.ljust(width)
