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
from types import NoneType
from typing import Any, NamedTuple

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


_NUMBER = "\0"  # stands for the row's number: no plain text has it

_BETWEEN = "\u2502"
"""Between texts that are looked through at once. A text may have it: then a blank beside it is
taken for one at an edge, and the row is spelt cell by cell."""

_UNUSUAL = ("&", "<", ">", "_x", f" {_BETWEEN}", f"{_BETWEEN} ")
"""What has to be spelt in another way."""


class _Form(NamedTuple):
    """How a row is spelt.

    Attributes:
        spelt: with a place for each cell that holds something.
        texts, numbers: which cells are texts, and numbers with a fraction.
        whole: whether every cell holds something.
    """

    spelt: str
    texts: list[int]
    numbers: list[int]
    whole: bool


class CellRows:
    """Writes rows of one sheet.

    Args:
        sheet: of XlsxWriter, in a workbook with ``constant_memory``.
        styles: its format of each column.
    """

    def __init__(self, sheet: Any, styles: Sequence[Any]) -> None:
        from xlsxwriter.utility import xl_col_to_name

        self._sheet = sheet
        self._forms: dict[tuple[type, ...], _Form] = {}  # by the types of a row's cells
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
        spelt = self._at_once(number, cells)
        if spelt is None:
            spelt = self._one_by_one(number, cells)
        if not spelt:
            return
        sheet = self._sheet
        sheet._check_dimensions(row, 0)
        if row > sheet.previous_row:
            sheet._write_single_row(row)  # those that the library has still to write
        sheet.row_data_fh.write(f'<row r="{number}">{spelt}</row>')

    def _at_once(self, number: int, cells: tuple[Cell, ...]) -> str | None:
        """A row of plain texts and usual numbers, as nearly all are; None: it is none."""
        kinds = tuple(map(type, cells))
        form = self._forms.get(kinds)
        if form is None:
            form = self._forms[kinds] = self._form_of(kinds)
        joined = _BETWEEN.join([cells[place] for place in form.texts])  # type: ignore[misc]
        if (
            not joined.isprintable()
            or 2 * len(joined) > _MOST_CHARACTERS
            or any(map(joined.__contains__, _UNUSUAL))
            or joined.startswith(" ")
            or joined.endswith(" ")
        ):
            return None
        for place in form.numbers:
            if not (0.0001 <= cells[place] < 1e15 or cells[place] == 0):  # type: ignore[operator]
                return None  # spelt with an exponent, perhaps, or none at all
        values = cells if form.whole else tuple([cell for cell in cells if cell is not None])
        return (form.spelt % values).replace(_NUMBER, str(number))

    def _form_of(self, kinds: tuple[type, ...]) -> _Form:
        """How rows are spelt whose cells are of these types."""
        parts: list[str] = []
        for (start, text, value, flag), kind in zip(self._columns, kinds, strict=True):
            if issubclass(kind, str):
                parts.append(f"{start}{_NUMBER}{text}>%s</t></is></c>")
            elif issubclass(kind, bool):
                parts.append(f"{start}{_NUMBER}{flag}%d</v></c>")
            elif kind is not NoneType:
                parts.append(f"{start}{_NUMBER}{value}%s</v></c>")
        return _Form(
            "".join(parts),
            [place for place, kind in enumerate(kinds) if issubclass(kind, str)],
            [place for place, kind in enumerate(kinds) if issubclass(kind, float)],
            NoneType not in kinds,
        )

    def _one_by_one(self, number: int, cells: tuple[Cell, ...]) -> str:
        """Any row, cell by cell."""
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
        return "".join(parts)

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
