"""A new page to be marked: a scan, and the text that is written on it."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.errors import ConflictError, FormatError, InputError
from madcat_studio.formats.documents import save
from madcat_studio.formats.files import read_file
from madcat_studio.images.pdf import is_pdf, scans_of
from madcat_studio.images.reading import ImageFacts, image_facts
from madcat_studio.model.characters import clean_line
from madcat_studio.model.document import Document, Page, Section, Segment, Token
from madcat_studio.progress import SILENT, Progress

__all__ = ["is_pdf", "new_page"]

SUFFIX = ".madcat.xml"


def new_page(
    image: Path,
    transcript: Path | None = None,
    *,
    translation: Path | None = None,
    target: Path | None = None,
    scribe: str | None = None,
    genre: str | None = None,
    overwrite: bool = False,
    progress: Progress = SILENT,
) -> Path:
    """Write a document for a scan: its page (one a frame), and a segment a line of the text.

    There are no lines and no words yet; each word of the text between white space is a token
    without one.

    Args:
        image: the scan, or a PDF, whose pages become scans beside the document: ``NAME.tif``.
        transcript: a text in UTF-8; lines with nothing in them are skipped. None for no text.
        translation: a text with as many such lines, the reference of each segment.
        target: the file to write; None for NAME.madcat.xml beside the scan.
        scribe: who wrote the page.
        genre: of the text.
        overwrite: replace a file that is there.
        progress: told after every page of a PDF.

    Returns:
        The file that was written.

    Raises:
        InputError: there is no such file; ``new.lines-differ``: the texts do not go together.
        FormatError: ``new.not-utf8``, or the image cannot be read.
        ConflictError: ``madcat.file-exists``.
        WorldError: a file cannot be read or written.
        Cancelled: the user stopped it; nothing was written.
    """
    path = target if target is not None else image.with_name(image.stem + SUFFIX)
    if is_pdf(image):
        image = _scans(image, path, overwrite, progress)
    first = image_facts(image)
    facts = [first, *(image_facts(image, frame) for frame in range(1, first.frames))]
    sources = _lines(transcript) if transcript is not None else []
    targets = _lines(translation) if translation is not None else []
    if translation is not None and len(sources) != len(targets):
        raise InputError(
            "new.lines-differ",
            f"the transcript has {len(sources)} lines, the translation {len(targets)}",
            where=translation,
            remedy="Write one segment per line, in the same order in both",
        )
    document = Document(
        image.stem,
        image.name,
        genre,
        len(facts),
        scribe,
        "2008.1",
        [_page(number, each) for number, each in enumerate(facts, 1)],
        [Section("sec0001", "tokenization", _segments(sources, targets))],
    )
    save(path, document, None, overwrite=overwrite)
    return path


def _scans(pdf: Path, path: Path, overwrite: bool, progress: Progress) -> Path:
    """The pages of a PDF as scans beside a document that is not there yet."""
    scans = path.with_name(f"{pdf.stem}.tif")
    for taken in (scans, path):
        if taken.exists() and not overwrite:
            raise ConflictError(
                "madcat.file-exists",
                "a file with this name already exists",
                where=taken,
                remedy="Choose another name, or allow it to be replaced",
            )
    scans_of(pdf, scans, progress=progress)
    return scans


def _page(number: int, facts: ImageFacts) -> Page:
    dpi = round(facts.dpi[0]) if facts.dpi is not None else None
    return Page(f"p{number}", facts.width, facts.height, dpi, facts.bits)


def _segments(sources: list[str], targets: list[str]) -> list[Segment]:
    made = []
    for number, text in enumerate(sources, 1):
        tokens = [
            Token(f"s{number}-{place}", "", "", word) for place, word in enumerate(text.split(), 1)
        ]
        translation = targets[number - 1] if targets else None
        made.append(Segment(f"s{number}", [], tokens, text, translation))
    return made


def _lines(path: Path) -> list[str]:
    data = read_file(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            "new.not-utf8",
            f"byte {error.start} (0x{data[error.start]:02X}) is not UTF-8",
            where=path,
            remedy="Save the text as UTF-8",
        ) from None
    lines = (clean_line(line)[0].strip() for line in text.replace("\r\n", "\n").split("\n"))
    return [line for line in lines if line]
