"""The tasks of the plan's Table 1 on two small references, every number derived."""

from __future__ import annotations

import json
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import ClassVar

import jsonschema
import openpyxl
import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError
from madcat_studio.operations.scorecards.files import read_card, write_card
from madcat_studio.operations.scores import evaluation as operations
from madcat_studio.operations.scores.evaluation import evaluate
from madcat_studio.operations.scores.report import Format
from madcat_studio.paths import schemas
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.csv_tables import read_csv
from madcat_studio.reports.evaluation import source_document
from madcat_studio.reports.significance import compared_columns
from madcat_studio.reports.tables import Cell, Table
from madcat_studio.scoring.resampling import Interval, compare, interval
from madcat_studio.store import create_campaign


def document(base: str, segments: list[tuple[str, str | None, str | None]]) -> str:
    """A MADCAT file without an image layer: id, transcription, translation (None: no element)."""
    body = []
    for name, transcription, translation in segments:
        texts = ""
        if transcription is not None:
            texts += f"<transcription>{transcription}</transcription>"
        if translation is not None:
            texts += f"<translation>{translation}</translation>"
        body.append(f'<segment id="{name}">{texts}</segment>')
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<madcat version="2009.1"><doc id="{base}" '
        f'src="{base}.tif" type="newswire" nbpages="1"><writer id="S1"/><image/><content>'
        f'<section id="sec1">{"".join(body)}</section></content></doc></madcat>\n'
    )


