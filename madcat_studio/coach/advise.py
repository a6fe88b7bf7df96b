"""The coach: which changes of an editor's text could be spared, and what each would save.

What it says is counted, not guessed: each change is made alone, and the engine counts the text
anew. All that is told together is counted together as well, so that whoever follows all of it
saves with each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from madcat_studio.coach.agreement import Sides
from madcat_studio.coach.candidate import Candidate
from madcat_studio.coach.candidates import candidates
from madcat_studio.coach.choice import Counted, spliced, told
from madcat_studio.coach.values import Advice, AdviceKind, Coaching, applied
from madcat_studio.progress import SILENT, Progress, stopper
from madcat_ter.options import TerOptions
from madcat_ter.ter import TerCounts, ter_counts

__all__ = ["coach"]

_FAR = 60
"""Characters between changes that hardly touch each other's sums."""

_JOBS = 2
"""Threads that count at once."""

_SHIFTS = 3
"""Where the shifts stand among the counts."""


def coach(
    output: str,
    text: str,
    reference: str,
    options: TerOptions,
    *,
    progress: Progress = SILENT,
) -> Coaching:
    """What could be spared in a text that was made of a system's output.

    Args:
        output: what the system gave.
        text: what the editor made of it.
        reference: what the source means.
        options: how the campaign counts edits.
        progress: asked now and then whether to go on.

    Raises:
        InputError: a text is too long to be scored, or holds what cannot be.
        Cancelled: ``progress`` said so.
    """
    sides = Sides(output, text, reference, options)
    edits, words = sides.result.edits, sides.result.words
    if not edits or not output.strip() or not text.strip():
        return Coaching((), edits, words, 0.0)
    counting = _Counting(output, text, options, progress)
    found = list(_different(text, _wanted(candidates(sides), progress)).items())
    counts = counting.of([changed for changed, _ in found])
    better = [
        Counted(one, edits - left)
        for (_, one), left, shifts in zip(
            found, counts.edits.tolist(), counts.counts[:, _SHIFTS].tolist(), strict=True
        )
        if left < edits and (one.kind is not AdviceKind.SHIFT or shifts > sides.result.shift_count)
    ]
    kept, left = _together(counting, edits, told(better))
    return Coaching(tuple(_advice(text, one) for one in kept), edits, words, edits - left)


def _wanted(found: Iterable[Candidate], progress: Progress) -> Iterator[Candidate]:
    """The candidates as long as somebody waits for them: a key may come at any moment."""
    stop = stopper(progress)
    for one in found:
        stop()
        yield one


class _Counting:
    """Counts texts that were made of one, all at once."""

    def __init__(self, output: str, text: str, options: TerOptions, progress: Progress) -> None:
        self._output, self._text = output, text
        self._options, self._progress = options, progress

    def of(self, texts: Sequence[str]) -> TerCounts:
        """What the engine counts of each."""
        outputs, references = [self._output] * len(texts), [[text] for text in texts]
        return ter_counts(outputs, references, self._options, jobs=_JOBS, progress=self._progress)

    def following(self, sets: Sequence[Sequence[Counted]]) -> list[float]:
        """The edits of the text where each of these sets is followed."""
        texts = [applied(spliced(some), self._text) for some in sets]
        edits: list[float] = self.of(texts).edits.tolist()
        return edits


def _different(text: str, found: Iterable[Candidate]) -> dict[str, Candidate]:
    """The candidates by the texts they make; of several that make the same the smallest."""
    made: dict[str, Candidate] = {}
    for one in sorted(found, key=lambda one: one.size):
        changed = one.apply(text)
        if changed != text and changed.strip():
            made.setdefault(changed, one)
    return made


def _together(
    counting: _Counting, edits: float, chosen: list[Counted]
) -> tuple[list[Counted], float]:
    """Those that save edits also when all others are followed, and the edits that are left."""
    while chosen:
        sets = [chosen, *(chosen[:at] + chosen[at + 1 :] for at in range(len(chosen)))]
        left, *without = counting.following(sets)
        idle = [one for one, more in zip(chosen, without, strict=True) if more <= left]
        if not idle:
            return chosen, left
        gone: list[Counted] = []
        for one in reversed(idle):
            # Of neighbours that save the same edits one may stay: they are asked again without it.
            if all(other.end + _FAR < one.start or one.end + _FAR < other.start for other in gone):
                gone.append(one)
        chosen = [one for one in chosen if one not in gone]
    return chosen, edits


def _advice(text: str, one: Counted) -> Advice:
    splices = one.candidate.splices
    old = _joined([text[each.start : each.end] for each in splices])
    new = _joined([each.words for each in splices])
    return Advice(one.candidate.kind, splices, old, new, one.saved)


def _joined(parts: Iterable[str]) -> str:
    """Parts to be read, without the blanks around them; a blank alone stays one."""
    return " … ".join(part.strip() or part for part in parts if part)
