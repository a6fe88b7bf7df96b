"""A corpus planned by command becomes what a campaign starts from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError
from madcat_studio.formats.tables import read_plain_rows, read_table
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS
from madcat_studio.operations.corpus.intake import read_conditions
from madcat_studio.operations.planning.corpus import (
    plan_corpus,
    read_corpus,
    read_order,
    read_planned,
    write_corpus,
)
from madcat_studio.reports.sheets import Sheet, bar_code, write_sheets

Said = pytest.CaptureFixture[str]


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    lines = ["passage\tsource_document\tgenre\ttokens"]
    for number in range(20):
        genre = "newswire" if number % 2 else "web"
        lines.append(f"p{number}\tDOC.{number:04}\t{genre}\t{120 + number}")
    (tmp_path / "passages.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    people = ["scribe\texposure", *(f"SCR{n}\t{'un' * (n % 2)}exposed" for n in range(1, 7))]
    (tmp_path / "scribes.tsv").write_text("\n".join(people) + "\n", "utf-8")
    return tmp_path


def arguments(folder: Path, *more: str) -> list[str]:
    return ["corpus", "assign", str(folder / "passages.tsv"), str(folder / "scribes.tsv"), *more]


def test_a_plan_is_written_as_a_campaign_takes_it(tables: Path, capsys: Said) -> None:
    out = tables / "out"
    assert main(arguments(tables, "--out", str(out), "--track", "go-no-go")) == 0
    said = capsys.readouterr().out
    assert "20 passages, 60 copies, 6 scribes." in said
    # Six scribes are 15 pairs; 60 chances make 4 for each, and no assignment has more.
    assert "Overlap (each pair up to 4): 60 of 60 shared passages" in said
    assert "no assignment has more" in said
    corpus = read_table(out / "corpus.tsv", required=CORPUS_COLUMNS)
    assert len(corpus.rows) == 60
    assert {row["track"] for row in corpus.rows} == {"go-no-go"}
    assert {row["base"] for row in corpus.rows if row["passage"] == "p0"} == {
        f"DOC.0000_1_{row['scribe']}" for row in corpus.rows if row["passage"] == "p0"
    }
    codes = [fields[3] for _, fields in read_plain_rows(out / "writing_conditions.tab")]
    assert [fields[0] for _, fields in read_plain_rows(out / "writing_conditions.tab")] == [
        row["base"] for row in corpus.rows
    ]
    count = {letter: sum(letter in code for code in codes) for letter in "IPULNFC"}
    assert count == {"I": 54, "P": 6, "U": 45, "L": 15, "N": 54, "F": 3, "C": 3}


def test_the_conditions_are_those_that_a_campaign_reads(tables: Path) -> None:
    order = read_order(tables / "passages.tsv", tables / "scribes.tsv")
    plan = plan_corpus(order)
    _, conditions, _ = write_corpus(order, plan, tables / "out")

    class Checking:
        def warn(self, *told: object) -> None:
            raise AssertionError(told)

    found = read_conditions(conditions, Checking())  # type: ignore[arg-type]
    assert len(found) == 60
    assert plan == plan_corpus(order)
    other = plan_corpus(replace(order, seed=2))
    assert (plan.assignment.scribes, plan.ways) != (other.assignment.scribes, other.ways)


def test_the_list_of_training_scribes_decides(tables: Path) -> None:
    (tables / "training.txt").write_text("SCR1\nSCR3\nSCR5\n", "utf-8")
    order = read_order(
        tables / "passages.tsv",
        tables / "scribes.tsv",
        training_scribes=tables / "training.txt",
    )
    plan = plan_corpus(order)
    assert {one.scribe.name for one in plan.manuscripts if one.scribe.exposed} == {
        *("SCR1", "SCR3", "SCR5")
    }


@pytest.mark.parametrize(
    ("people", "more", "code"),
    [
        ("scribe\texposure\nA\texposed\nB\t\n", (), "corpus.no-exposure"),
        ("scribe\texposure\nA\texposed\nA\texposed\n", (), "corpus.plan-twice"),
        ("scribe\texposure\nA_B\texposed\n", (), "corpus.scribe-name"),
        ("scribe\texposure\nA\texposed\nB\texposed\n", (), "scribes.too-few"),
        ("scribe\texposure\nA\texposed\n", ("--set", "control"), "corpus.no-quotas"),
    ],
)
def test_bad_input_is_one_message_and_nothing_is_written(
    tables: Path, capsys: Said, people: str, more: tuple[str, ...], code: str
) -> None:
    (tables / "scribes.tsv").write_text(people, "utf-8")
    assert main(arguments(tables, "--out", str(tables / "out"), *more)) == 2
    said = capsys.readouterr().err
    assert f"[{code}]" in said
    assert not (tables / "out").exists()


def test_what_has_come_in_is_ticked_off(tables: Path, capsys: Said) -> None:
    out, scans = tables / "out", tables / "scans"
    assert main(arguments(tables, "--out", str(out))) == 0
    rows = read_table(out / "corpus.tsv", required=CORPUS_COLUMNS).rows
    (scans / "monday").mkdir(parents=True)
    for row in rows[:58]:
        (scans / "monday" / f"{row['base']}.tif").write_bytes(b"")
    (scans / "notes.txt").write_text("?", "utf-8")
    capsys.readouterr()
    assert main(["corpus", "arrivals", str(out / "corpus.tsv"), str(scans)]) == 0
    said = capsys.readouterr().out
    assert "58 copies have come in, 2 are missing" in said
    assert f"in no row of the plan: {scans / 'notes.txt'}" in said
    assert (
        main(["corpus", "arrivals", str(out / "corpus.tsv"), str(scans), "--format", "json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert sorted(base for bases in found["missing"].values() for base in bases) == sorted(
        row["base"] for row in rows[58:]
    )
    assert main(["corpus", "arrivals", str(out / "corpus.tsv"), str(tables / "none")]) == 2


@pytest.mark.long
def test_each_scribe_gets_sheets(tables: Path, capsys: Said) -> None:
    out = tables / "out"
    passages = tables / "passages.tsv"
    sheets = ["corpus", "sheets", str(out), str(passages), "--out", str(tables / "sheets")]
    assert main(arguments(tables, "--out", str(out))) == 0
    assert main(sheets) == 2
    assert "[store" not in (said := capsys.readouterr().err)
    assert "text" in said
    assert not (tables / "sheets").exists()
    head, *rows = passages.read_text("utf-8").splitlines()
    lines = [f"{head}\ttext", *(f"{row}\tكتب الولد الدرس" for row in rows)]
    passages.write_text("\n".join(lines) + "\n", "utf-8")
    assert main(sheets) == 0
    files = sorted((tables / "sheets").iterdir())
    assert [file.name for file in files] == [f"SCR{number}.pdf" for number in range(1, 7)]
    corpus = read_table(out / "corpus.tsv", required=CORPUS_COLUMNS)
    own = [row["base"] for row in corpus.rows if row["scribe"] == "SCR1"]
    document = pdfium.PdfDocument(files[0].read_bytes())
    try:
        # Where letters are shaped one by one they are found one by one.
        pages = ["".join(page.get_textpage().get_text_range().split()) for page in document]
    finally:
        document.close()
    assert len(pages) == len(own) == 10
    for base, page in zip(own, pages, strict=True):
        assert base in page
        assert sum(speed in page for speed in ("normal", "fast", "careful")) == 1


@pytest.mark.long
def test_the_bars_can_be_read(tmp_path: Path) -> None:
    base = "AAW_ARB_20070121.0096_8_LDC0108"
    write_sheets([Sheet(base, "S", "p", "ink", "lined paper", "fast", "x")], tmp_path / "s.pdf")
    document = pdfium.PdfDocument((tmp_path / "s.pdf").read_bytes())
    try:
        scale = 16  # pixels a point
        picture = document[0].render(scale=scale).to_numpy()
    finally:
        document.close()
    row = picture[round(19 / 25.4 * 72 * scale), :, 0] < 128
    edges = np.flatnonzero(np.diff(row.astype(np.int8)))
    widths = np.diff(edges) / scale / 72 * 25.4  # mm, of bars and of gaps in turn
    letters = len(bar_code(base)) + 2
    assert len(widths) == letters * 10 - 1  # nine of a letter, and a gap to the next
    assert widths.min() > 0.19  # the narrowest that a common scanner reads
    wide = "".join("w" if width > 2 * widths.min() else "n" for width in widths)
    assert wide[:9] == wide[-9:] == "nwnnwnwnn"  # the star at both ends
    assert wide[10:19] == wide[20:29] == "wnnnnwnnw"  # A, A


def test_a_bar_code_holds_a_name_or_says_what_it_cannot() -> None:
    assert bar_code("AAW_ARB_20070121.0096_8_LDC0108") == "AAW%OARB%O20070121.0096%O8%OLDC0108"
    assert bar_code("web-a1") == "+W+E+B-+A1"
    with pytest.raises(InputError) as caught:
        bar_code("كتب")
    assert caught.value.code == "sheets.bar-code"


def test_a_corpus_is_read_as_it_was_written(tables: Path) -> None:
    order = read_order(tables / "passages.tsv", tables / "scribes.tsv", track="challenge", seed=5)
    out = tables / "out"
    assert [file.name for file in write_corpus(order, None, out)] == ["corpus_order.json"]
    assert read_corpus(out) == (order, None)
    with pytest.raises(InputError) as caught:
        read_planned(out)
    assert caught.value.code == "corpus.not-assigned"
    plan = plan_corpus(order)
    write_corpus(order, plan, out)
    assert read_corpus(out) == (order, plan)
    assert read_planned(out) == plan


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("p0\t", "p99\t"), "corpus.other-plan"),
        (("\tSCR1\t", "\tSCR9\t"), "corpus.other-plan"),
    ],
)
def test_a_table_of_another_corpus_is_told(
    tables: Path, change: tuple[str, str], code: str
) -> None:
    order = read_order(tables / "passages.tsv", tables / "scribes.tsv")
    out = tables / "out"
    write_corpus(order, plan_corpus(order), out)
    path = out / "corpus.tsv"
    path.write_text(path.read_text("utf-8").replace(*change), "utf-8")
    with pytest.raises(InputError) as caught:
        read_corpus(out)
    assert caught.value.code == code
    assert caught.value.remedy


@pytest.mark.parametrize(
    "value",
    [
        "[]",
        "{}",
        '{"format": "madcat-studio-corpus", "version": 2}',
        '{"format": "madcat-studio-corpus", "version": 1, "passages": [["a"]]}',
        '{"format": "madcat-studio-corpus", "version": 1, "passages": [], "scribes": [["a", "x"]]}',
    ],
)
def test_what_is_no_corpus_is_told(tmp_path: Path, value: str, capsys: Said) -> None:
    (tmp_path / "corpus_order.json").write_text(value, "utf-8")
    assert main(["corpus", "show", str(tmp_path)]) == 2
    assert "[corpus.order]" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["show"], ["sheets"], ["report", "--out", "r"]])
def test_a_folder_without_a_corpus_is_told(
    tmp_path: Path, command: list[str], capsys: Said
) -> None:
    name, *more = command
    assert main(["corpus", name, str(tmp_path), *more]) == 2
    said = capsys.readouterr().err
    assert "[corpus.no-corpus]" in said
    assert "corpus assign" in said
    assert list(tmp_path.iterdir()) == []
