"""What is known of each document that is evaluated: its set, genre, scribe, how it was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from madcat_studio.formats.tables import read_table
from madcat_studio.model.basename import BaseName
from madcat_studio.model.campaign import DataSet
from madcat_studio.model.document import Document
from madcat_studio.operations.checked import Checking
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS
from madcat_studio.operations.corpus.intake import (
    check_row,
    read_conditions,
    read_standoff,
    track_name,
)
from madcat_studio.operations.scores.report import read_documents
from madcat_studio.progress import SILENT
from madcat_studio.reports.grouping import UNKNOWN, Place, written

__all__ = ["CorpusFiles", "Descriptions", "described"]


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """Tables that describe documents, as a campaign is made from them.

    Attributes:
        corpus: the corpus table; without one the names of files tell.
        conditions: ``writing_conditions.tab``.
        standoff: the stand-off file of scribe errors.
    """

    corpus: Path | None = None
    conditions: Path | None = None
    standoff: Path | None = None

    def __bool__(self) -> bool:
        return any((self.corpus, self.conditions, self.standoff))


@dataclass(frozen=True, slots=True)
class _Row:
    source_document: str
    passage: str
    manuscript: str
    page: str
    scribe: str
    exposure: str
    data_set: DataSet
    track: str


@dataclass(slots=True)
class Descriptions:
    """Of every document that anything is known of beyond its name.

    Attributes:
        conditions: BASE -> code.
        scribe_errors: (BASE, segment) of the stand-off file.
        unnamed: documents that a corpus table should name, and does not.
    """

    rows: Mapping[str, _Row] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    scribe_errors: frozenset[tuple[str, str]] = frozenset()
    warnings: list[str] = field(default_factory=list)
    unnamed: int = 0

    def first_page(self, base: str) -> str:
        """What a document's first page is called."""
        return self._row(base, "").page

    def place(self, base: str, document: Document) -> Place:
        """Where a document belongs; series, system, page and scribe errors are still to be set."""
        if self.rows and base not in self.rows:
            self.unnamed += 1
        row = self._row(base, document.scribe or "")
        return Place(
            series="",
            track=row.track,
            data_set=str(row.data_set),
            system="",
            genre=(document.genre or "").strip() or "unknown",
            kit="",
            source_document=row.source_document,
            passage=row.passage,
            manuscript=row.manuscript,
            scribe=row.scribe or UNKNOWN,
            exposure=row.exposure or UNKNOWN,
            **dict(
                zip(
                    ("implement", "surface", "speed"),
                    written(self.conditions.get(base, "")),
                    strict=True,
                )
            ),
            base=base,
            page=row.page,
            scribe_errors="without",
        )

    def _row(self, base: str, scribe: str) -> _Row:
        found = self.rows.get(base)
        if found is not None:
            return found
        name = BaseName.of(base)
        source, page, scribe = (base, "", scribe) if name is None else name
        return _Row(source, source, f"{source}_{scribe}", page, scribe, "", DataSet.EVALUATION, "")


def described(files: CorpusFiles, campaign: str | Path | None) -> Descriptions:
    """What tables say of documents; without any, what the campaign says.

    Raises:
        Refused: a corpus table with mistakes.
        StudioError: a table or the campaign cannot be read.
    """
    if files or campaign is None:
        return _from_files(files)
    documents, errors = read_documents(campaign)
    return Descriptions(
        rows={
            one.base: _Row(
                *(one.source_document, one.passage, one.manuscript, one.page, one.scribe),
                *(one.exposure, one.data_set, one.track),
            )
            for one in documents
        },
        conditions={one.base: one.conditions for one in documents},
        scribe_errors=frozenset((one.base, one.segment) for one in errors),
    )


def _from_files(files: CorpusFiles) -> Descriptions:
    checking = Checking(SILENT)
    rows = {} if files.corpus is None else _rows_of(files.corpus, checking)
    conditions = read_conditions(files.conditions, checking)
    # Which segments there are is not known before the references are read.
    errors = read_standoff(files.standoff, None, checking)
    checking.settle()
    return Descriptions(
        rows,
        conditions,
        frozenset((one.base, one.segment) for one in errors),
        [f"{one.where}: {one.what}" for one in checking.problems],
    )


def _rows_of(corpus: Path, checking: Checking) -> dict[str, _Row]:
    """BASE -> its row; the table, which is several times as large, is not kept."""
    rows: dict[str, _Row] = {}
    table = read_table(corpus, required=CORPUS_COLUMNS)
    checking.problems.extend(table.problems)
    tracks: dict[str, str] = {}
    for row in table.rows:
        where = table.where(row)
        if row["base"] in rows:
            checking.error("corpus.base-twice", where, f"{row['base']} is in the table twice")
        data_set = check_row(row, where, checking)
        if data_set is not None:
            track = track_name(row)
            rows[row["base"]] = _Row(
                *(row["source_document"], row["passage"], row["manuscript"], row["page"]),
                *(row["scribe"], row["exposure"], data_set, tracks.setdefault(track, track)),
            )
    return rows
