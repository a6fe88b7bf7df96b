"""Texts block by block: what is read at once, in every form, with the same messages."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.errors import StudioError
from madcat_studio.formats import parquet, text_streams
from madcat_studio.formats.parquet import write_parquet_rows
from madcat_studio.formats.segment_texts import read_segment_texts
from madcat_studio.formats.text_streams import open_stream

needs_pyarrow = pytest.mark.skipif(
    find_spec("pyarrow") is None, reason="the extra parquet is not installed"
)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_streams, "_CHUNK", 5)
    monkeypatch.setattr(text_streams, "_AT_ONCE", 3)
    monkeypatch.setattr(parquet, "_AT_ONCE", 3)
    monkeypatch.setattr(parquet, "_GROUP", 4)


def streamed(path: Path) -> tuple[Any, ...]:
    stream = open_stream(path)
    ids: list[str] = []
    texts: list[str] = []
    for block in stream.blocks():
        ids += block.ids or ()
        texts += block.texts
    if stream.numbered:
        assert ids == []
        assert stream.count == len(texts)
        ids = [str(number) for number in range(1, len(texts) + 1)]
    return stream.path, stream.numbered, tuple(ids), tuple(texts), stream.warnings


def at_once(path: Path) -> tuple[Any, ...]:
    found = read_segment_texts(path)
    return found.path, found.numbered, found.ids, found.texts, found.warnings


LINES = [json.dumps({"id": f"s{number}", "text": f"ä {number}"}) for number in range(8)]

GOOD = {
    "empty": b"",
    "one": b"a",
    "lines": "ä b\n\nc\nlonger than a chunk\n".encode(),
    "no-end": b"a\nb",
    "crlf": b"a\r\nb\r\n\r\n",
    "bom": b"\xef\xbb\xbfa\nb\nc d e f\n",
    "rows.jsonl": "\n".join(LINES).encode(),
    "gaps.jsonl": ("\ufeff" + "\n \n\n".join(LINES) + "\n\n").encode(),
    "half.jsonl": b'{"id": 1, "text": "\\ud800"}\r\n{"segment": "b", "text": "x"}\r\n',
    "table.tsv": b'segment\ttext\na\tx\nb\ty "z\nc\t\nd\tw\n',
}

BAD = {
    "nul": b"a\nbcdefgh\nc\0d\n",
    "utf16": "a\nb".encode("utf-16"),
    "latin": "a\nbcdefgh\nü\n".encode("latin-1"),
    "twice.jsonl": "\n".join([*LINES, LINES[1], LINES[6], LINES[6]]).encode(),
    "broken.jsonl": "\n".join([*LINES, "{", LINES[0]]).encode(),
    "latin.jsonl": b"\n".join([LINES[0].encode(), b'{"text": "\xfc", "id": 1}']),
    "no-id.jsonl": b'\n{"text": "a"}\n',
    "no-text.jsonl": b'\n\n{"id": "a"}\n',
    "twice.tsv": b"id\ttext\na\tx\na\ty\n",
    "no-columns.tsv": b"a\tb\n",
}


@pytest.mark.parametrize("name", GOOD)
def test_the_same_as_read_at_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(GOOD[name])
    assert streamed(path) == at_once(path)


@pytest.mark.parametrize("name", [*BAD, "missing", "folder", "missing.jsonl", "missing.parquet"])
def test_the_same_messages(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif name in BAD:
        path.write_bytes(BAD[name])
    told = []
    for read in (at_once, streamed):
        with pytest.raises(StudioError) as error:
            read(path)
        told.append(str(error.value))
    assert told[1] == told[0]


@needs_pyarrow
@pytest.mark.parametrize("ids", ["segment", "id", None])
def test_parquet(ids: str | None, tmp_path: Path) -> None:
    path = tmp_path / "texts.parquet"
    rows = [(number, f"ä {number}") for number in range(11)]
    columns = [("text", "string"), ("other", "int64")]
    if ids is None:
        write_parquet_rows(path, columns, ((text, 1) for _, text in rows))
    else:
        kind = "int64" if ids == "id" else "string"
        write_parquet_rows(
            path,
            [(ids, kind), *columns],
            ((number if ids == "id" else str(number), text, 1) for number, text in rows),
        )
    _, numbered, names, texts, _ = streamed(path)
    assert numbered == (ids is None)
    assert names == tuple(str(number + (ids is None)) for number, _ in rows)
    assert texts == tuple(text for _, text in rows)
    assert at_once(path) == streamed(path)


@needs_pyarrow
@pytest.mark.parametrize(
    ("columns", "rows", "code", "where"),
    [
        ([("words", "string")], [("a",)], "parquet.no-text", ""),
        ([("text", "string")], [("a",), ("b",), ("c",), ("d",), (None,)], "parquet.no-value", "5"),
        ([("text", "int64")], [(1,)], "parquet.no-value", "1"),
        ([("id", "string"), ("text", "string")], [(None, "a")], "parquet.no-value", "1"),
        ([("id", "string"), ("text", "string")], [("a", "a")] * 5, "scoring.duplicate-ids", ""),
    ],
)
def test_parquet_that_cannot_be_used(
    columns: list[tuple[str, str]], rows: list[Any], code: str, where: str, tmp_path: Path
) -> None:
    path = tmp_path / "texts.parquet"
    write_parquet_rows(path, columns, rows)
    told = []
    for read in (at_once, streamed):
        with pytest.raises(StudioError) as error:
            read(path)
        assert error.value.code == code
        assert error.value.where == f"{path}{f', row {where}' if where else ''}"
        told.append(str(error.value))
    assert told[1] == told[0]


@needs_pyarrow
@pytest.mark.parametrize("cut", [0, 4, 60, -9])
def test_damaged_parquet(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "texts.parquet"
    write_parquet_rows(path, [("text", "string")], [("a",)] * 50)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(StudioError) as error:
        streamed(path)
    assert error.value.code == "parquet.not-parquet"


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "texts.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setattr(parquet, "find_spec", lambda _name: None)
    with pytest.raises(StudioError) as error:
        read_segment_texts(path)
    assert error.value.code == "parquet.not-installed"
    assert error.value.remedy == "Install it with: pip install 'madcat-studio[parquet]'"
