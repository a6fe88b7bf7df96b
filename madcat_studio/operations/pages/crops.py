"""Crops of lines or words for one page or a corpus, with a table that says what each one shows."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.formats.files import filled_folder, write_atomically
from madcat_studio.formats.tables import write_table
from madcat_studio.images.crops import CropStyle, crop, plain_image
from madcat_studio.images.reading import ImageFinder, open_image
from madcat_studio.model.conversion import line_texts
from madcat_studio.model.document import Document, Polygon
from madcat_studio.model.links import WordIndex, link
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.pages.folder import page_base
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["CroppedFile", "Unit", "crop_files"]

_COLUMNS = ("file", "base", "page", "line", "word", "text")


class Unit(StrEnum):
    """What is cut out."""

    LINES = "lines"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class CroppedFile:
    """What became of one document: how many crops, how many outlines without points, or why not."""

    path: Path
    written: int = 0
    empty: int = 0
    error: StudioError | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    page: int
    line: int
    word: int | None
    polygon: Polygon
    ids: tuple[str, str, str]
    text: str


def crop_files(
    paths: Sequence[Path],
    folder: Path,
    unit: Unit,
    style: CropStyle,
    *,
    image_folders: Sequence[Path] = (),
    progress: Progress = SILENT,
) -> Iterator[CroppedFile]:
    """Write ``BASE_page_line[_word].png`` for every outline, numbered by position from 1.

    Pages may be in any format. Of several files with one BASE each is named with its own name.

    ``BASE.crops.tsv`` says for each file which page, line and word it shows, by their ids, and the
    text that tokens give it, else what its line says. Ids are no file names: they may be doubled.

    Raises:
        WorldError: ``file.no-folder``: the folder cannot be made.
        Cancelled: documents that were finished until then are whole.
    """
    finder = ImageFinder(tuple(image_folders))
    bases = Counter(map(page_base, paths))
    with filled_folder(folder):
        for done, path in enumerate(paths, 1):
            try:
                base = page_base(path)
                name = base if bases[base] == 1 else path.name.removesuffix(".xml")
                yield _crop_one(path, name, folder, unit, style, finder)
            except StudioError as error:
                yield CroppedFile(path, error=error)
            progress.advance(done, len(paths), path.name)
            if progress.cancelled():
                raise Cancelled


def _crop_one(
    path: Path, base: str, folder: Path, unit: Unit, style: CropStyle, finder: ImageFinder
) -> CroppedFile:
    document = open_document(path).document
    image_path = finder.require(document.src, path)
    rows: list[tuple[str, ...]] = []
    empty = 0
    for index, page in enumerate(document.pages):
        with open_image(image_path, index) as opened:
            image = plain_image(opened)
            for piece in _pieces(document, index, unit):
                part = crop(image, piece.polygon, style)
                if part is None:
                    empty += 1
                    continue
                numbers = [index + 1, piece.line + 1]
                numbers += [] if piece.word is None else [piece.word + 1]
                name = "_".join([base, *(f"{number:03}" for number in numbers)]) + ".png"
                stream = io.BytesIO()
                dpi = (page.dpi, page.dpi) if page.dpi else None
                part.save(stream, "PNG", **({"dpi": dpi} if dpi else {}))
                write_atomically(folder / name, stream.getvalue())
                rows.append((name, base, *piece.ids, piece.text))
    write_atomically(folder / f"{base}.crops.tsv", write_table(_COLUMNS, rows))
    return CroppedFile(path, len(rows), empty)


def _pieces(document: Document, index: int, unit: Unit) -> Iterator[_Piece]:
    links = link(document)

    def said(word: WordIndex) -> str:
        return " ".join(
            document.sections[s].segments[g].tokens[t].source or ""
            for s, g, t in links.tokens_of.get(word, ())
        )

    page = document.pages[index]
    own = line_texts(document, links)
    for n, line in enumerate(page.lines):
        ids = (page.id or "", line.id or "")
        texts = [said((index, n, k)) for k in range(len(line.words))]
        if unit is Unit.LINES:
            text = " ".join(filter(None, texts)) or own.get((index, n), "")
            yield _Piece(index, n, None, line.polygon, (*ids, ""), text)
            continue
        for k, word in enumerate(line.words):
            yield _Piece(index, n, k, word.polygon, (*ids, word.id or ""), texts[k])
