"""Sheets for scribes: what to copy, with what, on what and how fast, and a bar code of the BASE."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.reports.files import replacing
from madcat_studio.reports.pdf import ARABIC, FAMILY, close_fonts, new_paper

__all__ = ["Sheet", "bar_code", "check_bar_codes", "write_sheets"]

_PLAIN = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. ")
_PAIRS = {"_": "%O", **{letter: f"+{letter.upper()}" for letter in "abcdefghijklmnopqrstuvwxyz"}}
_WIDTH_MM = 182.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """One copy to be made."""

    base: str
    scribe: str
    passage: str
    implement: str
    surface: str
    speed: str
    text: str


def bar_code(base: str) -> str:
    """A BASE in the letters of Code 39, by its pairs for full ASCII.

    Raises:
        InputError: ``sheets.bar-code``: a letter that it cannot hold.

    >>> bar_code("AAW_a.1")
    'AAW%O+A.1'
    """
    for letter in base:
        if letter not in _PLAIN and letter not in _PAIRS:
            raise InputError(
                "sheets.bar-code",
                f"A bar code cannot hold {letter!r}",
                where=base,
                remedy="Name source documents and scribes with Latin letters, digits, - and .",
            )
    return "".join(_PAIRS.get(letter, letter) for letter in base)


def check_bar_codes(bases: Iterable[str]) -> None:
    """See that all of them can be written, before the first is.

    Raises:
        InputError: as :func:`bar_code`.
    """
    for base in bases:
        bar_code(base)


def write_sheets(sheets: Sequence[Sheet], path: Path) -> None:
    """Write a page for each sheet, or more where the text is long, as a PDF.

    Raises:
        InputError: as :func:`bar_code`.
        WorldError: ``report.cannot-write``.
    """
    codes = [bar_code(one.base) for one in sheets]
    pdf = new_paper("Sheets for scribes", "portrait")
    try:
        for number, (sheet, code) in enumerate(zip(sheets, codes, strict=True)):
            if number:
                pdf.add_page()
            # As wide as the page allows: a scanner wants bars that are not too narrow. A letter
            # has three wide bars and six narrow ones of a third, and a narrow gap.
            wide = min(1.2, _WIDTH_MM / ((3 + 7 / 3) * (len(code) + 2)))
            pdf.code39(f"*{code}*", x=14, y=12, w=wide, h=14)
            pdf.set_y(30)
            pdf.set_font(FAMILY, "B", 12)
            pdf.cell(0, 7, sheet.base, new_x="LMARGIN", new_y="NEXT")
            pdf.set_font(FAMILY, "", 10)
            for label, value in (
                ("Scribe", sheet.scribe),
                ("Passage", sheet.passage),
                ("Write with", sheet.implement),
                ("On", sheet.surface),
                ("Speed", sheet.speed),
            ):
                pdf.cell(30, 6, label)
                pdf.cell(0, 6, value, new_x="LMARGIN", new_y="NEXT")
            pdf.ln(5)
            pdf.set_font(ARABIC, "", 16)
            pdf.multi_cell(0, 12, sheet.text, align="R", new_x="LMARGIN", new_y="NEXT")
        with replacing(path) as beside:
            beside.write_bytes(bytes(pdf.output()))
    finally:
        close_fonts(pdf)
