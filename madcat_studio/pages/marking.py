"""Marking a page from its transcript: what each step of the annotator changes, as one edit.

Words are marked in the order of the text. An outline becomes a word of the line that it stands
in, at its place from right to left, and its token is linked to it; where there is no such line a
new one begins. Geometry never changes text.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from madcat_studio.edits import (
    AddLine,
    AddToken,
    AddWord,
    CompositeEdit,
    Edit,
    LineValue,
    LinkToken,
    Outline,
    SetPolygon,
    SetScribeError,
    SetTokenStatus,
    SetZoneRefs,
    TokenValue,
    WordValue,
)
from madcat_studio.edits.placing import place_for
from madcat_studio.model.document import Document, Polygon, Segment, Token
from madcat_studio.model.freshids import fresh_line_id, fresh_token_id, fresh_word_id
from madcat_studio.model.geometry import hull
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import TokenIndex, WordIndex

__all__ = [
    "leave_out",
    "mark",
    "mark_extra",
    "mark_several",
    "token_at",
    "tokens_from_transcriptions",
    "tokens_of",
    "unlike_transcriptions",
    "words_of_text",
]


def tokens_of(document: Document) -> list[TokenIndex]:
    """All tokens in text order."""
    return [
        (s, g, t)
        for s, section in enumerate(document.sections)
        for g, segment in enumerate(section.segments)
        for t in range(len(segment.tokens))
    ]


def token_at(document: Document, place: TokenIndex) -> Token:
    """The token with these indices."""
    section, segment, token = place
    return document.sections[section].segments[segment].tokens[token]


def words_of_text(text: str | None) -> list[str]:
    """The words of a transcription: what stands between white space."""
    return (text or "").split()


def unlike_transcriptions(document: Document, extra: str = "extra") -> list[tuple[int, int]]:
    """Segments whose tokens do not say what their transcription says, as (section, segment).

    Tokens whose status is ``extra`` are not part of the transcription; a segment without tokens
    or without a transcription has nothing to compare.
    """
    found = []
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            told = [
                word
                for token in segment.tokens
                if (token.status or "") != extra
                for word in words_of_text(token.source)
            ]
            said = words_of_text(segment.transcription)
            if told and said and told != said:
                found.append((s, g))
    return found


def tokens_from_transcriptions(document: Document) -> CompositeEdit | None:
    """Tokens for every segment that has a transcription but none; None where there is no such.

    Each word between white space becomes a token without a word on the page.
    """
    edits: list[Edit] = []
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            if segment.tokens:
                continue
            made = Segment(segment.id)
            for index, word in enumerate(words_of_text(segment.transcription)):
                identifier = fresh_token_id(document, made)
                made.tokens.append(Token(identifier, "", "", word))
                edits.append(AddToken(s, g, index, TokenValue(identifier, "", "", word)))
    return CompositeEdit(tuple(edits), "Make tokens from the transcription") if edits else None


def mark(
    document: Document,
    index: DocumentIndex,
    token: TokenIndex,
    page: int,
    polygon: Polygon,
    *,
    status: str | None = None,
    written: str = "",
    missing: str | None = None,
) -> CompositeEdit:
    """Mark the word of a token with an outline.

    A token that has a word on this page already gets the outline for that word.

    Args:
        document: as it is now.
        index: its links and names.
        token: which token.
        page: on which page the outline was drawn.
        polygon: the outline in stored pixels.
        status: the token's status from now on; None leaves it as it is.
        written: with a status, what stands on the page instead of the token's text.
        missing: the status that says that the word is not there, which it is no longer then.
    """
    edits: list[Edit] = []
    there = index.word_of.get(token)
    if there is not None and there[0] == page:
        edits.append(SetPolygon(Outline(*there), polygon))
        edits += _line_follows(document, there, polygon)
        label = "Mark a word again"
    else:
        identifier, added = _add(document, index, page, polygon, token[:2])
        edits += [*added, LinkToken(*token, identifier)]
        label = "Mark a word"
    if status is not None:
        edits += _said(document, token, status, written)
        label = "Mark a misspelt word"
    elif missing is not None and token_at(document, token).status == missing:
        edits += _said(document, token, "", "")
    return CompositeEdit(tuple(edits), label)


def mark_several(
    document: Document, page: int, outlines: Sequence[tuple[TokenIndex, Polygon]]
) -> CompositeEdit:
    """Mark the words of several tokens, as one edit."""
    trial = copy.deepcopy(document)  # each word's place and id depend on those before it
    index = DocumentIndex(trial)
    edits: list[Edit] = []
    for token, polygon in outlines:
        edit = mark(trial, index, token, page, polygon)
        change, _ = edit.apply(trial)
        index.follow(change)
        edits += edit.edits
    what = "a word" if len(outlines) == 1 else f"{len(outlines)} words"
    return CompositeEdit(tuple(edits), f"Mark {what}")


def mark_extra(
    document: Document,
    before: TokenIndex,
    page: int,
    polygon: Polygon,
    *,
    status: str,
    written: str = "",
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """Mark a word that is on the page and not in the text, with a token of its own.

    Args:
        document: as it is now.
        before: the token that the new one stands before; one behind the last is allowed.
        page: on which page the outline was drawn.
        polygon: the outline.
        status: says that the word is too much.
        written: what it says, as far as it can be read.
        index: of the document, where somebody keeps it anyway.
    """
    section, number, at = before
    index = index if index is not None else DocumentIndex(document)
    segment = document.sections[section].segments[number]
    identifier, added = _add(document, index, page, polygon, (section, number))
    token = TokenValue(fresh_token_id(document, segment), identifier, status, written)
    edits = [*added, AddToken(section, number, at, token)]
    if segment.id:
        edits.append(SetScribeError(section, number, at, status, written, ""))
    return CompositeEdit(tuple(edits), "Mark an extra word")


def leave_out(document: Document, token: TokenIndex, status: str) -> CompositeEdit:
    """Say that a token's word is missing on the page; a link that it has goes."""
    found = token_at(document, token)
    edits: list[Edit] = []
    if found.ref_id:
        edits.append(LinkToken(*token, ""))
    edits += _said(document, token, status, "")
    return CompositeEdit(tuple(edits), "Mark a word as missing")


