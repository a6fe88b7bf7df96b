"""A scorecard's report: headline figures, an interval plot, tables; as HTML, JSON and CSV.

The workbook comes from :mod:`madcat_studio.reports.spreadsheet`, which takes it as it is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError
from madcat_studio.reports.files import replacing
from madcat_studio.reports.html import MOST_ROWS
from madcat_studio.reports.tables import Cell, CellKind, Column, Table
from madcat_studio.reports.templated import TEMPLATES, template

__all__ = [
    "CardReport",
    "Drawing",
    "Exhibit",
    "Figure",
    "PlotRow",
    "card_document",
    "interval_plot",
    "read_card_json",
    "shown_cell",
    "write_card_html",
    "write_card_json",
]

FORMAT_VERSION = 1

_KINDS = {
    "ltb": "LTB-100",
    "ltb-board": "LTB-100 board",
    "rosetta": "Rosetta",
    "imtbench": "IMTBench",
    "evaluation": "Evaluation",
    "trust": "Trust of metrics",
}

# What a saved result has around the scorecard's own values.
_FRAME = frozenset(
    {
        *("format", "version", "title", "made", "signatures", "input_sha256", "warnings"),
        *("rules", "figures", "plot", "tables"),
    }
)


_DIGITS = {
    "composite": 4,
    "exact_match_rate": 4,
    "equivalent_match_rate": 4,
    "fst_acceptance_rate": 4,
    "semantic_score": 4,
    "code_switching_rate": 4,
    "hallucination_rate": 4,
    "terminology_adherence": 4,
    "consistency_score": 4,
    "morphological_accuracy": 4,
    "orthographic_accuracy": 4,
    "compliance_index": 4,
    "cost_adjusted": 4,
    "chrf_plus_plus": 2,
    "bleu": 2,
    "chrf": 2,
    "ltb_100": 2,
    "extension_ltb_100": 2,
    **dict.fromkeys(("ltb_next", "ltb_next_low", "ltb_next_high", "ltb_ssim", "ocr"), 2),
    **dict.fromkeys(("comet", "comet_kiwi", "ltb_comet", "ltb_comet_kiwi"), 2),
    "area": 0,
}
"""Digits behind the point, where the documents' own examples have other than three."""

_LONG_TEXTS = frozenset(
    {
        *("output", "reference", "source", "predicted", "expected", "reasoning", "text"),
        *("note", "why", "warnings", "ranking"),
    }
)
"""Columns whose cells may run over several lines."""

_OF_METRIC = frozenset({"value", "ci_lower", "ci_upper", "score_a", "score_b", "delta"})


