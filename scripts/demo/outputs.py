"""The systems' outputs for a page: linesys, wordsys and transys documents."""

from __future__ import annotations

from dataclasses import replace

from madcat_studio.model.document import Document, Line, Section, Segment, Token
from scripts.demo.chance import share
from scripts.demo.markup import Span, parse, render
from scripts.demo.plan import Manuscript, Text
from scripts.demo.recognition import NOISE, read_word

__all__ = ["line_output", "occurs", "system_text", "text_output", "word_output"]

_SPARED = {"juniper": 0.0, "tamarisk": 0.3, "larch": 0.0}
"""Share of a system's errors that one manuscript or another is spared: its outputs for copies
of one passage differ, since each hand was read differently."""


def occurs(text: Text, system: str, manuscript: int, number: int, span: Span) -> bool:
    """Whether error ``number`` of a segment is there in the passage's manuscript."""
    if span.manuscripts is not None:
        return manuscript in span.manuscripts
    if span.certain:
        return True
    return share("spared", system, manuscript, text.reference, number) >= _SPARED[system]


def system_text(text: Text, system: str, manuscript: int, recognised: float = 1.0) -> str:
    """What ``system`` made of a segment of the passage's manuscript with that number.

    ``recognised`` is the share of the recogniser's errors that are there: all of them in the
    line condition, fewer where the words are given, none where the text is.
    """

    def choose(number: int, span: Span) -> str:
        there = occurs(text, system, manuscript, number, span)
        if span.misread is not None:
            there = there and _is_misread(span, system, manuscript, recognised)
        return span.wrong if there else span.right[0]

    return render(parse(text.output(system, manuscript)), choose)


def _is_misread(span: Span, system: str, manuscript: int, recognised: float) -> bool:
    return share("condition", system, manuscript, span.wrong) < recognised


def _readings(text: Text, system: str, manuscript: int, recognised: float) -> dict[str, str]:
    """The words that the recogniser took for others, so that the translation went wrong."""
    return {
        part.misread[0]: part.misread[1]
        for part in parse(text.output(system, manuscript))
        if isinstance(part, Span)
        and part.misread is not None
        and manuscript in (part.manuscripts or ())
        and _is_misread(part, system, manuscript, recognised)
    }


def _read_tokens(
    segment: Segment, text: Text, system: str, copy: Manuscript, recognised: float
) -> list[Token]:
    """The segment's tokens as the system read them; a word that is not on the page has no text."""
    known = _readings(text, system, copy.number, recognised)
    written = {(f"s{e.segment}", e.token): e.written for e in copy.errors if e.error == "typo"}
    read = []
    for place, token in enumerate(segment.tokens, 1):
        source = token.source or ""
        if token.status == "missing":
            read.append(replace(token, source=None))
            continue
        source = written.get((segment.id or "", place), source)
        key = (system, copy.base, segment.id, place)
        rate = NOISE[system] * (1 if recognised == 1 else 0.6)
        read.append(replace(token, source=known.get(source) or read_word(source, rate, *key)))
    return read


def line_output(reference: Document, copy: Manuscript, system: str) -> Document:
    """The output of the line condition: lines without words, both texts of each segment."""
    line_of = {
        word.id: line.id or ""
        for page in reference.pages
        for line in page.lines
        for word in line.words
    }
    segments = []
    for segment, text in zip(reference.segments(), copy.passage.segments, strict=True):
        tokens = _read_tokens(segment, text, system, copy, 1.0)
        zones = dict.fromkeys(line_of[t.ref_id] for t in segment.tokens if t.ref_id)
        segments.append(
            Segment(
                segment.id,
                list(zones),
                [],
                " ".join(token.source for token in tokens if token.source),
                system_text(text, system, copy.number),
            )
        )
    pages = [
        replace(page, lines=[Line(line.id, line.type, line.polygon) for line in page.lines])
        for page in reference.pages
    ]
    return _with(reference, segments, pages=pages)


def word_output(reference: Document, copy: Manuscript, system: str) -> Document:
    """The output of the word condition: the image layer as given, tokens with what was read."""
    segments = []
    for segment, text in zip(reference.segments(), copy.passage.segments, strict=True):
        tokens = _read_tokens(segment, text, system, copy, 0.5)
        transcription = " ".join(token.source for token in tokens if token.source)
        translation = system_text(text, system, copy.number, 0.5)
        segments.append(Segment(segment.id, [], tokens, transcription, translation))
    return _with(reference, segments)


def text_output(reference: Document, copy: Manuscript, system: str) -> Document:
    """The output of text translation: the image layer and translations of the true text."""
    segments = [
        Segment(segment.id, translation=system_text(text, system, copy.number, 0.0))
        for segment, text in zip(reference.segments(), copy.passage.segments, strict=True)
    ]
    return _with(reference, segments)


def _with(reference: Document, segments: list[Segment], **changes: object) -> Document:
    section = reference.sections[0]
    new = Section(section.id, section.type, segments)
    return replace(reference, sections=[new], **changes)  # type: ignore[arg-type]