def _said(document: Document, place: TokenIndex, status: str, written: str) -> list[Edit]:
    """The token's status, and its row in the stand-off file where that can name it."""
    token = token_at(document, place)
    segment = document.sections[place[0]].segments[place[1]]
    edits: list[Edit] = [SetTokenStatus(*place, status)]
    known = (segment.id or "", token.id or "") in document.scribe_errors
    if token.id and segment.id and (status or known):
        edits.append(SetScribeError(*place, status, written, token.source or ""))
    return edits


def _add(
    document: Document,
    index: DocumentIndex,
    page: int,
    polygon: Polygon,
    segment: tuple[int, int],
) -> tuple[str, list[Edit]]:
    """The id of a new word, and what adds it."""
    identifier = fresh_word_id(document, index.word_names)
    word = WordValue(identifier, polygon)
    place = place_for(document.pages[page], polygon)
    if place.new:
        name: str | None = fresh_line_id(document, index.line_names)
        line = LineValue(name, "line", hull([polygon]), (word,))
        edits: list[Edit] = [AddLine(page, place.line, line)]
    else:
        name = document.pages[page].lines[place.line].id
        edits = [AddWord(page, place.line, place.index, word)]
        edits += _line_follows(document, (page, place.line, -1), polygon)
    # Where the file names the lines of its segments at all, it goes on doing so.
    refs = document.sections[segment[0]].segments[segment[1]].zone_refs
    named = {ref.strip() for ref in refs}
    if name and name not in named and index.names_lines:
        edits.append(SetZoneRefs(*segment, (*refs, name)))
    return identifier, edits


def _line_follows(document: Document, word: WordIndex, polygon: Polygon) -> list[Edit]:
    """A line that was the hull of its words goes on being that; others were made with care."""
    page, number, index = word
    line = document.pages[page].lines[number]
    others = [each.polygon for k, each in enumerate(line.words) if k != index]
    before = hull([each.polygon for each in line.words])
    if line.polygon and set(line.polygon) != set(before):
        return []
    return [SetPolygon(Outline(page, number), hull([*others, polygon]))]
