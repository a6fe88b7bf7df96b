"""The report on paper: a PDF with the tables that fit a page, and what their numbers depend on."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QMarginsF, QSizeF
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from madcat_studio.errors import WorldError
from madcat_studio.gui.coordinator.scored import ScoredCampaign, ScoredTable
from madcat_studio.gui.coordinator.tablemodel import FIGURES, shown_cell
from madcat_studio.gui.translation import tr, tr_clauses, tr_figure, tr_report
from madcat_studio.reports.tables import Cell, Column

__all__ = ["print_report"]

_MOST_COLUMNS = 10
_NEEDED = ("hter", "first_hter", "edits", "words", "segments")
"""Columns that no table goes without, where it has them."""

_STYLE = """
body { color: #222; }
h1 { font-size: 18pt; margin-bottom: 2pt; }
h2 { font-size: 12pt; margin-top: 14pt; margin-bottom: 2pt; }
p { margin: 2pt 0; }
p.small { color: #555; font-size: 7.5pt; }
th { font-size: 8pt; font-weight: bold; border-bottom: 1px solid #777; }
td { font-size: 8pt; border-bottom: 1px solid #ddd; }
"""


def print_report(scored: ScoredCampaign, path: Path, families: Sequence[str]) -> None:
    """Write the report as a PDF in A4, landscape.

    Args:
        scored: what the window shows.
        path: the file; it is written beside and then put in its place.
        families: fonts, with one that has Arabic letters among them.

    Raises:
        WorldError: the file cannot be written; an older one is as it was.
    """
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.touch()
        writer = QPdfWriter(str(beside))
        writer.setTitle(scored.title)
        writer.setCreator("MADCAT Studio")
        writer.setResolution(300)
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageOrientation(QPageLayout.Orientation.Landscape)
        writer.setPageMargins(QMarginsF(14, 14, 14, 14), QPageLayout.Unit.Millimeter)
        document = QTextDocument()
        font = QFont()
        font.setFamilies(list(families))
        font.setPointSizeF(9)
        document.setDefaultFont(font)
        document.setDefaultStyleSheet(_STYLE)
        document.setHtml(_html(scored))
        document.documentLayout().setPaintDevice(writer)
        area = writer.pageLayout().paintRectPixels(writer.resolution())
        document.setPageSize(QSizeF(area.size()))
        document.print_(writer)
        del writer  # closes the file
        if not beside.stat().st_size:
            raise OSError(None, tr("nothing could be written"))
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise WorldError(
            "gui.cannot-print",
            f"The PDF cannot be written ({error.strerror})",
            where=path,
            remedy="Choose a folder where you can write, on a disk with room",
        ) from error


def _html(scored: ScoredCampaign) -> str:
    parts = [f"<h1>{escape(scored.title)}</h1>", f"<p>{escape(scored.made)}</p>"]
    if scored.preliminary:
        said = tr("Preliminary: {why}", why=tr_clauses(scored.preliminary))
        parts.append(f"<p><b>{escape(said)}</b></p>")
    parts += [f"<p>{escape(warning)}</p>" for warning in scored.warnings]
    parts += [_table(table) for table in scored.tables if table.rows and not table.long]
    signature = scored.signatures.get(str(scored.denominator), "")
    # A signature is one long word; it may break behind each of its parts.
    broken = escape(signature).replace("|", "|\u200b").replace(":", ":\u200b")
    parts.append(f'<p class="small">{broken}</p>')
    return "".join(parts)


def _table(table: ScoredTable) -> str:
    chosen = _chosen(table.columns)
    columns = [table.columns[number] for number in chosen]
    head = "".join(
        f'<th align="{_side(column)}">{escape(tr_report(column.title))}</th>' for column in columns
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td align="{_side(column)}">{escape(_shown(column, row[number]))}</td>'
            for number, column in zip(chosen, columns, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return (
        f"<h2>{escape(tr_report(table.title))}</h2>"
        f'<table width="100%" cellspacing="0" cellpadding="3"><thead><tr>{head}</tr></thead>'
        f"{rows}</table>"
    )


def _shown(column: Column, cell: Cell) -> str:
    """A cell as the window shows it."""
    shown = shown_cell(column, cell)
    return tr_figure(shown) if column.kind in FIGURES else shown


def _chosen(columns: Sequence[Column]) -> list[int]:
    """The columns that fit: the needed ones, then the others in their order."""
    needed = [number for number, column in enumerate(columns) if column.key in _NEEDED]
    others = [number for number in range(len(columns)) if number not in needed]
    return sorted([*needed, *others[: _MOST_COLUMNS - len(needed)]])


def _side(column: Column) -> str:
    return "right" if column.kind in FIGURES else "left"
