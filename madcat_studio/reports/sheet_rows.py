"""Rows of a long table, put into a workbook's sheet as the XML that they are.

XlsxWriter makes an object of each cell and asks several functions about it: some 5 us, and a report
has fifty cells a segment. Rows that have nothing but cells are spelt here, byte for byte as it
spells them, into the file in which it gathers a sheet's rows (``constant_memory``); rows with more
to them are left to it. Quicker libraries (rustpy-xlsxwriter, fastxlsx, pyexcelerate) know no notes,
pictures, filters or settings of the paper, and one workbook has one writer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from madcat_studio.reports.table import Cell

__all__ = ["CellRows", "Exact", "fitting"]

_MOST_CHARACTERS = 32_767  # of one cell, a limit of the format
_CUT = " … [cut; the CSV has the whole text]"


class Exact(float):
    """A number with all its digits: XlsxWriter asks for 16 of them, and 17 tell any two apart."""

    def __format__(self, _: str) -> str:
        return repr(float(self)).upper()


def fitting(text: str) -> str:
    """A text as a cell can hold it: half characters become U+FFFD, and what is too long is cut."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    # A character takes at most two of those that are counted.
    if 2 * len(text) <= _MOST_CHARACTERS:
        return text
    if len(text.encode("utf-16-le")) // 2 <= _MOST_CHARACTERS:
        return text
    return text[: (_MOST_CHARACTERS - len(_CUT)) // 2] + _CUT


class CellRows:
    """Writes rows of one sheet.

    Args:
        sheet: of XlsxWriter, in a workbook with ``constant_memory``.
        styles: its format of each column.
    """

    def __init__(self, sheet: Any, styles: Sequence[Any]) -> None:
        from xlsxwriter.utility import xl_col_to_name

        self._sheet = sheet
        self._columns = []
        for place, style in enumerate(styles):
            styled = f'" s="{style._get_xf_index()}"'
            self._columns.append(
                (
                    f'<c r="{xl_col_to_name(place)}',
                    f'{styled} t="inlineStr"><is><t',
                    f"{styled}><v>",
                    f'{styled} t="b"><v>',
                )
            )

    def write(self, row: int, cells: tuple[Cell, ...]) -> None:
        """Write a row that comes behind all others, and has no height, note or picture.

        Raises:
            ValueError: a number that is none.
        """
        number = row + 1
        parts = []
        for (start, text, value, flag), cell in zip(self._columns, cells, strict=True):
            if cell is None:
                continue
            if isinstance(cell, str):
                parts.append(f"{start}{number}{text}{self._spelt(cell)}</t></is></c>")
            elif isinstance(cell, bool):
                parts.append(f"{start}{number}{flag}{int(cell)}</v></c>")
            elif isfinite(cell):
                parts.append(f"{start}{number}{value}{str(cell).upper()}</v></c>")
            else:
                raise ValueError(f"{cell} is no number of a workbook")
        if not parts:
            return
        sheet = self._sheet
        sheet._check_dimensions(row, 0)
        if row > sheet.previous_row:
            sheet._write_single_row(row)  # those that the library has still to write
        sheet.row_data_fh.write(f'<row r="{number}">{"".join(parts)}</row>')

    def _spelt(self, text: str) -> str:
        """The end of an element's start, and what stands in it."""
        # Characters that XML cannot hold, and carriage returns, which its readers turn into line
        # feeds, are stored as _xHHHH_. None of them is printable.
        if not text.isprintable() or "_x" in text or 2 * len(text) > _MOST_CHARACTERS:
            text = self._sheet._escape_control_characters(fitting(text))
        around = text[:1].isspace() or text[-1:].isspace()
        if "&" in text:
            text = text.replace("&", "&amp;")
        if "<" in text:
            text = text.replace("<", "&lt;")
        if ">" in text:
            text = text.replace(">", "&gt;")
        return f' xml:space="preserve">{text}' if around else f">{text}"
