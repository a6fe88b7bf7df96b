"""Sentences, drawings and tables as a page: a selection of passages, or what a campaign holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from madcat_studio.reports.files import replacing
from madcat_studio.reports.tables import CellKind, Chart, Table
from madcat_studio.reports.templated import TEMPLATES, template

__all__ = ["write_page_html"]


def write_page_html(
    path: Path,
    *,
    kicker: str,
    title: str,
    sentences: Sequence[str],
    tables: Sequence[Table],
    charts: Sequence[Chart] = (),
    links: Sequence[tuple[str, str]] = (),
) -> None:
    """Write the page as one HTML file that needs nothing else.

    Args:
        path: where.
        kicker: what kind of page it is; ``title``: of what.
        sentences: what is to be read first.
        tables, charts: below, in this order.
        links: addresses and their texts.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    from markupsafe import Markup

    text = template("selection.html.j2").render(
        kicker=kicker,
        title=title,
        links=links,
        sentences=sentences,
        charts=[(chart, Markup(chart.svg)) for chart in charts],
        tables=[
            (
                table,
                [
                    [
                        column.kind.shown(cell)
                        for cell, column in zip(row, table.columns, strict=True)
                    ]
                    for row in table.rows
                ],
            )
            for table in tables
        ],
        style=Markup((TEMPLATES / "report.css").read_text("utf-8")),
        right={CellKind.COUNT, CellKind.NUMBER, CellKind.RATE},
    )
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
