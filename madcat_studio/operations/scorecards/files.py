"""What the three scorecards' operations share: reading lines with their places, writing reports."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.files import read_file
from madcat_studio.formats.json_lines import read_json, read_json_lines
from madcat_studio.operations.scorecards.boxed import Places, with_boxes
from madcat_studio.operations.scores.report import Format
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.cards import (
    CardReport,
    read_card_json,
    write_card_html,
    write_card_json,
)
from madcat_studio.reports.csv_tables import write_csv
from madcat_studio.reports.files import prepare_folder
from madcat_studio.reports.language_plots import with_language_plots
from madcat_studio.reports.spreadsheet import write_spreadsheet

__all__ = [
    "CARD_FORMATS",
    "hash_of",
    "located",
    "new_name",
    "now",
    "read_card",
    "values_in",
    "write_card",
]


CARD_FORMATS = (Format.HTML, Format.XLSX, Format.CSV, Format.JSON)
"""The forms that a scorecard's report has."""


def new_name(name: str, taken: Collection[str]) -> str:
    """``name``, numbered if another system has it already."""
    made, number = name, 2
    while made in taken:
        made, number = f"{name} ({number})", number + 1
    return made


def values_in(path: Path) -> Iterator[tuple[str, object]]:
    """The JSON values of a file, each with its place.

    A ``.json`` file holds one value, or a list of them; any other one value a line.

    Raises:
        InputError, FormatError, WorldError: as the readers.
    """
    if path.suffix.lower() == ".json":
        value = read_json(path)
        if isinstance(value, list):
            for number, one in enumerate(value, 1):
                yield f"{path}, item {number}", one
        else:
            yield str(path), value
    else:
        for line in read_json_lines(path):
            yield f"{path}:{line.number}", line.value


def located(path: Path, names: Sequence[str]) -> list[Path]:
    """The files that ``path`` stands for: itself, or those in the folder with such endings.

    Raises:
        InputError: ``file.not-found``, ``file.nothing-matches``.
    """
    if not path.is_dir():
        if not path.exists():
            raise InputError(
                "file.not-found",
                "there is no such file or folder",
                where=path,
                remedy="Check the name",
            )
        return [path]
    found = sorted(
        one for one in path.iterdir() if one.is_file() and one.name.lower().endswith(tuple(names))
    )
    if not found:
        raise InputError(
            "file.nothing-matches",
            f"the folder has no file whose name ends in {' or '.join(names)}",
            where=path,
            remedy="Name another folder, or the file itself",
        )
    return found


def hash_of(paths: Iterable[Path]) -> str:
    """SHA-256 of files, names and contents, in order."""
    digest = hashlib.sha256()
    for path in paths:
        data = read_file(path)
        digest.update(f"{path.name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def now() -> str:
    """This minute, as reports have it."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def read_card(path: Path) -> CardReport:
    """A result that :func:`write_card` wrote as JSON.

    Raises:
        InputError, WorldError: the file is not there or cannot be read.
        FormatError: ``scorecards.not-a-result``.
    """
    return read_card_json(read_file(path).decode("utf-8", errors="replace"), str(path))


def write_card(
    report: CardReport,
    folder: Path,
    formats: Sequence[Format],
    *,
    bom: bool = True,
    pages: Places | None = None,
    progress: Progress = SILENT,
) -> list[Path]:
    """Write a scorecard's report into a folder (made if need be) and return the files.

    Args:
        report: what is written.
        folder: where.
        formats: of :data:`CARD_FORMATS`.
        bom: of CSV.
        pages: where the scored pages may lie, which HTML shows with their boxes.
        progress: told form by form.

    Raises:
        WorldError: ``report.folder-not-writable``, ``report.cannot-write``.
    """
    prepare_folder(folder)
    files: list[Path] = []
    for number, form in enumerate(formats):
        progress.advance(number, len(formats), f"writing {form.upper()}")
        target = folder / f"{report.schema}.{form}"
        match form:
            case Format.HTML:
                shown = with_language_plots(report)
                write_card_html(shown if pages is None else with_boxes(shown, pages), target)
                files.append(target)
            case Format.XLSX:
                write_spreadsheet(report, target)
                files.append(target)
            case Format.JSON:
                write_card_json(report, target)
                files.append(target)
            case Format.CSV:
                for table in (report.about(), *report.tables):
                    target = folder / f"{report.schema}-{table.name}.csv"
                    write_csv(table, target, bom=bom)
                    files.append(target)
    return files
