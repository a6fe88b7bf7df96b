"""Tables as plain text."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from madcat_studio.reports import terminal
from madcat_studio.reports.table import Cell, CellKind, Column, Table
from madcat_studio.reports.terminal import print_table


def any_table(rng: random.Random) -> Table:
    """Of all kinds of columns, with cells that are empty, long or no numbers."""
    cells: dict[CellKind, Callable[[], Cell]] = {
        CellKind.TEXT: lambda: rng.choice(["", "s1", "a text with blanks " * 8, " in", "out "]),
        CellKind.COUNT: lambda: rng.randrange(-3, 10 ** rng.randrange(1, 8)),
        CellKind.NUMBER: lambda: rng.random() * 1000 - 3,
        CellKind.RATE: lambda: rng.choice([rng.random(), "n/a"]),
        CellKind.FLAG: lambda: rng.random() < 0.5,
    }
    columns = tuple(
        Column(f"k{number}", rng.choice(["A", "Words", "Shifted words"]), rng.choice([*CellKind]))
        for number in range(rng.randrange(1, 30))
    )
    rows = [
        tuple(None if rng.random() < 0.1 else cells[column.kind]() for column in columns)
        for _ in range(rng.randrange(4))
    ]
    return Table("t", rng.choice(["T", "A title that is rather long", "عنوان"]), columns, rows)


@pytest.mark.long
def test_a_file_gets_what_rich_would_write(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Simple tables are laid out without Rich, since loading it takes longer than scoring."""
    rng = random.Random(1)
    tables = [any_table(rng) for _ in range(60)]
    for table in tables:
        print_table(table)
    own = capsys.readouterr().out
    simple = sum(terminal._plain_lines(table, None) is not None for table in tables)
    assert 10 < simple < 60
    monkeypatch.setattr(terminal, "_plain_lines", lambda *_: None)
    for table in tables:
        print_table(table)
    assert capsys.readouterr().out == own
