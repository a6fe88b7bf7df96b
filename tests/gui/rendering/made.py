"""A small page with writing of strokes, and its document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from madcat_studio.formats.documents import save
from madcat_studio.model.document import Document, Line, Page, Section, Segment

WIDTH, HEIGHT, DPI = 850, 600, 100


def written_page(
    folder: Path,
    translations: Sequence[str | None],
    *,
    lines: int = 2,
    outlines: bool = True,
    width: int = WIDTH,
    name: str = "page",
) -> Path:
    """A page with so many lines for each segment, and its scan beside it."""
    image = Image.new("L", (WIDTH, HEIGHT), 245)
    pen = ImageDraw.Draw(image)
    made: list[Line] = []
    for number in range(lines * len(translations)):
        top = 40 + 50 * number
        for x in range(60, 780, 30):
            pen.line((x, top + 25, x + 18, top + 8), fill=30, width=3)
        polygon = ((50, top), (790, top), (790, top + 34), (50, top + 34))
        made.append(Line(f"z{number}", polygon=polygon if outlines else ()))
    image.save(folder / f"{name}.tif", dpi=(DPI, DPI))
    segments = [
        Segment(f"s{n}", [f"z{n * lines + k}" for k in range(lines)], translation=text)
        for n, text in enumerate(translations)
    ]
    sheet = Page("p1", width, HEIGHT, DPI, 8, lines=made)
    document = Document(
        name, f"{name}.tif", "newswire", 1, "SCR0001", "2008.1", [sheet],
        [Section("sec1", "sentence", segments)],
    )  # fmt: skip
    path = folder / f"{name}.madcat.xml"
    save(path, document, None)
    return path
