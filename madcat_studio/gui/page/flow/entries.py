"""What stands under a line: its words with their tokens, and the tokens that have no word yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from madcat_studio.model.characters import is_right_to_left
from madcat_studio.model.document import Document, Line, Polygon
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.linetokens import tokens_of_line
from madcat_studio.model.links import LineIndex, TokenIndex

__all__ = ["Entry", "State", "entries_of", "places", "runs_right_to_left"]

_GAP = 8.0


class State(Enum):
    """How far it is."""

    MARKED = auto()
    OPEN = auto()
    MISSING = auto()
    WITHOUT_TEXT = auto()
    PLAIN = auto()
    """A word of a text that has no tokens: nothing is to be marked."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing under a line.

    Attributes:
        text: of its tokens, "" for a word without any.
        state: how far it is.
        word: which word of the line, None for a token without one.
        token: the first of its tokens, None for a word without any.
        span: left and right of the word on the page, None without a word.
        fault: its status says that the scribe did something wrong.
    """

    text: str
    state: State
    word: int | None
    token: TokenIndex | None
    span: tuple[float, float] | None
    fault: bool = False

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to do about it."""
        return self.state not in (State.OPEN, State.WITHOUT_TEXT)


def entries_of(
    document: Document, index: DocumentIndex, place: LineIndex, missing: str, faults: Sequence[str]
) -> list[Entry]:
    """What stands under a line, in the order of reading.

    Args:
        document: as it is now.
        index: its links.
        place: the line.
        missing: the status of a token that is not on the page.
        faults: the statuses that stand for something wrong.
    """
    page, number = place
    line = document.pages[page].lines[number]
    made: list[Entry] = []
    at: dict[TokenIndex, int] = {}
    for k, word in enumerate(line.words):
        tokens = index.tokens_of.get((page, number, k), [])
        made.append(_of_word(document, k, word.polygon, tokens, faults))
        at.update(dict.fromkeys(tokens, k))
    behind: dict[int, list[Entry]] = {}
    last = -1
    for token in tokens_of_line(document, index, place):
        if token in at:
            last = at[token]
        elif token not in index.word_of:
            behind.setdefault(last, []).append(_without_word(document, token, missing, faults))
    found = behind.get(-1, [])
    for k, entry in enumerate(made):
        found += [entry, *behind.get(k, [])]
    return found + _plain(document, index, place)


def _plain(document: Document, index: DocumentIndex, place: LineIndex) -> list[Entry]:
    """The words of texts without tokens that begin on this line."""
    texts = []
    for s, g in index.segments_of.get(place, []):
        segment = document.sections[s].segments[g]
        if not segment.tokens and index.lines_of.get((s, g), [])[:1] == [place]:
            texts += (segment.transcription or "").split()
    return [Entry(text, State.PLAIN, None, None, None) for text in texts]


def _of_word(
    document: Document,
    number: int,
    polygon: Polygon,
    tokens: Sequence[TokenIndex],
    faults: Sequence[str],
) -> Entry:
    box = bounding_box(polygon)
    span = None if box is None else (box[0], box[2])
    if not tokens:
        return Entry("", State.WITHOUT_TEXT, number, None, span)
    said = [document.sections[s].segments[g].tokens[t] for s, g, t in tokens]
    text = " ".join(token.source or "" for token in said)
    fault = any(token.status in faults for token in said)
    return Entry(text, State.MARKED, number, tokens[0], span, fault)


def _without_word(
    document: Document, place: TokenIndex, missing: str, faults: Sequence[str]
) -> Entry:
    token = document.sections[place[0]].segments[place[1]].tokens[place[2]]
    state = State.MISSING if token.status == missing else State.OPEN
    return Entry(token.source or "", state, None, place, None, token.status in faults)


def runs_right_to_left(entries: Sequence[Entry], line: Line) -> bool:
    """Which way a line is read: by its text, else by how its words lie, else as Arabic is."""
    text = "".join(entry.text for entry in entries)
    if len(line.words) > 1 and not text:
        boxes = [bounding_box(word.polygon) or (0, 0, 0, 0) for word in line.words]
        return boxes[0][0] >= boxes[-1][0]
    return is_right_to_left(text, default=True)


def places(
    widths: Sequence[float], middles: Sequence[float | None], room: float
) -> list[tuple[float, float]]:
    """Left edge and width for things in a row, each as near to its middle as the others allow.

    Args:
        widths: of each, from left to right.
        middles: where each wants to be; None for wherever there is room beside the one before.
        room: how much there is in all; where it is too little, all become narrower.
    """
    count = len(widths)
    wanted = sum(widths) + _GAP * (count + 1)
    if wanted > room and count:
        share = max((room - _GAP * (count + 1)) / max(sum(widths), 1.0), 0.1)
        widths = [width * share for width in widths]
    lefts: list[float] = []
    edge = _GAP
    for width, middle in zip(widths, middles, strict=True):
        left = edge if middle is None else max(middle - width / 2, edge)
        lefts.append(left)
        edge = left + width + _GAP
    # Those without a middle stand against the next; what hangs over the end is pushed back.
    edge = room
    for number in range(count - 1, -1, -1):
        lefts[number] = min(lefts[number], edge - _GAP - widths[number])
        edge = lefts[number]
    return list(zip(lefts, widths, strict=True))
