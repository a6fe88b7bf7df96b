"""Mutated documents and images: a message or a result, never anything else.

A few hundred run always; ten thousand of each in the soak, where none may take over a second of
processor time.
"""

from __future__ import annotations

import io
import os
import random
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PIL import Image

from madcat_studio.checks import check
from madcat_studio.errors import StudioError
from madcat_studio.formats.any_document import read_any
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat, recognise
from madcat_studio.formats.madcat import read_source
from madcat_studio.formats.madcat_writer import new_bytes, write
from madcat_studio.formats.source import Source
from madcat_studio.images.crops import plain_image
from madcat_studio.images.reading import image_facts, open_image
from madcat_studio.operations.pages.checking import CheckOptions, check_files
from madcat_studio.operations.pages.convert import convert_file
from madcat_studio.operations.pages.convert_many import ConvertOptions, Job, convert_files

DATA = Path(__file__).parent.parent / "data"
DOCUMENTS = [
    path.read_bytes()
    for folder in ("madcat", "real", "documents")
    for path in sorted((DATA / folder).iterdir())
    if path.suffix in (".xml", ".hocr", ".html", ".json")
]
SPLICES = [
    b"<", b">", b"&", b"&amp;", b"\x00", b"\xff\xfe", b"]]>", b"<![CDATA[", b"-1", b"1e999",
    b"9" * 400, b"NaN", b'"', b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"<!--", b"<?x ?>",
    b"\r\n", "\u202e\u0000".encode("utf-16"), b"<polygon/>", b"<point x='1' y='2'/>",
    b'{"shapes":[', b"[" * 3000, b'"points":[[1,2],[3]]', b"null", b"1e308", b'"\\ud800"',
    b'"bbox":[1,2,3]', b"index:" + b"9" * 5000, b"<div>" * 300, b"title='bbox 1 2 x'",
    b" id='z0'", b" points=''", b"<zone>" * 300, b"xmlns='urn:x'", b"encoding='utf-16'",
]  # fmt: skip


def mutate(draw: random.Random, data: bytes) -> bytes:
    """One to six changes: bits, cuts, doubled pieces, things that parsers dislike."""
    found = bytearray(data)
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(found) + 1)
        match draw.randrange(6):
            case 0 if at < len(found):
                found[at] ^= 1 << draw.randrange(8)
            case 1:
                del found[at : at + draw.randint(1, 200)]
            case 2:
                found[at:at] = found[at : at + draw.randint(1, 400)]
            case 3:
                found[at:at] = draw.choice(SPLICES)
            case 4:
                del found[at + draw.randint(0, 400) :]
            case 5:
                other = draw.randrange(len(found) + 1)
                found[at:at] = found[other : other + draw.randint(1, 2000)]
    return bytes(found)


TARGETS = [f"out{TRAITS[kind].written}" for kind in WRITTEN]


def read_everything(data: bytes, folder: Path, targets: Sequence[str] = TARGETS) -> None:
    """What a user could do with the file; only StudioErrors may come out."""
    source = Source(data, "fuzzed")
    try:
        kind = recognise(source)
        if kind is FileFormat.MADCAT:
            opened = read_source(source)
            assert write(opened.document, source) == data
            found = check(opened)
            assert all(finding.problem.what for finding in found)
            for finding in found:
                for edit in finding.mend:
                    edit.apply(opened.document)
            write(opened.document, source)
            new_bytes(opened.document)
        else:
            other = read_any(source)
            assert all(finding.problem.what for finding in check(other))
    except StudioError:
        pass
    path = folder / "fuzzed.xml"
    path.write_bytes(data)
    for name in targets:
        try:
            convert_file(path, folder / name, overwrite=True)
        except StudioError:
            assert [p.name for p in folder.iterdir()] == [path.name]
        for written in folder.iterdir():
            if written != path:
                written.unlink()
    assert [p.name for p in folder.iterdir()] == ["fuzzed.xml"]


def run(number: int, seed: int, limit: float | None, one: Callable[[random.Random], None]) -> None:
    for index in range(number):
        draw = random.Random(f"{seed}/{index}")
        start = time.thread_time()
        try:
            one(draw)
        except BaseException as error:
            error.add_note(f"seed {seed}, mutation {index}")
            raise
        took = time.thread_time() - start
        assert limit is None or took < limit, f"{took:.1f} s, seed {seed}, mutation {index}"


