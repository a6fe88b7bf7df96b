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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any

from madcat_studio.model.campaign import TeamText
from madcat_studio.model.control import set_of
from madcat_studio.reports.files import replacing, replacing_folder
from madcat_studio.reports.grouping import Breakdown
from madcat_studio.reports.results import CampaignResults, Group, ScoredSegment
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
from madcat_studio.reports.templated import TEMPLATES, template
from madcat_studio.reports.verdict import Line
from madcat_studio.scoring.columns import Column as DrawnColumn
from madcat_studio.scoring.columns import ColumnKind, packed_columns
from madcat_ter.hter import Counts, Denominator, Stage, TeamScore, Totals
from madcat_ter.options import TerOptions
from madcat_ter.ter import scored_words, ter_corpus

__all__ = ["MOST_INSIDE", "MOST_ROWS", "MOST_SEGMENTS", "write_html"]

MOST_ROWS = 300
"""Rows of a table in the page; the drill-down and the CSV files have them all."""

MOST_INSIDE = 4_000
"""Segments that lie in the page itself; more lie in a folder beside it."""

MOST_SEGMENTS = 200_000
"""Segments that a page holds; beyond that it has the summaries only."""

_BLOCK = 150_000  # about how many characters of JSON go into one compressed block

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


_STAGES = (Stage.FINAL, Stage.FIRST)
_Sums = list[float]


def _numbers(group: Group, denominator: Denominator) -> _Sums:
    """What is added up of a group: a small list, since there are very many documents."""
    final, first = (group.all.of(denominator, stage) for stage in _STAGES)
    return [
        *(final.segments, final.edits, final.words),
        *(first.segments, first.edits, first.words),
        *(final.insertions, final.deletions, final.substitutions, final.shifts, final.ties),
        final.preliminary + final.open,
    ]


def _sums(numbers: Iterable[_Sums]) -> list[Cell]:
    """The cells of a node, from the numbers of its parts."""
    segments, edits, words, *first, insertions, deletions, substitutions, shifts, ties, still = (
        sum(column) for column in zip(*numbers, strict=True)
    )
    return [
        segments,
        plain(edits),
        plain(words),
        rate_cell(Totals(int(segments), edits=edits, words=words)),
        rate_cell(Totals(int(first[0]), edits=first[1], words=first[2])),
        *(insertions, deletions, substitutions, shifts, ties, still),
    ]


def _tree(
    results: CampaignResults,
    denominator: Denominator,
    blocks: dict[tuple[str, ...], list[int]],
) -> list[dict[str, Any]]:
    """Sets and systems, genres, kits, documents as nested nodes, with the documents' blocks."""

    if not blocks:
        return []
    groups = (
        ((str(group.data_set), group.system), group.names, _numbers(group, denominator))
        for group in results.of(Breakdown.DOCUMENT)
    )
    by_system: dict[tuple[str, str], list[tuple[tuple[str, ...], _Sums]]] = {}
    for whose, names, numbers in groups:
        by_system.setdefault(whose, []).append((names, numbers))

    def nodes(
        whose: tuple[str, str], groups: list[tuple[tuple[str, ...], _Sums]], level: int
    ) -> list[dict[str, Any]]:
        found: dict[str, list[tuple[tuple[str, ...], _Sums]]] = {}
        for names, numbers in groups:
            found.setdefault(names[level], []).append((names, numbers))
        made = []
        for name, members in found.items():
            node: dict[str, Any] = {"n": name, "s": _sums(numbers for _, numbers in members)}
            if level < 2:
                node["c"] = nodes(whose, members, level + 1)
            else:
                node["b"] = blocks[(*whose, *members[0][0])]
            made.append(node)
        return made

    return [
        {
            "n": system,
            "set": data_set,
            "code": results.codes[system],
            "s": _sums(numbers for _, numbers in groups),
            "c": nodes((data_set, system), groups, 0),
        }
        for (data_set, system), groups in by_system.items()
    ]


_OTHER = dict(zip(Denominator, reversed(Denominator), strict=True))

_STEP = 500  # segments whose texts are aligned at once
_Drawn = list[str | None]

