"""Texts with ids, for scoring: plain lines, TSV, JSON Lines or MADCAT XML, told by the suffix.

* ``.tsv``, ``.csv``, ``.xlsx``: a table with the columns ``text`` and ``segment`` or ``id``;
* ``.jsonl``: one object a line with ``text`` and ``segment`` or ``id``;
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
from madcat_studio.formats.tables import read_table
from madcat_ter.transcripts import by_segment, read_ctm, read_stm, read_trn

__all__ = ["Layer", "SegmentTexts", "read_segment_texts", "read_timed"]

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
    elif suffix in (".jsonl", ".ndjson"):
        pairs = _from_json_lines(path)
    elif suffix == ".xml":
        pairs = _from_madcat(path, layer, warnings)
    elif suffix == ".trn":
        pairs = read_trn(_text(path), str(path))
    elif suffix == ".stm":
        segments = read_stm(_text(path), str(path))
        pairs = [(segment.id, segment.text) for segment in segments if segment.is_scored]
    elif suffix == ".ctm":
        raise FormatError(
            "scoring.ctm-alone",
            "a CTM file tells words and times, and no segments",
            where=path,
            remedy="Give it as the output, with the STM file of the same recordings as reference",
        )
    else:
        texts = tuple(_lines(path))
        ids = tuple(map(str, range(1, len(texts) + 1)))
        return SegmentTexts(str(path), True, ids, texts)
    ids, texts = tuple(one for one, _ in pairs), tuple(text for _, text in pairs)
    if len(set(ids)) < len(ids):
        double = [one for one, times in Counter(ids).items() if times > 1]
        raise FormatError(
            "scoring.duplicate-ids",
            f"{len(double)} ids occur more than once: {_listed(double)}",
            where=path,
            remedy="Give every segment an id of its own",
        )
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


def _listed(ids: list[str]) -> str:
    return ", ".join(ids[:10]) + (" …" if len(ids) > 10 else "")


def _lines(path: Path) -> list[str]:
    text = _text(path)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def _text(path: Path) -> str:
    """The text of a file in UTF-8."""
    data = read_file(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data:
        line = data.count(b"\n", 0, max(data.find(b"\0"), 0)) + 1
        raise FormatError(
            "scoring.not-text",
            "the file holds NUL bytes",
            where=f"{path}:{line}",
            remedy="It is probably UTF-16 or not text; convert it to UTF-8",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            "scoring.not-utf8",
            f"the file is not UTF-8: byte 0x{data[error.start]:02X} at offset {error.start}",
            where=f"{path}:{line}",
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
    found: list[tuple[str, str]] = []
    for number, value in read_json_lines(path):
        where = f"{path}:{number}"
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
        found.append((str(name), value["text"]))
    return found


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
