"""A copy of a document for a thread that judges it while its user goes on editing."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from madcat_studio.formats.source import ReadDocument
from madcat_studio.gui.page.problems import places, texts_of
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.change import Change, Shift
from madcat_studio.model.copies import copy_line, copy_segment
from madcat_studio.model.document import Document, Line, Segment
from madcat_studio.model.links import SegmentIndex
from madcat_studio.model.problem import Severity

if TYPE_CHECKING:
    from madcat_studio.checks import Finding
    from madcat_studio.checks.progress import Marked

__all__ = ["Found", "Snapshots", "find_problems"]

_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class Snapshots:
    """Copies of a document as it is now; lines and segments that did not change are copied once.

    What is taken shares only what never changes: texts, polygons, and the copies themselves, which
    nobody edits.
    """

    def __init__(self) -> None:
        self._lines: list[list[Line | None]] | None = None
        self._segments: dict[SegmentIndex, Segment] = {}

    def follow(self, change: Change) -> None:
        """The document was changed so; an unknown change is one of everything."""
        if change.shifts is None:
            self._lines = None
            self._segments.clear()
        if self._lines is None:
            return
        for shift in change.shifts or ():
            _shift(self._lines[shift.page], shift)
        for page, line, *_ in (*change.lines, *change.words):
            self._lines[page][line] = None
        for place in change.segments:
            self._segments.pop(place, None)

    def take(self, document: Document) -> Document:
        """A copy of the document."""
        made = copy(document)
        made.pages = [copy(page) for page in document.pages]
        for page in made.pages:
            page.regions = [copy(region) for region in page.regions]
        if self._lines is None:
            self._lines = [[None] * len(page.lines) for page in document.pages]
        for page, kept in zip(made.pages, self._lines, strict=True):
            for number, line in enumerate(kept):
                if line is None:
                    kept[number] = copy_line(page.lines[number])
            page.lines = [line for line in kept if line is not None]
        made.sections = [copy(section) for section in document.sections]
        for s, section in enumerate(made.sections):
            section.segments = [
                self._segment((s, g), segment) for g, segment in enumerate(section.segments)
            ]
        made.scribe_errors = dict(document.scribe_errors)
        return made

    def _segment(self, place: SegmentIndex, segment: Segment) -> Segment:
        made = self._segments.get(place)
        if made is None:
            made = self._segments[place] = copy_segment(segment)
        return made


def _shift(lines: list[Line | None], shift: Shift) -> None:
    source, target = shift.source, shift.target
    if shift.of_line:
        line = None if source is None else lines.pop(source.line)
        if target is not None:
            lines.insert(target.line, line)
        return
    for place in (source, target):
        if place is not None:
            lines[place.line] = None


class Found(NamedTuple):
    """What the rules found in a document.

    Attributes:
        findings: all of it.
        texts: what stands on the page there, one for each.
        worst: the worst of it for each outline of a page.
        marked: how far the marking is; None where nothing is left to mark.
    """

    findings: list[Finding]
    texts: list[str]
    worst: dict[tuple[int, int, int | None], Severity]
    marked: Marked | None = None


def find_problems(opened: ReadDocument) -> Found:
    """Everything that is wrong with a document, and what can be done about it.

    For a worker: its first call loads geometry.
    """
    from madcat_studio.checks import check
    from madcat_studio.checks.progress import marked

    findings = check(opened, ImageFinder())
    where = places(opened.document)
    worst: dict[tuple[int, int, int | None], Severity] = {}
    for finding in findings:
        kind, indices = where.of(finding.problem.where) or ("", ())
        if kind in ("line", "word"):
            place = (indices[0], indices[1], indices[2] if kind == "word" else None)
            severity = finding.problem.severity
            if place not in worst or _RANK[severity] > _RANK[worst[place]]:
                worst[place] = severity
    texts = texts_of(opened.document, where, findings)
    return Found(findings, texts, worst, marked(opened.document))
