"""Rules about ids, references and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from madcat_studio.checks.findings import Checked, Finding
from madcat_studio.checks.progress import last_linked
from madcat_studio.edits.facts import SetPageCount
from madcat_studio.formats.files import has_name
from madcat_studio.formats.madcat import base_of
from madcat_studio.model.names import (
    label,
    line_name,
    page_name,
    segment_name,
    token_name,
    word_name,
)
from madcat_studio.model.problem import Severity

__all__ = [
    "base_differs",
    "count_of_pages",
    "dangling_references",
    "duplicate_ids",
    "shared_words",
    "tokens_without_word",
    "words_without_token",
]

_Named = tuple[str | None, int | None, str]


def duplicate_ids(checked: Checked) -> Iterator[Finding]:
    """Ids of lines and words are unique per page, those of pages and segments per document."""
    document = checked.document
    yield from _twice(
        checked,
        "page",
        "in the document",
        ((p.id, p.origin, page_name(document, i)) for i, p in enumerate(document.pages)),
    )
    for pi, page in enumerate(document.pages):
        lines = enumerate(page.lines)
        yield from _twice(
            checked,
            "line",
            "on the page",
            ((line.id, line.origin, line_name(document, pi, li)) for li, line in lines),
        )
        yield from _twice(
            checked,
            "word",
            "on the page",
            (
                (word.id, word.origin, word_name(document, pi, li, wi))
                for li, line in enumerate(page.lines)
                for wi, word in enumerate(line.words)
            ),
        )
    yield from _twice(
        checked,
        "segment",
        "in the document",
        (
            (segment.id, segment.origin, segment_name(document, si, gi))
            for si, section in enumerate(document.sections)
            for gi, segment in enumerate(section.segments)
        ),
    )
    for si, section in enumerate(document.sections):
        for gi, segment in enumerate(section.segments):
            yield from _twice(
                checked,
                "token",
                "in the segment",
                (
                    (token.id, token.origin, token_name(document, si, gi, ti))
                    for ti, token in enumerate(segment.tokens)
                ),
            )


def _twice(checked: Checked, kind: str, scope: str, named: Iterable[_Named]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for identifier, origin, name in named:
        if identifier is None:
            continue
        if identifier in first:
            yield checked.found(
                "id-duplicate",
                Severity.WARNING,
                (origin, name),
                f"the id “{identifier}” is given to a {kind} for the second time {scope}",
                "Give each one its own id, and update the references",
            )
        else:
            first[identifier] = name


def dangling_references(checked: Checked) -> Iterator[Finding]:
    """Tokens refer to words, segments to lines; without an image layer nothing is asked."""
    document = checked.document
    if not document.pages:
        return
    words = {word.id for page in document.pages for word in page.words()}
    lines = {line.id for page in document.pages for line in page.lines}
    has_words = bool(words)
    for si, section in enumerate(document.sections):
        for gi, segment in enumerate(section.segments):
            for reference in segment.zone_refs:
                if reference not in lines:
                    yield checked.found(
                        "reference-dangling",
                        Severity.ERROR,
                        checked.place_of(segment, segment_name(document, si, gi)),
                        f"zone_ref names the line “{reference}”, which is on no page",
                        "Correct the reference",
                    )
            for ti, token in enumerate(segment.tokens):
                if token.ref_id and has_words and token.ref_id not in words:
                    yield checked.found(
                        "reference-dangling",
                        Severity.ERROR,
                        (token.origin, token_name(document, si, gi, ti)),
                        f"the token refers to the word “{token.ref_id}”, which is on no page",
                        "Link the token to its word",
                    )


def shared_words(checked: Checked) -> Iterator[Finding]:
    """A word belongs to one token; where ids restart, to one for each page that has the id."""
    document = checked.document
    copies = Counter(word.id for page in document.pages for word in page.words())
    seen: Counter[str] = Counter()
    for si, section in enumerate(document.sections):
        for gi, segment in enumerate(section.segments):
            for ti, token in enumerate(segment.tokens):
                if not token.ref_id or token.ref_id not in copies:
                    continue
                seen[token.ref_id] += 1
                if seen[token.ref_id] > copies[token.ref_id]:
                    yield checked.found(
                        "word-shared",
                        Severity.WARNING,
                        (token.origin, token_name(document, si, gi, ti)),
                        f"the word “{token.ref_id}” is already linked to another token",
                        "Link each token to its own word",
                    )


def words_without_token(checked: Checked) -> Iterator[Finding]:
    """In a file with tokens, a word that none refers to was written too many, or forgotten."""
    document = checked.document
    linked = {token.ref_id for segment in document.segments() for token in segment.tokens}
    if not linked - {None, ""}:
        return
    for pi, page in enumerate(document.pages):
        for li, line in enumerate(page.lines):
            for wi, word in enumerate(line.words):
                if word.id is not None and word.id not in linked:
                    yield checked.found(
                        "word-unlinked",
                        Severity.NOTE,
                        (word.origin, word_name(document, pi, li, wi)),
                        "no token refers to the word",
                        "Link it, unless the scribe wrote a word too many",
                    )


def tokens_without_word(checked: Checked) -> Iterator[Finding]:
    """Among linked tokens one without a word was left out on paper, or forgotten.

    Whoever said something of it in its status has not forgotten it. Behind the last one that has a
    word they are only not marked yet.
    """
    document = checked.document
    last = last_linked(document)
    if last is None:
        return
    for si, section in enumerate(document.sections):
        for gi, segment in enumerate(section.segments):
            for ti, token in enumerate(segment.tokens):
                skipped = (si, gi, ti) < last
                if skipped and not token.ref_id and not (token.status or "").strip():
                    yield checked.found(
                        "token-unlinked",
                        Severity.NOTE,
                        (token.origin, token_name(document, si, gi, ti)),
                        "the token refers to no word",
                        "Link it, or set its status to say that the scribe left it out",
                    )


def count_of_pages(checked: Checked) -> Iterator[Finding]:
    """``nbpages`` is the number of pages, wherever there is an image layer."""
    document = checked.document
    number = len(document.pages)
    if number and document.nbpages is not None and document.nbpages != number:
        yield checked.found(
            "count-differs",
            Severity.WARNING,
            (document.origin, label("document", document.id, 0)),
            f"nbpages says {document.nbpages}, the file has {number} page{'s' * (number != 1)}",
            f"Set nbpages to {number}, or add what is missing",
            (SetPageCount(number),),
        )


def base_differs(checked: Checked) -> Iterator[Finding]:
    """The document's id is the BASE of its file name, where the file has one."""
    if not has_name(checked.path):
        return
    base = base_of(checked.path)
    identifier = checked.document.id
    if identifier is not None and identifier != base:
        yield checked.found(
            "base-differs",
            Severity.WARNING,
            (checked.document.origin, label("document", identifier, 0)),
            f"the document's id differs from the BASE of its file name, “{base}”",
            "Rename the file, or correct the id",
        )
