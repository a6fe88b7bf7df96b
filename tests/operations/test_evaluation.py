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
from madcat_studio.model.document import Document
from madcat_studio.operations.campaign.edits_table import import_edits
from madcat_studio.operations.campaign.filling import add_system, create
from madcat_studio.operations.checked import Refused
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS
from madcat_studio.operations.planning.tables import import_plan
from madcat_studio.operations.scorecards.files import read_card, write_card
from madcat_studio.operations.scores import evaluation as operations
from madcat_studio.operations.scores.describing import Descriptions
from madcat_studio.operations.scores.evaluation import CorpusFiles, evaluate
from madcat_studio.operations.scores.report import Format, open_report
from madcat_studio.paths import resources, schemas
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.csv_tables import read_csv
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
    assert Descriptions().place(base, Document(base)).source_document == source


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


@pytest.mark.long
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
        "HTER is preliminary: no kit has a system's output, so there is nothing to score"
    )
    assert report.signatures["HTER"].startswith("HTER|")


def test_a_campaigns_systems_are_compared_too(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ("one", "other", 4, 4, 0.1, 0.3, -0.2, -0.3, -0.1, 0.002, 0.002, 0.14, 0.14, "few")
    columns = compared_columns("HTER", "hter")

    class Found:
        tables = (Table("comparisons", "Systems compared", columns, [cells]),)
        track = "go-no-go"
        denominator, signatures = "chosen", {"chosen": "HTER|"}
        preliminary = warnings = ()
        intervals: ClassVar[dict[tuple[str, str], Interval]] = {}

        def table(self, _: str) -> Table:
            return Table("systems", "Systems", columns, [])

    monkeypatch.setattr(operations, "open_report", lambda *_, **__: nullcontext((Found(), None)))
    with create_campaign(files / "there", "Small"):
        pass
    report = evaluate(files / "refs", [files / "plato_1"], campaign=files / "there")
    pair = row(report, "comparisons", metric="HTER")
    assert (pair["track"], pair["set"]) == ("go-no-go", "evaluation")
    assert tuple(pair.values())[5:] == cells
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


def test_what_removing_diacritics_changed(files: Path) -> None:
    # Reference A/s1 has three marks that the output lacks: as written one word differs more.
    found = row(run(files), "diacritics", condition="line")
    keys = ("reference_marks", "output_marks", "marked_edits", "marked_words", "marked_rate")
    assert [found[key] for key in keys] == [3, 0, 3, 4, 3 / 4]
    assert (found["edits"], found["words"], found["rate"]) == (2, 4, 2 / 4)
    assert found["change"] == -1 / 4
    table = run(files).table("diacritics")
    assert [one["condition"] for one in table.records()] == ["line"]


DEMO = resources() / "demo"
TABLES = CorpusFiles(
    DEMO / "corpus.tsv",
    DEMO / "writing_conditions.tab",
    DEMO / "scribe_errors.standoff.tsv",
)
SYSTEMS = sorted((DEMO / "systems").iterdir())


@pytest.fixture(scope="module")
def demo() -> CardReport:
    return evaluate(DEMO / "reference", SYSTEMS, corpus=TABLES)


WHERE = ("task", "condition", "metric", "track", "set", "system")


@pytest.mark.parametrize(
    "by",
    [
        *("genre", "source-document", "passage", "manuscript", "page", "scribe", "exposure"),
        *("implement", "surface", "speed", "scribe-errors", "document"),
    ],
)
def test_every_breakdown_of_every_task_is_a_recount(demo: CardReport, by: str) -> None:
    table = demo.table(f"by-{by}")
    own = [column.key for column in table.columns]
    names = [key for key in own[len(WHERE) : own.index("segments")] if key != "kit"]
    wanted: dict[tuple[Cell, ...], list[float]] = {}
    for one in demo.table("segments").records():
        sums = wanted.setdefault(tuple(one[key] for key in (*WHERE, *names)), [0] * 6)
        assert isinstance(one["edits"], int | float)
        assert isinstance(one["words"], int | float)
        parts = (1, one["edits"], one["words"])
        for at, number in enumerate(parts):
            sums[at] += number
            sums[3 + at] += 0 if one["scribe_errors"] == "with" else number
    keys = ("segments", "edits", "words", "clean_segments", "clean_edits", "clean_words")
    found = {
        tuple(one[key] for key in (*WHERE, *names)): [one[key] for key in keys]
        for one in table.records()
    }
    assert found == wanted
    assert len({place[:3] for place in found}) == 5  # every task of the plan


def test_what_is_known_of_the_demos_documents(demo: CardReport) -> None:
    exposures = {one["scribe"]: one["exposure"] for one in demo.table("segments").records()}
    assert exposures == {
        "SCR0001": "exposed",
        "SCR0002": "unexposed",
        "SCR0003": "exposed",
        "SCR0004": "unexposed",
    }
    with_errors = {
        (one["document"], one["segment"])
        for one in demo.table("segments").records()
        if one["scribe_errors"] == "with"
    }
    assert len(with_errors) == 4
    pages = {
        (one["segment"], one["page"])
        for one in demo.table("segments").records()
        if one["document"] == "DEMO_ARB_20480102.0002_1_SCR0003"
    }
    assert {page for _, page in pages} == {"1", "2"}  # a manuscript of two pages


def columns_of(sums: dict[Cell, tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Edits and words of source documents, in their order."""
    ordered = [sums[name] for name in sorted(sums, key=str)]
    return [edits for edits, _ in ordered], [words for _, words in ordered]


def test_groups_have_the_intervals_and_tests_of_whole_systems(demo: CardReport) -> None:
    sums: dict[tuple[Cell, ...], dict[Cell, tuple[int, int]]] = {}
    for one in demo.table("segments").records():
        if one["metric"] == "WER" and one["condition"] == "line":
            own = sums.setdefault((one["scribe"], one["system"]), {})
            edits, words = own.get(one["source_document"], (0, 0))
            own[one["source_document"]] = edits + int(one["edits"]), words + int(one["words"])
    for one in demo.table("by-scribe").records():
        if one["metric"] == "WER" and one["condition"] == "line":
            expected = interval(*columns_of(sums[one["scribe"], one["system"]]))
            assert expected is not None
            assert (one["low"], one["high"]) == (expected.low, expected.high)
            assert one["clusters"] == 3
    for one in demo.table("comparisons-within-groups").records():
        if (one["metric"], one["condition"], one["by"]) == ("WER", "line", "scribe"):
            sides = [columns_of(sums[one["group"], one[side]]) for side in ("first", "second")]
            both = compare(*sides)
            assert both is not None
            assert one["difference"] == both.difference.point
            assert one["p_randomisation"] == both.p_randomisation
            assert (one["documents"], one["clusters"]) == (3, 3)


@pytest.mark.long
def test_a_campaign_tells_of_documents_what_its_tables_told(
    demo: CardReport, tmp_path: Path
) -> None:
    create(
        str(tmp_path / "campaign"),
        corpus=TABLES.corpus,
        documents=DEMO / "reference",
        conditions=TABLES.conditions,
        standoff=TABLES.standoff,
    )
    report = evaluate(DEMO / "reference", SYSTEMS, campaign=tmp_path / "campaign")
    for name in ("tasks", "by-exposure", "by-speed", "by-scribe-errors", "by-genre"):
        assert list(report.table(name).rows) == list(demo.table(name).rows)


@pytest.mark.long
def test_hter_stands_beside_the_other_tasks_in_every_group(tmp_path: Path) -> None:
    campaign = str(tmp_path / "campaign")
    create(campaign, corpus=TABLES.corpus, documents=DEMO / "reference", standoff=TABLES.standoff)
    for folder in SYSTEMS:
        add_system(campaign, name=folder.name.removesuffix("_1"), outputs=folder)
    tables = {name: DEMO / f"{name}.tsv" for name in ("teams", "kits", "assignments")}
    import_plan(campaign, **tables)
    import_edits(campaign, DEMO / "edits.tsv")
    report = evaluate(DEMO / "reference", SYSTEMS, campaign=campaign)
    with open_report(campaign, full=False, verdict=False) as (own, _):
        for name in ("by-genre", "by-scribe-errors", "by-exposure"):
            wanted = [
                (one["set"], one["system"], one[own.table(name).columns[3].key], one["hter"])
                for one in own.table(name).records()
            ]
            table = report.table(name)
            group = table.columns[len(WHERE)].key
            found = [
                (one["set"], one["system"], one[group], one["rate"])
                for one in table.records()
                if one["metric"] == "HTER"
            ]
            assert found == wanted
            assert found
    assert any(one["metric"] == "HTER" for one in report.table("comparisons").records())
    assert {one["track"] for one in report.table("tasks").records()} == {"go-no-go"}


def test_a_corpus_table_with_mistakes_is_refused(files: Path) -> None:
    columns = list(CORPUS_COLUMNS)
    rows = [
        ["A", "A", "A", "A", "1", "S1", "exposed", "evaluation", ""],
        ["A", "A", "A", "A", "1", "S1", "exposed", "evaluation", ""],
        ["B", "B", "B", "B", "1", "S1", "sometimes", "evaluation", ""],
        ["C", "C", "C", "C", "1", "S1", "exposed", "test", ""],
    ]
    table = files / "corpus.tsv"
    table.write_text("\n".join("\t".join(one) for one in (columns, *rows)) + "\n", "utf-8")
    with pytest.raises(Refused) as caught:
        evaluate(files / "refs", [files / "plato_1"], corpus=CorpusFiles(table))
    assert [one.code for one in caught.value.problems] == [
        "corpus.base-twice",
        "corpus.exposure",
        "corpus.set",
    ]
    table.write_text("\t".join(columns) + "\n" + "\t".join(rows[0]) + "\n", "utf-8")
    standoff = files / "errors.tsv"
    standoff.write_text("A\ts1\tt1\ttypo\tx\ty\nA\ts77\tt1\ttypo\tx\ty\n", "utf-8")
    report = evaluate(
        files / "refs", [files / "plato_1"], corpus=CorpusFiles(table, standoff=standoff)
    )
    told = " ".join(report.warnings)
    assert "Documents that the corpus table does not name: 1" in told
    assert "Scribe errors in segments that no reference has: 1" in told


@pytest.mark.long
def test_the_command_shows_a_breakdown(capsys: pytest.CaptureFixture[str]) -> None:
    tables = [str(one) for one in (TABLES.corpus, TABLES.conditions, TABLES.standoff)]
    options = ["--corpus", tables[0], "--conditions", tables[1], "--standoff", tables[2]]
    arguments = ["evaluate", str(DEMO / "reference"), *map(str, SYSTEMS), *options]
    assert main([*arguments, "--by", "speed"]) == 0
    assert "careful" in capsys.readouterr().out
    assert main([*arguments, "--by", "weather"]) == 2
    assert "report.breakdown" in capsys.readouterr().err
