"""``madcat-studio agreement`` and ``settle``: several annotators of one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption

if TYPE_CHECKING:
    from madcat_studio.operations.pages.settling import Annotators, PageAgreement
    from madcat_studio.pages.agreement import LevelAgreement

__all__ = ["agreement", "settle"]

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE…", help="One file for each annotator, all of the same pages."),
]


def agreement(
    files: Files,
    threshold: Annotated[
        float,
        typer.Option(
            min=0.01, max=1, help="The least overlap (IoU) at which two outlines are the same."
        ),
    ] = 0.5,
    output: FormOption = Form.TEXT,
) -> None:
    """Show how far annotators agree on lines and words, beyond chance (Krippendorff's alpha)."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.pages.settling import agreement_of

    with bar() as progress:
        who, found = agreement_of(files, threshold=threshold, progress=progress)
    if output is Form.JSON:
        from madcat_studio.cli.forms import put

        put({"annotators": who.names, "threshold": threshold, "pages": _plain(who, found)})
        return
    _print(who, found)


def _plain(who: Annotators, found: list[PageAgreement]) -> list[dict[str, object]]:
    return [
        {
            "page": page.page + 1,
            "differ": len(page.places),
            **{
                name: {
                    "alpha": level.alpha,
                    "units": level.units,
                    "by_all": level.by_all,
                    "pairs": [
                        {"one": who.names[i], "other": who.names[j], "alpha": value}
                        for (i, j), value in level.pairs.items()
                    ],
                }
                for name, level in _levels(page)
            },
        }
        for page in found
    ]


def _levels(page: PageAgreement) -> tuple[tuple[str, LevelAgreement], ...]:
    return ("lines", page.agreement.lines), ("words", page.agreement.words)


def _print(who: Annotators, found: list[PageAgreement]) -> None:
    from rich.table import Table

    from madcat_studio.operations.checked import counted
    from madcat_studio.reports import terminal

    table = Table(box=None)
    for column in ("page", "unit", "annotators"):
        table.add_column(column, overflow="fold")
    for column in ("alpha", "units", "by all"):
        table.add_column(column, justify="right")
    for page in found:
        for name, level in _levels(page):
            all_of_them = (str(page.page + 1), name, "all")
            table.add_row(*all_of_them, _rate(level.alpha), str(level.units), str(level.by_all))
            if len(who.names) > 2:
                for (i, j), value in level.pairs.items():
                    table.add_row("", "", f"{who.names[i]}, {who.names[j]}", _rate(value), "", "")
    terminal.console().print(table)
    differ = sum(len(page.places) for page in found)
    print(f"{counted(len(who.names), 'annotator')} differ at {counted(differ, 'place')}")


def _rate(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


def settle(
    files: Files,
    to: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing file.")
    ] = False,
    output: FormOption = Form.TEXT,
) -> None:
    """Make one page from several annotators' by majority, with a record of whose work was taken."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.checked import counted
    from madcat_studio.operations.pages.settling import record_file, settle

    with bar() as progress:
        settled = settle(files, to, overwrite=overwrite, progress=progress)
    if output is Form.JSON:
        from madcat_studio.cli.forms import put

        put({"taken": settled.taken, "left": settled.left, "record": str(record_file(to))})
        return
    print(f"{counted(len(settled.taken), 'place')} settled by majority, {settled.left} left open")
    print(f"written: {to}, {record_file(to)}")
