"""A report as a PDF: the verdict with its handwriting, the tables that fit a page, the signature.

It needs no window: fonts come with matplotlib, and with the program for Arabic letters.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from madcat_studio.paths import resources
from madcat_studio.reports.files import replacing
from madcat_studio.reports.tables import Cell, CellKind, Column, Report, Table

if TYPE_CHECKING:
    from fpdf import FPDF

__all__ = [
    "ARABIC",
    "FAMILY",
    "MOST_ROWS",
    "chosen_columns",
    "close_fonts",
    "drawn_by_neighbours",
    "new_paper",
    "write_pdf",
]

MOST_ROWS = 100
"""Rows of a table on paper, three pages; the CSV files have them all."""

_MOST_COLUMNS = 10
_NEEDED = ("hter", "hter_first", "edits", "words", "segments")
"""Columns that no table goes without, where it has them."""

_LEFT_OUT = ("most-different", "worst-segments", "best-segments")
"""Tables of whole texts, which are read on a screen."""

_ON_TOP = "verdict"
"""The table that is no table on paper."""

_SIDE_BY_SIDE = re.compile(r"[\x00-\u02ff\u2000-\u2bff]*")
"""Letters that are drawn as they are, whatever stands beside them: Latin ones, digits, signs."""

_RIGHT = (CellKind.COUNT, CellKind.NUMBER, CellKind.RATE)
_INK, _SOFT, _RULE = (34, 34, 34), (95, 95, 95), (190, 190, 190)
_PICTURE_MM = (150.0, 32.0)
FAMILY, ARABIC = "DejaVu", "Naskh"


def chosen_columns(columns: Sequence[Column]) -> list[int]:
    """The columns that fit: the needed ones, then the others in their order."""
    needed = [number for number, column in enumerate(columns) if column.key in _NEEDED]
    others = [number for number in range(len(columns)) if number not in needed]
    return sorted([*needed, *others[: max(0, _MOST_COLUMNS - len(needed))]])


def write_pdf(report: Report, path: Path) -> None:
    """Write the report as a PDF in A4, landscape.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    pdf = new_paper(f"{report.title}: {report.kind} report", "landscape")
    try:
        _head(pdf, report)
        if report.verdict is not None:
            _verdict(pdf, report)
        elsewhere: list[Table] = []
        for table in report.tables:
            if table.long or table.name in _LEFT_OUT:
                elsewhere.append(table)
            elif table.name != _ON_TOP and table.count():
                _table(pdf, table)
        _foot(pdf, report, elsewhere)
        with replacing(path) as beside:
            beside.write_bytes(bytes(pdf.output()))
    finally:
        close_fonts(pdf)


def close_fonts(pdf: FPDF) -> None:
    """Let go of the files of a paper's fonts."""
    from fpdf.fonts import TTFFont

    for font in pdf.fonts.values():
        if isinstance(font, TTFFont):
            font.ttfont.close()


def new_paper(title: str, orientation: Literal["portrait", "landscape"]) -> FPDF:
    """An A4 paper with a first page, and fonts for Latin and Arabic letters."""
    import logging

    import matplotlib as mpl
    from fpdf import FPDF

    # It logs each table of a font that it does not need.
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    pdf = FPDF(orientation=orientation, format="A4")
    fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
    pdf.add_font(FAMILY, "", fonts / "DejaVuSans.ttf")
    pdf.add_font(FAMILY, "B", fonts / "DejaVuSans-Bold.ttf")
    pdf.add_font(ARABIC, "", resources() / "fonts" / "NotoNaskhArabic-Regular.ttf")
    # Letters of a script that is written joined are chosen by their neighbours.
    pdf.set_text_shaping(use_shaping_engine=True)
    pdf.set_fallback_fonts([ARABIC], exact_match=False)
    pdf.set_title(title)
    pdf.set_creator("MADCAT Studio")
    pdf.set_auto_page_break(auto=True, margin=14)
    pdf.set_margins(14, 14)
    pdf.add_page()
    pdf.set_text_color(*_INK)
    return pdf


def _say(pdf: FPDF, text: str, size: float = 9, style: str = "", **more: Any) -> None:
    pdf.set_font(FAMILY, style, size)
    # An English sentence runs from the left, also where it begins with an Arabic name.
    text = text if text.isascii() else f"\u200e{text}"
    pdf.multi_cell(0, size * 0.5, text, align="L", new_x="LMARGIN", new_y="NEXT", **more)


def _heading(pdf: FPDF, text: str) -> None:
    pdf.ln(3)
    _say(pdf, text, 12, "B")
    pdf.ln(1)


