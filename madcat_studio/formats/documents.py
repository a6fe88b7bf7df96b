"""Documents in files of any format that can be saved in place: reading, writing, saving.

MADCAT, PAGE XML and ALTO keep every byte of what was not edited. Other formats are converted
(see ``operations.pages.convert``).
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from madcat_studio.errors import ConflictError, FormatError
from madcat_studio.formats import madcat, madcat_writer
from madcat_studio.formats.alto import page_scales, read_alto
from madcat_studio.formats.alto_patch import AltoPatch
from madcat_studio.formats.alto_regions import AltoRegions
from madcat_studio.formats.cannot_hold import cannot_hold
from madcat_studio.formats.files import read_file, write_atomically
from madcat_studio.formats.kinds import TRAITS, FileFormat, recognise
from madcat_studio.formats.layout_patch import LayoutPatch, Said
from madcat_studio.formats.layouts import ReadLayout
from madcat_studio.formats.madcat_elements import whole
from madcat_studio.formats.page_patch import PagePatch
from madcat_studio.formats.page_regions import PageRegions
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.patching import patched
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.model.completing import completed
from madcat_studio.model.conversion import document_of
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.geometry import bounding_box

__all__ = ["IN_PLACE", "becomes_madcat", "format_of", "proven", "read_document", "save", "write"]

_BLANK = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
_NEAR = 12
"""Pixels that rounding to a unit of the file may move a point; twelve are a tenth of a millimetre
at 3,000 pixels an inch."""

IN_PLACE = tuple(kind for kind, traits in TRAITS.items() if traits.in_place)
"""Formats that a document is saved to as it was read, but for what was edited."""


def format_of(source: Source) -> FileFormat:
    """The format of a file; an empty one counts as MADCAT, whose reader tells of it."""
    return recognise(source) if source.data.strip(_BLANK) else FileFormat.MADCAT


def read_document(source: Source) -> ReadDocument:
    """Read a document in a format of :data:`IN_PLACE`.

    In PAGE XML and ALTO each line is a segment of its own, whose transcription is the line's text;
    the words with texts are its tokens.

    Raises:
        FormatError: it is none, or is damaged.
    """
    kind = format_of(source)
    if kind is FileFormat.MADCAT:
        return madcat.read_source(source)
    if kind not in IN_PLACE:
        raise FormatError(
            "layout.only-read",
            f"a file in {TRAITS[kind].name} is converted, not changed in place",
            where=source.name,
            remedy="Convert it first: madcat-studio convert IN OUT.madcat.xml",
        )
    found = _layout(source, kind)
    base = madcat.base_of(source.name)
    document, _ = document_of(found.layout, base, source.name, every_line=True)
    # What the document has no room for stays in the file: nothing is left out here.
    staying = ("convert-not-taken-over", "convert-aside")
    told = tuple(p for p in found.problems if p.code not in staying)
    return ReadDocument(document, source, told)


def _layout(source: Source, kind: FileFormat) -> ReadLayout:
    if kind is FileFormat.PAGE:
        return read_page_xml(source)
    return read_alto(source, source.image_size)


def write(document: Document, source: Source) -> bytes:
    """The bytes of the file for the document as it is now.

    A document that equals what was read, by whatever way it came there, gives ``source.data``.

    Raises:
        InputError: ``layout.cannot-hold``, ``layout.no-outline``, ``madcat.forbidden-character``.
        FormatError: ``madcat.encoding-unstable``.
    """
    kind = format_of(source)
    if kind is FileFormat.MADCAT:
        return madcat_writer.write(document, source)
    before = source.reading() or read_document(source).document
    if before == document:
        return source.data
    return patched(source, lambda data: _patch(data, kind, source).document(document, before))


def _patch(data: bytes, kind: FileFormat, source: Source) -> LayoutPatch:
    if kind is FileFormat.PAGE:
        page = PagePatch(data)
        page.regions = PageRegions(page)
        return page
    alto = AltoPatch(data, page_scales(source, source.image_size))
    alto.regions = AltoRegions(alto)
    return alto


def save(
    path: Path | str,
    document: Document,
    source: Source | None,
    *,
    overwrite: bool = False,
    backup: bool = False,
    telling: Callable[[str], None] = lambda _: None,
    ready: bytes | None = None,
) -> Source:
    """Save a document: whole or not at all.

    Args:
        path: where to; the file it was read from, or another ("save as"). A name that ends in
            ``.madcat.xml`` makes a MADCAT file, whatever it was read from.
        document: the model as it is now.
        source: what it was read from, None for a new document.
        overwrite: replace a file that somebody else changed, or that is another file.
        backup: keep the file as it was as ``NAME.bak``.
        telling: is told the SHA-256 of what the file will be, just before it is replaced.
        ready: what :func:`proven` made of document and source already.

    Returns:
        The source to save with next time.

    Raises:
        ConflictError: ``madcat.changed-on-disk``, ``madcat.file-exists``.
        InputError, FormatError: see :func:`write`.
        WorldError: it cannot be written; the old file is as it was.
    """
    path = Path(path)
    if source is not None and becomes_madcat(path, source):
        document, _ = completed(document, str(path), source.page_image)
        source = None
    if ready is not None:
        data = ready
    else:
        data = write(document, source) if source is not None else madcat_writer.new_bytes(document)
    same_file = source is not None and source.path is not None and _same(path, source.path)
    on_disk = read_file(path) if path.exists() else None
    if on_disk is not None and not overwrite:
        if not same_file:
            raise ConflictError(
                "madcat.file-exists",
                "a file with this name already exists",
                where=path,
                remedy="Choose another name, or allow it to be replaced",
            )
        if source is not None and _sha256(on_disk) != source.disk_sha256:
            raise ConflictError(
                "madcat.changed-on-disk",
                "the file was changed by somebody else since it was opened",
                where=path,
                remedy="Save under another name, read it again, or allow it to be replaced",
            )
    if on_disk != data:
        if ready is None:
            _prove_any(data, document, source, str(path))
        telling(_sha256(data))
        write_atomically(path, data, backup=backup)
    if source is None:
        return Source(data, str(path), path)
    return source.saved_as(path, _sha256(data))


def proven(path: Path, document: Document, source: Source) -> bytes:
    """What :func:`save` would write into the file that a document was read from, read back.

    Raises:
        InputError, FormatError: see :func:`write`.
    """
    data = write(document, source)
    _prove_any(data, document, source, str(path))
    return data


def _prove_any(data: bytes, document: Document, source: Source | None, name: str) -> None:
    if source is None or format_of(source) is FileFormat.MADCAT:
        madcat_writer.prove(data, document, name)
    else:
        _prove(Source(data, name, image=source.image), document)


def becomes_madcat(path: Path, source: Source) -> bool:
    """Whether a document of another format is made a MADCAT file by its new name."""
    return path.name.lower().endswith(".madcat.xml") and format_of(source) is not FileFormat.MADCAT


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _prove(written: Source, document: Document) -> None:
    """Read back what is about to be written: our own fault must not reach a disk.

    Raises:
        InputError: ``layout.cannot-hold``: the file gives another order than the document.
    """
    kind = format_of(written)
    read = read_document(written).document
    now, then = _content(document), _content(read)
    if _agree(now, then, kind):
        if _same_regions(document, read, kind) and _same_homes(document, read):
            return
    elif _agree(sorted(now, key=_where), sorted(then, key=_where), kind):
        lines = [line for page in document.pages for line in page.lines]
        odd = next(
            n for n, pair in enumerate(zip(now, then, strict=True)) if not _is_held(*pair, kind)
        )
        at = f"line {lines[odd].id} of region {lines[odd].region}"
        raise cannot_hold(TRAITS[kind].name, f"this order of lines among its regions ({at})")
    raise AssertionError(f"{written.name}: what would be saved does not read back as the document")


def _same_regions(one: Document, other: Document, kind: FileFormat) -> bool:
    """Whether the regions of a document are those that were read back."""
    same: Callable[[Polygon, Polygon], bool] = operator.eq
    if kind is FileFormat.ALTO:
        same = _same_place
    for page, again in zip(one.pages, other.pages, strict=True):
        now, then = (sorted(_regions(each), key=_region_place) for each in (page, again))
        if len(now) < len(then):  # the file got one for lines that lie in none
            homes = [(b.region, a.region) for a, b in zip(page.lines, again.lines, strict=True)]
            held = {region for region, wanted in homes if wanted is not None}
            made = {region for region, _ in homes} - held
            rest = [region for region in again.regions if region.id not in made]
            then = sorted(_regions(replace(again, regions=rest)), key=_region_place)
        if len(now) != len(then):
            return False
        for (said, outline), (read, place) in zip(now, then, strict=True):
            if said != read or not same(outline, place):
                return False
    return True


def _same_homes(one: Document, other: Document) -> bool:
    """Whether lines lie together in regions as they should; ids may have become others."""
    pairs = {
        (p, line.region, again.region)
        for p, (page, read) in enumerate(zip(one.pages, other.pages, strict=True))
        for line, again in zip(page.lines, read.lines, strict=True)
        if line.region is not None
    }
    return len(pairs) == len({pair[:2] for pair in pairs}) == len({pair[::2] for pair in pairs})


def _region_place(region: tuple[tuple[str, str | None], Polygon]) -> tuple[object, ...]:
    return str(region[0]), bounding_box(region[1]) or (), region[1]


def _regions(page: Page) -> list[tuple[tuple[str, str | None], Polygon]]:
    return [((region.kind, region.type), _written(region.polygon)) for region in page.regions]


def _agree(now: list[_Line], then: list[_Line], kind: FileFormat) -> bool:
    return len(now) == len(then) and all(
        _is_held(line, again, kind) for line, again in zip(now, then, strict=True)
    )


def _where(line: _Line) -> tuple[tuple[float, ...], list[str]]:
    return bounding_box(line.outline) or (), line.text


def _is_held(line: _Line, again: _Line, kind: FileFormat) -> bool:
    """Whether a line that was read back says what it should, as far as the format can."""
    spelt = [text for _, texts in again.words for text in texts]
    if kind is FileFormat.PAGE and line.baseline != again.baseline:
        return False
    # As it was; as it should be; or as the words say.
    text = not line.is_told or line.text == again.text or again.text == spelt
    same: Callable[[Polygon, Polygon], bool] = operator.eq
    if kind is FileFormat.ALTO:
        same = _same_place
        if not line.words:  # a lone string is the line's text or a word
            return text and same(line.outline, again.outline) and len(again.words) < 2
        text = True  # there is none but what the words say, and a hyphen
    return (
        text
        and same(line.outline, again.outline)
        and len(line.words) == len(again.words)
        and all(
            same(one, other) and said == read
            for (one, said), (other, read) in zip(line.words, again.words, strict=True)
        )
    )


def _same_place(one: Polygon, other: Polygon) -> bool:
    """Whether two outlines lie in one place: ALTO may hold the box only, in units of its own."""
    first, second = bounding_box(one), bounding_box(other)
    if first is None or second is None:
        return first is second
    return all(abs(a - b) <= _NEAR for a, b in zip(first, second, strict=True))


class _Line(NamedTuple):
    """A line as a file by lines holds it; ``is_told``: whether segments tell its text."""

    outline: Polygon
    baseline: Polygon
    is_told: bool
    text: list[str]
    words: list[tuple[Polygon, list[str]]]


def _content(document: Document) -> list[_Line]:
    said = Said(document)
    return [
        _Line(
            _written(line.polygon),
            _written(line.baseline),
            (p, n) in said.lines,
            (said.lines.get((p, n)) or "").split(),
            [
                (_written(word.polygon), said.words.get((p, n, k), "").split())
                for k, word in enumerate(line.words)
            ],
        )
        for p, page in enumerate(document.pages)
        for n, line in enumerate(page.lines)
    ]


def _written(polygon: Polygon) -> Polygon:
    return tuple((int(whole(max(x, 0))), int(whole(max(y, 0)))) for x, y in polygon)
