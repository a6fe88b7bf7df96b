"""A report as an HTML page that needs no network and opens from the disk.

Summaries are plain HTML. The segments, of which there can be hundreds of thousands, are compressed
blocks; a short script opens the block of the document that is looked at. Those of a small report
lie in the page itself, those of a large one in a folder beside it, and are loaded when they are
asked for. (A page from the disk may not read files, but it may load scripts: so each block is one.)
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from madcat_studio.model.campaign import TeamText
from madcat_studio.reports.files import replacing, replacing_folder
from madcat_studio.reports.grouping import Breakdown
from madcat_studio.reports.results import CampaignResults, Group, ScoredSegment, set_of
from madcat_studio.reports.tables import (
    NOT_A_RATE,
    Cell,
    CellKind,
    Column,
    Report,
    Table,
    plain,
    rate_cell,
)
from madcat_studio.reports.verdict import Line
from madcat_studio.scoring.columns import Column as DrawnColumn
from madcat_studio.scoring.columns import ColumnKind, packed_columns
from madcat_ter.hter import Counts, Denominator, Stage
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter_corpus

__all__ = ["MOST_INSIDE", "MOST_ROWS", "MOST_SEGMENTS", "write_html"]

MOST_ROWS = 300
"""Rows of a table in the page; the drill-down and the CSV files have them all."""

MOST_INSIDE = 4_000
"""Segments that lie in the page itself; more lie in a folder beside it."""

MOST_SEGMENTS = 200_000
"""Segments that a page holds; beyond that it has the summaries only."""

_BLOCK = 150_000  # about how many characters of JSON go into one compressed block
_TEMPLATES = Path(__file__).parent / "templates"

# Sums that the page leaves to the spreadsheet: their rate stands in the page.
_LEFT_OUT = {"clean_segments", "clean_edits", "clean_words", "code"}
# Texts of a segment, which stand together: of one system, and of two.
_CASES = (
    {"output": "Output", "final": "Final text", "reference": "Reference"},
    {"output_first": "Output", "output_second": "Output, against", "reference": "Reference"},
)
# Columns that are shown only where they tell something.
_IF_NOT_ZERO = {"ties", "no_output", "preliminary", "open"}


_LETTERS = {
    ColumnKind.MATCH: " ",
    ColumnKind.SUBSTITUTION: "S",
    ColumnKind.INSERTION: "I",
    ColumnKind.DELETION: "D",
}


def _lettered(drawn: Iterable[DrawnColumn]) -> list[list[Any]]:
    return [
        [_LETTERS[column.kind], column.output, column.text, column.shift]
        for column in drawn
        if column.kind in _LETTERS
    ]


@dataclass(frozen=True, slots=True)
class _ShownTable:
    name: str
    title: str
    note: str
    columns: list[Column]
    rows: list[list[tuple[str, Cell, Column]]]
    more: int
    cases: list[_Case]


@dataclass(frozen=True, slots=True)
class _Case:
    """What stands beside a row that names a segment: its handwriting and its texts."""

    picture: str
    texts: list[tuple[str, str]]


def _for_page(table: Table, pictures: Mapping[tuple[str, str], str]) -> _ShownTable:
    rows = list(islice(table.rows, MOST_ROWS))
    more = table.count() - len(rows)
    case = _case_of(table)
    keep = []
    for index, column in enumerate(table.columns):
        cells = [row[index] for row in rows]
        if column.key in _LEFT_OUT or (column.key in _IF_NOT_ZERO and not any(cells)):
            continue
        if column.key == "set" and len(set(cells)) == 1:
            continue
        if column.key == "note" and not any(cells):
            continue
        if column.key in case:
            continue
        keep.append((index, column))
    return _ShownTable(
        table.name,
        table.title,
        table.note,
        [column for _, column in keep],
        [[(column.kind.shown(row[i]), row[i], column) for i, column in keep] for row in rows],
        more,
        _cases(table, case, rows, pictures),
    )


def _case_of(table: Table) -> Mapping[str, str]:
    """Which columns of a table are texts that stand together, with their titles."""
    keys = {column.key for column in table.columns}
    return next((case for case in _CASES if case.keys() <= keys), {})


def _cases(
    table: Table,
    case: Mapping[str, str],
    rows: list[tuple[Cell, ...]],
    pictures: Mapping[tuple[str, str], str],
) -> list[_Case]:
    """One a row in a table of segments with their texts; none in other tables."""
    places = {column.key: place for place, column in enumerate(table.columns)}
    if not case:
        return []
    return [
        _Case(
            pictures.get((str(row[places["document"]]), str(row[places["segment"]])), ""),
            [(title, str(row[places[key]] or "")) for key, title in case.items()],
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class _ShownLine:
    """One of the verdict's worst lines: its handwriting, and its alignment as in the script."""

    line: Line
    picture: str
    columns: list[list[Any]]


