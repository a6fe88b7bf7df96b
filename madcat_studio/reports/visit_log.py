"""The log of visits as files with one event a line: CSV, or JSON lines.

The columns are described in docs/effort.md. Each visit begins with an event ``entered`` and ends
with one ``left``; what a line does not say is empty, and in JSON not there.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from madcat_studio.model.visits import Event, EventKind, Visit
from madcat_studio.reports.csv_tables import guard
from madcat_studio.reports.files import replacing

__all__ = ["COLUMNS", "log_rows", "write_log_csv", "write_log_lines"]

COLUMNS = (
    *("kit", "team", "pass", "editor", "machine", "document", "segment", "visit", "look"),
    *("entered", "time", "ms", "event", "name", "place", "removed", "added", "source"),
    *("rest_ms", "text", "detail"),
)

_SAYS = {
    EventKind.FROM: ("text",),
    EventKind.CONTINUED: (),
    EventKind.KEY: ("name",),
    EventKind.MOUSE: (),
    EventKind.COMMAND: ("name",),
    EventKind.TEXT: ("place", "removed", "added", "source"),
    EventKind.REST: ("rest_ms",),
    EventKind.NOTE: ("name", "detail"),
}
"""Which columns hold what an event says."""

_NUMBERS = frozenset({"look", "ms", "place", "rest_ms"})

Row = dict[str, int | str]


def log_rows(visits: Iterable[Visit]) -> Iterator[Row]:
    """One row for each event. Visits of a segment by one editor must follow each other."""
    last: tuple[object, ...] = ()
    look = 0
    for visit in visits:
        key = (visit.team, visit.editor, visit.pass_, visit.kit, visit.segment)
        if key != last:
            last, look = key, 0
        look += not visit.continued
        whose: Row = {
            "kit": visit.kit,
            "team": visit.team,
            "pass": visit.pass_.value,
            "editor": visit.editor,
            "machine": visit.machine,
            "document": visit.segment.base,
            "segment": visit.segment.segment,
            "visit": visit.id,
            "look": look,
            "entered": _spelt(visit.at, 0),
        }
        yield {**whose, "time": _spelt(visit.at, 0), "ms": 0, "event": "entered"}
        for event in visit.events:
            yield {**whose, **_said(visit, event)}
        yield {**whose, "time": _spelt(visit.at, visit.ms), "ms": visit.ms, "event": "left"}


def _said(visit: Visit, event: Event) -> Row:
    return {
        "time": _spelt(visit.at, event.ms),
        "ms": event.ms,
        "event": event.kind.value,
        **dict(zip(_SAYS[event.kind], event.says, strict=True)),
    }


def _spelt(at: datetime, ms: int) -> str:
    return (at + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds")


def write_log_csv(visits: Iterable[Visit], path: Path) -> int:
    """Write the log as CSV, as all tables of the program are. Returns how many lines it has.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    count = 0
    with replacing(path) as beside, beside.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for row in log_rows(visits):
            cells = ((column, row.get(column, "")) for column in COLUMNS)
            writer.writerow(
                cell if column in _NUMBERS else guard(str(cell)) for column, cell in cells
            )
            count += 1
    return count


def write_log_lines(visits: Iterable[Visit], path: Path) -> int:
    """Write the log as JSON, one object a line. Returns how many lines it has.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    count = 0
    with replacing(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as stream:
        for row in log_rows(visits):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count