def shown_cell(row: Sequence[Cell], index: int, columns: Sequence[Column]) -> str:
    """A cell as people read it, with the digits that its metric has in the document."""
    cell, column = row[index], columns[index]
    if isinstance(cell, float) and column.kind is CellKind.NUMBER:
        digits = _DIGITS.get(column.key)
        if column.key in _OF_METRIC:
            names = [
                str(other) for other, own in zip(row, columns, strict=True) if own.key == "metric"
            ]
            digits = _DIGITS.get(names[0]) if names else None
        elif column.key in ("ci_low", "ci_high") and any(own.key == "ltb_100" for own in columns):
            digits = _DIGITS["ltb_100"]
        if digits is not None:
            return f"{cell:,.{digits}f}"
    return column.kind.shown(cell)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in large type: whose it is, what it is, and small print."""

    who: str
    value: str
    how: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlotRow:
    """A point with its interval in the plot; the interval may be missing.

    Attributes:
        group: what rows that follow each other are headed with, such as a language; "" for none.
    """

    label: str
    point: float
    low: float | None
    high: float | None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing in the page, as SVG that takes its colours; what it says stands in tables too."""

    title: str
    note: str
    svg: str


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What a drawing's point or a row leads to in the page: its texts, and perhaps a picture.

    Attributes:
        address: of the exhibit in the page.
        head, facts: its title and the line below it.
        texts: each with what it is.
        picture: as a ``data:`` address, or "".
        alt: what the picture shows, or "": the handwriting of ``head``.
        over: SVG that lies over the picture, or "".
        place: the columns and cells of the rows that lead to it; none leads to it without.
    """

    address: str
    head: str
    facts: str
    texts: tuple[tuple[str, str], ...]
    picture: str = ""
    alt: str = ""
    over: str = ""
    place: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardReport:
    """A scorecard's report.

    Attributes:
        title: what was scored.
        kind: the scorecard, such as ``LTB-100``.
        schema: the name of the schema that ``result`` follows, without its suffix.
        made: when, in UTC.
        signatures: of what -> the line that tells all settings.
        hashes: name of an input -> SHA-256.
        warnings: what the reader must know.
        notes: the rules that the numbers follow, one sentence each.
        figures: the headline.
        plot: points with intervals, from best to worst.
        plot_range: the ends of the plot's axis.
        plot_title: what the plot shows.
        tables: in the order of reading.
        result: everything, as JSON values.
        drawings, exhibits: of the page alone.
    """

    title: str
    kind: str
    schema: str
    made: str
    signatures: Mapping[str, str]
    hashes: Mapping[str, str]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    result: Mapping[str, Any]
    figures: tuple[Figure, ...] = ()
    plot: tuple[PlotRow, ...] = ()
    plot_range: tuple[float, float] = (0.0, 100.0)
    plot_title: str = ""
    drawings: tuple[Drawing, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    preliminary: tuple[str, ...] = field(default=(), init=False)

    def signature_lines(self) -> list[tuple[str, str]]:
        """Each signature with what it is the signature of."""
        return list(self.signatures.items())

    def table(self, name: str) -> Table:
        """The table of that name."""
        return next(table for table in self.tables if table.name == name)

    def about(self) -> Table:
        """What the report is and what its numbers depend on, as a table of its own."""
        entries = [
            ("title", self.title),
            ("kind", self.kind),
            ("made", self.made),
            *((f"signature, {name}", text) for name, text in self.signatures.items()),
            *((f"SHA-256, {name}", text) for name, text in self.hashes.items()),
            *(("note well", text) for text in self.warnings),
            *(("rule", text) for text in self.notes),
        ]
        return Table("about", "About", (Column("what", "What"), Column("text", "Text")), entries)


def card_document(report: CardReport) -> dict[str, Any]:
    """The report as one JSON value; ``schemas/<schema>.schema.json`` describes it."""
    return {
        "format": f"madcat-studio-{report.schema}",
        "version": FORMAT_VERSION,
        "title": report.title,
        "made": report.made,
        "signatures": dict(report.signatures),
        "input_sha256": dict(report.hashes),
        "warnings": list(report.warnings),
        "rules": list(report.notes),
        **report.result,
        "figures": [
            {"who": one.who, "value": one.value, "how": list(one.how)} for one in report.figures
        ],
        "plot": {
            "title": report.plot_title,
            "range": list(report.plot_range),
            "rows": [
                {"label": one.label, "point": one.point, "low": one.low, "high": one.high}
                for one in report.plot
            ],
        },
        "tables": [
            {
                "name": table.name,
                "title": table.title,
                "note": table.note,
                "long": table.long,
                "columns": [
                    {"key": one.key, "title": one.title, "kind": str(one.kind), "note": one.note}
                    for one in table.columns
                ],
                "rows": [list(row) for row in table.rows],
            }
            for table in report.tables
        ],
    }


def read_card_json(text: str, where: str = "") -> CardReport:
    """The report that :func:`write_card_json` wrote: what a window shows of a saved result.

    Raises:
        FormatError: ``scorecards.not-a-result``: another file, or a damaged one;
            ``scorecards.newer-result``: written by a later version of the program.
    """
    try:
        value = json.loads(text)
        kind = _KINDS[value["format"].removeprefix("madcat-studio-")]
        version = value["version"]
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise FormatError(
                "scorecards.newer-result",
                f"this result has version {version}, but this program reads {FORMAT_VERSION}",
                where=where,
                remedy="Open it with a later version of the program, or score again",
            )
        if version != FORMAT_VERSION:
            raise ValueError("another version")
        plot = value["plot"]
        low, high = (_number(one) for one in plot["range"])
        if low >= high:
            raise ValueError("an empty range")
        return CardReport(
            title=_text(value["title"]),
            kind=kind,
            schema=value["format"].removeprefix("madcat-studio-"),
            made=_text(value["made"]),
            signatures={name: _text(one) for name, one in value["signatures"].items()},
            hashes={name: _text(one) for name, one in value["input_sha256"].items()},
            warnings=_texts(value["warnings"]),
            notes=_texts(value["rules"]),
            tables=tuple(_read_table(one) for one in value["tables"]),
            result={key: one for key, one in value.items() if key not in _FRAME},
            figures=tuple(
                Figure(_text(one["who"]), _text(one["value"]), _texts(one["how"]))
                for one in value["figures"]
            ),
            plot=tuple(
                PlotRow(
                    _text(one["label"]),
                    _number(one["point"]),
                    None if one["low"] is None else _number(one["low"]),
                    None if one["high"] is None else _number(one["high"]),
                )
                for one in plot["rows"]
            ),
            plot_range=(low, high),
            plot_title=_text(plot["title"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise FormatError(
            "scorecards.not-a-result",
            "this is not a scorecard's result, or one of another version of the program",
            where=where,
            remedy="Give the .json file that a scorecard's command wrote; results of the public "
            "LayoutTranslateBench are read by `scorecard ltb-board`",
        ) from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return tuple(_text(one) for one in value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("not a number")
    return value


def _read_table(value: Mapping[str, Any]) -> Table:
    columns = tuple(
        Column(_text(one["key"]), _text(one["title"]), CellKind(one["kind"]), _text(one["note"]))
        for one in value["columns"]
    )
    rows = [tuple(row) for row in value["rows"]]
    for row in rows:
        if len(row) != len(columns):
            raise ValueError("a row of another length")
        if not all(cell is None or isinstance(cell, str | int | float) for cell in row):
            raise TypeError("a cell that holds more than one value")
    return Table(
        _text(value["name"]),
        _text(value["title"]),
        columns,
        rows,
        _text(value["note"]),
        bool(value["long"]),
    )


def write_card_json(report: CardReport, path: Path) -> None:
    """Write the report as JSON.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    text = json.dumps(card_document(report), ensure_ascii=False, indent=1, allow_nan=False)
    with replacing(path) as beside:
        beside.write_text(text + "\n", encoding="utf-8", newline="\n")


