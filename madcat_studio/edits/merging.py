"""Edits made of others: merging words, merging lines. The reading order that is there decides.

In whatever order a user clicks, the parts are taken in the page's order, the first one stays and
takes the rest in, and texts are joined with one blank.
"""

from __future__ import annotations

from collections.abc import Collection

from madcat_studio.edits.base import Edit, Outline, find_line, find_word
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.edits.structure import MoveWord, RemoveLine, RemoveWord
from madcat_studio.edits.texts import LinkToken, RemoveToken, SetTokenText, SetZoneRefs
from madcat_studio.errors import InputError
from madcat_studio.model.document import Document
from madcat_studio.model.geometry import hull
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import TokenIndex

__all__ = ["merge_lines", "merge_words"]


def merge_words(
    document: Document,
    page: int,
    line: int,
    words: Collection[int],
    *,
    keep: TokenIndex | None = None,
    between: str = " ",
    index: DocumentIndex | None = None,
) -> CompositeEdit:
    """One word out of several of one line, as one edit.

    The outline becomes the hull of all. The token ``keep`` is linked to it, and the others to
    none; no text changes. Without ``keep`` their tokens become one, in the segment of the first:
    its text is theirs in reading order with ``between`` between them; tokens of other segments are
    only linked anew. Transcriptions stay. ``index``: of the document, where somebody keeps it.

    Raises:
        InputError: ``edit.merge-two``: fewer than two words.
    """
    chosen = sorted(set(words))
    _need_two(chosen, "words")
    found = [find_word(document, page, line, number) for number in chosen]
    index = index if index is not None else DocumentIndex(document)
    tokens = [token for k in chosen for token in index.tokens_of.get((page, line, k), ())]
    edits: list[Edit] = [
        SetPolygon(Outline(page, line, chosen[0]), hull([word.polygon for word in found]))
    ]
    if keep is not None:
        edits += [
            LinkToken(*token, found[0].id if token == keep else "")
            for token in tokens
            if token != keep
            or document.sections[token[0]].segments[token[1]].tokens[token[2]].ref_id != found[0].id
        ]
    elif tokens:
        first = tokens[0]
        same = [token for token in tokens if token[:2] == first[:2]]
        texts = [document.sections[s].segments[g].tokens[t].source for s, g, t in same]
        joined = between.join(text for text in texts if text)
        if len(same) > 1 and any(text is not None for text in texts):
            edits.append(SetTokenText(*first, joined))
        stay = [first, *(token for token in tokens if token[:2] != first[:2])]
        edits += [
            LinkToken(s, g, t, found[0].id)
            for s, g, t in stay
            if document.sections[s].segments[g].tokens[t].ref_id != found[0].id
        ]
        edits += [RemoveToken(*token) for token in sorted(same[1:], reverse=True)]
    edits += [RemoveWord(page, line, number) for number in reversed(chosen[1:])]
    return CompositeEdit(tuple(edits), f"Merge {len(chosen)} words")


def merge_lines(
    document: Document, page: int, lines: Collection[int], *, index: DocumentIndex | None = None
) -> CompositeEdit:
    """One line out of several of one page, as one edit.

    Its words are those of all, line by line in the page's order; its outline becomes the hull of
    all (deriving the lines anew fits it to the words). Segments that named one of the others name
    the one that stays. Tokens and texts stay as they are.

    Raises:
        InputError: ``edit.merge-two``: fewer than two lines.
    """
    chosen = sorted(set(lines))
    _need_two(chosen, "lines")
    found = [find_line(document, page, number) for number in chosen]
    first = chosen[0]
    edits: list[Edit] = []
    length = len(found[0].words)
    for number, other in zip(chosen[1:], found[1:], strict=True):
        for _ in other.words:
            edits.append(MoveWord(page, number, 0, first, length))
            length += 1
    outline = hull([each.polygon for each in found])
    edits.append(SetPolygon(Outline(page, first), outline))
    index = index if index is not None else DocumentIndex(document)
    # An id that another line has too goes on meaning that one.
    lost = {
        each.id
        for each in found[1:]
        if each.id and index.lines_named(each.id) == sum(each.id == other.id for other in found)
    } - {found[0].id}
    edits += _renamed(document, index, lost, found[0].id)
    edits += [RemoveLine(page, number) for number in reversed(chosen[1:])]
    return CompositeEdit(tuple(edits), f"Merge {len(chosen)} lines")


def _renamed(
    document: Document, index: DocumentIndex, lost: set[str], stays: str | None
) -> list[Edit]:
    """Segments name the line that stays instead of those that go, each once."""
    edits: list[Edit] = []
    if not stays:
        return edits
    for s, g in sorted({place for name in lost for place in index.naming(name.strip())}):
        refs = document.sections[s].segments[g].zone_refs
        if lost & set(refs):
            named = [stays if each in lost else each for each in refs]
            edits.append(SetZoneRefs(s, g, tuple(dict.fromkeys(named))))
    return edits


def _need_two(chosen: list[int], what: str) -> None:
    if len(chosen) < 2:
        raise InputError(
            "edit.merge-two",
            f"at least two {what} are needed to merge",
            remedy=f"Choose two {what} or more",
        )
