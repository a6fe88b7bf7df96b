"""The inputs of the evaluation's tasks, derived from references (plan, Table 6).

An input is written anew from the model, never patched: comments, unknown attributes and whatever
else stands in the reference cannot come along. :func:`leaks` then proves it on the bytes.

    lineseg   lines; segments name their lines                    no words, no text
    wordseg   lines, words; tokens name their words               no text
    textseg   lines, words, tokens with their text, transcription no translation
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word
from madcat_studio.model.links import link

__all__ = ["Task", "derive", "withheld"]


class Task(StrEnum):
    """What an input is for; the value is the suffix that its file has."""

    LINE = "lineseg"
    WORD = "wordseg"
    TEXT = "textseg"


def derive(reference: Document, task: Task) -> Document:
    """The input that ``task`` gives a system, as a document of its own.

    In a ``wordseg`` a token that has no word on the page is left out: it is known from the text
    only. What annotators said about tokens (``status``) belongs to the text, too.
    """
    links = link(reference)
    sections = []
    for s, section in enumerate(reference.sections):
        segments = []
        for g, segment in enumerate(section.segments):
            derived = Segment(segment.id)
            if task is Task.LINE:
                lines = [
                    reference.pages[p].lines[n].id or "" for p, n in links.lines_of.get((s, g), ())
                ]
                derived.zone_refs = list(segment.zone_refs) or list(dict.fromkeys(lines))
            else:
                derived.zone_refs = list(segment.zone_refs)
                derived.tokens = list(_tokens(segment, task))
            if task is Task.TEXT:
                derived.transcription = segment.transcription
            segments.append(derived)
        sections.append(Section(section.id, section.type, segments))
    return Document(
        reference.id,
        reference.src,
        reference.genre,
        reference.nbpages,
        reference.scribe,
        reference.version,
        [_page(page, words=task is not Task.LINE) for page in reference.pages],
        sections,
    )


def _tokens(segment: Segment, task: Task) -> Iterator[Token]:
    for token in segment.tokens:
        if task is Task.TEXT:
            yield Token(token.id, token.ref_id, token.status, token.source)
        elif token.ref_id:
            yield Token(token.id, token.ref_id, "")


def _page(page: Page, *, words: bool) -> Page:
    return Page(
        page.id,
        page.width,
        page.height,
        page.dpi,
        page.colordepth,
        [
            Line(
                line.id,
                line.type,
                line.polygon,
                [Word(word.id, word.polygon) for word in line.words] if words else [],
            )
            for line in page.lines
        ],
    )


def withheld(reference: Document, task: Task) -> set[str]:
    """The texts of a reference that an input for ``task`` must not hold anywhere."""
    texts: set[str] = set()
    for segment in reference.segments():
        texts.add(segment.translation or "")
        if task is not Task.TEXT:
            texts.add(segment.transcription or "")
            texts.update(token.source or "" for token in segment.tokens)
    return {text.strip() for text in texts} - {""}
