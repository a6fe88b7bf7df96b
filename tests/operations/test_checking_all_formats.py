"""The same checks on pages of every format, with places in the user's own file; repaired copies."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from madcat_studio.cli.app import main
from madcat_studio.formats.any_document import read_any
from madcat_studio.formats.kinds import FileFormat
from madcat_studio.formats.ledger import count
from madcat_studio.formats.repair import repaired
from madcat_studio.formats.source import Source
from madcat_studio.model.geometry import bounding_box
from madcat_studio.operations.pages.checking import CheckedFile, CheckOptions, check_file
from madcat_studio.operations.pages.convert import convert_file

DATA = Path(__file__).parent.parent / "data"
DOCUMENTS = DATA / "documents"
ODD = """<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Metadata><Creator>x</Creator><Created>2026-01-01T00:00:00</Created>
<LastChange>2026-01-01T00:00:00</LastChange></Metadata>
<Page imageFilename="a.tif" imageWidth="500" imageHeight="300">
<TextRegion id="r1"><Coords points="10,10 490,10 490,290 10,290"/>
<TextLine id="l1"><Coords points="20,20 200,20 200,60 20,60"/><Baseline points="20,50 200,50"/>
<Word id="w1"><Coords points="20,20 100,20 100,60 20,60"/>
<TextEquiv><Unicode>one</Unicode></TextEquiv></Word>
<Word id="w2"><Coords points="300,20 400,20 400,60 300,60"/>
<TextEquiv><Unicode>two</Unicode></TextEquiv></Word>
<TextEquiv><Unicode>one two</Unicode></TextEquiv></TextLine>
<TextLine id="l2"><Coords points="20,100 600,100 600,140 20,140"/>
<Baseline points="20,250 200,250"/>
<TextEquiv><Unicode>three</Unicode></TextEquiv></TextLine>
</TextRegion>
</Page></PcGts>
"""
"""A word outside its line, a line outside the page, a baseline outside its line."""

WRONG = {"word-outside-line", "polygon-outside-page", "baseline-outside-line"}


def codes(result: CheckedFile) -> set[str]:
    assert result.error is None
    return {problem.code for problem in result.problems}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("b.page.xml", WRONG),
        ("b.madcat.xml", WRONG),
        ("b.alto.xml", WRONG),
        ("b.hocr", WRONG),
        ("b.gedi.xml", WRONG),
        ("b.json", WRONG),
        ("b.coco.json", WRONG),
    ],
)
def test_geometry_is_checked_in_every_format(tmp_path: Path, name: str, found: set[str]) -> None:
    page = tmp_path / "a.page.xml"
    page.write_text(ODD, encoding="utf-8")
    convert_file(page, tmp_path / name)
    result = check_file(tmp_path / name)
    assert codes(result) & WRONG == found
    if not name.endswith(".json"):
        text = (tmp_path / name).read_text("utf-8").splitlines()
        (odd,) = (p for p in result.problems if p.code == "word-outside-line")
        assert "w2" in odd.where.element
        assert odd.where.line is not None
        assert "w2" in text[odd.where.line - 1] or "w_2" in text[odd.where.line - 1]


def test_ids_that_are_given_twice_and_texts_that_disagree(tmp_path: Path) -> None:
    path = tmp_path / "a.gedi.xml"
    path.write_text(
        '<GEDI><DL_DOCUMENT><DL_PAGE src="a.tif" width="500" height="300">\n'
        '<DL_ZONE gedi_type="DL_TEXTLINE" id="1" col="10" row="10" width="200" height="50"'
        ' contents="one two"/>\n'
        '<DL_ZONE gedi_type="DL_WORD" id="2" col="10" row="10" width="90" height="5x"'
        ' line="1" contents="one"/>\n'
        '<DL_ZONE gedi_type="DL_WORD" id="2" col="110" row="10" width="90" height="50"'
        ' line="1" contents="too"/>\n'
        "</DL_PAGE></DL_DOCUMENT></GEDI>",
        encoding="utf-8",
    )
    found = {problem.code: problem for problem in check_file(path).problems}
    assert found.keys() >= {"number-unreadable", "transcription-differs"}
    assert found["number-unreadable"].where.line == 3
    assert found["transcription-differs"].what.startswith("at word 2 the transcription has “two”")


def test_a_region_that_says_other_than_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.page.xml"
    region = "<TextEquiv><Unicode>one two four</Unicode></TextEquiv></TextRegion>"
    path.write_text(ODD.replace("</TextRegion>", region), encoding="utf-8")
    (odd,) = (p for p in check_file(path).problems if p.code == "region-text-differs")
    assert odd.what == "the region says “one two four”, its lines “one two three”"
    assert odd.where.line == 6
    same = "<TextEquiv><Unicode>one two\nthree</Unicode></TextEquiv></TextRegion>"
    path.write_text(ODD.replace("</TextRegion>", same), encoding="utf-8")
    assert "region-text-differs" not in codes(check_file(path))


@pytest.mark.parametrize("path", sorted(DOCUMENTS.iterdir()), ids=lambda p: p.name)
def test_every_sample_is_checked_and_never_changed_unasked(path: Path) -> None:
    before = path.read_bytes()
    result = check_file(path, CheckOptions(fix=False))
    assert result.error is None
    assert path.read_bytes() == before


def test_what_is_not_saved_in_place_is_not_mended(tmp_path: Path) -> None:
    crossing = ODD.replace("20,20 200,20 200,60 20,60", "20,20 200,60 200,20 20,60")
    (tmp_path / "a.page.xml").write_text(crossing, encoding="utf-8")
    path = tmp_path / "b.gedi.xml"
    convert_file(tmp_path / "a.page.xml", path)
    before = path.read_bytes()
    result = check_file(path, CheckOptions(fix=True))
    assert (result.error, result.mended) == (None, ())
    assert "polygon-self-crossing" in codes(result)
    assert path.read_bytes() == before


def test_no_language_is_guessed_at_that_the_page_does_not_have(tmp_path: Path) -> None:
    normal = next((DATA / "madcat").glob("*0001_1_SCR0001.madcat.xml"))
    text = normal.read_text("utf-8")
    path = tmp_path / normal.name
    latin = "".join("a" if "\u0600" <= letter <= "\u06ff" else letter for letter in text)
    path.write_text(latin, encoding="utf-8")
    assert "script-wrong" not in codes(check_file(path, CheckOptions(images=False)))
    path.write_text(text, encoding="utf-8")
    assert "script-wrong" not in codes(check_file(path, CheckOptions(images=False)))


@pytest.mark.parametrize(
    ("data", "lines", "done"),
    [
        (ODD[: ODD.index('<TextLine id="l2"')].encode(), 1, "mended from line 13 on (1 place)"),
        (ODD.replace("</Word>", "", 1).encode(), 2, "mended from line"),
        (
            ODD.replace("one two", "on\x0be & two").encode(),
            2,
            "1 character that XML",
        ),
        (ODD.replace("three", "كلمة عربية هنا").encode("windows-1256"), 2, "read as windows-1256"),
        (
            ODD.replace("three", "détaché là").encode("latin-1"),
            2,
            "read as windows-1252",
        ),
        (ODD.replace("three", "ثلاثة").encode().replace(b"one", b"\xff"), 2, "U+FFFD in 2 places"),
        (ODD.replace("UTF-8", "x-unknown").encode(), 2, "read as UTF-8"),
        (ODD.replace("UTF-8", "ascii").replace("three", "ثلاثة").encode(), 2, "read as UTF-8"),
    ],
)
def test_a_whole_copy_of_a_broken_file_is_written_where_it_is_wanted(
    tmp_path: Path, data: bytes, lines: int, done: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.page.xml"
    path.write_bytes(data)
    assert main(["check", str(path), "--repaired", str(tmp_path / "new" / "copies")]) == 2
    copy = tmp_path / "new" / "copies" / "a.page.xml"
    told = capsys.readouterr().out
    assert "unreadable" in told
    assert done in told
    assert path.read_bytes() == data
    found = count(Source(copy.read_bytes(), str(copy)), FileFormat.PAGE)
    assert found["lines"] == lines
    assert check_file(copy).error is None
    assert main(["check", str(path), "--repaired", str(copy.parent)]) == 2
    assert "check.copy-exists" in capsys.readouterr().out
    if "1256" in done:
        assert "كلمة عربية هنا" in copy.read_text("utf-8")
    if "1252" in done:
        assert "détaché là" in copy.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("größere Straßen über Bäche", "latin-1"),
        ("Muß", "latin-1"),
        ("où ça était l’œuvre", "windows-1252"),
        ("el niño pequeño, señor", "latin-1"),
        ("smörgåsbord på ön", "latin-1"),
        ("كلمة عربية هنا", "windows-1256"),
        ("و", "windows-1256"),
        ("the word كلمة and the word كتاب", "windows-1256"),
    ],
)
def test_letters_of_no_encoding_are_read_as_those_of_their_language(
    words: str, encoding: str
) -> None:
    data = f"<madcat><doc>{words}</doc></madcat>".encode(encoding)
    made = repaired(Source(data, "x"))
    assert made is not None
    assert words in made.data.decode("utf-8"), made.done


@pytest.mark.parametrize("data", [b"", b"not XML", b"<", b"<a>&x;</a>", b"\0\0\0\0"])
def test_of_nothing_no_copy_is_made(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.page.xml"
    path.write_bytes(data)
    result = check_file(path, CheckOptions(repaired=tmp_path / "copies"))
    assert result.error is not None
    assert not (tmp_path / "copies").exists()


@pytest.mark.long
def test_sarif_follows_its_published_schema(tmp_path: Path) -> None:
    """Of every sample and of files that cannot be read, with names that need care."""
    broken = tmp_path / "a b#c%d\né.page.xml"
    broken.write_bytes(ODD.encode()[:-40])
    (tmp_path / "odd.page.xml").write_text(ODD, encoding="utf-8")
    target = tmp_path / "out.sarif"
    files = [*DATA.glob("documents/*"), *DATA.glob("real/*.xml"), *tmp_path.glob("*.xml")]
    status = main(["check", *map(str, files), "--format", "sarif", "-o", str(target)])
    assert status == 2
    schema = json.loads((DATA / "sarif-schema-2.1.0.json").read_text("utf-8"))
    told = json.loads(target.read_text("utf-8"))
    validator = jsonschema.Draft4Validator(
        schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER
    )
    assert [error.message for error in validator.iter_errors(told)] == []
    results = told["runs"][0]["results"]
    assert len(results) > 40
    rules = {rule["id"] for rule in told["runs"][0]["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in results} <= rules
    uris = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in results
        for place in result["locations"]
    }
    assert any(uri.endswith("/a%20b%23c%25d%0A%C3%A9.page.xml") for uri in uris)
    told["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(told)


BLEEDING = ODD.replace("20,20 200,20 200,60 20,60", "20,20 400,20 400,130 20,130")
"""Its first line covers some of the second's word."""


@pytest.mark.parametrize("name", ["a.page.xml", "b.alto.xml", "b.hocr", "b.gedi.xml", "b.json"])
def test_lines_are_derived_in_any_format_and_saved_where_they_can_be(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.page.xml"
    page.write_text(BLEEDING, encoding="utf-8")
    if name != page.name:
        convert_file(page, tmp_path / name)
    before = (tmp_path / name).read_bytes()
    assert main(["lines", str(tmp_path / name), "--margin", "0"]) == 0
    saved = tmp_path / name
    if name not in ("a.page.xml", "b.alto.xml"):
        assert saved.read_bytes() == before
        saved = tmp_path / "b.madcat.xml"
        assert main(["lines", str(tmp_path / name), "-o", str(tmp_path / "c.page.xml")]) == 2
        assert "[lines.not-madcat]" in capsys.readouterr().err
        assert not (tmp_path / "c.page.xml").exists()
    first, second = read_any(Source(saved.read_bytes(), str(saved))).document.pages[0].lines
    assert bounding_box(first.polygon) == (19, 19, 401, 61)
    assert second.polygon == ((20, 100), (600, 100), (600, 140), (20, 140))
