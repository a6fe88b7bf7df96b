"""Rules for system output: it must fit the input that it answers (plan 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from madcat_studio.checks.findings import Checked, FileKind
from madcat_studio.formats.source import ReadDocument
from madcat_studio.model.document import Page, Polygon
from madcat_studio.model.names import label, segment_name
from madcat_studio.model.problem import Problem, Severity

__all__ = ["ANSWERS", "check_output"]

ANSWERS = {
    FileKind.LINESEG: FileKind.LINESYS,
    FileKind.WORDSEG: FileKind.WORDSYS,
    FileKind.TEXTSEG: FileKind.TRANSYS,
}
"""The kind of output that answers each kind of input."""

_TEXTS = {
    FileKind.LINESYS: ("transcription", "translation"),
    FileKind.WORDSYS: ("transcription", "translation"),
    FileKind.TRANSYS: ("translation",),
}


def check_output(output: ReadDocument, given: ReadDocument) -> list[Problem]:
    """What is wrong with an output, beside the input that it answers.

    Errors make a submission invalid; an empty text is a warning.
    """
    checked = Checked(output)
    return [
        *_identity(checked, given),
        *_segments(checked, given),
        *_texts(checked),
        *_image_layer(checked, given),
        *_encoding(checked),
    ]


def _tell(
    checked: Checked,
    code: str,
    place: tuple[int | None, str],
    what: str,
    remedy: str,
    severity: Severity = Severity.ERROR,
) -> Problem:
    return checked.found(code, severity, place, what, remedy).problem


def _whole(checked: Checked) -> tuple[int | None, str]:
    document = checked.document
    return document.origin, label("document", document.id, 0)


def _identity(checked: Checked, given: ReadDocument) -> Iterator[Problem]:
    if checked.document.id != given.document.id:
        yield _tell(
            checked,
            "output-other-document",
            _whole(checked),
            f"the document's id differs from its input's, “{given.document.id}”",
            "Keep the input's id",
        )


def _segments(checked: Checked, given: ReadDocument) -> Iterator[Problem]:
    wanted = [segment.id for segment in given.document.segments()]
    there = Counter(segment.id for segment in checked.document.segments())
    for identifier in dict.fromkeys(wanted):
        if identifier not in there:
            yield _tell(
                checked,
                "output-segment-missing",
                _whole(checked),
                f"segment {identifier} of the input is missing",
                "Answer every segment once; it would count as empty",
            )
    seen: set[str | None] = set()
    for s, section in enumerate(checked.document.sections):
        for g, segment in enumerate(section.segments):
            place = checked.place_of(segment, segment_name(checked.document, s, g))
            if segment.id not in wanted:
                yield _tell(
                    checked,
                    "output-segment-added",
                    place,
                    "the input has no such segment",
                    "Leave it out; it would not be scored",
                )
            elif segment.id in seen:
                yield _tell(
                    checked,
                    "output-segment-twice",
                    place,
                    "the segment is answered more than once",
                    "Answer every segment once; only the first would be scored",
                )
            seen.add(segment.id)


def _texts(checked: Checked) -> Iterator[Problem]:
    for s, section in enumerate(checked.document.sections):
        for g, segment in enumerate(section.segments):
            for which in _TEXTS.get(checked.kind, ()):
                text = getattr(segment, which)
                if text is None or not text.strip():
                    lacks = "no" if text is None else "an empty"
                    yield _tell(
                        checked,
                        "output-text-missing",
                        checked.place_of(segment, segment_name(checked.document, s, g)),
                        f"the segment has {lacks} {which}",
                        "It counts as empty output",
                        Severity.ERROR if text is None else Severity.WARNING,
                    )


def _image_layer(checked: Checked, given: ReadDocument) -> Iterator[Problem]:
    ours, theirs = checked.document.pages, given.document.pages
    if not ours and checked.kind == FileKind.TRANSYS:
        return  # text translation does not need it
    if [_outlines(page) for page in ours] != [_outlines(page) for page in theirs]:
        yield _tell(
            checked,
            "output-image-layer",
            _whole(checked),
            "the image layer differs from the input's"
            if ours
            else "the image layer of the input is missing",
            "Leave pages, lines and words as they were given",
        )


def _outlines(page: Page) -> tuple[str | None, list[tuple[str | None, Polygon, object]]]:
    return page.id, [
        (line.id, line.polygon, [(word.id, word.polygon) for word in line.words])
        for line in page.lines
    ]


def _encoding(checked: Checked) -> Iterator[Problem]:
    encoding = checked.read.source.encoding
    if encoding != "utf-8":
        yield _tell(
            checked,
            "output-encoding",
            _whole(checked),
            f"the file is in {encoding}, not in UTF-8",
            "Write it in UTF-8",
        )
