"""What was decided between several annotators is kept at once, and read again whatever happened."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.operations.pages.settling import Taken
from madcat_studio.pages.adjudication import Level
from madcat_studio.workspace.decisions import Decisions, PlaceKey

SQUARE = ((1, 2), (5, 2), (5.5, 6), (1, 6))
KEY: PlaceKey = (0, Level.WORD, ((SQUARE,), ()))
OTHER: PlaceKey = (1, Level.LINE, ((), (SQUARE, SQUARE)))
AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def taken(key: PlaceKey, votes: int = 1) -> Taken:
    return Taken(key[0], key[1], (SQUARE,), (SQUARE, SQUARE), ("ana", "bob"), votes, 3, "carla", AT)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return tmp_path / "page.madcat.xml"


def test_a_decision_is_read_again_as_it_was_and_the_newest_counts(document: Path) -> None:
    decisions = Decisions(document)
    decisions.add(KEY, taken(KEY))
    decisions.add(OTHER, taken(OTHER))
    decisions.add(KEY, taken(KEY, votes=2))
    again = Decisions(document)
    assert again.taken == {KEY: taken(KEY, votes=2), OTHER: taken(OTHER)}
    assert again.others == ()
    assert Decisions(document.with_name("other.madcat.xml")).taken == {}


def test_the_files_are_known_until_it_is_ended(document: Path, tmp_path: Path) -> None:
    others = (tmp_path / "ana.xml", tmp_path / "bob.xml")
    Decisions(document).go_on_with(others)
    again = Decisions(document)
    assert again.others == others
    again.go_on_with(())
    assert Decisions(document).others == ()


@pytest.mark.parametrize("spoil", [b'{"page": 0, "level"', b'{"others": 3}\n', b"[1]\n", b"\xff\n"])
def test_what_cannot_be_read_is_left_out(document: Path, home: Path, spoil: bytes) -> None:
    decisions = Decisions(document)
    decisions.add(KEY, taken(KEY))
    (file,) = home.rglob("settling/*.jsonl")
    file.write_bytes(file.read_bytes() + spoil)
    assert Decisions(document).taken == {KEY: taken(KEY)}
    Decisions(document).add(OTHER, taken(OTHER))
    if spoil.endswith(b"\n"):
        assert set(Decisions(document).taken) == {KEY, OTHER}


def test_that_it_cannot_be_kept_is_told(document: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    decisions = Decisions(document, folder=tmp_path / "state" / "settling")
    with pytest.raises(WorldError) as caught:
        decisions.add(KEY, taken(KEY))
    assert caught.value.code == "journal.cannot-write"
    assert decisions.taken == {KEY: taken(KEY)}, "it counts for now"
