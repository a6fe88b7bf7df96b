"""PAGE XML and ALTO opened, corrected and saved in place by a workspace, as the window does it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from madcat_studio.edits import MoveLine, MoveVertex, Outline, SetTranscription, SetTranslation
from madcat_studio.edits.arranging import joined_regions, order_lines
from madcat_studio.errors import InputError
from madcat_studio.formats.documents import read_document
from madcat_studio.formats.madcat import read
from madcat_studio.formats.source import Source
from madcat_studio.model.document import Document
from madcat_studio.workspace.page import DiskState, PageWorkspace
from tests.workspace.layout_walks import FORMS, walk_over

DATA = Path(__file__).parent.parent / "data"
FILES = [
    path
    for folder in ("real", "documents")
    for path in sorted((DATA / folder).glob("*.xml"))
    if b"<PcGts" in path.read_bytes() or b"<alto" in path.read_bytes()
]
TABLE = DATA / "documents" / "table.page.xml"
MOVE = MoveVertex(Outline(0, 1), 0, (511, 21))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return Path(shutil.copy(TABLE, tmp_path / "table.page.xml"))


def test_saving_changes_the_edited_value_alone(table: Path) -> None:
    original = table.read_bytes()
    workspace = PageWorkspace.open(table)
    assert (workspace.path, workspace.imported_from, workspace.dirty) == (table, None, False)
    workspace.save()
    assert table.read_bytes() == original
    workspace.execute(MOVE)
    workspace.execute(SetTranscription(0, 1, "Year:"))
    workspace.save()
    assert not workspace.dirty
    assert workspace.disk_state() is DiskState.SAME
    expected = original.replace(b'"510,20 980,20', b'"511,21 980,20').replace(b">Year<", b">Year:<")
    assert table.read_bytes() == expected
    assert table.with_name("table.page.xml.bak").read_bytes() == original
    workspace.undo()
    workspace.undo()
    workspace.save()
    assert table.read_bytes() == original
    workspace.close()


def test_what_was_not_saved_comes_back(table: Path) -> None:
    original = table.read_bytes()
    workspace = PageWorkspace.open(table)
    workspace.execute(MOVE)
    workspace.close()  # as a crash leaves it
    again = PageWorkspace.open(table)
    assert again.recovery is not None
    assert again.recovery.steps == 1
    again.recover()
    again.save()
    assert table.read_bytes() == original.replace(b'"510,20 980,20', b'"511,21 980,20')
    again.close()


def test_theirs_is_taken_and_mine_is_kept(table: Path) -> None:
    original = table.read_bytes()
    workspace = PageWorkspace.open(table)
    workspace.execute(MOVE)
    table.write_bytes(original.replace(b">Name<", b">Nome<"))
    kept = workspace.take_theirs()
    assert kept is not None
    assert kept.read_bytes() == original.replace(b'"510,20 980,20', b'"511,21 980,20')
    assert next(workspace.document.segments()).transcription == "Nome"
    workspace.close()


def test_what_the_file_cannot_hold_is_refused_and_can_become_madcat(table: Path) -> None:
    original = table.read_bytes()
    workspace = PageWorkspace.open(table)
    workspace.execute(MOVE)
    workspace.execute(SetTranslation(0, 0, "a name"))
    with pytest.raises(InputError) as caught:
        workspace.save()
    assert caught.value.code == "layout.cannot-hold"
    assert "a translation (segment s1)" in caught.value.reason
    assert workspace.dirty
    assert table.read_bytes() == original
    other = table.with_name("b.madcat.xml")
    workspace.save_as(other)
    assert (workspace.path, workspace.dirty, workspace.can_undo) == (other, False, False)
    found = read(other).document
    assert found.id == "b"
    assert next(found.segments()).translation == "a name"
    assert found.pages[0].lines[1].polygon[0] == (511, 21)
    assert found.pages[0].lines[1].baseline == ((510, 70), (980, 70))
    assert [region.id for region in found.pages[0].regions] == [
        "t1", "c11", "c12", "c21", "c22", "r2",
    ]  # fmt: skip
    workspace.execute(SetTranslation(0, 0, None))
    workspace.save()
    assert next(read(other).document.segments()).translation is None
    assert table.read_bytes() == original
    workspace.close()


ORDERS = {
    "table.page.xml": MoveLine(0, 2, 0),
    "dinglehopper_test.alto2.xml": MoveLine(0, 29, 1),
    "kraken_alto_bsb00084914_00007.xml": MoveLine(0, 30, 1),
}


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_that_regions_do_not_allow_is_refused_whole(name: str, tmp_path: Path) -> None:
    """A line between lines of another region is no silent member of it: nothing is written."""
    folder = "documents" if (DATA / "documents" / name).exists() else "real"
    path = Path(shutil.copy(DATA / folder / name, tmp_path))
    original = path.read_bytes()
    workspace = PageWorkspace.open(path)
    moved = workspace.document.pages[0].lines[ORDERS[name].index]
    workspace.execute(ORDERS[name])
    regions = [line.region for line in workspace.document.pages[0].lines]
    with pytest.raises(InputError, match="cannot hold this order of lines") as caught:
        workspace.save()
    assert caught.value.code == "layout.cannot-hold"
    assert f"(line {moved.id} of region {moved.region})" in caught.value.reason
    assert workspace.dirty
    assert path.read_bytes() == original
    assert sorted(found.name for found in tmp_path.iterdir()) == [path.name]
    assert [line.region for line in workspace.document.pages[0].lines] == regions
    # A MADCAT file holds it, and each line stays in its region there.
    other = tmp_path / "b.madcat.xml"
    workspace.save_as(other)
    assert [line.region for line in read(other).document.pages[0].lines] == regions
    workspace.close()


def test_the_order_is_saved_with_the_region_that_lines_are_given_to(table: Path) -> None:
    workspace = PageWorkspace.open(table)
    page = workspace.document.pages[0]
    names = [line.id for line in page.lines]
    order = [2, 0, 1, *range(3, len(names))]
    workspace.execute(order_lines(workspace.document, 0, order, joined_regions(page, order)))
    workspace.save()
    found = read_document(Source(table.read_bytes(), "x")).document.pages[0]
    assert [line.id for line in found.lines] == [names[n] for n in order]
    assert [line.region for line in found.lines[:3]] == ["c11", "c11", "c12"]
    workspace.close()


@pytest.mark.parametrize("at", [Outline(0, 1), Outline(0, 1, 1)], ids=["line", "word"])
def test_a_corner_that_boxes_cannot_keep_leaves_the_page_unsaved(
    at: Outline, tmp_path: Path
) -> None:
    path = Path(shutil.copy(DATA / "real" / "dinglehopper_test.alto2.xml", tmp_path))
    original = path.read_bytes()
    workspace = PageWorkspace.open(path)
    line = workspace.document.pages[0].lines[1]
    x, y = (line if at.word is None else line.words[1]).polygon[0]
    workspace.execute(MoveVertex(at, 0, (x + 3, y + 2)))
    with pytest.raises(InputError, match="an outline that is not an upright box") as caught:
        workspace.save()
    assert caught.value.code == "layout.cannot-hold"
    assert ".madcat.xml" in (caught.value.remedy or "")
    assert workspace.dirty
    assert path.read_bytes() == original
    other = tmp_path / "b.madcat.xml"
    workspace.save_as(other)
    line = read(other).document.pages[0].lines[1]
    assert (line if at.word is None else line.words[1]).polygon[0] == (x + 3, y + 2)
    workspace.close()


def test_saving_elsewhere_keeps_the_format_and_the_history(table: Path) -> None:
    original = table.read_bytes()
    workspace = PageWorkspace.open(table)
    workspace.execute(MOVE)
    other = table.with_name("b.page.xml")
    workspace.save_as(other)
    assert table.read_bytes() == original
    assert other.read_bytes() == original.replace(b'"510,20 980,20', b'"511,21 980,20')
    workspace.undo()
    workspace.save()
    assert other.read_bytes() == original
    workspace.close()


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_a_walk_of_edits_is_undone_byte_for_byte(path: Path, tmp_path: Path) -> None:
    refused = walk_over(Path(shutil.copy(path, tmp_path)), 25, 1)
    assert refused == 0 or b"<alto" in path.read_bytes()  # which has fewer places


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 6))
def test_a_walk_over_a_newspaper(seed: int, tmp_path: Path) -> None:
    path = Path(shutil.copy(DATA / "real" / "dinglehopper_test.alto2.xml", tmp_path))
    walk_over(path, 12, seed)


@pytest.mark.parametrize("form", FORMS)
def test_a_walk_over_each_form_of_a_file(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.page.xml"
    text = (DATA / "documents" / "line-transcribed.page.xml").read_text(encoding="utf-8")
    path.write_bytes(FORMS[form](text))
    assert walk_over(path, 40, 2) == 0


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_a_walk_over_each_form_of_a_file_in_alto(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.alto.xml"
    text = (DATA / "real" / "kraken_alto_bsb00084914_00007.xml").read_text(encoding="utf-8")
    path.write_bytes(FORMS[form](text))
    walk_over(path, 8, 5)


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_long_walks_over_every_form_of_every_file(path: Path, form: str, tmp_path: Path) -> None:
    """More than 200 of them."""
    target = tmp_path / path.name
    target.write_bytes(FORMS[form](path.read_text(encoding="utf-8-sig")))
    assert walk_over(target, 60, 11) == 0 or b"<alto" in path.read_bytes()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 112))
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_long_walks_of_many_seeds(path: Path, seed: int, tmp_path: Path) -> None:
    target = Path(shutil.copy(path, tmp_path))
    assert walk_over(target, 60, seed) == 0 or b"<alto" in path.read_bytes()


def test_lines_of_all_regions_are_segments_in_reading_order(tmp_path: Path) -> None:
    path = Path(shutil.copy(DATA / "documents" / "line-transcribed.page.xml", tmp_path))
    document: Document = PageWorkspace.open(path).document
    assert [segment.zone_refs for segment in document.segments()] == [
        ["l1"], ["l2"], ["l3"], ["l4"],
    ]  # fmt: skip
    assert [line.region for line in document.pages[0].lines] == [
        "r_heading", "r_main", "r_main", "r_margin",
    ]  # fmt: skip
