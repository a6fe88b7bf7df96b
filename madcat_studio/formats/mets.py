"""METS of a workspace, as OCR-D keeps it: a list of files, of which a page has several. Read only.

The pages are those of the last group of files in PAGE XML, the latest step of the work; where there
is none, of the last in ALTO. Nothing is fetched, and nothing outside the workspace is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from madcat_studio.errors import FormatError, StudioError
from madcat_studio.formats.alto import read_alto
from madcat_studio.formats.counts import count_alto, count_page
from madcat_studio.formats.files import read_file
from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.layouts import Notes, ReadLayout
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names, parse_xml
from madcat_studio.model.layout import Layout, LayoutPage
from madcat_studio.model.problem import Problem, Severity

__all__ = ["count_mets", "read_mets"]

_PAGES = ("application/vnd.prima.page+xml", "application/alto+xml")


def read_mets(source: Source) -> ReadLayout:
    """Read the pages of a workspace in their physical order.

    A page whose file is missing or broken is told, and the others are read.

    Raises:
        FormatError: ``mets.no-page``, or as ``parse_xml``.
    """
    notes = Notes(source)
    pages: list[LayoutPage] = []
    told: list[Problem] = []
    for inner in _files(source, notes):
        try:
            kind = recognise(inner)
            if kind is FileFormat.ALTO:
                found = read_alto(inner, inner.image_size)
            else:
                found = read_page_xml(inner)
        except StudioError as error:
            _tell_unread(error, notes)
            continue
        pages += map(_placeless, found.layout.pages)
        told += map(_elsewhere, found.problems)
    if not pages:
        raise FormatError(
            "mets.no-page",
            "no page of the workspace can be read",
            where=source.name,
            remedy="Keep the workspace's folders beside the file",
        )
    return ReadLayout(Layout(pages), (*notes.problems, *told), source)


def _placeless(page: LayoutPage) -> LayoutPage:
    """A page without its places, which are those of another file."""
    page.origin = None
    for region in page.regions:
        region.origin = None
        for line in region.lines:
            line.origin = None
            for word in line.words:
                word.origin = None
    return page


def _elsewhere(problem: Problem) -> Problem:
    """A problem of another file, whose elements are not those of this one."""
    return replace(problem, where=replace(problem.where, origin=None))


def count_mets(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what the pages of a workspace hold."""
    for inner in _files(source, Notes(source)):
        try:
            alto = recognise(inner) is FileFormat.ALTO
            yield from (count_alto if alto else count_page)(inner, found)
        except StudioError:
            continue  # the reader tells it


def _tell_unread(error: StudioError, notes: Notes) -> None:
    notes.tell(
        "mets-page-unread",
        f"{error.where}: {error.reason}",
        done="the page is left out",
        severity=Severity.ERROR,
    )


class _File(NamedTuple):
    name: str
    group: str
    kind: str
    place: str
    element: Element


def _files(source: Source, notes: Notes) -> list[Source]:
    """The files of the pages, in their order."""
    root, names = parse_xml(source), Names()
    files = list(_listed(root, names))
    chosen = next(
        (
            group
            for kind in _PAGES
            for group in reversed(list(dict.fromkeys(f.group for f in files if f.kind == kind)))
        ),
        None,
    )
    if chosen is None:
        raise FormatError(
            "mets.no-page",
            "the workspace lists no file in PAGE XML or ALTO",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    others = dict.fromkeys(f.group for f in files if f.kind in _PAGES and f.group != chosen)
    if others:
        notes.tell(
            "mets-group-chosen",
            f"the workspace has pages in several groups: {', '.join([*others, chosen])}",
            done=f"those of {chosen} are used",
            severity=Severity.NOTE,
        )
    of_group = {file.name: file for file in files if file.group == chosen and file.kind in _PAGES}
    order = [
        str(element.get("FILEID"))
        for element in root.iter("*")
        if names[element.tag] == "fptr" and element.get("FILEID") in of_group
    ]
    found = []
    for name in dict.fromkeys([*order, *of_group]):
        file = of_group[name]
        try:
            found.append(_opened(file, source))
        except StudioError as error:
            _tell_unread(error, notes)
    return found


def _listed(root: Element, names: Names) -> Iterator[_File]:
    for group in root.iter("*"):
        if names[group.tag] != "fileGrp":
            continue
        for file in group:
            if names[file.tag] != "file":
                continue
            places = [
                value
                for inner in file
                if names[inner.tag] == "FLocat"
                for key, value in inner.items()
                if names[key] == "href"
            ]
            # A file that is also on the web has its place in the workspace as another one.
            local = [place for place in places if "://" not in place] or places[:1]
            kind = (file.get("MIMETYPE") or "").lower()
            use = group.get("USE") or ""
            yield _File(file.get("ID") or "", use, kind, local[0] if local else "", file)


def _opened(file: _File, source: Source) -> Source:
    """The file of a page.

    Raises:
        FormatError: ``mets.not-here``: it is on the web, or outside the workspace.
        InputError, WorldError: it cannot be read.
    """
    place = unquote(file.place.removeprefix("file://"))
    folder = source.path.parent if source.path is not None else None
    if folder is None or not place or "://" in place or not _is_below(folder / place, folder):
        raise FormatError(
            "mets.not-here",
            f"the file {file.name} is not in the workspace (“{file.place}”)",
            where=f"{source.name}:{file.element.sourceline or 1}",
            remedy="Get the workspace with all its files",
        )
    path = folder / place
    return Source(read_file(path), str(path), path, image=source.image)


def _is_below(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())
