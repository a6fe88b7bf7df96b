"""Parquet: texts with ids read by row groups, and tables written by blocks of rows.

pyarrow does both; it is an extra, and loaded when a file of this form is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.formats.files import reading

__all__ = ["PARQUET", "ParquetTexts", "write_parquet_rows"]

PARQUET = ".parquet"
"""The suffix of such files."""

_AT_ONCE = 1 << 13  # texts of a block
_GROUP = 1 << 16  # rows of a group that is written


def _pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise WorldError(
            "parquet.not-installed",
            "the package pyarrow, which reads and writes Parquet, is not installed",
            remedy="Install it with: pip install 'madcat-studio[parquet]'",
        )


class ParquetTexts:
    """The texts of a Parquet file: the column ``text``, and ``segment`` or ``id`` where it is.

    Attributes:
        count: how many there are.
        id_column: the name of the column of ids, None without one.

    Raises:
        InputError, WorldError: the file is not there, cannot be read, or pyarrow is not installed.
        FormatError: ``parquet.not-parquet``, ``parquet.no-text``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with reading(path):  # its messages for what is no file
            pass
        _pyarrow()
        with self._open() as file:
            columns = file.schema_arrow.names
            self.count: int = file.metadata.num_rows
        if "text" not in columns:
            raise FormatError(
                "parquet.no-text",
                "the table has no column text",
                where=path,
                remedy=f"It has {', '.join(columns[:10]) or 'no columns'}; name one of them text",
            )
        self.id_column = next((name for name in ("segment", "id") if name in columns), None)

    def blocks(self) -> Iterator[tuple[list[str] | None, list[str]]]:
        """Ids and texts in order.

        Raises:
            FormatError: a row without a text or an id, or a damaged file.
        """
        names = ["text"] if self.id_column is None else [self.id_column, "text"]
        done = 0
        with self._open() as file:
            batches = file.iter_batches(batch_size=_AT_ONCE, columns=names)
            while (batch := self._next(batches)) is not None:
                texts = self._column(batch, "text", done)
                ids = None if self.id_column is None else self._column(batch, self.id_column, done)
                done += len(texts)
                yield ids, texts

    def texts(self) -> list[str]:
        """All texts."""
        return [text for _, texts in self.blocks() for text in texts]

    def _open(self) -> Any:
        import pyarrow
        from pyarrow import parquet

        try:
            return parquet.ParquetFile(self._path)
        except pyarrow.ArrowException as error:
            raise self._damaged(error) from error

    def _next(self, batches: Iterator[Any]) -> Any:
        import pyarrow

        try:
            return next(batches, None)
        except (pyarrow.ArrowException, OSError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> FormatError:
        return FormatError(
            "parquet.not-parquet",
            f"this is not a complete Parquet file ({type(error).__name__})",
            where=self._path,
            remedy="Write it again, or give the texts in another format, such as .jsonl",
        )

    def _column(self, batch: Any, name: str, done: int) -> list[str]:
        values: list[Any] = batch.column(name).to_pylist()
        if name != "text":
            values = [str(one) if isinstance(one, int) else one for one in values]
        for row, value in enumerate(values, done + 1):
            if not isinstance(value, str):
                raise FormatError(
                    "parquet.no-value",
                    f"the column {name} is {'empty' if value is None else 'not text'}",
                    where=f"{self._path}, row {row}",
                    remedy="Fill it in; an empty output is an empty text",
                )
        return values


def write_parquet_rows(
    path: Path, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[Any]]
) -> None:
    """Write a table; never more rows in memory than one group has.

    Args:
        path: the file, which may be there.
        columns: the name of each, and what Arrow calls its type, such as ``int64``.
        rows: their cells; None where there is no value.

    Raises:
        WorldError: ``parquet.not-installed``.
        OSError: it cannot be written.
    """
    _pyarrow()
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in columns])
    rest = iter(rows)
    with parquet.ParquetWriter(path, schema) as writer:
        while group := list(islice(rest, _GROUP)):
            arrays = [
                pyarrow.array(cells, field.type)
                for field, cells in zip(schema, zip(*group, strict=True), strict=True)
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
