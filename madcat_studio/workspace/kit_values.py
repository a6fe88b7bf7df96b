"""What an open kit tells: changes, what hinders handing over, what came back after a crash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from madcat_studio.model.campaign import Flag, KitSegment, SegmentState
from madcat_studio.model.characters import ARABIC, FORBIDDEN
from madcat_studio.workspace.typing import Snapshot

__all__ = ["KitChange", "KitProblem", "Recovery", "problems_of"]


@dataclass(frozen=True, slots=True)
class KitChange:
    """What an action touched; a view refreshes only that.

    Attributes:
        texts: indices of segments whose text changed, in a way that the view does not know yet.
        states: indices of segments whose state changed.
        current: the segment to show, where it is another one than before.
        notice: what the editor should be told, or "".
    """

    texts: frozenset[int] = field(default_factory=frozenset)
    states: frozenset[int] = field(default_factory=frozenset)
    current: int | None = None
    notice: str = ""


@dataclass(frozen=True, slots=True)
class KitProblem:
    """What hinders handing over: the segment (an index), a stable code, a sentence.

    ``start`` and ``end`` are its place in the text, in characters; -1 where it has none.
    """

    index: int
    code: str
    what: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Recovery:
    """What an earlier session left in the spool and is back now.

    Attributes:
        texts: indices of segments whose unconfirmed text was brought back.
        revisions: how many revisions wait to be delivered.
        aside: texts that are older than what the campaign has; kept as side revisions.
    """

    texts: tuple[int, ...] = ()
    revisions: int = 0
    aside: int = 0

    def __bool__(self) -> bool:
        return bool(self.texts or self.revisions or self.aside)


def problems_of(index: int, segment: KitSegment, now: Snapshot) -> Iterator[KitProblem]:
    """What hinders handing over in one segment; nothing where the system gave nothing."""
    if not segment.output:
        return
    if now.state is not SegmentState.CONFIRMED:
        yield KitProblem(index, "kit.unconfirmed", "It is not confirmed")
    if Flag.RETURNED in now.flags:
        yield KitProblem(index, "kit.returned", "It is flagged to go back to the first pass")
    if not now.text.strip() and not now.reason:
        yield KitProblem(index, "kit.empty", "The text is empty and no reason is given")
    given = set(segment.reference.split())
    # What the reference has, such as a name in its own script, is right.
    if left := [one for one in _arabic_words(now.text) if one[0] not in given]:
        what = f"Arabic text is left: {' '.join(word for word, _ in left)}"
        yield KitProblem(index, "kit.source-script", what, *left[0][1])
    if bad := FORBIDDEN.search(now.text):
        named = f"U+{ord(bad[0]):04X}"
        what = f"It has a character that a file cannot hold: {named}"
        yield KitProblem(index, "kit.characters", what, *bad.span())


def _arabic_words(text: str) -> list[tuple[str, tuple[int, int]]]:
    """Words with an Arabic character, and where they stand."""
    return [
        (match[0], match.span()) for match in re.finditer(r"\S+", text) if ARABIC.search(match[0])
    ]
