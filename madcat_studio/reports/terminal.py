"""Tables on a terminal, or as plain text in a file."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from madcat_studio.model.characters import marked
from madcat_studio.reports.table import Cell, CellKind, Column, Table

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult
    from rich.measure import Measurement

__all__ = ["WIDE", "console", "print_table"]

WIDE = 160
"""Characters of a line where the output is no terminal; more where the cells need them."""

_WIDE_ENOUGH = 110
_NO_EDGE = 100_000


def console(**options: Any) -> Console:
    """A console of Rich's that shows control characters in what it prints as marks.

    Args:
        options: as Rich's own ``Console`` takes them.
    """
    from rich.console import Console, RenderHook

    class Marks(RenderHook):
        def process_renderables(
            self, renderables: list[ConsoleRenderable]
        ) -> list[ConsoleRenderable]:
            return [_Marked(one) for one in renderables]

    made = Console(**options)
    made.push_render_hook(Marks())
    return made


class _Marked:
    """What is printed, with marks in its texts; Rich's own control sequences stay."""

    def __init__(self, within: ConsoleRenderable) -> None:
        self._within = within

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.segment import Segment

        for one in console.render(self._within, options):
            yield one if one.control else Segment(marked(one.text), one.style)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement.get(console, options, self._within)


def print_table(
    table: Table, narrow: Collection[str] | None = None, wide: Collection[str] | None = None
) -> None:
    """Print a table to the standard output.

    Args:
        table: of not too many rows.
        narrow: keys of columns that are shown where a line is short; all without it.
        wide: keys of columns that are shown where it is long; all without it.

    Counts that are nothing but zeros are left out, and the set where it is always the same.
    """
    if not sys.stdout.isatty():
        lines = _plain_lines(table, wide)
        if lines is not None:
            print("\n".join(lines))
            return
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    at_terminal = sys.stdout.isatty()
    screen = console() if at_terminal else console(width=WIDE)
    wanted = wide if screen.width >= _WIDE_ENOUGH else narrow
    rows = list(table.records())
    columns = _kept(table, rows, wanted)
    grid = Grid(title=table.title, title_justify="left", box=box.SIMPLE_HEAD)
    for column in columns:
        left = column.kind is CellKind.TEXT
        # Where there is too little room texts break into lines; no number is ever cut.
        grid.add_column(
            column.title,
            justify="left" if left else "right",
            no_wrap=not left,
            overflow="fold" if left else "ellipsis",
        )
    for row in rows:
        texts = (column.kind.shown(row[column.key]) or "–" for column in columns)
        grid.add_row(*(Text(text) for text in texts))
    if not at_terminal:  # a file has no edge
        room = screen.options.update(max_width=_NO_EDGE)
        screen.width = max(WIDE, screen.measure(grid, options=room).maximum)
    screen.print(grid)


def _kept(
    table: Table, rows: Sequence[Mapping[str, Cell]], wanted: Collection[str] | None
) -> list[Column]:
    """The columns that are shown."""
    columns = []
    for column in table.columns:
        cells = [row[column.key] for row in rows]
        if column.key == "set":
            keep = len(set(cells)) > 1
        elif column.kind is CellKind.COUNT and not any(cells):
            keep = False
        else:
            keep = wanted is None or column.key in wanted
        if keep:
            columns.append(column)
    return columns


_NARROW = frozenset(map(chr, range(0x20, 0x7F))) | {"\u202f", "\u2212", "–", "·"}
"""Characters that take one place each, wherever they stand."""


def _plain_lines(table: Table, wanted: Collection[str] | None) -> list[str] | None:
    """What Rich would write to a file, for tables of simple characters; else None.

    A command that scores two lines should not wait for a library of colours.
    """
    rows = list(table.records())
    columns = _kept(table, rows, wanted)
    shown = [
        [column.title, *(column.kind.shown(row[column.key]) or "–" for row in rows)]
        for column in columns
    ]
    if not columns or not _NARROW.issuperset(table.title.join(map("".join, shown))):
        return None
    widths = [max(map(len, cells)) for cells in shown]
    whole = sum(widths) + 3 * len(widths) + 1
    if len(table.title) > whole or not table.title:
        return None
    filled = [
        [cell.ljust(width) if column.kind is CellKind.TEXT else cell.rjust(width) for cell in cells]
        for column, cells, width in zip(columns, shown, widths, strict=True)
    ]
    lines = ["  " + "   ".join(cells) + "  " for cells in zip(*filled, strict=True)]
    lines.insert(1, " " + "─" * (whole - 2) + " ")
    return [table.title.ljust(whole), " " * whole, *lines, " " * whole]
