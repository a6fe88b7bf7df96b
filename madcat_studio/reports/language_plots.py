"""The plots of a scorecard by language, out of the tables that the report has: also a saved one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from madcat_studio.reports.cards import CardReport, Drawing, PlotRow, interval_plot
from madcat_studio.reports.tables import Cell, Table

__all__ = ["LanguagePlot", "language_plots", "with_language_plots"]


@dataclass(frozen=True, slots=True)
class LanguagePlot:
    """Languages one below the other, in each the systems, the best first."""

    title: str
    rows: tuple[PlotRow, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a scorecard has it.

    Attributes:
        table: its name.
        language, system, value, low, high: keys of its columns; "" where there is none.
        title: of the plot.
        scale: what values are shown times.
    """

    table: str
    language: str
    system: str
    value: str
    low: str
    high: str
    title: str
    scale: float = 1.0


_LTB = _Source(
    "pairs", "pair", "system", "ltb_100", "ci_low", "ci_high", "LTB-100 by pair of languages"
)

_SOURCES = {
    "ltb": _LTB,
    "ltb-board": _LTB,
    "imtbench": _Source("by-target", "target", "system", "s", "", "", "S by target, in %", 100.0),
    "rosetta": _Source(
        *("languages", "language", "run", "chrf_plus_plus", "ci_lower", "ci_upper"),
        "chrF++ by target language",
    ),
}


def language_plots(report: CardReport) -> list[LanguagePlot]:
    """A plot for each set of systems that may stand beside each other; none of one language."""
    source = _SOURCES.get(report.schema)
    table = next((one for one in report.tables if source and one.name == source.table), None)
    if source is None or table is None:
        return []
    apart: dict[str, dict[str, list[PlotRow]]] = {}
    kinds = _kinds(report)
    for row in _rows(table):
        value = row.get(source.value)
        # Means over pairs stand in the same table.
        if not isinstance(value, int | float) or row.get("group") == "mean":
            continue
        language, system = str(row[source.language]), str(row[source.system])
        of_set = f"data set {row['set']}, " if "set" in row else ""
        kind = f"{of_set}{kinds.get((row.get('set'), system), '')}".strip(", ")
        low, high = (_scaled(row.get(name), source.scale) for name in (source.low, source.high))
        apart.setdefault(kind, {}).setdefault(language, []).append(
            PlotRow(system, source.scale * value, low, high, language)
        )
    return [
        LanguagePlot(", ".join(filter(None, (source.title, kind))), tuple(_ordered(languages)))
        for kind, languages in apart.items()
        if len(languages) > 1
    ]


def _ordered(languages: Mapping[str, list[PlotRow]]) -> Iterator[PlotRow]:
    for rows in languages.values():
        yield from sorted(rows, key=lambda row: -row.point)


def _rows(table: Table) -> Iterator[dict[str, Cell]]:
    keys = [column.key for column in table.columns]
    for row in table.rows:
        yield dict(zip(keys, row, strict=True))


def _kinds(report: CardReport) -> dict[tuple[Cell, str], str]:
    """The type of each LTB system, by its data set: types are never compared."""
    found: dict[tuple[Cell, str], str] = {}
    for table in report.tables:
        if not table.name.startswith("board-"):
            continue
        rest = table.name.removeprefix("board-")
        number, _, kind = rest.partition("-")
        of_set = int(number) if number.isdigit() else None
        for row in _rows(table):
            found[of_set, str(row["system"])] = kind if number.isdigit() else rest
    return found


def _scaled(value: Cell, scale: float) -> float | None:
    return scale * value if isinstance(value, int | float) else None


def with_language_plots(report: CardReport) -> CardReport:
    """The report with its plots by language as drawings of its page."""
    plots = language_plots(report)
    if not plots:
        return report
    drawings = (
        Drawing(one.title, "", interval_plot(one.rows, report.plot_range, one.title))
        for one in plots
    )
    return replace(report, drawings=(*report.drawings, *drawings))
