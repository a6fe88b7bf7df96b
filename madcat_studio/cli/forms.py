"""``--format json``: what a command shows, for a script, in one way everywhere.

Names are those of the program's values. Times are UTC in ISO 8601, a segment is ``BASE/segment``, a
rate that is none is null, and what is not known is null.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from madcat_studio.reports.cards import CardReport
    from madcat_studio.reports.tables import Table

__all__ = ["Form", "FormOption", "plain", "put", "put_card", "table_rows"]


class Form(StrEnum):
    """How a command shows something."""

    TEXT = "text"
    JSON = "json"


FormOption = Annotated[Form, typer.Option("--format", help="Lines to read, or JSON.")]


def put(value: object) -> None:
    """Print a value as JSON; control characters of others are escaped, as JSON wants it."""
    import json

    text = json.dumps(plain(value), indent=1, ensure_ascii=False, allow_nan=False)
    # C1 controls and the like are no escapes to JSON, and yet commands to a terminal.
    shown = "".join(one if one.isprintable() or one == "\n" else _escaped(one) for one in text)
    sys.stdout.write(shown + "\n")


def _escaped(one: str) -> str:
    return "".join(f"\\u{unit:04x}" for unit in _units(one))


def _units(one: str) -> list[int]:
    data = one.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[place : place + 2]) for place in range(0, len(data), 2)]


def plain(value: object) -> Any:
    """A value of the program's as JSON knows values."""
    from madcat_studio.model.campaign import SegmentName

    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, SegmentName):
        return str(value)
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(one) for name, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        own = {one.name.removesuffix("_"): getattr(value, one.name) for one in fields(value)}
        return plain(own)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain({name.removesuffix("_"): one for name, one in value._asdict().items()})
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return str(value)


def put_card(report: CardReport) -> None:
    """Print a report as its JSON file has it."""
    from madcat_studio.reports.cards import card_document

    put(card_document(report))


def table_rows(table: Table) -> list[dict[str, Any]]:
    """The rows of a table by the keys of its columns."""
    from madcat_studio.reports.tables import NOT_A_RATE

    return [
        {key: None if cell == NOT_A_RATE else plain(cell) for key, cell in row.items()}
        for row in table.records()
    ]
