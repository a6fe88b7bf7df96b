"""What a user is offered about problems of outlines, one or all of a kind."""

from __future__ import annotations

from collections.abc import Sequence

from madcat_studio.edits import CompositeEdit, Edit
from madcat_studio.edits.base import Outline
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document
from madcat_studio.pages.mending import offer

__all__ = ["LABELS", "offer_edit"]

LABELS = {
    "polygon-outside-page": "Clip to the page",
    "point-fractional": "Round to whole pixels",
    "polygon-self-crossing": "Close a crossing outline",
    "word-outside-line": "Give to the nearest line",
}
"""What is offered, by the code of the problem; also the name of the step."""


def offer_edit(document: Document, code: str, outlines: Sequence[Outline]) -> Edit | None:
    """One step that does what is offered about each of these outlines, None where nothing is.

    Args:
        document: as it is now; it stays so.
        code: of the problem.
        outlines: which have it.
    """
    if len(outlines) == 1:
        edit = offer(document, code, outlines[0])
        return None if edit is None else CompositeEdit((edit,), LABELS[code])
    # One after the other on a copy: a word that moves shifts the others of its line.
    copy = copy_document(document)
    owners = [(one.page, one.line, _words(copy, one)) for one in outlines]
    edits: list[Edit] = []
    for page, line, word in owners:
        place = _now(copy, page, line, word)
        edit = None if place is None else offer(copy, code, place)
        if edit is not None:
            edit.apply(copy)
            edits.append(edit)
    return CompositeEdit(tuple(edits), LABELS[code]) if edits else None


def _words(document: Document, outline: Outline) -> object | None:
    if outline.word is None:
        return None
    return document.pages[outline.page].lines[outline.line].words[outline.word]


def _now(document: Document, page: int, line: int, word: object | None) -> Outline | None:
    """Where it is by now; lines stay where they are."""
    if word is None:
        return Outline(page, line)
    words = document.pages[page].lines[line].words
    number = next((n for n, each in enumerate(words) if each is word), None)
    return None if number is None else Outline(page, line, number)
