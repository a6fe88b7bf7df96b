"""A corpus planned: who copies what, and how, from tables to a folder that a campaign starts from.

The folder has the corpus table and the writing conditions, and what they were made from, so that
it can be opened, changed and planned anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError, InputError
from madcat_studio.formats.files import make_folder, write_atomically
from madcat_studio.formats.json_lines import read_json
from madcat_studio.formats.tables import read_number, read_plain_rows, read_table, table_bytes
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS, read_list
from madcat_studio.operations.planning.quotas import read_quotas
from madcat_studio.planning.corpus import CorpusOrder, CorpusPlan, Passage, Way, plan_order
from madcat_studio.planning.quotas import PLAN, Factor, Quota
from madcat_studio.planning.scribes import Scribe, assess
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.grouping import written

__all__ = [
    "CORPUS_ORDER",
    "plan_corpus",
    "read_corpus",
    "read_order",
    "read_passages",
    "read_planned",
    "with_texts",
    "write_corpus",
]

CORPUS_ORDER = "corpus_order.json"
"""What a corpus was made from, in its folder."""

_CORPUS, _CONDITIONS = "corpus.tsv", "writing_conditions.tab"
_FORMAT, _VERSION = "madcat-studio-corpus", 1
_EXPOSURES = {"exposed": True, "unexposed": False}
_MOST_TOKENS = 1_000_000


def read_order(
    passages: Path,
    scribes: Path,
    *,
    training_scribes: Path | None = None,
    quotas: Path | None = None,
    data_set: str = DataSet.EVALUATION.value,
    track: str = "",
    copies: int | None = None,
    seed: int = 1,
) -> CorpusOrder:
    """What a corpus is to be made from, by tables.

    Args:
        passages: a table with ``passage source_document genre tokens``, and perhaps ``text``.
        scribes: a table with ``scribe``, and ``exposure`` where there is no list.
        training_scribes: who wrote training data: it decides who is exposed.
        quotas: a table of quotas; by default the evaluation plan's.
        data_set, track: of all copies.
        copies: scribes of each passage; by default the quota's.
        seed: the same seed gives the same plan.

    Raises:
        StudioError: a table cannot be read, or a row makes no sense.
    """
    return CorpusOrder(
        read_passages(passages),
        tuple(_read_scribes(scribes, training_scribes)),
        PLAN if quotas is None else read_quotas(quotas),
        data_set,
        track,
        copies,
        seed,
    )


def plan_corpus(order: CorpusOrder, *, progress: Progress = SILENT) -> CorpusPlan:
    """Assign scribes to passages, and say how each copy is to be written.

    Raises:
        InputError: a quota that cannot be met: which, by how much, and what would do.
        Cancelled: ``progress`` said so.
    """
    return plan_order(order, progress=progress)


def read_passages(path: Path) -> tuple[Passage, ...]:
    """The passages of a table, in its order.

    Raises:
        StudioError: the table cannot be read, or a row makes no sense.
    """
    table = read_table(
        path, required=("passage", "source_document", "genre", "tokens"), others=True
    )
    found: dict[str, Passage] = {}
    for row in table.rows:
        try:
            tokens = read_number(row["tokens"])
            if not 0 < tokens <= _MOST_TOKENS:
                raise ValueError
        except ValueError:
            raise FormatError(
                "corpus.tokens",
                f"the number of tokens is {row['tokens']!r}",
                where=table.where(row),
                remedy="Write how many Arabic tokens the passage has",
            ) from None
        name, document = row["passage"].strip(), row["source_document"].strip()
        if not name or not document:
            raise FormatError(
                "corpus.passage-name",
                "the passage or its source document has no name",
                where=table.where(row),
            )
        if name in found:
            raise _twice(table.where(row), "passage", name)
        found[name] = Passage(name, document, row["genre"], int(tokens), row.get("text", ""))
    return tuple(found.values())


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
                f"a scribe has the name {name!r}",
                where=table.where(row),
                remedy="Use a name without _, which separates the parts of file names",
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
            f"The exposure of these scribes is missing: {', '.join(without)}",
            where=path,
            remedy="Write exposed or unexposed, or give the list of training scribes",
        )
    return list(found.values())


def _twice(where: str, kind: str, name: str) -> FormatError:
    return FormatError(
        "corpus.plan-twice", f"the {kind} {name} is listed twice", where=where,
        remedy="Remove one of the rows",
    )  # fmt: skip


def with_texts(plan: CorpusPlan, path: Path) -> CorpusPlan:
    """The plan with the texts of a table of passages.

    Raises:
        StudioError: the table cannot be read.
    """
    table = read_table(path, required=("passage", "text"), others=True)
    texts = {row["passage"].strip(): row["text"] for row in table.rows}
    passages = tuple(
        one._replace(text=texts.get(one.name, one.text)) for one in plan.order.passages
    )
    return replace(plan, order=replace(plan.order, passages=passages))


# -- the folder -----------------------------------------------------------------------------------


def write_corpus(order: CorpusOrder, plan: CorpusPlan | None, folder: Path) -> tuple[Path, ...]:
    """Write a corpus into a folder (made if need be); the tables once scribes are assigned.

    Args:
        order: as it is now; its quotas may be others than those that were planned with.
        plan: who copies what; None: nobody is assigned yet.
        folder: tables that it has of another plan are replaced.

    Raises:
        StudioError: the folder cannot be made or written.
    """
    make_folder(folder)
    corpus, conditions, kept = (folder / one for one in (_CORPUS, _CONDITIONS, CORPUS_ORDER))
    files: tuple[Path, ...] = ()
    if plan is not None:
        manuscripts = plan.manuscripts
        rows = [
            (
                *(one.base, one.passage.source_document, one.passage.name),
                *(f"{one.passage.name}-{one.scribe.name}", str(one.page), one.scribe.name),
                *(one.scribe.exposure, plan.order.data_set, plan.order.track),
            )
            for one in manuscripts
        ]
        lines = (
            f"{one.base}\t{one.scribe.name}\t{one.page}\t{one.way.code}\n" for one in manuscripts
        )
        write_atomically(corpus, table_bytes(corpus, CORPUS_COLUMNS, rows))
        write_atomically(conditions, "".join(lines).encode())
        files = corpus, conditions
    text = json.dumps(_value(order), ensure_ascii=False, indent=1)
    write_atomically(kept, f"{text}\n".encode())
    return (*files, kept)


def _value(order: CorpusOrder) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "set": order.data_set,
        "track": order.track,
        "copies": order.copies,
        "seed": order.seed,
        "quotas": [[one.data_set, str(one.factor), one.level, one.target] for one in order.quotas],
        "scribes": [[one.name, one.exposure] for one in order.scribes],
        "passages": [list(one) for one in order.passages],
    }


def read_corpus(folder: Path) -> tuple[CorpusOrder, CorpusPlan | None]:
    """A corpus as :func:`write_corpus` wrote it; without a plan where nobody is assigned yet.

    Raises:
        StudioError: a file cannot be read, or the tables are not of this corpus.
    """
    path = folder / CORPUS_ORDER
    if not path.is_file():
        raise InputError(
            "corpus.no-corpus",
            "the folder has no planned corpus",
            where=folder,
            remedy="Name the folder that `corpus assign` wrote, or that the window saved to",
        )
    value = read_json(path)
    try:
        if value["format"] != _FORMAT or value["version"] != _VERSION:
            raise ValueError
        order = CorpusOrder(
            tuple(Passage(*_fields(one, str, str, str, int, str)) for one in value["passages"]),
            tuple(
                Scribe(name, _EXPOSURES[exposure])
                for name, exposure in (_fields(one, str, str) for one in value["scribes"])
            ),
            tuple(
                Quota(data_set, Factor(factor), level, float(target))
                for data_set, factor, level, target in (
                    _fields(one, str, str, str, (int, float)) for one in value["quotas"]
                )
            ),
            data_set=_fields([value["set"]], str)[0],
            track=_fields([value["track"]], str)[0],
            copies=None if value["copies"] is None else _fields([value["copies"]], int)[0],
            seed=_fields([value["seed"]], int)[0],
        )
    except (LookupError, TypeError, ValueError):
        raise FormatError(
            "corpus.order",
            "this is not a planned corpus, or another version of the program wrote it",
            where=path,
            remedy="Plan the corpus again from its tables",
        ) from None
    table = folder / _CORPUS
    return order, _read_plan(order, table) if table.is_file() else None


def read_planned(folder: Path) -> CorpusPlan:
    """A corpus whose scribes are assigned.

    Raises:
        InputError: ``corpus.not-assigned``.
        StudioError: as :func:`read_corpus`.
    """
    _, plan = read_corpus(folder)
    if plan is None:
        raise InputError(
            "corpus.not-assigned",
            "no scribes are assigned to its passages yet",
            where=folder,
            remedy="Assign them with `corpus assign`, or in the window",
        )
    return plan


def _fields(value: Any, *kinds: type | tuple[type, ...]) -> list[Any]:
    if not isinstance(value, list) or len(value) != len(kinds):
        raise TypeError
    for one, kind in zip(value, kinds, strict=True):
        if not isinstance(one, kind) or isinstance(one, bool):
            raise TypeError
    return value


def _read_plan(order: CorpusOrder, path: Path) -> CorpusPlan:
    table = read_table(path, required=CORPUS_COLUMNS)
    codes = {
        fields[0]: fields[3]
        for _, fields in read_plain_rows(path.parent / _CONDITIONS)
        if len(fields) > 3
    }
    places = {one.name: place for place, one in enumerate(order.scribes)}
    rows: dict[str, dict[int, Way]] = {one.name: {} for one in order.passages}
    for row in table.rows:
        passage, scribe = row["passage"], row["scribe"]
        if passage not in rows or scribe not in places or places[scribe] in rows[passage]:
            raise InputError(
                "corpus.other-plan",
                f"passage {passage} and scribe {scribe} are not in this corpus, or listed twice",
                where=table.where(row),
                remedy="Plan the corpus again, or restore the table as it was written",
            )
        rows[passage][places[scribe]] = Way(*written(codes.get(row["base"], "")))
    ordered: Sequence[list[int]] = [sorted(own) for own in rows.values()]
    ways = tuple(
        own[place] for own, row in zip(rows.values(), ordered, strict=True) for place in row
    )
    first = table.rows[0] if table.rows else None
    if first is not None:
        order = replace(order, data_set=first["set"], track=first["track"])
    return CorpusPlan(order, assess(ordered, len(order.scribes)), ways)