def interval_plot(rows: Sequence[PlotRow], limits: tuple[float, float], title: str) -> str:
    """Points with their intervals, one below the other, as SVG that takes the page's colours."""
    low, high = limits
    width, left, right, line = 860, 240, 110, 26
    before = ("", *(row.group for row in rows))
    heads = [
        row.group if row.group != group else ""
        for row, group in zip(rows, before[: len(rows)], strict=True)
    ]
    height = line * (len(rows) + sum(map(bool, heads))) + 34
    span = width - left - right

    def place(value: float) -> float:
        return left + span * (min(max(value, low), high) - low) / (high - low)

    parts = [
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
    ]
    for step in range(5):
        value = low + (high - low) * step / 4
        x = place(value)
        parts.append(
            f'<line class="grid" x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{height - 24}"/>'
            f'<text class="tick" x="{x:.1f}" y="{height - 8}">{value:g}</text>'
        )
    y = 20 - line
    labels = _labels([row.label for row in rows])
    for row, head, label in zip(rows, heads, labels, strict=True):
        y += line
        if head:
            parts.append(f'<text class="group" x="0" y="{y + 4}">{escape(_short(head))}</text>')
            y += line
        if row.low is not None and row.high is not None:
            parts.append(
                f'<line class="interval" x1="{place(row.low):.1f}" y1="{y}" '
                f'x2="{place(row.high):.1f}" y2="{y}"/>'
            )
            told = f"{row.point:.2f} [{row.low:.2f}, {row.high:.2f}]"
        else:
            told = f"{row.point:.2f}"
        parts.append(
            f'<circle cx="{place(row.point):.1f}" cy="{y}" r="4.5"><title>{escape(row.label)}: '
            f"{told}</title></circle>"
            f'<text class="label" x="{left - 14}" y="{y + 4}">{escape(label)}</text>'
            f'<text class="value" x="{width - right + 12}" y="{y + 4}">{row.point:.2f}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)


def _labels(texts: Sequence[str]) -> list[str]:
    """Labels that have room; where names are long, without the words that all begin with."""
    if len(set(texts)) > 1 and max(map(len, texts)) > _MOST_LETTERS:
        ends = zip(min(texts), max(texts), strict=False)
        common = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
        same = 1 + max(common.rfind(sign) for sign in "_- /")
        if same > 1:
            texts = ["…" + text[same:] for text in texts]
    return [_short(text) for text in texts]


_MOST_LETTERS = 30


def _short(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"


@dataclass(frozen=True, slots=True)
class _Shown:
    name: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: list[list[tuple[str, Cell, Column, str]]]
    more: int


_LEADING = ("ltb_100", "iou", "s")
"""Columns whose cells lead to the row's exhibit: the first that a table has."""


def _leads(table: Table, exhibits: Sequence[Exhibit]) -> dict[tuple[Cell, ...], str]:
    """The address of the exhibit that rows with such cells lead to."""
    keys = [column.key for column in table.columns]
    return {
        tuple(one.place.get(key) for key in keys if key in one.place): f"#{one.address}"
        for one in exhibits
        if one.place and all(key in keys for key in one.place)
    }


def _for_page(table: Table, exhibits: Sequence[Exhibit] = ()) -> _Shown:
    leads = _leads(table, exhibits)
    placing = {key for one in exhibits for key in one.place}
    named = [index for index, column in enumerate(table.columns) if column.key in placing]
    leading = next(
        (
            index
            for key in _LEADING
            for index, column in enumerate(table.columns)
            if column.key == key
        ),
        None,
    )
    rows = list(islice(table.rows, MOST_ROWS))
    more = table.count() - len(rows)
    return _Shown(
        table.name,
        table.title,
        table.note,
        table.columns,
        [
            [
                (
                    shown_cell(row, index, table.columns),
                    row[index],
                    column,
                    leads.get(tuple(row[one] for one in named), "") if index == leading else "",
                )
                for index, column in enumerate(table.columns)
            ]
            for row in rows
        ],
        more,
    )


def write_card_html(report: CardReport, path: Path) -> None:
    """Write the report as one HTML file that needs nothing else.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    from markupsafe import Markup

    plot = interval_plot(report.plot, report.plot_range, report.plot_title) if report.plot else ""
    text = template("card.html.j2").render(
        report=report,
        # Made of numbers and escaped labels above.
        plot=Markup(plot),
        drawn=[Markup(one.svg) for one in report.drawings],
        over=[Markup(one.over) for one in report.exhibits],
        tables=[_for_page(table, report.exhibits) for table in report.tables],
        style=Markup((TEMPLATES / "report.css").read_text("utf-8")),
        more_style=Markup((TEMPLATES / "card.css").read_text("utf-8")),
        script=Markup((TEMPLATES / "card.js").read_text("utf-8")),
        most_rows=MOST_ROWS,
        right={CellKind.COUNT, CellKind.NUMBER, CellKind.RATE},
        long=_LONG_TEXTS,
    )
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
