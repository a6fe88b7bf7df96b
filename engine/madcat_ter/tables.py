"""Columns of tables as lists of texts: pandas, polars, Arrow and numpy as they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from madcat_ter.errors import InputError

__all__ = ["lists_of", "texts_of"]


def texts_of(column: Any, what: str) -> list[str]:
    """The texts of a list, or of a column of pandas, polars, Arrow or numpy.

    Args:
        column: one text a row. Nothing is imported for it: a column knows how to become a list.
        what: what an error calls it.

    Raises:
        InputError: a single text, no sequence at all, or a row that is no text, by its number from
            1: a missing value of pandas is a number and no empty text.
    """
    rows = _rows(column, what)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, str):
            raise _no_text(what, number, row)
    return rows


def lists_of(column: Any, what: str) -> list[list[str]]:
    """The references of each segment: a list in each row, or one text.

    Raises:
        InputError: as :func:`texts_of`; None within a list of references is left out.
    """
    return [
        [row] if isinstance(row, str) else _references(row, what, number)
        for number, row in enumerate(_rows(column, what), 1)
    ]


def _references(row: Any, what: str, number: int) -> list[str]:
    if not isinstance(row, Iterable) or isinstance(row, Mapping | Set):
        raise _no_text(what, number, row)
    texts = [text for text in row if text is not None]
    for text in texts:
        if not isinstance(text, str):
            raise _no_text(what, number, text)
    return texts


def _rows(column: Any, what: str) -> list[Any]:
    if isinstance(column, str | bytes):
        raise InputError(
            "scoring.bare-string",
            f"{what} must be a list of texts, not a single {type(column).__name__}",
            remedy="Put it into a list: [text]",
        )
    if (
        isinstance(column, Mapping | Set)
        or hasattr(column, "columns")  # pandas and polars
        or hasattr(column, "column_names")  # Arrow
    ):
        # What a loop over these gives are names, or texts in no order.
        raise InputError(
            "scoring.not-text",
            f"{what} is a {type(column).__name__}, not one column of texts",
            remedy='Pass a list, or name the column: table["text"]',
        )
    for name in ("to_pylist", "to_list", "tolist"):  # Arrow; pandas and polars; numpy
        if make := getattr(column, name, None):
            return list(make())
    if not isinstance(column, Iterable):
        raise InputError(
            "scoring.not-text",
            f"{what} is a {type(column).__name__}, not a list of texts",
            remedy="Pass a list, or a column of a table",
        )
    return list(column)


def _no_text(what: str, number: int, row: Any) -> InputError:
    return InputError(
        "scoring.not-text",
        f"row {number} of {what} is a {type(row).__name__} ({row!r}), not a text",
        remedy="Fill missing values with an empty text, or drop the row on both sides",
    )
