"""Two versions of a document that were made from one: what either changed, and where both did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from madcat_studio.edits.base import Edit, Outline
from madcat_studio.edits.outlines import SetPolygon
from madcat_studio.edits.texts import (
    LinkToken,
    SetTokenStatus,
    SetTokenText,
    SetTranscription,
    SetTranslation,
)
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document
from madcat_studio.model.names import line_name, segment_name, token_name, word_name

__all__ = ["Merge", "merge"]

_Key: TypeAlias = tuple[str, ...]
_Text: TypeAlias = tuple[str, Callable[..., Edit], str | None]


@dataclass(frozen=True, slots=True)
class Merge:
    """What can be taken from the other version.

    Attributes:
        edits: what the other changed and this one did not.
        collisions: the places that both changed, each otherwise, by name.
    """

    edits: tuple[Edit, ...]
    collisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    key: _Key
    value: Any
    name: str
    locked: bool
    set: Callable[[Any], Edit]


def _entries(document: Document) -> Iterator[_Entry]:
    """Each value that can be taken by itself. A key has the ids, whatever place they have."""
    for p, page in enumerate(document.pages):
        for n, line in enumerate(page.lines):
            key: _Key = ("line", page.id or "", line.id or "")
            whole = Outline(p, n)
            name = line_name(document, p, n)
            yield _Entry(key, line.polygon, name, line.locked, _outline(whole))
            for k, word in enumerate(line.words):
                name = word_name(document, p, n, k)
                part = _outline(Outline(p, n, k))
                yield _Entry(("word", word.id or ""), word.polygon, name, line.locked, part)
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            here, name = (s, g), segment_name(document, s, g)
            texts: list[_Text] = [
                ("source", SetTranscription, segment.transcription),
                ("target", SetTranslation, segment.translation),
            ]
            for kind, make, text in texts:
                yield _Entry((kind, segment.id or ""), text, name, False, _text(make, *here))
            for t, token in enumerate(segment.tokens):
                name = token_name(document, s, g, t)
                texts = [
                    ("text", SetTokenText, token.source),
                    ("status", SetTokenStatus, token.status),
                    ("ref", LinkToken, token.ref_id),
                ]
                for kind, make, text in texts:
                    key = (kind, segment.id or "", token.id or "")
                    yield _Entry(key, text, name, False, _text(make, *here, t))


def _outline(outline: Outline) -> Callable[[Any], Edit]:
    return lambda polygon: SetPolygon(outline, polygon)


def _text(make: Callable[..., Edit], *place: int) -> Callable[[Any], Edit]:
    return lambda value: make(*place, value)


def _rest(document: Document) -> Document:
    """All that cannot be taken by itself: which elements there are, in which order."""
    made = copy_document(document)
    made.origin = None
    for page in made.pages:
        page.origin = None
        for line in page.lines:
            line.origin, line.polygon = None, ()
            for word in line.words:
                word.origin, word.polygon = None, ()
        for region in page.regions:
            region.origin = None
    for section in made.sections:
        section.origin = None
        for segment in section.segments:
            segment.origin = segment.transcription = segment.translation = None
            for token in segment.tokens:
                token.origin = token.source = token.status = token.ref_id = None
    made.scribe_errors = {}
    return made


def merge(base: Document, mine: Document, theirs: Document) -> Merge | None:
    """What somebody else changed in values: outlines, texts, statuses and links.

    Args:
        base: what both were made from.
        mine: for which the edits are.
        theirs: the other version.

    Returns:
        None where that cannot be told: elements came, went or changed places in the other version,
        or ids are doubled.
    """
    if repr(_rest(base)) != repr(_rest(theirs)):
        return None
    before, own, other = list(_entries(base)), list(_entries(mine)), list(_entries(theirs))
    was, now = {e.key: e.value for e in before}, {e.key: e for e in own}
    if len(was) != len(before) or len(now) != len(own):
        return None
    edits: list[Edit] = []
    collisions: list[str] = []
    for entry in other:
        here = now.get(entry.key)
        if entry.value == was[entry.key] or (here is not None and here.value == entry.value):
            continue
        if here is None or here.value != was[entry.key] or here.locked:
            collisions.append(entry.name)
        else:
            edits.append(here.set(entry.value))
    return Merge(tuple(edits), tuple(dict.fromkeys(collisions)))
