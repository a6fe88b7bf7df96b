"""Rules about tokens, transcriptions and translations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from madcat_studio.checks.findings import Checked, FileKind, Finding
from madcat_studio.model.characters import ARABIC
from madcat_studio.model.document import Segment
from madcat_studio.model.names import segment_name, token_name
from madcat_studio.model.problem import Severity

__all__ = [
    "MIN_LETTERS",
    "double_escapes",
    "empty_segments",
    "missing_texts",
    "region_text_differs",
    "tokens_without_text",
    "transcription_differs",
    "wrong_script",
]

MIN_LETTERS = 4
"""A text with fewer letters is not judged by its script."""

_ESCAPE = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);")
_EXTRA = "extra"
_HYPHEN = re.compile("[-=\u00ac\u00ad\u2010\u2011\u2e17]$")

_NEEDED: dict[str, tuple[str, ...]] = {
    FileKind.REFERENCE: ("transcription", "translation"),
    FileKind.LINESYS: ("transcription", "translation"),
    FileKind.WORDSYS: ("transcription", "translation"),
    FileKind.TRANSYS: ("translation",),
    FileKind.TEXTSEG: ("transcription",),
}


def _segments(checked: Checked) -> Iterator[tuple[int, int, Segment, str]]:
    for si, section in enumerate(checked.document.sections):
        for gi, segment in enumerate(section.segments):
            yield si, gi, segment, segment_name(checked.document, si, gi)


def _is_bare(segment: Segment) -> bool:
    return not (
        segment.tokens
        or segment.zone_refs
        or (segment.transcription or "").strip()
        or (segment.translation or "").strip()
    )


def empty_segments(checked: Checked) -> Iterator[Finding]:
    """A segment holds something; a line of PAGE XML or ALTO need not have a text."""
    if checked.kind == FileKind.LAYOUT:
        return
    for _, _, segment, name in _segments(checked):
        if _is_bare(segment):
            yield checked.found(
                "segment-empty",
                Severity.WARNING,
                checked.place_of(segment, name),
                "the segment is empty",
                "Fill it in or remove it",
            )


def missing_texts(checked: Checked) -> Iterator[Finding]:
    """A segment has the texts that its kind of file must hold."""
    for _, _, segment, name in _segments(checked):
        if _is_bare(segment):
            continue
        for which in _NEEDED.get(checked.kind, ()):
            text = getattr(segment, which)
            if text is None or not text.strip():
                yield checked.found(
                    "text-missing",
                    Severity.WARNING,
                    checked.place_of(segment, name),
                    f"the segment has {'no' if text is None else 'an empty'} {which}",
                    f"Fill in its {which}",
                )


def tokens_without_text(checked: Checked) -> Iterator[Finding]:
    """Tokens say something, unless the file is a task's input that has none at all."""
    tokens = [token for segment in checked.document.segments() for token in segment.tokens]
    if checked.kind == FileKind.WORDSEG or not any(token.source for token in tokens):
        return
    for si, gi, segment, _ in _segments(checked):
        for ti, token in enumerate(segment.tokens):
            if not (token.source or "").strip():
                yield checked.found(
                    "token-without-text",
                    Severity.WARNING,
                    (token.origin, token_name(checked.document, si, gi, ti)),
                    f"the token has {'no' if token.source is None else 'an empty'} source",
                    "Type what is written",
                )


def transcription_differs(checked: Checked) -> Iterator[Finding]:
    """Tokens and transcription say the same, blanks aside.

    A token that the scribe wrote too many (status “extra”) may be left out of the transcription.
    """
    for _, _, segment, name in _segments(checked):
        if segment.transcription is None or not any(token.source for token in segment.tokens):
            continue
        said = segment.transcription.split()
        every = _words(segment, without_extra=False)
        if said in (every, _words(segment, without_extra=True)) or "".join(said) == "".join(every):
            continue
        if checked.kind == FileKind.LAYOUT and _without_hyphen(said) == every:
            continue  # ALTO's words go without the hyphen at the end of a line
        at = next(
            (i for i, (a, b) in enumerate(zip(said, every, strict=False)) if a != b),
            min(len(said), len(every)),
        )
        here = f"“{said[at]}”" if at < len(said) else "nothing"
        there = f"“{every[at]}”" if at < len(every) else "nothing"
        yield checked.found(
            "transcription-differs",
            Severity.WARNING,
            checked.place_of(segment, name),
            f"at word {at + 1} the transcription has {here}, the tokens {there}",
            "Correct one of them; WER is measured against the transcription",
        )