# Written piece by piece, as json.dumps would: to make dictionaries first takes twice as long.
_spelt = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _aligned(
    segments: Iterable[ScoredSegment], options: TerOptions
) -> Iterator[tuple[ScoredSegment, _Drawn]]:
    """Each segment with the alignment of each team's final text, as JSON; None where none is."""
    stream = iter(segments)
    while block := list(islice(stream, _STEP)):
        asked = [
            (scored.record.output, text.final)
            for scored in block
            if scored.score.no_output is None
            for text in scored.record.teams
            if text.final is not None
        ]
        pairs = list(dict.fromkeys(asked))
        corpus = ter_corpus([pair[0] for pair in pairs], [[pair[1]] for pair in pairs], options)
        words = {text: scored_words(text, options) for text in dict.fromkeys(chain(*pairs))}
        found = {
            pair: _columns(packed_columns(words[pair[0]], words[pair[1]], *steps))
            for pair, steps in zip(pairs, corpus.segments.steps(), strict=True)
        }
        for scored in block:
            record = scored.record
            yield (
                scored,
                [
                    None
                    if text.final is None or scored.score.no_output is not None
                    else found[record.output, text.final]
                    for text in record.teams
                ],
            )


def _columns(packed: tuple[str, str, str] | tuple[str, str, str, list[int]]) -> str:
    output, text, alignment, *moved = packed
    shifts = "".join([f",[{','.join(map(str, one))}]" for one in moved])
    return f'[{_spelt(output)},{_spelt(text)},"{alignment}"{shifts}]'


def _rate(cell: Cell) -> str:
    return repr(cell) if isinstance(cell, float) else "null" if cell is None else f'"{cell}"'


def _segment(scored: ScoredSegment, drawn: _Drawn, denominator: Denominator) -> str:
    """A segment as a JSON object."""
    record, score = scored.record, scored.score
    choice = score.choice(denominator)
    reference_words = score.reference_words if denominator is Denominator.REFERENCE else None

    def counts(own: Counts | None) -> str:
        if own is None:
            return "null"
        edits, words = own.edits, own.words if reference_words is None else reference_words
        rate: Cell = edits / words if words else (NOT_A_RATE if edits else 0.0)
        return f"[{plain(edits)},{plain(words)},{_rate(rate)}]"

    def team(own: TeamScore, text: TeamText, columns: str | None) -> str:
        parts = [f'"t":{_spelt(text.team)},"final":{counts(own.final)},"first":{counts(own.first)}']
        names = ((text.first_editor, "first pass"), (text.reviewer, "review"))
        who = ", ".join([f"{what} {name}" for name, what in names if name])
        if who:
            parts.append(f'"who":{_spelt(who)}')
        if columns is not None:
            parts.append(f'"a":{columns}')
        if text.first is not None:
            parts.append(f'"f":{"null" if text.first == text.final else _spelt(text.first)}')
        return f"{{{','.join(parts)}}}"

    rate: Cell = choice.rate
    if rate is None and choice.words == 0 and choice.edits > 0:
        rate = NOT_A_RATE
    chosen = "null" if choice.team is None else choice.team
    teams = map(team, score.teams, record.teams, drawn)
    otherwise = score.choice(_OTHER[denominator])
    other = "" if otherwise.team == choice.team else f',"other":{_spelt(otherwise.reason)}'
    return (
        f'{{"id":{_spelt(record.segment)},"o":{_spelt(record.output)},'
        f'"r":{_spelt(record.reference)},"out":"{choice.outcome}","ch":{chosen},'
        f'"s":[{plain(choice.edits)},{plain(choice.words)},{_rate(rate)}],'
        f'"why":{_spelt(choice.reason)},"x":{int(record.scribe_error)},"m":{int(record.missing)},'
        f'"teams":[{",".join(teams)}]{other}}}'
    )


def _packed(entries: Mapping[str, Sequence[str]]) -> str:
    """A block of segments, each as JSON, by who they belong to."""
    parts = [f"{_spelt(key)}:[{','.join(segments)}]" for key, segments in entries.items()]
    text = f"{{{','.join(parts)}}}"
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
    entries: dict[str, list[str]] = {}

    def key_of(one: tuple[ScoredSegment, _Drawn]) -> tuple[str, ...]:
        record = one[0].record
        return str(set_of(record)), record.system, record.genre, record.kit, record.base

    for key, run in groupby(_aligned(results.segments, options), key_of):
        segments = entries.setdefault("\x1f".join(key), [])
        where = index.setdefault(key, [])
        if number not in where:
            where.append(number)
        for scored, drawn in run:
            segments.append(_segment(scored, drawn, denominator))
            size += 400 + 12 * len(scored.record.output)
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
    whole = len(report.results.segments) <= MOST_SEGMENTS
    parts = template("report.html.j2").generate(
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
        style=(TEMPLATES / "report.css").read_text("utf-8"),
        script=(TEMPLATES / "report.js").read_text("utf-8"),
        most_rows=MOST_ROWS,
        right={CellKind.COUNT, CellKind.NUMBER, CellKind.RATE},
    )
    with replacing(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as stream:
        for part in parts:
            stream.write(part)