# Reference A: s1 "كَتَبَ الولد" / "The boy wrote ." (4 words), s2 "درس" / "A lesson" (2)
# Reference B: s1 "بيت" / "A house" (2)
# linesys of A: s1 translation with one word changed and one moved to the end? No: plainly
#   s1 "the boy wrote ." : 1 substitution (case), s1 transcription without diacritics: equal
#   s2 missing: 2 deletions; transcription 1 deletion
#   s9 extra, s1 a second time: doubled
# linesys of B: "A big house": 1 insertion, 2 words; transcription "بيت كبير": 1 insertion of 1
#   TER line: 1 + 2 + 1 = 4 of 8.  WER line: 0 + 1 + 1 = 2 of 2 + 1 + 1 = 4.
# wordsys: only A, translations only: s1 right, s2 "Lesson A": one shift. B missing: 2 deletions.
#   TER word: 0 + 1 + 2 = 3 of 8; no WER, since there is no transcription at all.
REFERENCES = {
    "A": [("s1", "كَتَبَ الولد", "The boy wrote."), ("s2", "درس", "A lesson")],
    "B": [("s1", "بيت", "A house")],
}
OUTPUTS = {
    "A.linesys": [
        ("s1", "كتب الولد", "the boy\n   wrote."),
        ("s1", "كتب", "again"),
        ("s9", "شمس", "sun"),
    ],
    "B.linesys": [("s1", "بيت كبير", "A big house")],
    "C.linesys": [("s1", "قمر", "moon")],
    "A.wordsys": [("s1", None, "The boy wrote."), ("s2", None, "lesson A")],
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    references, system = tmp_path / "refs", tmp_path / "plato_1"
    references.mkdir()
    system.mkdir()
    for base, segments in REFERENCES.items():
        (references / f"{base}.madcat.xml").write_text(document(base, segments), "utf-8")
        # Inputs beside the references are no references.
        (references / f"{base}.lineseg.madcat.xml").write_text(document(base, []), "utf-8")
    for name, segments in OUTPUTS.items():
        (system / f"{name}.madcat.xml").write_text(document(name.split(".")[0], segments), "utf-8")
    return tmp_path


def run(files: Path) -> CardReport:
    return evaluate(files / "refs", [files / "plato_1"])


def row(report: CardReport, name: str, **wanted: str) -> dict[str, Cell]:
    (found,) = [
        row
        for row in report.table(name).records()
        if all(row[key] == value for key, value in wanted.items())
    ]
    return found


def test_every_task_that_the_files_belong_to(files: Path) -> None:
    report = run(files)
    keys = ("task", "condition", "metric", "segments", "edits", "words", "rate", "missing")
    found = [tuple(row[key] for key in keys) for row in report.table("tasks").records()]
    assert found == [
        ("document image translation", "line", "TER", 3, 4, 8, 4 / 8, 1),
        ("document image translation", "word", "TER", 3, 3, 8, 3 / 8, 1),
        ("document image recognition", "line", "WER", 3, 2, 4, 2 / 4, 1),
    ]
    word = row(report, "tasks", condition="word", metric="TER")
    assert (word["deletions"], word["shifts"]) == (2, 1)


def test_intervals_and_comparisons_draw_source_documents(tmp_path: Path) -> None:
    # Four documents of three source documents. Words of the references, and edits of each system:
    #   doc_1_S1, doc_1_S2: 2 and 2 words; one: 1 and 0 edits; other: 2 and 1
    #   doc_2_S1 (another page of "doc"), news.7_1_S1: 2 and 2 words; one: 0, 1; other: 0, 2
    #   sheet: a name of another form: 2 words; one: 0; other: 1
    texts = {
        "doc_1_S1": ("A house", "A hut", "My hut"),
        "doc_1_S2": ("A house", "A house", "A hut"),
        "doc_2_S1": ("A lesson", "A lesson", "A lesson"),
        "news.7_1_S1": ("The sun", "The moon", "My moon"),
        "sheet": ("The sea", "The sea", "The lake"),
    }
    for place, folder in enumerate(("refs", "one", "other")):
        (tmp_path / folder).mkdir()
        suffix = ".transys.madcat.xml" if place else ".madcat.xml"
        for base, own in texts.items():
            path = tmp_path / folder / f"{base}{suffix}"
            path.write_text(document(base, [("s1", None, own[place])]), "utf-8")
    report = evaluate(tmp_path / "refs", [tmp_path / "one", tmp_path / "other"])
    words = [6, 2, 2]
    sums = {"one": [1, 1, 0], "other": [3, 2, 1]}
    for system, edits in sums.items():
        found = row(report, "tasks", system=system)
        expected = interval(edits, words)
        assert expected is not None
        assert (found["rate"], found["low"], found["high"]) == (
            sum(edits) / 10,
            expected.low,
            expected.high,
        )
    pair = row(report, "comparisons", first="one", second="other")
    both = compare((sums["one"], words), (sums["other"], words))
    assert both is not None
    assert (pair["documents"], pair["clusters"]) == (5, 3)
    assert (pair["rate_first"], pair["rate_second"]) == (2 / 10, 6 / 10)
    assert pair["difference"] == both.difference.point == pytest.approx(-0.4)
    assert pair["p_bootstrap"] == pair["p_bootstrap_holm"] == both.p_bootstrap
    assert any("source document" in note for note in report.notes)


@pytest.mark.parametrize(
    ("base", "source"),
    [
        ("AAW_ARB_20070121.0096_8_LDC0108", "AAW_ARB_20070121.0096"),
        ("a_b_c", "a_b_c"),
        ("_1_S1", "_1_S1"),
        ("sheet", "sheet"),
    ],
)
def test_a_name_tells_the_source_document(base: str, source: str) -> None:
    assert source_document(base) == source


def test_one_source_document_has_no_interval(tmp_path: Path) -> None:
    for folder, suffix in (("refs", ""), ("one", ".transys"), ("other", ".transys")):
        (tmp_path / folder).mkdir()
        for base in ("doc_1_S1", "doc_2_S1"):
            path = tmp_path / folder / f"{base}{suffix}.madcat.xml"
            path.write_text(document(base, [("s1", None, "A house")]), "utf-8")
    report = evaluate(tmp_path / "refs", [tmp_path / "one", tmp_path / "other"])
    found = row(report, "tasks", system="one")
    assert (found["rate"], found["low"], found["high"]) == (0, None, None)
    assert row(report, "comparisons")["note"] == "fewer than two source documents in common"


def test_what_is_not_scored_is_listed(files: Path) -> None:
    report = run(files)
    found = {
        (row["files"], row["document"], row["segment"], row["status"])
        for row in report.table("listed").records()
    }
    assert found == {
        ("linesys", "A", "s2", "missing"),
        ("linesys", "A", "s9", "extra"),
        ("linesys", "A", "s1#2", "doubled"),
        ("linesys", "C", "", "no reference"),
        ("wordsys", "B", "s1", "missing"),
    }


def test_each_metric_has_its_signature(files: Path) -> None:
    signatures = run(files).signatures
    assert "|case:kept|norm:tercom-N|" in signatures["TER"]
    assert "|case:kept|norm:no|" in signatures["WER"]
    assert "|fold:diacritics|" in signatures["WER"]


def test_the_files_hold_the_same_numbers(files: Path, tmp_path: Path) -> None:
    shutil.copytree(files / "plato_1", files / "plato_2")
    report = evaluate(files / "refs", [files / "plato_1", files / "plato_2"])
    out = tmp_path / "out"
    write_card(report, out, [Format.HTML, Format.XLSX, Format.CSV, Format.JSON])
    data = json.loads((out / "evaluation.json").read_text("utf-8"))
    schema = json.loads((schemas() / "evaluation.schema.json").read_text("utf-8"))
    jsonschema.validate(data, schema)
    assert read_card(out / "evaluation.json").plot == report.plot
    book = openpyxl.load_workbook(out / "evaluation.xlsx")
    for table, written in zip(report.tables, data["tables"], strict=True):
        rows = list(table.records())
        assert written["rows"] == [list(row.values()) for row in rows]
        csv_rows = list(read_csv(out / f"evaluation-{table.name}.csv"))
        assert [row["document"] for row in csv_rows if "document" in row] == [
            row["document"] for row in rows if "document" in row
        ]
        assert book[table.title].max_row == len(rows) + 1
    assert "50.00" in (out / "evaluation.html").read_text("utf-8")


def test_a_file_that_cannot_be_read_counts_as_missing_and_is_told(files: Path) -> None:
    (files / "plato_1" / "B.linesys.madcat.xml").write_text("<madcat><doc>", "utf-8")
    report = run(files)
    assert row(report, "tasks", condition="line", metric="TER")["missing"] == 2
    assert any("B.linesys.madcat.xml" in warning for warning in report.warnings)


def test_the_command(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = files / "report"
    arguments = ["evaluate", str(files / "refs"), str(files / "plato_1"), "--out", str(out)]
    assert main(arguments) == 0
    shown = capsys.readouterr()
    assert "document image recognition" in shown.out
    assert "extra: plato_1, linesys: A/s9" in shown.err
    assert (out / "evaluation.html").is_file()


@pytest.mark.parametrize(
    ("gone", "code"),
    [
        ("refs", "evaluate.no-folder"),
        ("plato_1", "evaluate.no-folder"),
        ("refs/*", "evaluate.no-references"),
        ("plato_1/*", "evaluate.no-outputs"),
    ],
)
def test_bad_input_is_one_message(files: Path, gone: str, code: str) -> None:
    if gone.endswith("/*"):
        for path in (files / gone[:-2]).iterdir():
            path.unlink()
    else:
        shutil.rmtree(files / gone)
    with pytest.raises(InputError) as caught:
        run(files)
    assert caught.value.code == code


def test_what_cannot_be_seen_is_told_of_each_task(files: Path) -> None:
    path = files / "plato_1" / "B.linesys.madcat.xml"
    path.write_text(document("B", [("s1", "بيت\u200f", "A ho\u00aduse")]), "utf-8")
    told = [warning for warning in run(files).warnings if "format characters" in warning]
    assert told == [
        "plato_1, document image translation, line: format characters in 1 output (U+00AD 1 "
        "time); 1 edit fewer with --remove-format-characters of the command ter",
        "plato_1, document image recognition, line: format characters in 1 output (U+200F 1 "
        "time); 1 edit fewer with --remove-format-characters of the command wer",
    ]


def test_no_reference_that_can_be_read(files: Path) -> None:
    for base in REFERENCES:
        (files / "refs" / f"{base}.madcat.xml").write_text("no XML", "utf-8")
    with pytest.raises(InputError, match="no reference can be read"):
        run(files)


def test_a_campaigns_preliminary_hter_is_called_so(files: Path) -> None:
    with create_campaign(files / "campaign", "Small"):
        pass
    report = evaluate(files / "refs", [files / "plato_1"], campaign=files / "campaign")
    (told,) = [warning for warning in report.warnings if "preliminary" in warning]
    assert told == (
        "HTER is preliminary: no system's output is in a kit, so there is nothing to score"
    )
    assert report.signatures["HTER"].startswith("HTER|")


def test_a_campaigns_systems_are_compared_too(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ("one", "other", 4, 4, 0.1, 0.3, -0.2, -0.3, -0.1, 0.002, 0.002, 0.14, 0.14, "few")
    columns = compared_columns("HTER", "hter")

    class Found:
        tables = (Table("comparisons", "Systems compared", columns, [cells]),)
        denominator, signatures = "chosen", {"chosen": "HTER|"}
        preliminary = warnings = ()
        intervals: ClassVar[dict[tuple[str, str], Interval]] = {}

        def table(self, _: str) -> Table:
            return Table("systems", "Systems", columns, [])

    monkeypatch.setattr(operations, "open_report", lambda *_, **__: nullcontext((Found(), None)))
    report = evaluate(files / "refs", [files / "plato_1"], campaign="there")
    pair = row(report, "comparisons", metric="HTER")
    assert tuple(pair.values())[3:] == cells
    assert pair["rate_second"] == 0.3


def test_a_folder_named_twice_is_one_system(files: Path) -> None:
    twice = evaluate(files / "refs", [files / "plato_1", files / "refs" / ".." / "plato_1"])
    assert list(twice.table("tasks").rows) == list(run(files).table("tasks").rows)


def test_no_number_is_cut_however_long_a_name_is(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = files / ("plato" * 30)
    (files / "plato_1").rename(long)
    assert main(["evaluate", str(files / "refs"), str(long)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if " word " in line]
    assert long.name in line
    assert "37.50\u202f%" in line
