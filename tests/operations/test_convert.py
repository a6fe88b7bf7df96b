from __future__ import annotations

import json
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import ConflictError, FormatError, InputError, UsageError
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat, recognise
from madcat_studio.formats.madcat import read
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.operations.pages import convert
from madcat_studio.operations.pages.checking import CheckOptions, check_file
from madcat_studio.operations.pages.convert import convert_file, read_layout

DATA = Path(__file__).parent.parent / "data"
REAL = DATA / "real"
SAMPLES = sorted((DATA / "madcat").glob("*.madcat.xml"))
ERRORS = DATA / "madcat" / "ZZN_ARB_20991231.0003_2_SCR0005.madcat.xml"
NORMAL = DATA / "madcat" / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name[-40:])
def test_madcat_to_madcat_changes_nothing(path: Path, tmp_path: Path) -> None:
    convert_file(path, tmp_path / "b.madcat.xml")
    assert (tmp_path / "b.madcat.xml").read_bytes() == path.read_bytes()


def test_the_outputs_folder_is_made_and_none_is_left_without_a_file(tmp_path: Path) -> None:
    target = tmp_path / "new" / "deep" / "b.page.xml"
    convert_file(NORMAL, target)
    assert target.is_file()
    broken = tmp_path / "broken.page.xml"
    broken.write_bytes(NORMAL.read_bytes()[:-20])
    with pytest.raises(FormatError):
        convert_file(broken, tmp_path / "other" / "b.page.xml")
    assert not (tmp_path / "other").exists()


def test_a_format_to_itself_changes_nothing_and_to_another_revision_converts(
    tmp_path: Path,
) -> None:
    page = REAL / "dinglehopper_levels-are-different.page.xml"
    convert_file(page, tmp_path / "b.page.xml")
    assert (tmp_path / "b.page.xml").read_bytes() == page.read_bytes()
    convert_file(page, tmp_path / "c.page.xml", version="2013")
    assert b"2013-07-15" in (tmp_path / "c.page.xml").read_bytes()
    broken = tmp_path / "d.page.xml"
    broken.write_bytes(page.read_bytes()[:-20])
    with pytest.raises(FormatError):
        convert_file(broken, tmp_path / "e.page.xml")
    assert not (tmp_path / "e.page.xml").exists()


@pytest.mark.parametrize("between", ["b.page.xml", "b.alto.xml"])
def test_there_and_back_keeps_polygons_and_text(between: str, tmp_path: Path) -> None:
    convert_file(NORMAL, tmp_path / between)
    convert_file(tmp_path / between, tmp_path / "c.madcat.xml")
    before, after = read(NORMAL).document, read(tmp_path / "c.madcat.xml").document
    assert [(line.id, line.polygon) for line in after.pages[0].lines] == [
        (line.id, line.polygon) for line in before.pages[0].lines
    ]
    assert [(word.id, word.polygon) for word in after.pages[0].words()] == [
        (word.id, word.polygon) for word in before.pages[0].words()
    ]

    def texts(document: object) -> dict[str | None, str | None]:
        return {
            token.ref_id: token.source
            for segment in document.segments()  # type: ignore[attr-defined]
            for token in segment.tokens
        }

    assert texts(after) == texts(before)
    assert (after.src, after.pages[0].width) == (before.src, 5100)


def test_what_cannot_be_held_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(ERRORS), str(tmp_path / "b.page.xml")]) == 0
    out = capsys.readouterr().out
    for what in (
        "a translation (1 time)",
        "the status of a token (3 times)",
        "the scribe",
        "a token without a word (1 time)",
    ):
        assert what in out


def test_segments_of_several_lines_are_the_text_of_their_region(tmp_path: Path) -> None:
    path = NORMAL.with_name(NORMAL.name.replace(".madcat.", ".textseg.madcat."))
    told = convert_file(path, tmp_path / "b.page.xml").problems
    assert not any("a transcription" in problem.what for problem in told)
    data = (tmp_path / "b.page.xml").read_bytes()
    (region,) = read_layout(Source(data, "x")).layout.pages[0].regions
    said = [segment.transcription for segment in read(path).document.segments()]
    assert region.text == "\n".join(text or "" for text in said)
    assert [line.text for line in region.lines] == [None] * 6


def test_two_pages_give_two_page_files(tmp_path: Path) -> None:
    two = next((DATA / "madcat").glob("groups*.madcat.xml"))
    result = convert_file(two, tmp_path / "b.page.xml")
    assert [path.name for path in result.outputs] == ["b.page.p1.xml", "b.page.p2.xml"]
    convert_file(two, tmp_path / "b.alto.xml")
    convert_file(tmp_path / "b.alto.xml", tmp_path / "c.madcat.xml")
    assert [len(page.lines) for page in read(tmp_path / "c.madcat.xml").document.pages] == [2, 2]


@pytest.mark.parametrize(
    "path",
    sorted(p for p in REAL.iterdir() if p.suffix in (".xml", ".hocr", ".html")),
    ids=lambda p: p.name,
)
def test_every_real_file_becomes_madcat(path: Path, tmp_path: Path) -> None:
    result = convert_file(path, tmp_path / "b.madcat.xml")
    assert result.source_format is not FileFormat.MADCAT
    found = read(tmp_path / "b.madcat.xml")
    assert found.problems == ()
    assert violations(found.source) == []
    assert len(found.document.pages) == 1