def _lines(report: Report) -> list[_ShownLine]:
    if report.verdict is None:
        return []
    return [
        _ShownLine(
            line,
            report.pictures.get((line.document, line.segment), ""),
            _lettered(line.columns),
        )
        for line in report.verdict.lines
    ]


def _sums(group: Group, denominator: Denominator) -> list[Cell]:
    final = group.all.of(denominator)
    return [
        final.segments,
        plain(final.edits),
        plain(final.words),
        rate_cell(final),
        rate_cell(group.all.of(denominator, Stage.FIRST)),
        final.insertions,
        final.deletions,
        final.substitutions,
        final.shifts,
        final.ties,
        final.preliminary + final.open,
    ]


def _merged(groups: Iterable[Group]) -> Group:
    parts = list(groups)
    first = parts[0]
    whole = Group(first.track, first.data_set, first.system, ())
    for part in parts:
        whole.merge(part)
    return whole


def _tree(
    results: CampaignResults,
    denominator: Denominator,
    blocks: dict[tuple[str, ...], list[int]],
) -> list[dict[str, Any]]:
    """Sets and systems, genres, kits, documents as nested nodes, with the documents' blocks."""

    if not blocks:
        return []

    def nodes(groups: list[Group], level: int) -> list[dict[str, Any]]:
        found: dict[str, list[Group]] = {}
        for group in groups:
            found.setdefault(group.names[level], []).append(group)
        made = []
        for name, members in found.items():
            whole = _merged(members)
            node: dict[str, Any] = {"n": name, "s": _sums(whole, denominator)}
            if level < 2:
                node["c"] = nodes(members, level + 1)
            else:
                node["b"] = blocks[str(whole.data_set), whole.system, *members[0].names]
            made.append(node)
        return made

    by_system: dict[tuple[str, str], list[Group]] = {}
    for group in results.of(Breakdown.DOCUMENT):
        by_system.setdefault((str(group.data_set), group.system), []).append(group)
    return [
        {
            "n": system,
            "set": data_set,
            "code": results.codes[system],
            "s": _sums(_merged(groups), denominator),
            "c": nodes(groups, 0),
        }
        for (data_set, system), groups in by_system.items()
    ]


_OTHER = dict(zip(Denominator, reversed(Denominator), strict=True))

_STEP = 500  # segments whose texts are aligned at once
_Drawn = list[list[str | list[int]] | None]


def _aligned(
    segments: Iterable[ScoredSegment], options: TerOptions
) -> Iterator[tuple[ScoredSegment, _Drawn]]:
    """Each segment with the alignment of each team's final text, packed; None where none is."""
    stream = iter(segments)
    while block := list(islice(stream, _STEP)):
        asked = [
            (scored.record.output, text.final)
            for scored in block
            if scored.score.no_output is None
            for text in scored.record.teams
            if text.final is not None
        ]
        places = {pair: place for place, pair in enumerate(dict.fromkeys(asked))}
        outputs = [output for output, _ in places]
        found = ter_corpus(outputs, [[text] for _, text in places], options).segments
        for scored in block:
            record = scored.record
            yield (
                scored,
                [
                    None
                    if text.final is None or scored.score.no_output is not None
                    else packed_columns(found[places[record.output, text.final]])
                    for text in record.teams
                ],
            )


def _segment(scored: ScoredSegment, drawn: _Drawn, denominator: Denominator) -> dict[str, Any]:
    record, score = scored.record, scored.score
    choice = score.choice(denominator)

    def counts(own: Counts | None) -> list[Cell] | None:
        if own is None:
            return None
        words = score.reference_words if denominator is Denominator.REFERENCE else own.words
        rate = own.edits / words if words else (NOT_A_RATE if own.edits else 0.0)
        return [plain(own.edits), plain(words), rate]

    def team(index: int, text: TeamText) -> dict[str, Any]:
        own = score.teams[index]
        made: dict[str, Any] = {
            "t": text.team,
            "final": counts(own.final),
            "first": counts(own.first),
        }
        names = ((text.first_editor, "first pass"), (text.reviewer, "review"))
        who = ", ".join(f"{what} {name}" for name, what in names if name)
        if who:
            made["who"] = who
        if (columns := drawn[index]) is not None:
            made["a"] = columns
        if text.first is not None:
            made["f"] = None if text.first == text.final else text.first
        return made

    rate: Cell = choice.rate
    if rate is None and choice.words == 0 and choice.edits > 0:
        rate = NOT_A_RATE
    made: dict[str, Any] = {
        "id": record.segment,
        "o": record.output,
        "r": record.reference,
        "out": str(choice.outcome),
        "ch": choice.team,
        "s": [plain(choice.edits), plain(choice.words), rate],
        "why": choice.reason,
        "x": int(record.scribe_error),
        "m": int(record.missing),
        "teams": [team(index, text) for index, text in enumerate(record.teams)],
    }
    otherwise = score.choice(_OTHER[denominator])
    if otherwise.team != choice.team:
        made["other"] = otherwise.reason
    return made