def _head(pdf: FPDF, report: Report) -> None:
    _say(pdf, report.title, 18, "B")
    pdf.set_text_color(*_SOFT)
    state = "preliminary" if report.preliminary else "final"
    _say(pdf, f"{report.kind} report, {state}, {report.made}")
    pdf.set_text_color(*_INK)
    for sentence in report.preliminary:
        _say(pdf, f"Preliminary: {sentence}.", 9, "B")


def _verdict(pdf: FPDF, report: Report) -> None:
    verdict = report.verdict
    assert verdict is not None
    pdf.ln(2)
    for one in verdict.standings:
        _say(pdf, f"{one.place}. {one.sentence}.", 11)
    pdf.ln(1)
    for duel in verdict.duels:
        _say(pdf, duel.sentence)
    for one in verdict.standings:
        if told := verdict.weakness(one.system):
            _say(pdf, told)
    if verdict.lines:
        _heading(pdf, "Worst lines of each system")
    for line in verdict.lines:
        if pdf.will_page_break(_PICTURE_MM[1] + 15):
            pdf.add_page()
        name = f"{line.system}, {line.document}/{line.segment}, {line.hter * 100:.1f} %"
        _say(pdf, name, 9, "B")
        picture = report.pictures.get((line.document, line.segment), "")
        if picture:
            _picture(pdf, base64.b64decode(picture.partition(",")[2]))
        _say(pdf, f"{line.told}.")
        pdf.ln(1)
    for sentence in report.warnings:
        _say(pdf, sentence, 8)


def _picture(pdf: FPDF, data: bytes) -> None:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        wide, high = image.size
    scale = min(_PICTURE_MM[0] / wide, _PICTURE_MM[1] / high)
    pdf.image(io.BytesIO(data), w=wide * scale, h=high * scale)


def _table(pdf: FPDF, table: Table) -> None:
    from fpdf.enums import TableBordersLayout, TextEmphasis
    from fpdf.fonts import FontFace

    chosen = chosen_columns(table.columns)
    columns = [table.columns[number] for number in chosen]
    rows = list(islice(table.rows, MOST_ROWS))
    if pdf.will_page_break(30):
        pdf.add_page()
    _heading(pdf, table.title)
    pdf.set_font(FAMILY, "", 7)
    pdf.set_draw_color(*_RULE)
    shown = [[_shown(column, row[number]) for number, column in zip(chosen, columns, strict=True)]
             for row in rows]  # fmt: skip
    # It takes three times as long to draw letters by their neighbours, and most tables have none.
    pdf.set_text_shaping(any(drawn_by_neighbours(text) for cells in shown for text in cells))
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        col_widths=_widths(columns, shown),
        headings_style=FontFace(emphasis=TextEmphasis.B, color=_SOFT),
        line_height=3.6,
        padding=0.6,
        text_align=tuple("RIGHT" if column.kind in _RIGHT else "LEFT" for column in columns),
    ) as drawn:
        drawn.row([column.title for column in columns])
        for cells in shown:
            drawn.row(cells)
    pdf.set_text_shaping(use_shaping_engine=True)
    left_out = table.count() - len(rows)
    if left_out:
        _say(pdf, f"The first {len(rows):,} rows; {table.name}.csv has {left_out:,} more.", 7)


def drawn_by_neighbours(text: str) -> bool:
    """Whether it has letters whose form is told by those beside them, or that stand over others."""
    return _SIDE_BY_SIDE.fullmatch(text) is None


def _shown(column: Column, cell: Cell) -> str:
    return column.kind.shown(cell)


def _widths(columns: Sequence[Column], shown: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Shares of the paper's width: as long as what stands in a column, within limits."""
    lengths = (
        max([len(column.title) // 2, *(len(row[place]) for row in shown)])
        for place, column in enumerate(columns)
    )
    return tuple(min(60, max(8, length)) for length in lengths)


def _foot(pdf: FPDF, report: Report, elsewhere: Sequence[Table]) -> None:
    pdf.ln(4)
    pdf.set_text_color(*_SOFT)
    named = [f"{one.title} ({one.name}.csv)" for one in elsewhere if one.count()]
    if named:
        told = "Not on paper, but in the page, the workbook and the CSV files"
        _say(pdf, f"{told}: {', '.join(named)}.", 7)
    for sentence in report.notes:
        _say(pdf, sentence, 7)
    for name, text in report.signature_lines():
        # A signature is one long word: it may break at any letter.
        _say(pdf, f"{name}: {text}", 6, wrapmode="CHAR")
    pdf.set_text_color(*_INK)
