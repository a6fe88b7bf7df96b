"""A corpus planned: who copies what, how, and what has come in.

From a table of passages and one of scribes come the corpus table and the writing conditions that a
campaign starts from.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import FormatError, InputError
from madcat_studio.formats.files import make_folder, write_atomically
from madcat_studio.formats.tables import (
    Table,
    read_number,
    read_plain_rows,
    read_table,
    table_bytes,
)
from madcat_studio.model.campaign import DataSet
from madcat_studio.model.naming import natural_key
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS, read_list
from madcat_studio.operations.planning.quotas import read_quotas
from madcat_studio.planning.quotas import PLAN, Copy, Factor, Quota, Standing, standing
from madcat_studio.planning.scribes import Assignment, Scribe, assign_scribes, deal
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.grouping import written
from madcat_studio.reports.sheets import Sheet, write_sheets

__all__ = [
    "Arrivals",
    "CorpusPlan",
    "plan_corpus",
    "read_arrivals",
    "write_corpus_plan",
    "write_scribes_sheets",
]

_LETTERS = {
    Factor.IMPLEMENT: {"ink": "I", "pencil": "P"},
    Factor.SURFACE: {"unlined paper": "U", "lined paper": "L"},
    Factor.SPEED: {"normal": "N", "fast": "F", "careful": "C"},
}
_EXPOSURES = {"exposed": True, "unexposed": False}


@dataclass(frozen=True, slots=True)
class _Passage:
    name: str
    source_document: str
    genre: str
    tokens: int


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """Manuscripts that are to be written.

    Attributes:
        rows: of the corpus table; ``conditions``: of the writing conditions.
        assignment: with its overlap and the bound.
        standing: how the quotas are kept.
        track: of all rows.
    """

    rows: tuple[tuple[str, ...], ...]
    conditions: tuple[tuple[str, ...], ...]
    assignment: Assignment
    standing: tuple[Standing, ...]
    track: str

    def sentences(self) -> tuple[str, ...]:
        """What was planned and how good it is, a sentence each."""
        found = self.assignment
        gap = found.gap
        told = "no two scribes can share a passage"
        if gap is not None:
            known = "no assignment has more" if found.proven else f"at most {gap:.2%} more can be"
            told = (
                f"{found.overlap} of {found.bound} shared passages over pairs of scribes: {known}"
            )
        scribes = len({row[5] for row in self.rows})
        return (
            f"{len(found.scribes)} passages, {len(self.rows)} copies, {scribes} scribes",
            f"Overlap (each pair up to {found.threshold}): {told}",
        )


def plan_corpus(
    passages: Path,
    scribes: Path,
    *,
    training_scribes: Path | None = None,
    quotas: Path | None = None,
    data_set: str = DataSet.EVALUATION.value,
    track: str = "",
    copies: int | None = None,
    seed: int = 1,
    progress: Progress = SILENT,
) -> CorpusPlan:
    """Assign scribes to passages, and say how each copy is to be written.

    Args:
        passages: a table with ``passage source_document genre tokens``.
        scribes: a table with ``scribe``, and ``exposure`` where there is no list.
        training_scribes: who wrote training data: it decides who is exposed.
        quotas: a table of quotas; by default the evaluation plan's.
        data_set, track: of all copies.
        copies: scribes of each passage; by default the quota's.
        seed: the same seed gives the same plan.
        progress: may cancel.

    Raises:
        InputError: a quota that cannot be met: which, by how much, and what would do.
        StudioError: a table cannot be read, or a row makes no sense.
        Cancelled: ``progress`` said so.
    """
    wanted = [
        one for one in (PLAN if quotas is None else read_quotas(quotas)) if one.data_set == data_set
    ]
    if not wanted:
        raise InputError(
            "corpus.no-quotas",
            f"There is no quota for the {data_set} set",
            remedy="Name another set, or give a table of quotas that has it",
        )
    texts = _read_passages(passages)
    people = _read_scribes(scribes, training_scribes)
    of_copies = [one.target for one in wanted if one.factor is Factor.COPIES]
    number = copies if copies is not None else int(of_copies[0]) if of_copies else 3
    share = _shares(wanted, Factor.EXPOSURE).get("exposed", 0.5)
    found = assign_scribes(
        len(texts), people, copies=number, exposed=share, seed=seed, progress=progress
    )
    manuscripts = [
        (texts[place], people[scribe]) for place, row in enumerate(found.scribes) for scribe in row
    ]
    codes = _codes(manuscripts, wanted, seed)
    rows, conditions, written_copies = [], [], []
    for (text, person), code in zip(manuscripts, codes, strict=True):
        base = f"{text.source_document}_1_{person.name}"
        exposure = "exposed" if person.exposed else "unexposed"
        rows.append(
            (
                *(base, text.source_document, text.name, f"{text.name}-{person.name}", "1"),
                *(person.name, exposure, data_set, track),
            )
        )
        conditions.append((base, person.name, "1", code))
        written_copies.append(
            Copy(
                *(data_set, text.name, text.genre, text.tokens, person.name, exposure),
                *written(code),
            )
        )
    return CorpusPlan(
        tuple(rows), tuple(conditions), found, standing(written_copies, wanted), track
    )


def _shares(quotas: Sequence[Quota], factor: Factor) -> dict[str, float]:
    return {one.level: one.target for one in quotas if one.factor is factor}


def _codes(
    manuscripts: Sequence[tuple[_Passage, Scribe]], quotas: Sequence[Quota], seed: int
) -> list[str]:
    """How each copy is written: each factor dealt in an order of its own, scribe by scribe.

    So every scribe has something of each, and no two factors go together.
    """
    letters = [""] * len(manuscripts)
    for number, (factor, known) in enumerate(_LETTERS.items()):
        shares = _shares(quotas, factor) or {next(iter(known)): 1.0}
        unknown = sorted(set(shares) - set(known))
        if unknown:
            raise InputError(
                "corpus.level",
                f"There is no {factor} called {unknown[0]!r}",
                remedy=f"Write one of {', '.join(known)}",
            )
        chance = random.Random(f"{seed} {number}")
        order = sorted(
            range(len(manuscripts)), key=lambda one: (chance.random(), manuscripts[one][1].name)
        )
        order.sort(key=lambda one: natural_key(manuscripts[one][1].name))
        for place, level in zip(order, deal(len(order), shares), strict=True):
            letters[place] += known[level]
    return letters


def _read_passages(path: Path) -> list[_Passage]:
    table = read_table(
        path, required=("passage", "source_document", "genre", "tokens"), optional=("text",)
    )
    found: dict[str, _Passage] = {}
    for row in table.rows:
        try:
            tokens = int(read_number(row["tokens"]))
        except ValueError:
            raise FormatError(
                "corpus.tokens",
                f"the number of tokens is {row['tokens']!r}",
                where=table.where(row),
            ) from None
        if row["passage"] in found:
            raise _twice(table.where(row), "passage", row["passage"])
        found[row["passage"]] = _Passage(
            row["passage"], row["source_document"], row["genre"], tokens
        )
    return list(found.values())


def _read_scribes(path: Path, training: Path | None) -> list[Scribe]:
    required = ("scribe",) if training is not None else ("scribe", "exposure")
    table = read_table(path, required=required, optional=("exposure",))
    exposed = read_list(training) if training is not None else None
    found: dict[str, Scribe] = {}
    without: list[str] = []
    for row in table.rows:
        name = row["scribe"].strip()
        if not name or "_" in name:
            raise FormatError(
                "corpus.scribe-name",
                f"a scribe is called {name!r}",
                where=table.where(row),
                remedy="Give a name without _, which parts the names of files",
            )
        if name in found:
            raise _twice(table.where(row), "scribe", name)
        if exposed is not None:
            found[name] = Scribe(name, name in exposed)
        elif (exposure := row.get("exposure", "")) in _EXPOSURES:
            found[name] = Scribe(name, _EXPOSURES[exposure])
        else:
            without.append(name)
    if without:
        raise InputError(
            "corpus.no-exposure",
            f"It is not said whether these scribes are exposed: {', '.join(without)}",
            where=path,
            remedy="Write exposed or unexposed, or give the list of training scribes",
        )
    return list(found.values())


def _twice(where: str, kind: str, name: str) -> FormatError:
    return FormatError(
        "corpus.plan-twice", f"the {kind} {name} is there twice", where=where,
        remedy="Take one of the rows out",
    )  # fmt: skip


def write_corpus_plan(plan: CorpusPlan, folder: Path) -> tuple[Path, ...]:
    """Write ``corpus.tsv`` and ``writing_conditions.tab`` into a folder (made if need be).

    Raises:
        StudioError: the folder cannot be made or written.
    """
    make_folder(folder)
    corpus, conditions = folder / "corpus.tsv", folder / "writing_conditions.tab"
    write_atomically(corpus, table_bytes(corpus, CORPUS_COLUMNS, plan.rows))
    lines = "".join("\t".join(row) + "\n" for row in plan.conditions)
    write_atomically(conditions, lines.encode())
    return corpus, conditions


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Which planned copies there are.

    Attributes:
        arrived: BASE -> file.
        missing: scribe -> BASEs that are still to come.
        unknown: files that no row of the plan names.
    """

    arrived: dict[str, Path]
    missing: dict[str, tuple[str, ...]]
    unknown: tuple[Path, ...]


