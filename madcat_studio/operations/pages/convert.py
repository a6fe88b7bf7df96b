"""Converting documents between MADCAT XML and its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import (
    ConflictError,
    InputError,
    StudioError,
    UsageError,
)
from madcat_studio.formats.documents import IN_PLACE, format_of, read_document
from madcat_studio.formats.files import filled_folder, read_file, write_atomically
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat, recognise
from madcat_studio.formats.ledger import Row, ledger
from madcat_studio.formats.madcat import base_of, read_source
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.page_revision import revised
from madcat_studio.formats.registry import RULES, read_layout
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.images.reading import ImageFinder, image_facts
from madcat_studio.model.completing import PageImage, completed, completed_layout
from madcat_studio.model.conversion import document_of, layout_of
from madcat_studio.model.document import Document
from madcat_studio.model.layout import Layout, LayoutPage
from madcat_studio.model.problem import Problem
from madcat_studio.operations.pages.folder import page_base

__all__ = [
    "Converted",
    "convert_file",
    "export_document",
    "open_document",
    "open_source",
    "read_layout",
    "settled",
]


_LOSSES = frozenset({"convert-lost", "convert-not-taken-over"})


@dataclass(frozen=True, slots=True)
class Converted:
    """What was written, and what was odd, changed or could not be held.

    Attributes:
        ledger: what went in and came out, counted in the files themselves.
    """

    outputs: tuple[Path, ...]
    source_format: FileFormat
    problems: tuple[Problem, ...]
    ledger: tuple[Row, ...] = ()

    @property
    def is_loss(self) -> bool:
        """Whether anything was left behind."""
        return any(row.left for row in self.ledger) or any(
            problem.code in _LOSSES for problem in self.problems
        )


def convert_file(
    path: Path,
    output: Path,
    *,
    target: FileFormat | None = None,
    version: str | None = None,
    overwrite: bool = False,
) -> Converted:
    """Convert one file.

    A file that is in the target's format already is read, and copied byte for byte unless another
    ``version`` is asked for; then PAGE XML is changed only where the revision asks for it. Where a
    file of the target holds one page, or pages of one image, more give ``OUT.p1.xml`` and so on.

    Args:
        path: the file; its content tells its format.
        output: the file to write.
        target: its format; None to tell by its name (``.madcat.xml``, ``.hocr``, ``page`` in it).
        version: of PAGE (a year) or ALTO (2, 3, 4); None for the latest.
        overwrite: replace existing files.

    Raises:
        UsageError: ``convert.target``, ``convert.version``.
        ConflictError: ``convert.file-exists``.
        InputError, FormatError, WorldError: it cannot be read or written.
    """
    asked = version
    target, version = settled(target or _told_by_name(output), version)
    source = open_source(read_file(path), path)
    kind = recognise(source)
    read = read_layout(source)
    beside: dict[Path, bytes] = {}
    told: tuple[Problem, ...]
    if kind is target and asked is None:
        files, told = {output: source.data}, ()
    elif (in_place := _revised(source, kind, target, version)) is not None:
        files, told = {output: in_place[0]}, tuple(in_place[1])
    else:
        if target is FileFormat.MADCAT:
            files, lost = _madcat_files(read.layout, output, source)
        else:
            files, beside, lost = _bytes(read.layout, source.name, output, target, version)
        told = (*read.problems, *lost)
    # Counted before anything is written, so that a file that cannot be counted leaves none.
    made = [Source(data, str(path)) for path, data in files.items()]
    rows = tuple(ledger(source, made, target))
    _write(files | beside, overwrite)
    return Converted(tuple(files | beside), kind, told, rows)


def _revised(
    source: Source, kind: FileFormat, target: FileFormat, version: str | None
) -> tuple[bytes, list[Problem]] | None:
    """PAGE XML in another revision of it, None where it must be made anew."""
    if kind is target is FileFormat.PAGE and version is not None:
        return revised(source, version)
    return None


def export_document(
    document: Document,
    output: Path,
    *,
    target: FileFormat | None = None,
    version: str | None = None,
    overwrite: bool = False,
) -> Converted:
    """Write a document that is in memory, as it is now, in another format; see ``convert_file``."""
    target, version = settled(target or _told_by_name(output), version)
    if target is FileFormat.MADCAT:
        files, problems = {output: new_bytes(document)}, []
    else:
        layout, lost = layout_of(document, document.id or output.name)
        name = document.id or output.name
        files, beside, more = _bytes(layout, name, output, target, version)
        files, problems = files | beside, lost + more
    _write(files, overwrite)
    return Converted(tuple(files), FileFormat.MADCAT, tuple(problems))


def open_document(path: Path) -> ReadDocument:
    """Open a page in any format as a document.

    One in MADCAT, PAGE XML or ALTO is saved in place. Another gives a document that is not on the
    disk yet: its path is that of a new MADCAT file beside it, and its problems tell what was not
    taken over.

    Raises:
        InputError, FormatError, WorldError: it cannot be read.
    """
    source = open_source(read_file(path), path)
    if format_of(source) in IN_PLACE:
        return read_document(source)
    read = read_layout(source)
    base = page_base(path)
    document, lost = _madcat(read.layout, base, source)
    beside = path.with_name(f"{base}.madcat.xml")
    made = read_source(Source(new_bytes(document), str(beside), beside))
    return ReadDocument(made.document, made.source, (*read.problems, *lost, *made.problems))


def open_source(data: bytes, path: Path) -> Source:
    """The source of a file, which knows where its images are."""
    finder = ImageFinder()

    def image(name: str, frame: int) -> PageImage | None:
        found = finder.find(name, path)
        if found is None:
            return None
        try:
            facts = image_facts(found, frame)
        except StudioError:
            return None
        dpi = round(facts.dpi[0]) if facts.dpi and facts.dpi[0] >= 1 else None
        return PageImage(facts.width, facts.height, dpi)

    return Source(data, str(path), path, image=image)


def settled(target: FileFormat, version: str | None) -> tuple[FileFormat, str | None]:
    """The format to write, and its version where there are several.

    Raises:
        UsageError: ``convert.target``, ``convert.version``.
    """
    traits = TRAITS[target]
    if not traits.written:
        raise UsageError(
            "convert.target",
            f"{traits.name} can be read, not written",
            remedy=f"Write {' or '.join(WRITTEN)}",
        )
    versions = traits.versions
    if version is not None and version not in versions:
        raise UsageError(
            "convert.version",
            f"{traits.name} has no version {version} that can be written",
            remedy=f"Write {' or '.join(versions)}" if versions else "Leave the version out",
        )
    return target, version or (versions[-1] if versions else None)


def _write(files: dict[Path, bytes], overwrite: bool) -> None:
    for name in files:
        if name.exists() and not overwrite:
            raise ConflictError(
                "convert.file-exists",
                "a file with this name already exists",
                where=name,
                remedy="Choose another name, or give --overwrite",
            )
    for name, data in files.items():
        with filled_folder(name.parent):
            write_atomically(name, data)


def _madcat(layout: Layout, base: str, source: Source) -> tuple[Document, list[Problem]]:
    """A MADCAT document with all that its format asks for."""
    document, lost = document_of(layout, base, source.name)
    document, made = completed(document, source.name, source.page_image)
    return document, lost + made


def _madcat_files(
    layout: Layout, output: Path, source: Source
) -> tuple[dict[Path, bytes], list[Problem]]:
    """A MADCAT file, or one for each image: a document has one, whose frames are its pages."""
    images = dict.fromkeys(page.image for page in layout.pages if page.image)
    if len(images) < 2:
        document, lost = _madcat(layout, base_of(output), source)
        return {output: new_bytes(document)}, lost
    parts: dict[str | None, list[LayoutPage]] = {}
    for page in layout.pages:
        parts.setdefault(page.image, []).append(page)
    files, told = {}, []
    base = page_base(output)
    for number, pages in enumerate(parts.values(), 1):
        path = output.with_name(f"{base}.p{number}{TRAITS[FileFormat.MADCAT].written}")
        document, lost = _madcat(Layout(pages), base_of(path), source)
        files[path] = new_bytes(document)
        told += lost
    return files, told


def _bytes(
    layout: Layout, name: str, output: Path, target: FileFormat, version: str | None
) -> tuple[dict[Path, bytes], dict[Path, bytes], list[Problem]]:
    """The files to write for a layout, others that belong to them, and what they cannot hold."""
    if not layout.pages:
        raise InputError(
            "convert.no-page",
            "the document has no image layer, which is all that other formats hold",
            where=name,
            remedy="Convert the reference or the input instead",
        )
    made = completed_layout(layout, page_base(output), name)
    write = RULES[target].write
    assert write is not None
    written = write(layout, name, version or "")
    many = written.files
    names = [output] if len(many) == 1 else _names(layout, output, target)
    beside = {output.with_name(each): data for each, data in written.beside.items()}
    missing = {
        path: data
        for path, data in beside.items()
        if not (path.is_file() and read_file(path) == data)
    }
    return dict(zip(names, many, strict=True)), missing, made + written.problems


def _names(layout: Layout, output: Path, target: FileFormat) -> list[Path]:
    """The files for several pages, by their images where the format asks for it."""
    stems = [Path(page.image or "").stem for page in layout.pages]
    if TRAITS[target].by_image and len(set(stems)) == len(stems) and all(stems):
        return [output.with_name(stem + TRAITS[target].written) for stem in stems]
    return [output.with_suffix(f".p{n + 1}{output.suffix}") for n in range(len(stems))]


def _told_by_name(output: Path) -> FileFormat:
    name = output.name.lower()
    for kind in sorted(WRITTEN, key=lambda kind: -len(TRAITS[kind].written)):
        if name.endswith(TRAITS[kind].written):
            return kind
    for kind in WRITTEN:
        if kind.value in name.split("."):
            return kind
    endings = [TRAITS[kind].written for kind in WRITTEN]
    raise UsageError(
        "convert.target",
        f"the name “{output.name}” does not give the format to write",
        remedy=f"Give --to, or end the name in {', '.join(endings[:-1])} or {endings[-1]}",
    )
