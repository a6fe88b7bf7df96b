"""The same numbers and texts in every file, to the last digit and character."""

from __future__ import annotations

import base64
import csv
import gzip
import html.parser
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.report import Format, report_records, write_report
from madcat_studio.paths import schemas
from madcat_studio.progress import Cancelled
from madcat_studio.reports import html as html_reports
from madcat_studio.reports.csv_tables import guard, read_csv, unguard, write_csv
from madcat_studio.reports.spreadsheet import write_spreadsheet
from madcat_studio.reports.tables import Cell, CellKind, Column, Report, Table
from madcat_ter.options import TerOptions
from tests.reports.workbook import read_spreadsheet


@pytest.fixture(scope="session")
def folder(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything written once; it is only read."""
    made = tmp_path_factory.mktemp("written")
    write_report(report, made, list(Format), TerOptions())
    return made


def csv_text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return cell if isinstance(cell, str) else repr(cell)


class Page(html.parser.HTMLParser):
    """Tables of a report's page: the values behind the cells; and its scripts by id."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[dict[str, str]]] = {}
        self.scripts: dict[str, str] = {}
        self.links: list[str] = []
        self.text = ""
        self._keys: list[str] = []
        self._row: list[str] | None = None
        self._rows: list[dict[str, str]] = []
        self._script = ""
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [v for k, v in attrs if k in ("src", "href") and v]
        if tag == "table":
            self._keys, self._rows = [], []
            self.tables[values["data-name"] or ""] = self._rows
        elif tag == "th":
            self._keys.append(values["data-key"] or "")
        elif tag == "tbody":
            self._row = None
        elif tag == "tr" and self._keys:
            self._row = []
        elif tag == "td" and self._row is not None:
            self._row.append(values.get("data-v") or "")
            self._open = "data-v" not in values
        elif tag == "script":
            self._script = values.get("id") or ""

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data
            return
        self.text += data
        if self._open and self._row:
            self._row[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._open = False
        elif tag == "tr" and self._row:
            self._rows.append(dict(zip(self._keys, self._row, strict=True)))
            self._row = None
        elif tag == "script":
            self._script = ""


def test_every_number_agrees_in_every_file(report: Report, folder: Path) -> None:
    data = json.loads((folder / "hter.json").read_text("utf-8"))
    from_json = {table["name"]: table["rows"] for table in data["tables"]}
    page = Page()
    page.feed((folder / "hter.html").read_text("utf-8"))
    book = openpyxl.load_workbook(folder / "hter.xlsx")
    for table in report.tables:
        rows = list(table.records())
        assert rows, table.name
        assert from_json[table.name] == rows
        texts = [{key: csv_text(cell) for key, cell in row.items()} for row in rows]
        assert list(read_csv(folder / f"{table.name}.csv")) == texts
        sheet = book[table.title]
        titles = [cell.value for cell in sheet[1]]
        assert titles == [column.title for column in table.columns]
        for row, cells in zip(rows, sheet.iter_rows(min_row=2, values_only=True), strict=True):
            for cell, found in zip(row.values(), cells, strict=True):
                assert ((found or "") if isinstance(cell, str) else found) == cell
        if table.name == "segments":
            continue
        if table.name == "verdict":
            said = " ".join(page.text.split())
            assert all(row["text"] in said for row in rows if row["what"] == "systems compared")
            continue
        for row, found_row in zip(rows, page.tables[table.name], strict=True):
            for key, text in found_row.items():
                if key == "texts":  # output, final and reference in one cell
                    assert " ".join(str(row["output"]).split()) in " ".join(text.split())
                elif isinstance(row[key], float):
                    assert float(text) == row[key]
                else:
                    assert text == csv_text(row[key])


def blocks_of(page: Page) -> dict[str, list[dict[str, Any]]]:
    entries: dict[str, list[dict[str, Any]]] = {}
    for name, text in page.scripts.items():
        if name.startswith("b"):
            for key, segments in json.loads(gzip.decompress(base64.b64decode(text))).items():
                entries.setdefault(key, []).extend(segments)
    return entries


def test_the_page_holds_every_segment_with_its_numbers(report: Report, folder: Path) -> None:
    page = Page()
    page.feed((folder / "hter.html").read_text("utf-8"))
    entries = blocks_of(page)
    assert sum(map(len, entries.values())) == 17
    for row in report.table("segments").records():
        keys = ("set", "system", "genre", "kit", "document")
        (segment,) = [
            s
            for s in entries["\x1f".join(str(row[key]) for key in keys)]
            if s["id"] == row["segment"]
        ]
        assert segment["s"] == [row["edits"], row["words"], row["hter"]]
        assert segment["why"] == row["reason"]
        assert segment["o"] == row["output"]


def blocks_beside(folder: Path) -> dict[str, str]:
    """The blocks of a large report, as the page would have them within."""
    found = {}
    for file in folder.iterdir():
        number, content = re.fullmatch(
            r'madcatBlock\((\d+),"([A-Za-z0-9+/=]+)"\);\n', file.read_text("ascii")
        ).groups()  # type: ignore[union-attr]
        assert file.name == f"b{number}.js"
        found[f"b{number}"] = content
    return found


def test_the_segments_of_a_large_report_lie_beside_its_page(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (small,) = html_reports.write_html(report, tmp_path / "small.html", TerOptions())
    monkeypatch.setattr(html_reports, "MOST_INSIDE", 3)
    monkeypatch.setattr(html_reports, "_BLOCK", 2000)
    page_file, folder = html_reports.write_html(report, tmp_path / "hter.html", TerOptions())
    assert (page_file.name, folder.name) == ("hter.html", "hter-segments")
    page, whole = Page(), Page()
    page.feed(page_file.read_text("utf-8"))
    whole.feed(small.read_text("utf-8"))
    assert not any(name.startswith("b") for name in page.scripts)
    beside = Page()
    beside.scripts = blocks_beside(folder)
    assert len(beside.scripts) > 1
    assert blocks_of(beside) == blocks_of(whole)
    # Each document's node names the blocks that hold its segments.
    numbers = {int(name[1:]) for name in beside.scripts}

    def leaves(node: dict[str, Any]) -> set[int]:
        return set().union(*map(leaves, node["c"])) if "c" in node else set(node["b"])

    assert set().union(*map(leaves, json.loads(page.scripts["tree"]))) == numbers
    assert 'data-folder="hter-segments"' in page_file.read_text("utf-8")
    # A small report in its place takes the folder away; what is not ours stays.
    monkeypatch.undo()
    html_reports.write_html(report, tmp_path / "hter.html", TerOptions())
    assert not folder.exists()
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    html_reports.write_html(report, tmp_path / "hter.html", TerOptions())
    assert (folder / "mine.txt").exists()
    assert {path.name for path in tmp_path.iterdir()} == {
        "small.html", "hter.html", "hter-segments",
    }  # fmt: skip


def test_a_large_report_that_fails_leaves_the_old_one(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html_reports, "MOST_INSIDE", 3)
    html_reports.write_html(report, tmp_path / "hter.html", TerOptions())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def fail(done: int) -> None:
        raise Cancelled

    report.results.segments.watch = fail
    try:
        with pytest.raises(Cancelled):
            html_reports.write_html(report, tmp_path / "hter.html", TerOptions())
    finally:
        report.results.segments.watch = None
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_page_goes_down_from_the_campaign_by_sums(report: Report, folder: Path) -> None:
    page = Page()
    page.feed((folder / "hter.html").read_text("utf-8"))
    tree = json.loads(page.scripts["tree"])
    assert [(node["n"], node["set"]) for node in tree] == [
        ("beta", "evaluation"),  # 6 of 16 words, alpha 18 of 45
        ("alpha", "evaluation"),
        ("alpha", "progress"),
        ("gamma", "control"),
    ]

    def check(node: dict[str, Any]) -> None:
        if "c" in node:
            for index in (0, 1, 2, 5, 6, 7, 8, 9, 10):
                assert node["s"][index] == sum(child["s"][index] for child in node["c"])
            for child in node["c"]:
                check(child)
        else:
            assert node["b"]

    for node in tree:
        check(node)
    assert tree[1]["s"][:4] == [11, 18, 45, 0.4]


def test_the_answer_stands_before_all_else_on_the_page(report: Report, tmp_path: Path) -> None:
    assert report.verdict is not None
    missing = replace(report, preliminary=("something is still missing",))
    write_report(missing, tmp_path, [Format.HTML], TerOptions())
    body = (tmp_path / "hter.html").read_text("utf-8").partition("<body>")[2]
    order = [
        '<a href="#preliminary"><strong class="state">Preliminary</strong></a>',
        *('class="figures"', report.verdict.duels[0].sentence),
        *('id="preliminary"', "something is still missing"),
        *('<nav aria-label="Sections">', "Worst lines of each system", "<table"),
    ]
    places = [body.index(text) for text in order]
    assert places == sorted(places)
    assert [body.count(text) for text in order[3:6]] == [1, 1, 1]


def test_the_page_needs_nothing_else(folder: Path) -> None:
    page = Page()
    page.feed((folder / "hter.html").read_text("utf-8"))
    assert page.links
    assert all(link.startswith("#") for link in page.links)


def test_nothing_of_the_input_becomes_markup(
    record_of: Callable[..., SegmentRecord], tmp_path: Path
) -> None:
    evil = "</script><script>alert(1)</script><b onmouseover=x>&amp;"
    record = record_of("k1", "alpha", "D1", evil, evil, evil, {evil: (evil, evil)})
    with report_records([record], title=evil, full=False) as report:
        write_report(report, tmp_path, [Format.HTML], TerOptions())
    text = (tmp_path / "hter.html").read_text("utf-8")
    assert "alert(1)</script>" not in text
    assert "<b onmouseover" not in text


def test_json_follows_its_schema(folder: Path) -> None:
    import jsonschema

    schema = json.loads((schemas() / "report.schema.json").read_text("utf-8"))
    data = json.loads((folder / "hter.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data, schema)


@pytest.mark.long
def test_neither_nan_nor_infinity_anywhere(folder: Path) -> None:
    for path in folder.iterdir():
        if path.suffix in (".csv", ".json"):
            words = path.read_text("utf-8-sig").lower().replace(",", " ").split()
            assert not {"nan", "inf", "infinity", "-inf"} & set(words)


@pytest.mark.long
def test_a_formula_stays_a_text(folder: Path) -> None:
    book = openpyxl.load_workbook(folder / "hter.xlsx")
    cells = [cell for row in book["Segments"].iter_rows() for cell in row]
    assert [cell.data_type for cell in cells if cell.value == "=1+1"] == ["s"] * 3
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert ",'=1+1," in (folder / "segments.csv").read_text("utf-8-sig")


def test_csv_starts_with_a_byte_order_mark_unless_told(report: Report, tmp_path: Path) -> None:
    table = report.table("systems")
    write_csv(table, tmp_path / "with.csv")
    write_csv(table, tmp_path / "without.csv", bom=False)
    assert (tmp_path / "with.csv").read_bytes() == b"\xef\xbb\xbf" + (
        tmp_path / "without.csv"
    ).read_bytes()
    assert list(read_csv(tmp_path / "with.csv")) == list(read_csv(tmp_path / "without.csv"))


def test_csv_with_semicolons_has_decimal_commas(tmp_path: Path) -> None:
    columns = (
        Column("name", "Name"), Column("n", "N", CellKind.COUNT), Column("r", "R", CellKind.RATE),
    )  # fmt: skip
    table = Table("t", "T", columns, [("a.b; c,d", 12, 0.25), ("=x", None, -1.5)], "")
    write_csv(table, tmp_path / "t.csv", semicolons=True)
    assert (tmp_path / "t.csv").read_bytes().decode("utf-8-sig") == (
        'name;n;r\r\n"a.b; c,d";12;0,25\r\n\'=x;;-1,5\r\n'
    )


@pytest.mark.long
def test_long_sheets_are_cut_and_say_so(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "short.xlsx"
    write_spreadsheet(report, path, most_rows=3)
    book = openpyxl.load_workbook(path)
    texts = [cell.value for row in book["Segments"].iter_rows() for cell in row if cell.value]
    assert "The first 3 of 17 rows. The CSV file segments.csv has them all." in texts
    assert len(list(read_spreadsheet(path, "Segments"))) == 3
    about = [cell.value for row in book["About"].iter_rows() for cell in row if cell.value]
    assert any("the first 3 of 17 rows" in str(text) for text in about)


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_shows_what_was_written(report: Report, folder: Path, tmp_path: Path) -> None:
    """All sheets as CSV, every cell in full: texts as texts, numbers to the last digit it keeps."""
    sheets = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
    arguments = [f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless"]
    arguments += ["--convert-to", sheets, "--outdir", str(tmp_path), str(folder / "hter.xlsx")]
    subprocess.run(["soffice", *arguments], check=True, capture_output=True, timeout=120)
    for table in report.tables:
        sheet = table.title[:31]
        with (tmp_path / f"hter-{sheet}.csv").open(encoding="utf-8", newline="") as stream:
            titles, *shown = csv.reader(stream)
        written = list(read_spreadsheet(folder / "hter.xlsx", sheet))
        assert titles == [column.title for column in table.columns]
        assert len(shown) >= len(written) == len(list(table.rows))
        for row, cells in zip(shown, written, strict=False):
            assert [_as_shown(text, cell) for text, cell in zip(row, cells.values(), strict=True)]


def _as_shown(text: str, cell: Cell) -> bool:
    if isinstance(cell, bool) or cell is None:
        assert text == ("" if cell is None else str(cell).upper())
    elif isinstance(cell, str):
        assert text == cell
    else:
        shown = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        assert shown == pytest.approx(cell, rel=1e-12)
    return True


def test_long_texts_are_cut_and_say_so(report: Report, tmp_path: Path) -> None:
    table = Table("t", "T", (Column("text", "Text"),), [("ء" * 40_000,)])
    one = Report(
        **{**{name: getattr(report, name) for name in Report.__slots__}, "tables": (table,)}
    )
    write_spreadsheet(one, tmp_path / "t.xlsx")
    (row,) = read_spreadsheet(tmp_path / "t.xlsx", "T")
    assert str(row["Text"]).endswith("[cut; the CSV has the whole text]")


def test_the_state_and_the_signature_stand_in_every_file(report: Report, folder: Path) -> None:
    signature = report.signatures["chosen"]
    assert signature in (folder / "hter.html").read_text("utf-8")
    assert signature in json.loads((folder / "hter.json").read_text("utf-8"))["signatures"].values()
    about = openpyxl.load_workbook(folder / "hter.xlsx")["About"]
    texts = [cell.value for row in about.iter_rows() for cell in row if cell.value]
    assert signature in texts
    assert "Final" in texts
    assert signature in (folder / "about.csv").read_text("utf-8-sig")


@pytest.mark.long
def test_what_is_missing_is_told(record_of: Callable[..., SegmentRecord], tmp_path: Path) -> None:
    records = [
        record_of("k1", "alpha", "D1", "s1", "r", "a", {"T1": ("a", "a"), "T2": ("a", None)}),
        record_of("k1", "alpha", "D1", "s2", "r", "a", {"T1": ("a", None), "T2": (None, None)}),
    ]
    with report_records(records, title="Half done", full=False) as report:
        (told,) = report.preliminary
        write_report(report, tmp_path, list(Format), TerOptions())
    assert told == (
        "alpha (evaluation): 1 of 2 segments with the final text of one team only; "
        "1 of 2 segments without a final text, not in the sums"
    )
    assert told in (tmp_path / "hter.html").read_text("utf-8")
    assert told in json.loads((tmp_path / "hter.json").read_text("utf-8"))["preliminary"]


@pytest.mark.long
def test_an_empty_campaign_has_a_report(tmp_path: Path) -> None:
    with report_records([], title="Nothing yet") as report:
        files = write_report(report, tmp_path, list(Format), TerOptions())
        told = ("no kit has a system's output, so there is nothing to score",)
        assert report.preliminary == told  # not final
    assert all(path.stat().st_size for path in files)


@pytest.mark.parametrize("form", list(Format))
def test_a_folder_that_cannot_be_made_is_named(
    report: Report, tmp_path: Path, form: Format
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WorldError, match="file") as caught:
        write_report(report, tmp_path / "file" / "reports", [form], TerOptions())
    assert caught.value.code == "report.folder-not-writable"


def test_a_folder_without_rights_is_named(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")  # root may write everywhere

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    with pytest.raises(WorldError, match="Permission denied") as caught:
        write_report(report, tmp_path, [Format.JSON], TerOptions())
    assert caught.value.where == str(tmp_path)


def test_a_failed_report_leaves_the_old_one(report: Report, tmp_path: Path) -> None:
    write_report(report, tmp_path, [Format.JSON], TerOptions())
    before = (tmp_path / "hter.json").read_bytes()

    class Failing:
        def __iter__(self) -> Any:
            yield ("x",)
            raise OSError(28, "No space left on device")

    broken = Table("t", "T", (Column("x", "X"),), Failing())
    bad = Report(
        **{**{name: getattr(report, name) for name in Report.__slots__}, "tables": (broken,)}
    )
    with pytest.raises(WorldError, match="No space left"):
        write_report(bad, tmp_path, [Format.JSON], TerOptions())
    assert (tmp_path / "hter.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["hter.json"]


texts = st.text(
    alphabet=st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from("=+-@'\t\r\n\",;_x0041\u0643\u200f\u00a0\x0b"),
    ),
    max_size=20,
)


@given(texts)
def test_guard_is_undone(text: str) -> None:
    guarded = guard(text)
    assert unguard(guarded) == text
    assert not guarded.startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.long
@settings(max_examples=20)
@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20))
def test_csv_and_xlsx_keep_every_digit(
    report_folder: tuple[Report, Path], numbers: list[float]
) -> None:
    report, folder = report_folder
    table = Table("n", "N", (Column("a", "A", CellKind.NUMBER),), [(n,) for n in numbers])
    write_csv(table, folder / "n.csv")
    assert [float(row["a"]) for row in read_csv(folder / "n.csv")] == numbers
    one = Report(
        **{**{name: getattr(report, name) for name in Report.__slots__}, "tables": (table,)}
    )
    write_spreadsheet(one, folder / "n.xlsx")
    assert [row["A"] for row in read_spreadsheet(folder / "n.xlsx", "N")] == numbers


@pytest.mark.long
@settings(max_examples=30)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_csv_and_xlsx_give_texts_back_character_for_character(
    report_folder: tuple[Report, Path], rows: list[tuple[str, str]]
) -> None:
    report, folder = report_folder
    table = Table("t", "T", (Column("a", "A"), Column("b", "B")), rows)
    write_csv(table, folder / "t.csv")
    assert [tuple(row.values()) for row in read_csv(folder / "t.csv")] == rows
    full = [("x" + a, "x" + b) for a, b in rows]  # an empty row ends a sheet
    table = Table("t", "T", (Column("a", "A"), Column("b", "B")), full)
    one = Report(
        **{**{name: getattr(report, name) for name in Report.__slots__}, "tables": (table,)}
    )
    write_spreadsheet(one, folder / "t.xlsx")
    assert [tuple(row.values()) for row in read_spreadsheet(folder / "t.xlsx", "T")] == full


@pytest.fixture(scope="module")
def report_folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with report_records([], title="Texts", full=False) as report:
        yield report, tmp_path_factory.mktemp("texts")


@pytest.mark.parametrize(
    ("content", "reason"), [(b"a,b\r\n1\r\n", "fields"), (b"a\r\n\xff\xfe\r\n", "UTF-8")]
)
def test_a_file_that_is_not_our_csv_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(FormatError, match=reason):
        list(read_csv(tmp_path / "t.csv"))


class Impatient:
    """Cancels after some looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.told: list[tuple[int, int | None, str]] = []

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        self.told.append((done, total, text))

    def cancelled(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize("form", [Format.HTML, Format.XLSX, Format.CSV, Format.JSON])
def test_writing_can_be_cancelled_and_leaves_no_half_file(
    report: Report, tmp_path: Path, form: Format
) -> None:
    with pytest.raises(Cancelled):
        write_report(report, tmp_path, [form], TerOptions(), progress=Impatient(0))
    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".", "hter", "seg"))]


def test_progress_ends_at_its_total(report: Report, tmp_path: Path) -> None:
    progress = Impatient(1000)
    write_report(report, tmp_path, [Format.JSON, Format.CSV], TerOptions(), progress=progress)
    assert progress.told[-1][:2] == (34, 34)
    assert [done for done, _, _ in progress.told] == sorted(done for done, _, _ in progress.told)


def test_scoring_can_be_cancelled(records: list[SegmentRecord]) -> None:
    for looks in (0, 1):  # while scoring, while comparing teams
        with (
            pytest.raises(Cancelled),
            report_records(records, title="x", progress=Impatient(looks)),
        ):
            pass


def test_blanks_that_do_not_part_words_are_told(
    record_of: Callable[..., SegmentRecord],
) -> None:
    record = record_of("k1", "alpha", "D1", "s1", "a", "a\u00a0b", {"T1": ("a b", "a b")})
    with report_records([record], title="x", full=False) as report:
        (warning,) = report.warnings
        (row,) = report.table("segments").records()
    assert "1 segment holds a no-break space" in warning
    assert (row["edits"], row["words"]) == (2, 2)  # one word against two: as tercom counts


def test_what_cannot_be_seen_is_told_of_each_system(
    record_of: Callable[..., SegmentRecord],
) -> None:
    records = [
        record_of("k1", system, "D1", segment, "a b", output, {"T1": ("a b", "a b")})
        for system, segment, output in (
            *(("alpha", "s1", "a b"), ("beta", "s1", "a\u200f b"), ("beta", "s2", "a\u200f b")),
        )
    ]
    with report_records(records, title="x", full=False) as report:
        assert list(report.warnings) == [
            "beta: format characters in 2 outputs (U+200F 2 times); 2 edits fewer with "
            "--remove-format-characters."
        ]


@pytest.mark.parametrize("script", ["report.js", "card.js"])
def test_the_pages_script_can_be_read_by_a_javascript_engine(script: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node to read JavaScript with")
    path = Path(html_reports.__file__).parent / "templates" / script
    subprocess.run([node, "--check", str(path)], check=True, capture_output=True)
