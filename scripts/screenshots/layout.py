"""Pictures of neighbours' pages, opened and corrected in place: a table, margin notes, a newspaper.

The pages are those of the tests; their scans are drawn from what they say.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.screenshots.seeing import plain

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView
    from scripts.screenshots.studio import Studio

__all__ = ["margin", "newspaper", "table"]

DATA = Path("tests") / "data"


def table(studio: Studio) -> None:
    """A table with its cells; the text of one was corrected."""
    view = _opened(studio, DATA / "documents" / "table.page.xml")
    _corrected(view, "A. Writer", "A. Writer, clerk")
    _with_regions(view, 3)


def margin(studio: Studio) -> None:
    """A page with a note in its margin, which gets another type."""
    view = _opened(studio, DATA / "documents" / "line-transcribed.page.xml")
    _with_regions(view, 2)
    if not view.is_modified():
        view.features.regions.panel.named.emit("TextRegion", "footnote")


def newspaper(studio: Studio) -> None:
    """A newspaper in ALTO, a word of it corrected."""
    view = _opened(studio, DATA / "real" / "dinglehopper_test.alto2.xml")
    _corrected(view, "Zugtiere", "Zugthiere")
    _with_regions(view, 3)


def _opened(studio: Studio, sample: Path) -> PageView:
    folder = studio.home / "neighbours" / sample.name.partition(".")[0]
    path = folder / sample.name
    if not path.exists():
        folder.mkdir(parents=True)
        data = sample.read_bytes()
        if b"fileName" not in data and b"<alto" in data:
            said = b"<sourceImageInformation><fileName>scan.png</fileName></sourceImageInformation>"
            data = re.sub(rb"(</MeasurementUnit>)", rb"\1" + said, data, count=1)
        path.write_bytes(data)
        _draw_scan(path)
    plain(studio)
    return studio.pages(path)


def _draw_scan(path: Path) -> None:
    """Draw paper with what each line says where it lies."""
    from PIL import Image
    from PySide6.QtCore import QBuffer, QIODevice, QRectF, Qt
    from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPixmap

    from madcat_studio.formats.documents import read_document
    from madcat_studio.formats.source import Source
    from madcat_studio.model.geometry import bounding_box

    document = read_document(Source(path.read_bytes(), str(path), path)).document
    page = document.pages[0]
    picture = QImage(page.width or 1, page.height or 1, QImage.Format.Format_RGB32)
    picture.fill(QColor("#f3eee2"))
    painter = QPainter(picture)
    painter.setPen(QColor("#2b2620"))
    for line, segment in zip(page.lines, document.segments(), strict=True):
        left, top, right, bottom = bounding_box(line.polygon) or (0, 0, 1, 1)
        font = QFont("Amiri")
        font.setPixelSize(max(int((bottom - top) * 0.62), 8))
        text = segment.transcription or ""
        width = QFontMetricsF(font).horizontalAdvance(text) or 1
        painter.save()
        painter.setFont(font)
        painter.translate(left, top)
        painter.scale(min((right - left) / width, 1.4), 1.0)
        box = QRectF(0, 0, max(width, 1), bottom - top)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QPixmap.fromImage(picture).save(buffer, "PNG")
    Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("L").save(
        path.parent / (document.src or "scan.png"), dpi=(300, 300)
    )


def _corrected(view: PageView, before: str, after: str) -> None:
    """Change a word or a line's text, and save."""
    from madcat_studio.edits import Edit, SetTokenText, SetTranscription

    workspace = view.workspace
    assert workspace is not None
    for s, section in enumerate(workspace.document.sections):
        for g, segment in enumerate(section.segments):
            tokens = [t for t, token in enumerate(segment.tokens) if token.source == before]
            edits: list[Edit] = [SetTokenText(s, g, t, after) for t in tokens]
            if not segment.tokens and segment.transcription == before:
                edits.append(SetTranscription(s, g, after))
            for edit in edits:
                view.execute(edit)
                view.choice.segment((s, g))
                view.side.mark_segment((s, g))
    if view.is_modified():
        view.save()


def _with_regions(view: PageView, number: int) -> None:
    """The tool for regions in the hand, one of them chosen."""
    regions = view.features.regions
    if not regions.is_on:
        regions.take()
    view.side.tabs.setCurrentWidget(regions.panel)
    regions.panel.list.setCurrentRow(-1)
    regions.panel.list.setCurrentRow(number)
    view.canvas.camera.fit()