def test_gedi_becomes_madcat_with_its_order(tmp_path: Path) -> None:
    convert_file(DATA / "madcat" / "synthetic_gedi.xml", tmp_path / "b.madcat.xml")
    found = read(tmp_path / "b.madcat.xml").document
    assert [s.transcription for s in found.segments()] == [
        "وصل الوفد إلى",
        "العاصمة مساء مساء الأربعا",
        "وعقد اجتماعا مغلقا .",
    ]
    assert [w.id for w in found.pages[0].lines[0].words] == ["t0", "t1", "t2"]


def test_the_size_of_a_page_comes_from_its_image_where_the_file_has_none(tmp_path: Path) -> None:
    convert_file(REAL / "kraken_alto_zero_dims.xml", tmp_path / "b.madcat.xml")
    page = read(tmp_path / "b.madcat.xml").document.pages[0]
    assert (page.width, page.height) == (123, 45)


def test_a_document_without_pages_is_nothing_to_other_formats(tmp_path: Path) -> None:
    transys = NORMAL.with_name(NORMAL.name.replace(".madcat", ".transys.madcat"))
    for name in ("b.page.xml", "b.alto.xml"):
        with pytest.raises(InputError) as caught:
            convert_file(transys, tmp_path / name)
        assert caught.value.code == "convert.no-page"
    assert list(tmp_path.iterdir()) == []


def test_what_makes_no_sense(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not give the format"):
        convert_file(NORMAL, tmp_path / "b.xml")
    with pytest.raises(UsageError, match="hOCR has no version 4"):
        convert_file(NORMAL, tmp_path / "b.hocr", version="4")
    with pytest.raises(UsageError, match="has no version 2009"):
        convert_file(NORMAL, tmp_path / "b.page.xml", version="2009")
    convert_file(NORMAL, tmp_path / "b.page.xml")
    with pytest.raises(ConflictError):
        convert_file(NORMAL, tmp_path / "b.page.xml")
    with pytest.raises(FormatError, match="neither MADCAT"):
        recognise(Source(b"<TEI/>", "x"))
    assert recognise(Source(b"<?xml version='1.0'?><!-- <alto> --><g:GEDI", "x")) is FileFormat.GEDI


def test_notes_that_quote_each_thing_are_one_of_their_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zone = '<DL_ZONE gedi_type="TextRegion" id="{}" col="1" row="{}" width="9" height="9"/>'
    path = tmp_path / "a.gedi.xml"
    path.write_text(
        '<GEDI><DL_DOCUMENT><DL_PAGE src="a.png" width="90" height="90">'
        + "".join(zone.format(n, n) for n in range(5))
        + "</DL_PAGE></DL_DOCUMENT></GEDI>"
    )
    assert main(["convert", str(path), str(tmp_path / "b.page.xml")]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "not a name" in line]
    assert len(told) == 1
    assert told[0].endswith(
        "the id “0” occurs twice in the file, or is not a name (written as “r_0”) [5 times]"
    )
    # JSON names each.
    assert main(["convert", str(path), str(tmp_path / "c.page.xml"), "--format", "json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [note["done"] for note in notes if note["code"] == "convert-id-changed"] == [
        f"written as “r_{n}”" for n in range(5)
    ]


def test_unlike_custom_attributes_stay_unlike_notes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.page.xml"
    path.write_text(
        '<PcGts><Page imageFilename="a.png" imageWidth="90" imageHeight="90"><TextRegion id="r">'
        '<Coords points="0,0 9,0 9,9"/><TextLine id="l" custom="textStyle {b:1;} abbrev {c:2;}">'
        '<Coords points="0,0 9,0 9,9"/></TextLine></TextRegion></Page></PcGts>'
    )
    assert main(["convert", str(path), str(tmp_path / "b.alto.xml")]) == 0
    out = capsys.readouterr().out
    assert "“textStyle”" in out
    assert "“abbrev”" in out


ODD = {
    "a namespace that is no URI": '<x xmlns="http&gt;//a b"/>',
    "elements in hundreds within one another": "<x>" * 300 + "</x>" * 300,
}
"""What the parser of the readers takes and that of the validator does not."""


@pytest.mark.long
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    ("path", "end"),
    [
        (DATA / "documents" / "table.page.xml", "</Page>"),
        (REAL / "dinglehopper_test.alto2.xml", "</Layout>"),
        (NORMAL, "</doc>"),
    ],
    ids=["page", "alto", "madcat"],
)
def test_what_can_be_read_can_be_checked_and_converted(
    path: Path, end: str, odd: str, tmp_path: Path
) -> None:
    text = path.read_text("utf-8")
    assert text.count(end) == 1
    given = tmp_path / path.name
    given.write_text(text.replace(end, ODD[odd] + end), "utf-8")
    checked = check_file(given, CheckOptions(images=False))
    assert checked.error is None
    (schema,) = [each for each in checked.problems if each.code == "schema"]
    assert schema.where.line
    for kind in WRITTEN:
        made = convert_file(given, tmp_path / f"out{TRAITS[kind].written}")
        plain = convert_file(path, tmp_path / f"plain{TRAITS[kind].written}")
        assert made.ledger == plain.ledger
    assert convert_file(given, tmp_path / "old.page.xml", version="2013").ledger


def test_a_file_that_cannot_be_counted_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> list[object]:
        raise FormatError("xml.not-xml", "odd", where="x", remedy="mend")

    monkeypatch.setattr(convert, "ledger", fail)
    page = REAL / "dinglehopper_levels-are-different.page.xml"
    for name, version in (("a.page.xml", None), ("b.page.xml", "2013"), ("c.hocr", None)):
        with pytest.raises(FormatError):
            convert_file(page, tmp_path / "new" / name, version=version)
    assert list(tmp_path.iterdir()) == []
