"""A corpus table made from the names of files, where a coordinator has none.

BASE is ``<source document>_<page>_<scribe>``: the passage is then the source document, the
manuscript a scribe's copy of it, the set evaluation, and a list of the training scribes says who
is exposed.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.files import write_atomically
from madcat_studio.formats.madcat import base_of
from madcat_studio.formats.tables import Row, Table, read_plain_rows, table_bytes
from madcat_studio.model.basename import BaseName
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.checked import Checking, Outcome, counted
from madcat_studio.progress import SILENT

__all__ = [
    "CORPUS_COLUMNS",
    "REFERENCE_SUFFIX",
    "corpus_from_names",
    "read_list",
    "reference_files",
    "write_corpus",
]

CORPUS_COLUMNS = (
    "base",
    "source_document",
    "passage",
    "manuscript",
    "page",
    "scribe",
    "exposure",
    "set",
    "track",
)

REFERENCE_SUFFIX = ".madcat.xml"


class _NamesTable(Table):
    """A table without a file of its own: the place of a row is the reference's file."""

    def where(self, row: Row) -> str:
        return str(self.path / (row["base"] + REFERENCE_SUFFIX))


def reference_files(folder: Path) -> dict[str, Path]:
    """BASE -> file of the references in a folder.

    Raises:
        OSError: the folder cannot be read.
    """
    found = {}
    for file in sorted(folder.iterdir()):
        base = base_of(file)
        if file.name == base + REFERENCE_SUFFIX:
            found[base] = file
    return found


def read_list(path: Path | None) -> frozenset[str]:
    """The names that a list holds, one a line; nothing without a list.

    Raises:
        StudioError: the list cannot be read.
    """
    if path is None:
        return frozenset()
    return frozenset(row[0].strip() for _, row in read_plain_rows(path) if row[0].strip())


def corpus_from_names(
    documents: Path,
    checking: Checking,
    *,
    training_scribes: Collection[str] = (),
    sequestered: Collection[str] = (),
) -> Table:
    """A corpus table for the references of a folder, by their names.

    Sequestered passages are put into the progress set. Names of another form are errors in
    ``checking``.

    Raises:
        InputError: there is no such folder.
    """
    if not documents.is_dir():
        raise InputError(
            "campaign.no-folder",
            "There is no such folder",
            where=documents,
            remedy=f"Name the folder that holds the *{REFERENCE_SUFFIX} files",
        )
    rows = []
    for number, (base, file) in enumerate(reference_files(documents).items(), start=1):
        found = BaseName.of(base)
        if found is None:
            checking.error(
                "corpus.base-name",
                file,
                "its name does not say source document, page and scribe",
                "Call it SOURCE_PAGE_SCRIBE.madcat.xml, or give a corpus table",
            )
            continue
        source, page, scribe = found
        rows.append(
            Row(
                number,
                {
                    "base": base,
                    "source_document": source,
                    "passage": source,
                    "manuscript": f"{source}_{scribe}",
                    "page": page,
                    "scribe": scribe,
                    "exposure": "exposed" if scribe in training_scribes else "unexposed",
                    "set": (
                        DataSet.PROGRESS if source in sequestered else DataSet.EVALUATION
                    ).value,
                    "track": "",
                },
            )
        )
    if not rows and not checking.problems:
        checking.error(
            "corpus.none", documents, f"there is no *{REFERENCE_SUFFIX} file in this folder"
        )
    return _NamesTable(documents, CORPUS_COLUMNS, tuple(rows), ())


def write_corpus(
    documents: Path,
    path: Path,
    *,
    training_scribes: Path | None = None,
    sequestered: Path | None = None,
) -> Outcome:
    """Write the corpus table that the names of a folder's files make, to look at and correct.

    Raises:
        Refused: a name says too little; nothing was written.
        StudioError: a list cannot be read, or the table not written.
    """
    checking = Checking(SILENT)
    table = corpus_from_names(
        documents,
        checking,
        training_scribes=read_list(training_scribes),
        sequestered=read_list(sequestered),
    )
    checking.settle()
    rows = [tuple(row[column] for column in CORPUS_COLUMNS) for row in table.rows]
    write_atomically(path, table_bytes(path, CORPUS_COLUMNS, rows))
    return Outcome((f"{path} written with {counted(len(rows), 'document')}",))