def documents(number: int, seed: int, folder: Path, limit: float | None = None) -> None:
    def one(draw: random.Random) -> None:
        data = mutate(draw, draw.choice(DOCUMENTS))
        read_everything(data, folder, draw.sample(TARGETS, 3))

    run(number, seed, limit, one)


def originals() -> list[bytes]:
    """Small images of many kinds."""
    found = []
    for mode, kind, options in [
        ("1", "TIFF", {"compression": "group3"}), ("1", "TIFF", {"compression": "group4"}),
        ("L", "TIFF", {"compression": "tiff_adobe_deflate"}), ("I;16", "TIFF", {}),
        ("P", "PNG", {}), ("RGB", "JPEG", {}), ("CMYK", "TIFF", {}), ("I;16", "PNG", {}),
    ]:  # fmt: skip
        stream = io.BytesIO()
        Image.new(mode, (60, 40)).save(stream, kind, **options)
        found.append(stream.getvalue())
    stream = io.BytesIO()
    frames = [Image.new("L", (20, 20)), Image.new("L", (30, 10))]
    frames[0].save(stream, "TIFF", save_all=True, append_images=frames[1:])
    return [*found, stream.getvalue()]


def images(number: int, seed: int, folder: Path, limit: float | None = None) -> None:
    kinds = originals()
    path = folder / "fuzzed.tif"

    def one(draw: random.Random) -> None:
        path.write_bytes(mutate(draw, draw.choice(kinds)))
        try:
            image_facts(path)
            with open_image(path) as image:
                plain_image(image).load()
        except StudioError:
            pass

    run(number, seed, limit, one)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
def test_mutated_images(tmp_path: Path) -> None:
    images(300, 1, tmp_path)


@pytest.mark.long
def test_mutated_documents(tmp_path: Path) -> None:
    documents(200, 1, tmp_path)


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
def test_soak_mutated_images(tmp_path: Path) -> None:
    images(10_000, random.randrange(10**9), tmp_path, limit=1.0)


@pytest.mark.soak
def test_soak_mutated_documents(tmp_path: Path) -> None:
    documents(10_000, random.randrange(10**9), tmp_path, limit=1.0)


def a_batch(number: int, seed: int, folder: Path) -> None:
    """Mutated pages of every format among good ones, and what is no file at all.

    All are checked and converted in one run each: every file is one result, the good ones are
    done, and nothing else is written.
    """
    pages = folder / "in"
    pages.mkdir()
    draw = random.Random(seed)
    good = DATA / "documents" / "table.page.xml"
    for index in range(number):
        if index % 10 == 0:
            (pages / f"{index:05}.good.xml").write_bytes(good.read_bytes())
        else:
            data = mutate(draw, draw.choice(DOCUMENTS))
            (pages / f"{index:05}.xml").write_bytes(data)
    os.mkfifo(pages / "pipe.xml")
    (pages / "zero.xml").symlink_to("/dev/zero")
    (pages / "gone.xml").symlink_to(folder / "nowhere")
    (pages / "folder.xml").mkdir()
    (pages / "empty.xml").touch()
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(pages)  # a socket's name may not be long
        listening.bind("socket.xml")
    files = sorted(pages.iterdir())
    checked = list(check_files(files, CheckOptions(images=False), workers=2))
    assert [result.path for result in checked] == files
    assert all(result.error is None for result in checked if ".good." in result.path.name)
    work = [Job(path, folder / "out" / f"{path.stem}.gedi.xml") for path in files]
    converted = list(convert_files(work, ConvertOptions(FileFormat.GEDI), workers=2))
    assert [result.path for result in converted] == files
    assert all(result.error is None for result in converted if ".good." in result.path.name)
    written = {path for each in converted if each.converted for path in each.converted.outputs}
    assert set((folder / "out").iterdir()) == written
    assert len({p.read_bytes() for p in written if ".good." in p.name}) == 1
    special = {"pipe.xml", "zero.xml", "gone.xml", "folder.xml", "empty.xml", "socket.xml"}
    for results in (checked, converted):
        assert all(each.error is not None for each in results if each.path.name in special)


@pytest.mark.long
def test_a_batch_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    a_batch(150, 1, tmp_path)


@pytest.mark.soak
def test_soak_a_batch_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    a_batch(10_000, random.randrange(10**9), tmp_path)
