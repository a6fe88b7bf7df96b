"""Several annotators of one page: places where they differ, majorities, one page of all."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.edits import (
    AddWord,
    LinkToken,
    RemoveLine,
    RemoveWord,
    SetPolygon,
    WordValue,
)
from madcat_studio.edits.base import Edit, Outline
from madcat_studio.edits.splitting import split_word
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat import read
from madcat_studio.formats.madcat_writer import write
from madcat_studio.model.document import Document
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.links import link
from madcat_studio.operations.pages.settling import (
    by_majority,
    holding,
    names_of,
    read_annotators,
)
from madcat_studio.pages.adjudication import DifferenceKind, Level
from madcat_studio.pages.settling import difference_of, places, take_version

NAME = "ZZN_ARB_20991231.0001_1_SCR0001"
SAMPLE = Path(__file__).parent.parent / "data" / "madcat" / f"{NAME}.madcat.xml"
MOVED = ((4743, 700), (4386, 700), (4386, 990), (4743, 990))
"""The word t0, quite another outline."""


def made(*edits: Edit) -> Document:
    document = read(SAMPLE).document
    for edit in edits:
        edit.apply(document)
    return document


def cut_in_two(document: Document) -> Document:
    """The word t2 as two."""
    split_word(document, 0, 0, 2, ((3700, 600), (3700, 1000))).apply(document)
    return document


@pytest.fixture
def others() -> list[Document]:
    """Three more: t0 moved by two, t2 cut by all, t8 gone for two, a line gone for one."""
    one = cut_in_two(made(SetPolygon(Outline(0, 0, 0), MOVED), RemoveWord(0, 1, 1)))
    two = cut_in_two(made(SetPolygon(Outline(0, 0, 0), MOVED), RemoveWord(0, 1, 1)))
    three = cut_in_two(made())
    for _ in range(7):
        RemoveWord(0, 5, 0).apply(three)
    RemoveLine(0, 5).apply(three)
    return [one, two, three]


def found(mine: Document, others: list[Document]) -> list[tuple[object, ...]]:
    return [
        (
            place.level.value,
            place.mine,
            [version.annotators for version in place.versions],
            [len(version.polygons) for version in place.versions],
        )
        for place in places([mine.pages[0], *(each.pages[0] for each in others)])
    ]


def test_places_and_versions_most_annotators_first(others: list[Document]) -> None:
    seen = found(made(), others)
    assert seen[:3] == [
        ("word", ((0, 0),), [(0, 3), (1, 2)], [1, 1]),
        ("word", ((0, 2),), [(1, 2, 3), (0,)], [2, 1]),
        ("word", ((1, 1),), [(0, 3), (1, 2)], [1, 0]),
    ]
    assert seen[3] == ("line", ((5, None),), [(0, 1, 2), (3,)], [1, 0])
    assert [each[0] for each in seen[4:]] == ["word"] * 7


def test_a_majority_is_more_than_half(others: list[Document]) -> None:
    pages = [made().pages[0], *(each.pages[0] for each in others)]
    majorities = [place.majority for place in places(pages)][:4]
    assert [None if m is None else m.annotators for m in majorities] == [
        None, (1, 2, 3), None, (0, 1, 2),
    ]  # fmt: skip
    assert places(pages)[0].own.annotators == (0, 3)


def test_each_kind_of_version_is_taken_and_taken_back(others: list[Document]) -> None:
    document = made()
    theirs = [each.pages[0] for each in others]
    for place in places([document.pages[0], *theirs])[:3]:
        version = next(v for v in place.versions if 0 not in v.annotators)
        difference = difference_of(place, version)
        assert difference is not None
        after = copy.deepcopy(document)
        other = theirs[version.annotators[0] - 1]
        edit = take_version(after, 0, difference, other)
        _, back = edit.apply(after)
        again = places([after.pages[0], *theirs])
        own = [p.own for p in again if p.key == place.key]
        assert not own or own[0].annotators[:2] == (0, version.annotators[0])
        back.apply(after)
        assert after == document


def test_outlines_that_are_more_on_both_sides_are_for_a_hand(others: list[Document]) -> None:
    mine = cut_in_two(made())
    other = made()
    for n, (right, left) in enumerate([(3978, 3790), (3790, 3610), (3610, 3478)]):
        polygon = ((right, 686), (left, 686), (left, 917), (right, 917))
        edit = AddWord(0, 0, 2 + n, WordValue(f"x{n}", polygon))
        (edit if n else SetPolygon(Outline(0, 0, 2), polygon)).apply(other)
    place = next(p for p in places([mine.pages[0], other.pages[0]]) if p.level is Level.WORD)
    assert [len(version.polygons) for version in place.versions] == [2, 3]
    with pytest.raises(InputError) as caught:
        difference_of(place, place.versions[1])
    assert caught.value.code == "settle.too-different"


def test_of_as_many_on_both_sides_each_is_taken_over() -> None:
    mine, other = cut_in_two(made()), made()
    split_word(other, 0, 0, 2, ((3580, 600), (3580, 1000))).apply(other)
    place = places([mine.pages[0], other.pages[0]])[0]
    difference = difference_of(place, place.versions[1])
    assert difference is not None
    assert difference.kind is DifferenceKind.SHAPE
    take_version(mine, 0, difference, other.pages[0]).apply(mine)
    boxes = [bounding_box(word.polygon) for word in mine.pages[0].lines[0].words[2:4]]
    assert boxes == [(3580, 686, 3978, 917), (3478, 686, 3580, 917)]


def test_a_majority_decides_everywhere_in_one_step(others: list[Document]) -> None:
    document = made()
    before = copy.deepcopy(document)
    names = ("mine", "ana", "bob", "eve")
    result = by_majority(document, 0, [each.pages[0] for each in others], names, "lead")
    assert document == before, "nothing is done yet"
    assert result.edit is not None
    _, back = result.edit.apply(document)
    assert len(document.pages[0].lines[0].words) == 8
    assert len(document.pages[0].lines) == 6
    assert result.left == 2
    taken = list(result.taken.values())
    assert [(each.level.value, each.annotators, each.votes, each.of) for each in taken[:2]] == [
        ("line", ("mine", "ana", "bob"), 3, 4),
        ("word", ("ana", "bob", "eve"), 3, 4),
    ]
    assert link(document).word_of[0, 0, 2] == (0, 0, 2), "the first part keeps the link"
    assert [s.transcription for s in document.segments()] == [
        s.transcription for s in before.segments()
    ]
    assert holding(taken, document) == taken
    back.apply(document)
    assert document == before
    assert holding(taken, document)[0].annotators == ("mine", "ana", "bob")
    assert len(holding(taken, document)) == len(taken) - 1, "what is undone holds no more"


def test_lines_that_nobody_else_has_go_once_they_are_empty() -> None:
    mine, other = made(), made()
    for _ in range(7):
        RemoveWord(0, 5, 0).apply(other)
    RemoveLine(0, 5).apply(other)
    result = by_majority(mine, 0, [other.pages[0], other.pages[0]], ("a", "b", "c"), "lead")
    assert result.edit is not None
    result.edit.apply(mine)
    assert len(mine.pages[0].lines) == 5
    assert result.left == 0
    assert link(mine).word_of == link(other).word_of


def test_annotators_are_called_by_what_tells_them_apart(tmp_path: Path) -> None:
    assert names_of([tmp_path / "ana.madcat.xml", tmp_path / "bob.madcat.xml"]) == ("ana", "bob")
    same = [tmp_path / name / "x.madcat.xml" for name in ("ana", "bob")]
    assert names_of(same) == ("ana", "bob")


@pytest.fixture
def files(tmp_path: Path, others: list[Document]) -> list[Path]:
    source = read(SAMPLE).source
    paths = []
    for name, document in zip(("lead", "ana", "bob", "eve"), [made(), *others], strict=True):
        (tmp_path / name).mkdir()
        path = tmp_path / name / SAMPLE.name
        path.write_bytes(write(document, source))
        paths.append(path)
    return paths


@pytest.mark.long
def test_the_command_tells_how_far_they_agree(
    files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agreement", *map(str, files)]) == 0
    said = capsys.readouterr().out
    assert "4 annotators differ at 11 places" in said
    assert main(["agreement", "--format", "json", *map(str, files)]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["annotators"] == ["lead", "ana", "bob", "eve"]
    words = plain["pages"][0]["words"]
    assert (words["units"], words["by_all"]) == (44, 35)
    assert 0.8 < words["alpha"] < 0.9
    assert len(words["pairs"]) == 6
    assert words["pairs"][3] == {"one": "ana", "other": "bob", "alpha": 1.0}
    assert main(["agreement", str(files[0])]) == 2
    assert "two annotators" in capsys.readouterr().err


def test_the_command_writes_one_page_of_all_with_its_record(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "settled" / SAMPLE.name
    out.parent.mkdir()
    assert main(["settle", *map(str, files), "-o", str(out)]) == 0
    assert "2 left open" in capsys.readouterr().out
    document = read(out).document
    assert len(document.pages[0].lines[0].words) == 8
    record = (out.parent / f"{NAME}.settled.tsv").read_text("utf-8").splitlines()
    assert record[0].split("\t")[:3] == ["page", "level", "left"]
    row = next(line for line in record if "\tana, bob, eve\t" in line).split("\t")
    assert row[:9] == ["1", "word", "3478", "686", "3978", "917", "ana, bob, eve", "3", "4"]
    assert main(["settle", *map(str, files), "-o", str(out)]) == 2, "it is there"
    more = ["settle", *map(str, files), "-o", str(out), "--overwrite", "--format", "json"]
    capsys.readouterr()
    assert main(more) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["left"] == 2
    assert len(plain["taken"]) == len(record) - 1


def test_files_of_other_pages_are_refused(tmp_path: Path) -> None:
    two = next((SAMPLE.parent).glob("groups*.madcat.xml"))
    with pytest.raises(InputError) as caught:
        read_annotators([SAMPLE, two])
    assert caught.value.code == "compare.page-count"


def test_tokens_of_what_goes_are_linked_to_none(others: list[Document]) -> None:
    document = made(LinkToken(0, 0, 3, "t2"))
    RemoveWord(0, 1, 1).apply(others[2])
    result = by_majority(document, 0, [each.pages[0] for each in others], tuple("abcd"), "x")
    assert result.edit is not None
    result.edit.apply(document)
    assert document.sections[0].segments[0].tokens[8].ref_id == ""
