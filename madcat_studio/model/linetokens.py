"""Which tokens of the text belong to a line of the page, those that have no word included."""

from __future__ import annotations

from madcat_studio.model.document import Document
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import LineIndex, SegmentIndex, TokenIndex

__all__ = ["tokens_of_line"]


def tokens_of_line(document: Document, index: DocumentIndex, place: LineIndex) -> list[TokenIndex]:
    """The tokens of a line in text order.

    A token with a word is of the word's line. One without is where the token before it is, at the
    beginning of a segment where the first one with a word is; of a segment without words all are of
    the first line that it names.
    """
    found: list[TokenIndex] = []
    for segment in index.segments_of.get(place, []):
        found += _of_segment(document, index, place, segment)
    return found


def _of_segment(
    document: Document, index: DocumentIndex, place: LineIndex, segment: SegmentIndex
) -> list[TokenIndex]:
    count = len(document.sections[segment[0]].segments[segment[1]].tokens)
    tokens = [(*segment, t) for t in range(count)]
    words = [index.word_of.get(token) for token in tokens]
    first = next((word[:2] for word in words if word is not None), None)
    if first is None:
        lines = index.lines_of.get(segment, [])
        first = lines[0] if lines else None
    home, found = first, []
    for token, word in zip(tokens, words, strict=True):
        home = home if word is None else word[:2]
        if home == place:
            found.append(token)
    return found
