"""Turns a manuscript into its image and its MADCAT document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from madcat_studio.errors import InputError
from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word
from scripts.demo.chance import generator
from scripts.demo.hands import HANDS
from scripts.demo.pages import HEIGHT, WIDTH, compose
from scripts.demo.plan import ScribeError

__all__ = ["Copy", "save_scan", "write_copy"]


@dataclass(frozen=True, slots=True)
class Copy:
    """A written text: its document, and its pages' ink (True is black)."""

    document: Document
    scans: list[npt.NDArray[np.bool_]]


def write_copy(
    *,
    base: str,
    genre: str,
    scribe: str,
    segments: list[tuple[tuple[str, ...], str]],
    errors: list[ScribeError],
    scale: float = 1.0,
    lines_on_first_page: int | None = None,
    crowding: int = 0,
) -> Copy:
    """Write ``segments`` (tokens, translation) in the scribe's hand.

    ``errors`` are what the scribe got wrong, ``scale`` is how large the hand is this time,
    ``lines_on_first_page`` and ``crowding`` are those of `compose`. Ids of lines and words run
    on over the pages, so that a reference to a line or word names one page.
    """
    tokens: list[list[Token]] = []
    written: list[str] = []
    places: list[tuple[int, int]] = []
    for number, (texts, _) in enumerate(segments, 1):
        row: list[Token] = []
        for place, text in enumerate(texts, 1):
            here = [e for e in errors if (e.segment, e.token) == (number, place)]
            error = here[0] if here else None
            if error and error.error != "extra" and error.intended != text:
                raise InputError("demo.scribe-error", f"token {place} of s{number} is {text}")
            status = error.error if error and error.error != "extra" else ""
            row.append(Token(None, "", status, text))
            if status != "missing":
                written.append(error.written if error and status == "typo" else text)
                places.append((number - 1, len(row) - 1))
            if error and error.error == "extra":
                row.append(Token(None, "", "extra", error.written))
                written.append(error.written)
                places.append((number - 1, len(row) - 1))
        for count, token in enumerate(row, 1):
            token.id = f"s{number}-{count}"
        tokens.append(row)
    hand = HANDS[scribe]
    pages = compose(
        written,
        replace(hand, size=round(hand.size * scale), pitch=round(hand.pitch * scale)),
        generator("page", base),
        lines_on_first_page=lines_on_first_page,
        crowding=crowding,
    )
    document = Document(
        base, f"{base}.tif", genre, len(pages), scribe, "2008.1", sections=[Section("sec0001")]
    )
    document.sections[0].type = "tokenization"
    zone = 0
    for number, page in enumerate(pages, 1):
        lines = []
        for line in page.lines:
            words = []
            for word in line.words:
                name = f"t{word.index}"
                words.append(Word(name, tuple(word.outline)))
                segment, place = places[word.index]
                tokens[segment][place].ref_id = name
            lines.append(Line(f"z{zone}", "line", tuple(line.outline), words))
            zone += 1
        document.pages.append(Page(f"p{number}", WIDTH, HEIGHT, 600, 1, lines))
    document.sections[0].segments = [
        Segment(f"s{number}", [], row, " ".join(texts), translation)
        for number, (row, (texts, translation)) in enumerate(zip(tokens, segments, strict=True), 1)
    ]
    return Copy(document, [page.ink for page in pages])


def save_scan(scans: list[npt.NDArray[np.bool_]], path: Path) -> None:
    """Write the pages as one TIFF, one frame a page: 1 bit, CCITT group 4, 600 dpi."""
    images = [Image.fromarray(~ink) for ink in scans]
    images[0].save(
        path,
        compression="group4",
        dpi=(600, 600),
        save_all=True,
        append_images=images[1:],
    )
