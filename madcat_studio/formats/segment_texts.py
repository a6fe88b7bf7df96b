"""Texts with ids, for scoring: plain lines, TSV, JSON Lines or MADCAT XML, told by the suffix.

* ``.tsv``, ``.csv``, ``.xlsx``: a table with the columns ``text`` and ``segment`` or ``id``;
* ``.jsonl``: one object a line with ``text`` and ``segment`` or ``id``;
* ``.parquet``: the same columns as a table; rows without either are numbered as lines are;
* ``.xml``: MADCAT XML; a segment is named ``BASE/id``;
* ``.trn``, ``.stm``: transcripts as sclite reads them; ``.ctm`` goes with the STM file of the same
  recordings (:func:`read_timed`);
* anything else: one text a line, named by its number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from madcat_studio.errors import FormatError
from madcat_studio.formats.files import read_file
from madcat_studio.formats.json_lines import read_json_lines
from madcat_studio.formats.parquet import PARQUET, ParquetTexts
from madcat_studio.formats.tables import read_table
from madcat_ter.transcripts import by_segment, read_ctm, read_stm, read_trn

__all__ = [
    "JSON_LINES",
    "Layer",
    "SegmentTexts",
    "decoded_lines",
    "duplicate_ids",
    "read_segment_texts",
    "read_timed",
    "text_of_json",
]

JSON_LINES = (".jsonl", ".ndjson")
"""The suffixes of JSON Lines."""

Layer = Literal["translation", "transcription"]
"""Which text of a MADCAT segment is meant."""


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """The texts of a file.

    Attributes:
        path: as the user gave it.
        numbered: whether the ids are nothing but line numbers.
        ids: of each text; every one once.
        texts: in the order of the file.
        warnings: what the reader should know.
    """

    path: str
    numbered: bool
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def read_segment_texts(path: Path, layer: Layer = "translation") -> SegmentTexts:
    """Read the texts of a file.

    Raises:
        InputError: there is no such file, or it holds an id twice.
        FormatError: it is not UTF-8, holds NUL, or is not what its suffix says.
    """
    suffix = path.suffix.lower()
    warnings: list[str] = []
    if suffix in (".tsv", ".csv", ".xlsx"):
        pairs = _from_table(path, warnings)
    elif suffix in JSON_LINES:
        pairs = _from_json_lines(path)
    elif suffix == ".xml":
        pairs = _from_madcat(path, layer, warnings)
    elif suffix == PARQUET and (table := ParquetTexts(path)).id_column is not None:
        pairs = [
            pair for names, rows in table.blocks() for pair in zip(names or (), rows, strict=True)
        ]
    elif suffix == ".trn":
        pairs = read_trn(_text(path), str(path))
    elif suffix == ".stm":
        segments = read_stm(_text(path), str(path))
        pairs = [(segment.id, segment.text) for segment in segments if segment.is_scored]
    elif suffix == ".ctm":
        raise FormatError(
            "scoring.ctm-alone",
            "a CTM file has words and times, but no segments",
            where=path,
            remedy="Give it as the output, with the STM file of the same recordings as reference",
        )
    else:
        lines = table.texts() if suffix == PARQUET else _lines(path)
        ids = tuple(map(str, range(1, len(lines) + 1)))
        return SegmentTexts(str(path), True, ids, tuple(lines))
    ids, texts = tuple(one for one, _ in pairs), tuple(text for _, text in pairs)
    if len(set(ids)) < len(ids):
        double = [one for one, times in Counter(ids).items() if times > 1]
        raise duplicate_ids(double, path)
    return SegmentTexts(str(path), False, ids, texts, tuple(warnings))


def read_timed(words: Path, segments: Path) -> tuple[SegmentTexts, SegmentTexts]:
    """The texts of a CTM file by the segments of an STM file, and the texts of that file.

    Raises:
        InputError: as :func:`read_segment_texts`; the files are of other recordings.
    """
    found = by_segment(
        read_stm(_text(segments), str(segments)), read_ctm(_text(words), str(words)), str(words)
    )
    ids = tuple(name for name, _, _ in found)
    recognised, said = (tuple(row[side] for row in found) for side in (1, 2))
    return (
        SegmentTexts(str(words), False, ids, recognised),
        SegmentTexts(str(segments), False, ids, said),
    )


def duplicate_ids(double: list[str], path: Path) -> FormatError:
    """What is told of ids that occur more than once."""
    return FormatError(
        "scoring.duplicate-ids",
        f"{len(double)} ids occur more than once: {_listed(double)}",
        where=path,
        remedy="Give every segment its own id",
    )


def _listed(ids: list[str]) -> str:
    return ", ".join(ids[:10]) + (" …" if len(ids) > 10 else "")


def _lines(path: Path) -> list[str]:
    return decoded_lines(read_file(path), path)


def decoded_lines(data: bytes, path: Path, line: int = 0, offset: int = 0) -> list[str]:
    """The lines of a file, or of a part of it that begins with a line.

    Args:
        data: the bytes.
        path: of the file, for messages.
        line: how many lines come before.
        offset: how many bytes come before.

    Raises:
        FormatError: ``scoring.not-text``, ``scoring.not-utf8``.
    """
    text = _decoded(data, path, line, offset)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [one.removesuffix("\r") for one in lines] if "\r" in text else lines


def _text(path: Path) -> str:
    """The text of a file in UTF-8."""
    return _decoded(read_file(path), path)


def _decoded(data: bytes, path: Path, line: int = 0, offset: int = 0) -> str:
    if (not offset and data.startswith((b"\xff\xfe", b"\xfe\xff"))) or b"\0" in data:
        raise FormatError(
            "scoring.not-text",
            "the file has NUL bytes",
            where=f"{path}:{line + data.count(10, 0, max(data.find(0), 0)) + 1}",
            remedy="It is probably UTF-16 or not text; convert it to UTF-8",
        )
    try:
        return data.decode("utf-8" if offset else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            "scoring.not-utf8",
            f"the file is not UTF-8: byte 0x{data[error.start]:02X} at offset "
            f"{offset + error.start}",
            where=f"{path}:{line + data.count(10, 0, error.start) + 1}",
            remedy="Convert it to UTF-8",
        ) from None


def _from_table(path: Path, warnings: list[str]) -> list[tuple[str, str]]:
    table = read_table(path, required=["text"], optional=["segment", "id"])
    # Without quotation marks a text is another, and so is its score: that is said.
    warnings += [
        f"{one.where}: {one.what}; {one.done}. {one.remedy}"
        for one in table.problems
        if one.code != "table-unknown-column"
    ]
    found: list[tuple[str, str]] = []
    for row in table.rows:
        name = row.get("segment") or row.get("id")
        if not name:
            raise _no_id(f"{path}:{row.line}")
        found.append((name, row["text"]))
    return found


def _from_json_lines(path: Path) -> list[tuple[str, str]]:
    return [text_of_json(value, f"{path}:{number}") for number, value in read_json_lines(path)]


def text_of_json(value: object, where: str) -> tuple[str, str]:
    """The id and the text of one line.

    Raises:
        FormatError: ``scoring.json-text``, ``scoring.no-id``.
    """
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise FormatError(
            "scoring.json-text",
            "the line is not an object with a text",
            where=where,
            remedy='Write {"id": "…", "text": "…"}',
        )
    name = value.get("segment", value.get("id"))
    if name is None or isinstance(name, dict | list):
        raise _no_id(where)
    return str(name), value["text"]


def _no_id(where: str) -> FormatError:
    return FormatError(
        "scoring.no-id",
        "a text has no id",
        where=where,
        remedy="Name it in the column or member segment, or id",
    )


def _from_madcat(path: Path, layer: Layer, warnings: list[str]) -> list[tuple[str, str]]:
    from madcat_studio.formats.madcat import base_of, read  # tables need no XML

    base = base_of(path)
    found: list[tuple[str, str]] = []
    for section in read(path).document.sections:
        for segment in section.segments:
            text = segment.translation if layer == "translation" else segment.transcription
            if text is None:
                warnings.append(f"{path}: segment {segment.id} has no {layer}; it counts as empty")
            found.append((f"{base}/{segment.id}", text or ""))
    return found
