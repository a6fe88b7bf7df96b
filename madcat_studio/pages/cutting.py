"""Words that are cut or joined together with what tokens and the transcription say.

An edit of outlines alone leaves all texts as they are (:mod:`edits.splitting`); these are for where
the user wants both.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Collection, Sequence

from madcat_studio.edits import CompositeEdit, Edit, SetTranscription, merge_words
from madcat_studio.edits.splitting import WordCut, split_words
from madcat_studio.model.document import Document, Polygon
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import SegmentIndex, TokenIndex
from madcat_studio.pages.token_text import token_spans

__all__ = ["cut_words", "join_words", "parted", "place_to_part", "places_to_part"]

_UNJOINED = frozenset("اأإآٱدذرزژوؤةىء")
"""Arabic letters that do not join the next one: there a word has its gaps."""
_LIFTED, _JOINED = 0.5, 2.0
"""By how many letters a blank may be farther away than where the pen was lifted within a word, and
than a place within joined letters."""


def places_to_part(text: str) -> list[int]:
    """Where a text can be parted: never before a mark that belongs to a letter, nor at its ends."""
    return [
        at
        for at in range(1, len(text))
        if not unicodedata.combining(text[at]) and text[:at].strip() and text[at:].strip()
    ]


def place_to_part(text: str, share: float) -> int:
    """Where a text is likely to be parted; 0 for one that cannot be.

    Args:
        text: of the word.
        share: how much of the word's width the part has that is read first, 0 to 1.
    """
    wanted = share * sum(not unicodedata.combining(letter) for letter in text)
    best: tuple[float, int] | None = None
    for at in places_to_part(text):
        letters = [letter for letter in text[:at] if not unicodedata.combining(letter)]
        dear = 0.0 if text[at].isspace() else _LIFTED if letters[-1] in _UNJOINED else _JOINED
        cost = abs(len(letters) - wanted) + dear
        if best is None or cost < best[0]:
            best = cost, at
    return 0 if best is None else best[1]


def parted(text: str, at: int) -> tuple[str, str]:
    """Both parts of a text, without a blank where it was parted."""
    return text[:at].rstrip(), text[at:].lstrip()


def cut_words(
    document: Document,
    page: int,
    cuts: Sequence[WordCut],
    path: Polygon,
    *,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """Two words out of each of several, as one step; see :func:`edits.splitting.split_words`.

    Where a token is split with its word, so is its word in the transcription, if it is there.
    """
    split = split_words(document, page, cuts, path, index=index)
    texts = {token: text for each in cuts for token, text in each.texts.items()}
    edits = [*split.edits, *_transcriptions(document, texts)]
    return CompositeEdit(tuple(edits), split.label)


def _transcriptions(
    document: Document, texts: dict[TokenIndex, tuple[str, str]]
) -> list[SetTranscription]:
    changed: dict[SegmentIndex, str] = {}
    for s, g, t in sorted(texts, reverse=True):  # so that the places before stay what they are
        segment = document.sections[s].segments[g]
        spans = token_spans(segment.transcription, [token.source for token in segment.tokens])
        span, said = spans[t], (segment.tokens[t].source or "").strip()
        now = changed.get((s, g), segment.transcription or "")
        if span is not None and now[slice(*span)] == said:
            changed[s, g] = now[: span[0]] + " ".join(texts[s, g, t]) + now[span[1] :]
    return [SetTranscription(*place, text) for place, text in sorted(changed.items())]


def join_words(
    document: Document,
    page: int,
    line: int,
    words: Collection[int],
    *,
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """One word out of several, and one token without a blank out of theirs, as one step.

    In the transcription their words become one as well, if they are there side by side.
    """
    index = index if index is not None else DocumentIndex(document)
    merged = merge_words(document, page, line, words, between="", index=index)
    tokens = [
        token for k in sorted(set(words)) for token in index.tokens_of.get((page, line, k), ())
    ]
    edits: list[Edit] = list(merged.edits)
    if tokens:
        s, g, _ = tokens[0]
        segment = document.sections[s].segments[g]
        spans = token_spans(segment.transcription, [token.source for token in segment.tokens])
        found = [spans[t] for (a, b, t) in tokens if (a, b) == (s, g)]
        there = [span for span in found if span is not None]
        whole = segment.transcription or ""
        gaps = [whole[one[1] : other[0]] for one, other in itertools.pairwise(there)]
        if len(there) == len(found) > 1 and all(gap and not gap.strip() for gap in gaps):
            joined = "".join(whole[slice(*span)] for span in there)
            text = whole[: there[0][0]] + joined + whole[there[-1][1] :]
            edits.append(SetTranscription(s, g, text))
    return CompositeEdit(tuple(edits), merged.label)