def _packed(entries: dict[str, Any]) -> str:
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=4, mtime=0)).decode("ascii")


def _blocks(
    results: CampaignResults,
    denominator: Denominator,
    options: TerOptions,
    index: dict[tuple[str, ...], list[int]],
) -> Iterator[tuple[int, str]]:
    """Number and content of each compressed block; fills ``index`` with who lies where.

    A block maps ``set / system / genre / kit / document``, joined by U+001F, to its segments.
    """
    number = size = 0
    entries: dict[str, Any] = {}

    def key_of(one: tuple[ScoredSegment, _Drawn]) -> tuple[str, ...]:
        record = one[0].record
        return str(set_of(record)), record.system, record.genre, record.kit, record.base

    for key, run in groupby(_aligned(results.segments, options), key_of):
        segments = [_segment(scored, drawn, denominator) for scored, drawn in run]
        entries.setdefault("\x1f".join(key), []).extend(segments)
        where = index.setdefault(key, [])
        if number not in where:
            where.append(number)
        size += sum(400 + 12 * len(segment["o"]) for segment in segments)
        if size >= _BLOCK:
            yield number, _packed(entries)
            number, size, entries = number + 1, 0, {}
    if entries:
        yield number, _packed(entries)


def _script_json(value: object) -> str:
    """JSON that can stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def write_html(report: Report, path: Path, options: TerOptions) -> list[Path]:
    """Write the report as an HTML page, and a folder beside it where it is large.

    Args:
        report: from :func:`madcat_studio.reports.tables.campaign_report`.
        path: the page; an older one is replaced when the new one is whole.
        options: those the segments were scored with; their alignments are drawn with them.

    Returns:
        The page, and the folder if there is one.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    folder = path.with_name(f"{path.stem}-segments")
    segments = len(report.results.segments)
    index: dict[tuple[str, ...], list[int]] = {}
    if segments > MOST_SEGMENTS:
        _write_page(report, path, index, ())
        _remove(folder)
        return [path]
    blocks = _blocks(report.results, report.denominator, options, index)
    if segments <= MOST_INSIDE:
        _write_page(report, path, index, blocks)
        _remove(folder)
        return [path]
    with replacing_folder(folder) as beside:
        for number, content in blocks:
            (beside / f"b{number}.js").write_text(f'madcatBlock({number},"{content}");\n', "ascii")
        _write_page(report, path, index, (), folder.name)
    return [path, folder]


def _remove(folder: Path) -> None:
    """Take away the folder of a larger report that was here before; nothing that is not ours."""
    if folder.is_dir() and all(_OURS.fullmatch(one.name) for one in folder.iterdir()):
        shutil.rmtree(folder, ignore_errors=True)


_OURS = re.compile(r"b\d+\.js")


def _write_page(
    report: Report,
    path: Path,
    index: dict[tuple[str, ...], list[int]],
    blocks: Iterable[tuple[int, str]],
    folder: str = "",
) -> None:
    """The page; ``index`` says who lies in which block once these were gone through."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["rate"] = lambda cell: CellKind.RATE.shown(cell)
    environment.filters["count"] = lambda cell: CellKind.COUNT.shown(cell)
    whole = len(report.results.segments) <= MOST_SEGMENTS
    parts = environment.get_template("report.html.j2").generate(
        report=report,
        headline=list(report.table("systems").records()),
        tables=[
            _for_page(table, report.pictures)
            for table in report.tables
            if table.name not in ("segments", "verdict")
        ],
        places={one.system: one.place for one in report.verdict.standings}
        if report.verdict
        else {},
        lines=_lines(report),
        blocks=blocks,
        folder=folder,
        most_segments=None if whole else MOST_SEGMENTS,
        tree=lambda: _script_json(_tree(report.results, report.denominator, index)),
        style=(_TEMPLATES / "report.css").read_text("utf-8"),
        script=(_TEMPLATES / "report.js").read_text("utf-8"),
        most_rows=MOST_ROWS,
        right={CellKind.COUNT, CellKind.NUMBER, CellKind.RATE},
    )
    with replacing(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as stream:
        for part in parts:
            stream.write(part)
