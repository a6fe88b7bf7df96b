"""Several annotators of one page: how far they agree, where they differ, one page made of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.edits import CompositeEdit, Edit
from madcat_studio.errors import InputError, StudioError
from madcat_studio.formats.documents import read_document, save
from madcat_studio.formats.files import read_file, write_atomically
from madcat_studio.formats.madcat import base_of
from madcat_studio.formats.tables import write_table
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document, Line, Page, Polygon, Word
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.index import DocumentIndex
from madcat_studio.operations.pages.compare import open_any
from madcat_studio.operations.pages.convert import open_source
from madcat_studio.operations.user import login
from madcat_studio.pages.adjudication import Level, Unit
from madcat_studio.pages.agreement import Agreement, agreement
from madcat_studio.pages.compare import THRESHOLD
from madcat_studio.pages.settling import (
    Place,
    Version,
    difference_of,
    places,
    same_outlines,
    take_version,
)
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = [
    "Annotators",
    "ByMajority",
    "PageAgreement",
    "Settled",
    "Taken",
    "agreement_of",
    "by_majority",
    "compare_annotators",
    "difference_of",
    "holding",
    "names_of",
    "read_annotators",
    "record_file",
    "same_outlines",
    "settle",
    "take_version",
    "taken_of",
    "write_record",
]

_COLUMNS = (
    "page", "level", "left", "top", "right", "bottom", "taken_from", "votes", "of", "by", "at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Annotators:
    """Several documents of the same pages, and what their annotators are called."""

    names: tuple[str, ...]
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class PageAgreement:
    """One page.

    Attributes:
        page: its number, from 0.
        agreement: of all annotators.
        places: where they differ.
    """

    page: int
    agreement: Agreement
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """Whose version was taken at a place, for the record.

    Attributes:
        page: its number, from 0.
        level: line or word.
        polygons: what is there now; none for nothing.
        place: the outlines of all versions, where nothing may be left.
        annotators: who had it so.
        votes, of: how many of how many.
        by, at: who decided, and when (UTC).
    """

    page: int
    level: Level
    polygons: tuple[Polygon, ...]
    place: tuple[Polygon, ...]
    annotators: tuple[str, ...]
    votes: int
    of: int
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Settled:
    """What was made of several annotators' pages.

    Attributes:
        taken: where they differed, and whose version was taken.
        left: how many places no majority decides, or could not be taken.
    """

    taken: tuple[Taken, ...]
    left: int


def names_of(paths: Sequence[Path]) -> tuple[str, ...]:
    """What annotators are called: by their files, or their folders where files are called alike."""
    for name in (lambda path: base_of(path), lambda path: path.resolve().parent.name, str):
        names = tuple(map(name, paths))
        if len(set(names)) == len(paths):
            return names
    return tuple(f"{number}: {path}" for number, path in enumerate(paths, 1))


def read_annotators(paths: Sequence[Path]) -> Annotators:
    """Read the documents of several annotators.

    Raises:
        InputError: ``settle.two``: fewer than two; ``compare.page-count``; a file is not there.
        FormatError, WorldError: one cannot be read.
    """
    if len(paths) < 2:
        raise InputError(
            "settle.two",
            "at least two annotators are needed",
            remedy="Name the files of everybody who marked the page",
        )
    documents = tuple(map(open_any, paths))
    for path, document in zip(paths, documents, strict=True):
        if len(document.pages) != len(documents[0].pages):
            raise InputError(
                "compare.page-count",
                f"one file has {len(documents[0].pages)} pages, the other {len(document.pages)}",
                where=path,
                remedy="Check that they belong to the same document",
            )
    return Annotators(names_of(paths), documents)


def compare_annotators(pages: Sequence[Page], threshold: float = THRESHOLD) -> PageAgreement:
    """How far several pages of one scan agree, and where they differ."""
    return PageAgreement(0, agreement(pages, threshold), tuple(places(pages)))


def agreement_of(
    paths: Sequence[Path], *, threshold: float = THRESHOLD, progress: Progress = SILENT
) -> tuple[Annotators, list[PageAgreement]]:
    """How far several annotators agree, page by page.

    Args:
        paths: the file of each.
        threshold: the least intersection over union of outlines that are of one unit.
        progress: is told how many pages were compared.

    Raises:
        InputError, FormatError, WorldError: see :func:`read_annotators`.
        Cancelled: the user stopped it.
    """
    who = read_annotators(paths)
    found = []
    count = len(who.documents[0].pages)
    for number in range(count):
        pages = [document.pages[number] for document in who.documents]
        found.append(PageAgreement(number, agreement(pages, threshold), tuple(places(pages))))
        progress.advance(number + 1, count, str(number + 1))
        if progress.cancelled():
            raise Cancelled
    return who, found


def settle(
    paths: Sequence[Path], output: Path, *, overwrite: bool = False, progress: Progress = SILENT
) -> Settled:
    """Make one document of several annotators' by majority, and write it with its record.

    The first one's file is what is changed: where more than half of the annotators have something
    else, theirs is taken. Of words that become one the first link stays, of a word that becomes
    several the first has it; no text changes. What no majority decides stays as it is there.

    Args:
        paths: the file of each annotator.
        output: where to write.
        overwrite: replace what is there.
        progress: is told how many pages are done.

    Raises:
        InputError, FormatError, WorldError, ConflictError: they cannot be read, or it cannot be
            written.
        Cancelled: the user stopped it.
    """
    who = read_annotators(paths)
    source = open_source(read_file(paths[0]), paths[0])
    document = read_document(source).document
    taken: list[Taken] = []
    left = 0
    count = len(document.pages)
    for number in range(count):
        others = [other.pages[number] for other in who.documents[1:]]
        made = by_majority(document, number, others, who.names, login("annotator"))
        if made.edit is not None:
            made.edit.apply(document)
        taken += made.taken.values()
        left += made.left
        progress.advance(number + 1, count, str(number + 1))
        if progress.cancelled():
            raise Cancelled
    save(output, document, source, overwrite=overwrite)
    write_record(record_file(output), taken)
    return Settled(tuple(taken), left)


@dataclass(frozen=True, slots=True)
class ByMajority:
    """What a majority decides on one page.

    Attributes:
        edit: makes it so; None where one's own is what most have.
        taken: whose version is taken, by level and by what the others have at the place.
        left: places that no majority decides, or that have to be decided by hand.
    """

    edit: CompositeEdit | None
    taken: dict[tuple[Level, tuple[tuple[Polygon, ...], ...]], Taken]
    left: int


def by_majority(
    document: Document, number: int, others: Sequence[Page], names: Sequence[str], by: str
) -> ByMajority:
    """What a majority decides on a page, which stays as it is.

    Args:
        document: one's own.
        number: which page of it.
        others: that page as the other annotators have it.
        names: of all annotators, one's own first.
        by: who decides.
    """
    copy = copy_document(document)
    page = copy.pages[number]
    found = places([page, *others])
    # Lines that come, then words, then lines that go: those must be empty.
    ranked = sorted(found, key=lambda place: (_line_goes(place), place.level is Level.WORD))
    objects = [[_object(page, unit) for unit in place.mine] for place in ranked]
    taken = {}
    edits: list[Edit] = []
    left = 0
    for place, own in zip(ranked, objects, strict=True):
        version = place.majority
        if version is None:
            left += 1
            continue
        if 0 not in version.annotators:
            where = _units_of(page)
            now = tuple(where[id(each)] for each in own if id(each) in where)
            try:
                edit = _taking(copy, number, replace(place, mine=now), version, others)
                edit.apply(copy)
            except StudioError:
                left += 1
                continue
            edits.append(edit)
        taken[place.level, place.key] = taken_of(number, place, version, names, by)
    made = CompositeEdit(tuple(edits), "Take what most annotators have") if edits else None
    return ByMajority(made, taken, left)


def _line_goes(place: Place) -> bool:
    majority = place.majority
    return place.level is Level.LINE and majority is not None and not majority.polygons


def _object(page: Page, unit: Unit) -> Line | Word:
    line, word = unit
    return page.lines[line] if word is None else page.lines[line].words[word]


def _units_of(page: Page) -> Mapping[int, Unit]:
    found: dict[int, Unit] = {}
    for n, line in enumerate(page.lines):
        found[id(line)] = (n, None)
        for k, word in enumerate(line.words):
            found[id(word)] = (n, k)
    return found


def _taking(
    document: Document, number: int, place: Place, version: Version, others: Sequence[Page]
) -> CompositeEdit:
    difference = difference_of(place, version)
    assert difference is not None
    index = DocumentIndex(document)
    words = [(number, line, word) for line, word in place.mine if word is not None]
    tokens = [token for word in words for token in index.tokens_of.get(word, ())]
    theirs = others[version.annotators[0] - 1]
    keep = tokens[0] if len(tokens) > 1 else None
    return take_version(document, number, difference, theirs, keep=keep, index=index)


def holding(taken: Sequence[Taken], document: Document) -> list[Taken]:
    """Those of which a document still is what was taken: others were undone, or drawn anew."""
    return [each for each in taken if _holds(each, document)]


def _holds(taken: Taken, document: Document) -> bool:
    page = document.pages[taken.page]
    there = (
        [line.polygon for line in page.lines]
        if taken.level is Level.LINE
        else [word.polygon for word in page.words()]
    )
    if taken.polygons:
        return all(
            any(same_outlines([polygon], [other]) for other in _near(polygon, there))
            for polygon in taken.polygons
        )
    return not any(
        same_outlines([polygon], [other], THRESHOLD)
        for polygon in taken.place
        for other in _near(polygon, there)
    )


def _near(polygon: Polygon, others: Sequence[Polygon]) -> list[Polygon]:
    """Those whose boxes meet that of an outline."""
    box = bounding_box(polygon)
    if box is None:
        return []
    left, top, right, bottom = box
    found = []
    for other in others:
        x0, y0, x1, y1 = bounding_box(other) or (0, 0, -1, -1)
        if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top:
            found.append(other)
    return found


def taken_of(page: int, place: Place, version: Version, names: Sequence[str], by: str) -> Taken:
    """What the record says of a place."""
    everybody = sum(len(each.annotators) for each in place.versions)
    return Taken(
        page,
        place.level,
        version.polygons,
        tuple(polygon for each in place.versions for polygon in each.polygons),
        tuple(names[number] for number in version.annotators),
        len(version.annotators),
        everybody,
        by,
        datetime.now(UTC),
    )


def record_file(document: Path) -> Path:
    """Where it is written down whose version was taken."""
    return document.with_name(f"{base_of(document)}.settled.tsv")


def write_record(path: Path, taken: Sequence[Taken]) -> None:
    """Write the record: one row for each place where annotators differed.

    Raises:
        WorldError: it cannot be written.
    """
    rows = []
    for each in taken:
        points = tuple(point for polygon in each.polygons or each.place for point in polygon)
        box = bounding_box(points) or (0, 0, 0, 0)
        names = ", ".join(each.annotators)
        rows.append(
            (
                str(each.page + 1),
                each.level.value,
                *(f"{edge:g}" for edge in box),
                names if each.polygons else f"nothing: {names}",
                str(each.votes),
                str(each.of),
                each.by,
                f"{each.at:%Y-%m-%dT%H:%M:%SZ}",
            )
        )
    write_atomically(path, write_table(_COLUMNS, rows))
