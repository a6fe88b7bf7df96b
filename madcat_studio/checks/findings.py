"""What a rule gets and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from madcat_studio.edits.base import Edit
from madcat_studio.formats.documents import format_of
from madcat_studio.formats.kinds import FileFormat
from madcat_studio.formats.source import ReadDocument
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document, Segment
from madcat_studio.model.geometry import Shape, shapes_and_validity
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = ["OUTPUTS", "Checked", "FileKind", "Finding", "PageShapes", "Rule"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, and the edits that mend it where that is safe: nothing is guessed or lost."""

    problem: Problem
    mend: tuple[Edit, ...] = ()


class FileKind:
    """What a file is for, told by its suffix; it decides what a file must hold (plan, Table 6)."""

    REFERENCE = ""
    LINESEG = ".lineseg"
    WORDSEG = ".wordseg"
    TEXTSEG = ".textseg"
    LINESYS = ".linesys"
    WORDSYS = ".wordsys"
    TRANSYS = ".transys"
    LAYOUT = ".layout"
    """PAGE XML and ALTO, of which no translation is asked."""


OUTPUTS = (FileKind.LINESYS, FileKind.WORDSYS, FileKind.TRANSYS)
"""The kinds of files that systems return."""


@dataclass(frozen=True, slots=True)
class PageShapes:
    """The areas of a page's outlines: of each line, and of each line's words.

    Attributes:
        lines, words: the areas.
        valid_lines, valid_words: which outlines cross nowhere for certain.
    """

    lines: list[Shape]
    words: list[list[Shape]]
    valid_lines: list[bool]
    valid_words: list[list[bool]]


@dataclass(frozen=True)
class Checked:
    """A document under examination.

    Attributes:
        read: the document, its source and what reading noticed.
        images: finds page images; None to leave images alone.
    """

    read: ReadDocument
    images: ImageFinder | None = None

    @property
    def document(self) -> Document:
        """The model."""
        return self.read.document

    @property
    def path(self) -> Path:
        """The file, or its name as a path where it was not read from one."""
        return self.read.source.path or Path(self.read.source.name)

    @cached_property
    def kind(self) -> str:
        """One of :class:`FileKind`."""
        if format_of(self.read.source) is not FileFormat.MADCAT:
            return FileKind.LAYOUT
        name = self.path.name.lower().removesuffix(".madcat.xml")
        for kind in (
            FileKind.LINESEG,
            FileKind.WORDSEG,
            FileKind.TEXTSEG,
            FileKind.LINESYS,
            FileKind.WORDSYS,
            FileKind.TRANSYS,
        ):
            if name.endswith(kind):
                return kind
        return FileKind.REFERENCE

    @cached_property
    def shapes(self) -> tuple[PageShapes, ...]:
        """The areas of all outlines, page by page."""
        pages = []
        for page in self.document.pages:
            # One call for the whole page: each has a price of its own.
            shapes, valid = shapes_and_validity(
                [line.polygon for line in page.lines] + [word.polygon for word in page.words()]
            )
            rest, right = iter(shapes), iter(valid)
            lines = list(islice(rest, len(page.lines)))
            words = [list(islice(rest, len(line.words))) for line in page.lines]
            valid_lines = list(islice(right, len(page.lines)))
            valid_words = [list(islice(right, len(line.words))) for line in page.lines]
            pages.append(PageShapes(lines, words, valid_lines, valid_words))
        return tuple(pages)

    def where(self, origin: int | None, element: str) -> Where:
        """The place of an object."""
        source = self.read.source
        line, column = source.place_of(origin)
        return Where(source.name, line, element, origin, column)

    @cached_property
    def _lines(self) -> dict[str | None, int | None]:
        """The places of lines by their ids."""
        return {line.id: line.origin for page in self.document.pages for line in page.lines}

    def place_of(self, segment: Segment, name: str) -> tuple[int | None, str]:
        """Origin and name of a segment; one that is a line's text, and no more, is at the line."""
        if segment.origin is None and segment.zone_refs:
            return self._lines.get(segment.zone_refs[0]), name
        return segment.origin, name

    def found(
        self,
        code: str,
        severity: Severity,
        place: tuple[int | None, str],
        what: str,
        remedy: str = "",
        mend: tuple[Edit, ...] = (),
    ) -> Finding:
        """A finding at ``place``: origin and name."""
        origin, element = place
        problem = Problem(
            code, severity, self.where(origin, element), what, "kept as it is", remedy
        )
        return Finding(problem, mend)


Rule: TypeAlias = Callable[[Checked], Iterator[Finding]]
