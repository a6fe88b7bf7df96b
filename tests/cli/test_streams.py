"""``-`` for a file: a command does the same with it as with the file, wherever it may be given."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from madcat_studio.cli.app import commands, main
from madcat_studio.cli.streams import streams_of
from madcat_studio.store import create_campaign
from tests.cli.test_rooms import walk
from tests.store.conftest import fill

PAGES = Path(__file__).parent.parent / "data" / "madcat"
PAGE = next(PAGES.glob("ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"))
PASSAGES = "passage\tgenre\tedits\twords\n" + "".join(f"p{n}\tnw\t{n}\t20\n" for n in range(9))
CANDIDATES = "passage\tsource_document\tgenre\ttokens\n" + "".join(
    f"p{n}\td{n}\tnw\t125\n" for n in range(6)
)
EDITS = "kit\tteam\tpass\teditor\tsegment\tstate\ttext\n"

READ: dict[tuple[str, str], tuple[str, str]] = {
    ("show", "page"): ("{it}", "page"),
    ("check", "paths"): ("{it} --no-images", "page"),
    ("convert", "sources"): ("{it} {new} --to page", "page"),
    ("compare", "first"): ("{it} {page}", "page"),
    ("compare", "second"): ("{page} {it}", "page"),
    ("lines", "file"): ("{it} --out {new}.xml", "page"),
    ("ter", "output"): ("{it} {texts}", "texts"),
    ("ter", "references"): ("{texts} {it}", "texts"),
    ("wer", "output"): ("{it} {texts}", "texts"),
    ("wer", "reference"): ("{texts} {it}", "texts"),
    ("new", "transcript"): ("{scan} --transcript {it} --out {new}.madcat.xml", "texts"),
    ("new", "translation"): (
        "{scan} --transcript {texts} --translation {it} --out {new}.madcat.xml",
        "texts",
    ),
    ("corpus choose", "candidates"): ("{it} --count 2", "candidates"),
    ("corpus assign", "passages"): ("{it} {scribes}", "candidates"),
    ("corpus assign", "scribes"): ("{candidates} {it}", "scribes"),
    ("campaign select-passages", "candidates"): (
        "{it} {passages} --count 2 --out {new}",
        "passages",
    ),
    ("campaign select-passages", "earlier"): ("{passages} {it} --count 2 --out {new}", "passages"),
    ("campaign import-edits", "table"): ("{where} {it}", "edits"),
    ("campaign guidelines", "text"): ("{where} --new-file {it}", "texts"),
    ("scorecard show", "result"): ("{it}", "card"),
}
"""How each is called that reads a file from ``-``, and which file that is."""

WRITTEN: dict[tuple[str, str], tuple[str, str]] = {
    ("check", "to"): ("{page} --no-images --format json --out {it}", ".json"),
    ("convert", "target"): ("{page} {it} --to page", ".xml"),
    ("lines", "to"): ("{page} --out {it}", ".xml"),
    ("ter", "out"): ("{texts} {texts} --out {it}", ".csv"),
    ("wer", "out"): ("{texts} {texts} --out {it}", ".csv"),
    ("campaign corpus", "out"): ("{pages} {it}", ".tsv"),
    ("campaign export-edits", "table"): ("{where} {it}", ".tsv"),
    ("campaign export-visits", "target"): ("{where} {it}", ".csv"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("files")
    made = {
        "texts": "the cat\nsat down\n",
        "candidates": CANDIDATES,
        "scribes": "scribe\texposure\nA\texposed\nB\tunexposed\n",
        "passages": PASSAGES,
        "edits": EDITS,
    }
    for name, text in made.items():
        (folder / f"{name}.tsv").write_text(text, "utf-8")
    found = {name: folder / f"{name}.tsv" for name in made}
    found["texts"] = found["texts"].rename(folder / "texts.txt")
    # Called as what stands in for the standard input: some commands tell a file's name alone.
    found["page"] = Path(shutil.copy(PAGE, folder / "standard-input.xml"))
    found["pages"] = folder / "pages"
    found["pages"].mkdir()
    shutil.copy(PAGE, found["pages"])
    found["scan"] = folder / "scan.tif"
    Image.new("L", (600, 800), 255).save(found["scan"], dpi=(300, 300))
    run = folder / "run.jsonl"
    run.write_text('{"id": "1", "source": "a", "reference": "the cat", "output": "the cat"}\n')
    out = folder / "card"
    assert main(["scorecard", "rosetta", str(run), "--out", str(out), "--formats", "json"]) == 0
    found["card"] = out / "rosetta.json"
    with create_campaign(folder / "campaign", "Pilot") as campaign:
        fill(campaign)
    found["where"] = folder / "campaign"
    return found


@pytest.fixture
def run(
    files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    def act(command: str, arguments: str, it: str) -> tuple[int, str, str]:
        again = tmp_path / "again"
        shutil.rmtree(again, ignore_errors=True)
        shutil.copytree(files["where"], again / "campaign")
        given = {**files, "where": again / "campaign", "new": again / "new", "it": it}
        capsys.readouterr()
        status = main([*command.split(), *(one.format(**given) for one in arguments.split())])
        said = capsys.readouterr()
        return status, said.out, said.err

    return act


def test_every_command_that_takes_it_is_tried_here() -> None:
    declared = {
        (name, parameter): stream.written
        for name, command in walk(commands())
        for parameter, stream in streams_of(command.callback).items()
    }
    assert {key for key, written in declared.items() if not written} == set(READ)
    assert {key for key, written in declared.items() if written} == set(WRITTEN)
    # A help page says where it may be given.
    for name, command in walk(commands()):
        for one in command.params:
            if (name, one.name) in declared:
                assert re.search(r"(^|\s)-[;:.,]?(\s|$)", one.help), (name, one.name)


@pytest.mark.parametrize(("command", "name"), READ)
def test_the_standard_input_is_read_as_the_file(
    command: str,
    name: str,
    run: Callable[..., Any],
    files: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments, which = READ[command, name]
    file = files[which]
    status, out, err = run(command, arguments, str(file))
    assert "file.not-found" not in err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    told = run(command, arguments, "-")
    assert (told[0], _named(told[1]), _named(told[2])) == (
        status, _named(out, file), _named(err, file),
    )  # fmt: skip


def _named(said: str, file: Path | None = None) -> str:
    """What was said, with one name for the file, and blanks that follow its length left out."""
    if file is not None:
        said = (
            said.replace(str(file), "IT").replace(file.name, "IT").replace("standard-input", "IT")
        )
    said = said.replace("<stdin>", "IT")
    return " ".join(said.split())


@pytest.mark.parametrize(("command", "name"), WRITTEN)
def test_the_standard_output_is_what_the_file_would_be(
    command: str, name: str, run: Callable[..., Any], tmp_path: Path
) -> None:
    arguments, ending = WRITTEN[command, name]
    file = tmp_path / f"written{ending}"
    status, _, err = run(command, arguments, str(file))
    assert status in {0, 1}, err
    told = run(command, arguments, "-")
    # A layout says when it was made, to the second.
    texts = [
        re.sub(r"<(Created|LastChange)>[^<]+", "", text)
        for text in (told[1], file.read_bytes().decode("utf-8"))
    ]
    assert (told[0], texts[0]) == (status, texts[1])


def test_what_fails_puts_nothing_out_and_names_the_input(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"<no xml")))
    status, out, err = run("convert", "{it} - --to page", "-")
    assert (status, out) == (2, "")
    assert err.startswith("madcat-studio: <stdin>: ")


@pytest.mark.parametrize("data", [b"", b"<no xml", b"\xff\xfe\x00", b"PK\x03\x04", None])
@pytest.mark.parametrize(("command", "name"), READ)
def test_whatever_comes_in_nothing_names_the_file_that_stands_in(
    command: str,
    name: str,
    data: bytes | None,
    run: Callable[..., Any],
    files: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments, which = READ[command, name]
    given = files[which].read_bytes() if data is None else data
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
    status, out, err = run(command, arguments, "-")
    assert status in {0, 1, 2}
    for said in (out, err):
        assert "standard-input" not in said
        assert "madcat-studio-" not in said.replace("madcat-studio-rosetta", "")


@pytest.mark.parametrize(("command", "name"), WRITTEN)
def test_what_is_told_beside_names_the_output(
    command: str, name: str, run: Callable[..., Any]
) -> None:
    _, _, err = run(command, WRITTEN[command, name][0], "-")
    assert "standard-output" not in err


def test_what_came_in_has_no_name_that_its_id_could_differ_from(
    run: Callable[..., Any], files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = files["page"].read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    _, out, err = run("check", "{it} --no-images", "-")
    assert "base-differs" not in out + err
    copy = files["page"].with_name("copy.madcat.xml")
    copy.write_bytes(data)
    assert "base-differs" in "".join(run("check", "{it} --no-images", str(copy))[1:])


def test_an_image_cannot_be_put_beside_what_came_in(
    run: Callable[..., Any], files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = files["page"].read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    _, out, err = run("check", "{it}", "-")
    assert "image-missing" in out + err
    assert "beside" not in out + err
    assert "--images" in out + err


def test_it_can_be_one_file_only(run: Callable[..., Any]) -> None:
    status, out, err = run("compare", "{it} -", "-")
    assert (status, out) == (2, "")
    assert err.rstrip().endswith("[input.twice]")
