"""What a planned corpus comes to, as tables and as a page to read."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

from madcat_studio.model.naming import natural_key
from madcat_studio.operations.checked import counted
from madcat_studio.operations.planning.quotas import quotas_table
from madcat_studio.operations.planning.scribes import Arrivals
from madcat_studio.planning.corpus import CorpusPlan
from madcat_studio.planning.scribes import shared_passages
from madcat_studio.reports.csv_tables import write_csv
from madcat_studio.reports.files import prepare_folder
from madcat_studio.reports.selection import write_page_html
from madcat_studio.reports.table import Cell, CellKind, Column, Table

__all__ = ["copies_table", "corpus_page", "overlap_table", "scribes_table"]


def scribes_table(plan: CorpusPlan, arrivals: Arrivals | None) -> Table:
    """What each scribe copies, and how much of it has come in."""
    columns = [
        Column("scribe", "Scribe"),
        Column("exposure", "Exposure"),
        Column("copies", "Copies", CellKind.COUNT),
    ]
    if arrivals is not None:
        columns += [
            Column("arrived", "Come in", CellKind.COUNT),
            Column("missing", "Missing", CellKind.COUNT),
            Column("which", "Still to come"),
        ]
    columns += [
        Column("tokens", "Tokens", CellKind.COUNT),
        Column("pencil", "Pencil", CellKind.COUNT),
        Column("lined", "Lined paper", CellKind.COUNT),
        Column("fast", "Fast", CellKind.COUNT),
        Column("careful", "Careful", CellKind.COUNT),
        Column("met", "Scribes met", CellKind.COUNT, "others who copy any of the same passages"),
    ]
    shared = shared_passages(plan.assignment.scribes, len(plan.order.scribes))
    met = {
        one.name: int((row > 0).sum()) for one, row in zip(plan.order.scribes, shared, strict=True)
    }
    rows: list[tuple[Cell, ...]] = []
    for name, own in plan.by_scribe().items():
        left = () if arrivals is None else arrivals.missing.get(name, ())
        row: list[Cell] = [name, own[0].scribe.exposure, len(own)]
        if arrivals is not None:
            row += [len(own) - len(left), len(left), ", ".join(left)]
        row += [
            sum(one.passage.tokens for one in own),
            sum(one.way.implement == "pencil" for one in own),
            sum(one.way.surface == "lined paper" for one in own),
            sum(one.way.speed == "fast" for one in own),
            sum(one.way.speed == "careful" for one in own),
            met[name],
        ]
        rows.append(tuple(row))
    return Table("scribes", "Scribes", tuple(columns), rows)


def copies_table(plan: CorpusPlan, arrivals: Arrivals | None) -> Table:
    """All copies that are to be made."""
    columns = [
        Column("base", "Copy"),
        Column("passage", "Passage"),
        Column("genre", "Genre"),
        Column("tokens", "Tokens", CellKind.COUNT),
        Column("scribe", "Scribe"),
        Column("exposure", "Exposure"),
        Column("implement", "Implement"),
        Column("surface", "Surface"),
        Column("speed", "Speed"),
    ]
    if arrivals is not None:
        columns.append(Column("file", "File"))
    rows: list[tuple[Cell, ...]] = []
    for one in plan.manuscripts:
        row: list[Cell] = [
            one.base,
            one.passage.name,
            one.passage.genre,
            one.passage.tokens,
            one.scribe.name,
            one.scribe.exposure,
            *one.way,
        ]
        if arrivals is not None:
            file = arrivals.arrived.get(one.base)
            row.append(None if file is None else file.name)
        rows.append(tuple(row))
    return Table("copies", "Copies", tuple(columns), rows, long=True)


def overlap_table(plan: CorpusPlan) -> Table:
    """How many pairs of scribes share how many passages."""
    used = sorted({place for row in plan.assignment.scribes for place in row})
    shared = shared_passages(plan.assignment.scribes, len(plan.order.scribes))
    pairs = list(combinations(used, 2))
    counts = Counter(int(shared[pair]) for pair in pairs)
    columns = (
        Column("shared", "Passages in common", CellKind.COUNT),
        Column("pairs", "Pairs of scribes", CellKind.COUNT),
        Column("share", "Share of all pairs", CellKind.RATE),
        Column("few", "Some of them", note="up to three"),
    )
    names = [one.name for one in plan.order.scribes]
    rows: list[tuple[Cell, ...]] = []
    for number in sorted(counts):
        some = [
            f"{names[one]} and {names[other]}"
            for one, other in pairs
            if shared[one, other] == number
        ]
        some.sort(key=natural_key)
        rows.append((number, counts[number], counts[number] / len(pairs), ", ".join(some[:3])))
    return Table("overlap", "Overlap of scribes", columns, rows, plan.sentences()[1])


def corpus_page(plan: CorpusPlan, arrivals: Arrivals | None, folder: Path) -> tuple[Path, ...]:
    """Write a corpus as a page, and its tables beside it (the folder is made if need be).

    Raises:
        WorldError: it cannot be written.
    """
    quotas = plan.standing()
    tables = (
        quotas_table([(plan.order.track, one) for one in quotas]),
        overlap_table(plan),
        scribes_table(plan, arrivals),
        copies_table(plan, arrivals),
    )
    kept = sum(not one.missing for one in quotas)
    sentences = [*plan.sentences(), f"Kept: {kept} of {counted(len(quotas), 'quota')}"]
    if arrivals is not None:
        there, all_of = len(arrivals.arrived), len(plan.ways)
        sentences.append(
            f"Come in: {counted(there, 'copy', 'copies')}, missing: {all_of - there}; "
            f"{counted(len(arrivals.unknown), 'file')} in no row of the plan"
        )
    prepare_folder(folder)
    page = folder / "corpus.html"
    track = f", {plan.order.track}" if plan.order.track else ""
    write_page_html(
        page,
        kicker="Corpus",
        title=f"{plan.order.data_set.capitalize()} set{track}",
        sentences=sentences,
        tables=tables[:-1],  # a list of all copies is for a spreadsheet
    )
    files = [page]
    for table in tables:
        files.append(folder / f"{table.name}.csv")
        write_csv(table, files[-1])
    return tuple(files)
