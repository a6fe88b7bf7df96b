"""The pictures of pages with their translations: into English, into Arabic, in two columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from madcat_studio.model.document import Document, Line, Page, Section, Segment
from madcat_studio.paths import resources

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from scripts.screenshots.studio import Studio

__all__ = ["translated", "translated_arabic", "translated_columns", "written_page"]

_INK = Path(__file__).resolve().parents[2] / "tests" / "data" / "ink"
_DPI = 200
_FLAT = 270
"""Of a window for a page that is three times as wide as high."""

_ARABIC = (
    "في صباح شتوي بارد خرج الرجل العجوز من بيته ومشى ببطء نحو السوق ليشتري خبزا وزيتونا للأسبوع. "
    "كان الطريق طويلا ومليئا بالحفر بسبب المطر الغزير الذي هطل طوال الليل على المدينة والقرى التي "
    "حولها. وعندما وصل إلى الباب التقى جاره الذي كان ينتظر الحافلة.",
)
_COLUMNS = (
    "On a cold winter's morning the old man left his house for the old market, to buy some bread "
    "and olives. The road was long, full of holes and mud because of the heavy rain that had "
    "fallen all night on the city and its suburbs. When he came to the gate he found a neighbour",
    "and the question of the water before the feast. On a cold winter's morning the old man left "
    "his house for the old market, to buy some bread and olives. The road was long, full of holes "
    "and mud because of the heavy rain that had fallen all night on the city.",
)


def written_page(name: str, texts: Sequence[str]) -> tuple[Document, Path]:
    """A page of the tests' ink with translations: each has a like number of the page's lines.

    Args:
        name: of the ink.
        texts: in the order of reading.
    """
    scan = _INK / f"{name}.png"
    truth = json.loads(scan.with_suffix(".json").read_text("utf-8"))["truth"]
    with Image.open(scan) as image:
        width, height = image.size
    points: dict[int, list[tuple[int, int]]] = {}
    for word in truth:
        points.setdefault(word["line"], []).extend((x, y) for x, y in word["poly"])
    lines = [Line(f"z{number}", polygon=_around(points[number])) for number in sorted(points)]
    share = len(lines) / len(texts)
    segments = [
        Segment(
            f"s{number + 1}",
            [line.id or "" for line in lines[round(number * share) : round((number + 1) * share)]],
            translation=text,
        )
        for number, text in enumerate(texts)
    ]
    page = Page("p1", width, height, _DPI, 8, lines=lines)
    sections = [Section("sec1", "sentence", segments)]
    return Document(name, scan.name, "", 1, "", "", [page], sections), scan


def _around(points: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _preview(studio: Studio, document: Document, scan: Path, height: int = 680) -> QWidget:
    from madcat_studio.gui.rendering.preview import PagePreview

    dialog = PagePreview(studio.window, studio.window)
    dialog.resize(1080, height)
    dialog.show_page(document, 0, (scan, 0), scan.stem)
    dialog.show()
    studio.wait(dialog.export.isEnabled, 60)
    return dialog


def translated(studio: Studio) -> QWidget:
    """A page of the demo in English."""
    from madcat_studio.formats import madcat
    from madcat_studio.images.reading import ImageFinder

    path = sorted((resources() / "demo" / "reference").glob("*.madcat.xml"))[0]
    document = madcat.read(path).document
    scan = ImageFinder().find(document.src or "", path)
    assert scan is not None
    return _preview(studio, document, scan)


def translated_arabic(studio: Studio) -> QWidget:
    """A page that was written in English, in Arabic."""
    return _preview(studio, *written_page("latin_dancing", _ARABIC), _FLAT)


def translated_columns(studio: Studio) -> QWidget:
    """A page of two columns, in English."""
    return _preview(studio, *written_page("cols", _COLUMNS), _FLAT)