def read_arrivals(corpus: Path, folder: Path) -> Arrivals:
    """Look for the scans of planned copies in a folder and those in it.

    A file belongs to the copy whose BASE its name begins with.

    Raises:
        StudioError: the table cannot be read, or there is no such folder.
    """
    table: Table = read_table(corpus, required=CORPUS_COLUMNS)
    if not folder.is_dir():
        raise InputError(
            "corpus.no-folder",
            "there is no such folder",
            where=folder,
            remedy="Name the folder into which copies are scanned",
        )
    scribes = {row["base"]: row["scribe"] for row in table.rows}
    arrived: dict[str, Path] = {}
    unknown: list[Path] = []
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.name.startswith("."):
            continue
        base = next((one for one in _beginnings(file.name) if one in scribes), None)
        if base is None:
            unknown.append(file)
        else:
            arrived.setdefault(base, file)
    missing: dict[str, list[str]] = {}
    for base, scribe in scribes.items():
        if base not in arrived:
            missing.setdefault(scribe, []).append(base)
    ordered = sorted(missing, key=natural_key)
    return Arrivals(arrived, {one: tuple(missing[one]) for one in ordered}, tuple(unknown))


def _beginnings(name: str) -> list[str]:
    """What a name may begin with, the longest first: BASE.tif, BASE.second.tif."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]


def write_scribes_sheets(folder: Path, passages: Path, out: Path) -> tuple[Path, ...]:
    """Write what each scribe is to copy, a PDF for each.

    Args:
        folder: with ``corpus.tsv`` and ``writing_conditions.tab``, as planned.
        passages: the table of passages, with their text in the column ``text``.
        out: the folder to write to (made if need be).

    Raises:
        StudioError: a table cannot be read, a passage has no text, or the folder is not writable.
    """
    corpus = read_table(folder / "corpus.tsv", required=CORPUS_COLUMNS)
    codes = {
        fields[0]: fields[3]
        for _, fields in read_plain_rows(folder / "writing_conditions.tab")
        if len(fields) > 3
    }
    table = read_table(passages, required=("passage", "text"), others=True)
    texts = {row["passage"]: row["text"] for row in table.rows}
    sheets: dict[str, list[Sheet]] = {}
    for row in corpus.rows:
        text = texts.get(row["passage"], "").strip()
        if not text:
            raise InputError(
                "corpus.no-text",
                f"passage {row['passage']} has no text to copy",
                where=passages,
                remedy="Give its text in the column text",
            )
        how = written(codes.get(row["base"], ""))
        sheet = Sheet(row["base"], row["scribe"], row["passage"], *how, text)
        sheets.setdefault(row["scribe"], []).append(sheet)
    make_folder(out)
    files = []
    for scribe in sorted(sheets, key=natural_key):
        path = out / f"{scribe}.pdf"
        write_sheets(sheets[scribe], path)
        files.append(path)
    return tuple(files)