def _without_hyphen(words: list[str]) -> list[str]:
    """Words without a hyphen at the end of the last one, if it ends in one."""
    return [*words[:-1], _HYPHEN.sub("", words[-1])] if words else []


def _words(segment: Segment, *, without_extra: bool) -> list[str]:
    return [
        word
        for token in segment.tokens
        if not (without_extra and token.status == _EXTRA)
        for word in (token.source or "").split()
    ]


def wrong_script(checked: Checked) -> Iterator[Finding]:
    """Transcriptions are in Arabic letters, translations are not; other formats hold any script."""
    if checked.kind == FileKind.LAYOUT:
        return
    texts = [(s.transcription or "", s.translation or "") for s in checked.document.segments()]
    if not any(ARABIC.search(text) for pair in texts for text in pair):
        return  # a page in another language
    for _, _, segment, name in _segments(checked):
        exchanged = _is_arabic(segment.translation) and not _is_arabic(segment.transcription)
        for which, arabic in (("transcription", True), ("translation", False)):
            letters = [c for c in getattr(segment, which) or "" if c.isalpha()]
            if len(letters) < MIN_LETTERS:
                continue
            share = sum(1 for c in letters if ARABIC.match(c)) / len(letters)
            if (share < 0.5) == arabic:
                yield checked.found(
                    "script-wrong",
                    Severity.WARNING,
                    checked.place_of(segment, name),
                    f"{share:.0%} of the {which}'s letters are Arabic",
                    "Transcription and translation may have been swapped"
                    if exchanged
                    else f"Check that it is the {which}",
                )


def _is_arabic(text: str | None) -> bool:
    letters = [c for c in text or "" if c.isalpha()]
    return bool(letters) and 2 * sum(ARABIC.match(c) is not None for c in letters) >= len(letters)


def region_text_differs(checked: Checked) -> Iterator[Finding]:
    """The text of a region is that of its lines, where both say something."""
    if checked.kind != FileKind.LAYOUT:
        return
    said: dict[str | None, list[str]] = {}
    for segment in checked.document.segments():
        for name in segment.zone_refs:
            said.setdefault(name, []).extend((segment.transcription or "").split())
    for page in checked.document.pages:
        lines: dict[str | None, list[str]] = {}
        for line in page.lines:
            lines.setdefault(line.region, []).extend(said.get(line.id, []))
        for region in page.regions:
            below = lines.get(region.id, [])
            if region.text and below and "".join(region.text.split()) != "".join(below):
                own, theirs = _short(region.text), _short(" ".join(below))
                own, theirs = _short(region.text), _short(" ".join(below))
                yield checked.found(
                    "region-text-differs",
                    Severity.WARNING,
                    (region.origin, f"region {region.id}"),
                    f"the region says “{own}”, its lines “{theirs}”",
                    "Correct one of them; programs read one or the other",
                )


def _short(text: str) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= 40 else f"{whole[:39]}…"


def double_escapes(checked: Checked) -> Iterator[Finding]:
    """Texts do not spell out references such as “&amp;”: they were escaped twice."""
    for si, gi, segment, name in _segments(checked):
        for which in ("transcription", "translation"):
            found = _ESCAPE.search(getattr(segment, which) or "")
            if found:
                yield checked.found(
                    "text-escaped-twice",
                    Severity.WARNING,
                    checked.place_of(segment, name),
                    f"the {which} reads “{found.group()}”: it was escaped twice",
                    "Replace it with the intended character",
                )
        for ti, token in enumerate(segment.tokens):
            found = _ESCAPE.search(token.source or "")
            if found:
                yield checked.found(
                    "text-escaped-twice",
                    Severity.WARNING,
                    (token.origin, token_name(checked.document, si, gi, ti)),
                    f"the token reads “{found.group()}”: it was escaped twice",
                    "Replace it with the intended character",
                )
