"""Passages chosen by length, by the distribution of TER, and none that earlier sets have."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import StudioError
from madcat_studio.formats.tables import read_table
from madcat_studio.operations.planning.choosing import choose_passages, write_chosen
from madcat_studio.operations.planning.corpus import read_passages

COLUMNS = ("passage", "source_document", "genre", "tokens", "text", "edits", "words")


def table(path: Path, rows: list[tuple[object, ...]], columns: tuple[str, ...] = COLUMNS) -> Path:
    lines = ["\t".join(columns), *("\t".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def candidates(tmp_path: Path) -> Path:
    """80 passages, of 106 to 145 tokens, with a TER from 10 % to 89 %."""
    rows = [
        (f"e{n}", f"D{n}", ("web", "news")[n % 2], 106 + n // 2, f"text {n}", 10 + n, 100)
        for n in range(80)
    ]
    random.Random(3).shuffle(rows)
    return table(tmp_path / "candidates.tsv", rows)


def test_the_length_alone_decides_where_no_scores_are_matched(candidates: Path) -> None:
    chosen = choose_passages(candidates, count=20, per_genre=True)
    assert [one.genre for one in chosen.passages] == ["news"] * 20 + ["web"] * 20
    assert all(113 <= one.tokens <= 137 for one in chosen.passages)
    assert chosen.sentences() == (
        "80 candidates, 50 can be chosen: 30 are shorter or longer",
        "40 passages chosen: 20 of news, 20 of web",
    )
    assert choose_passages(candidates, count=20, per_genre=True) == chosen
    assert choose_passages(candidates, count=20, per_genre=True, seed=2) != chosen
    assert len(choose_passages(candidates, count=50).passages) == 50


@pytest.mark.long
def test_their_scores_are_distributed_as_those_of_then(candidates: Path, tmp_path: Path) -> None:
    pilot = table(
        tmp_path / "pilot.tsv",
        [(f"p{n}", ("web", "news")[n % 2], 30 + n % 20, 100) for n in range(40)],
        ("passage", "genre", "edits", "words"),
    )
    chosen = choose_passages(candidates, count=8, per_genre=True, within=0.16, earlier_scores=pilot)
    assert chosen.selected is not None
    rates = [one.rate for one in chosen.selected.selection.chosen]
    assert 0.3 <= min(rates) < 0.34
    assert 0.45 < max(rates) <= 0.49
    assert {one.passage for one in chosen.selected.selection.chosen} == {
        one.name for one in chosen.passages
    }
    files = write_chosen(chosen, tmp_path / "out")
    assert {file.name for file in files} >= {"passages.tsv", "selection.html"}
    assert read_passages(tmp_path / "out" / "passages.tsv") == chosen.passages
    # What the candidates' table says beside is kept.
    kept = read_table(tmp_path / "out" / "passages.tsv", required=COLUMNS)
    assert [int(row["edits"]) for row in kept.rows] == [
        10 + int(one.name.removeprefix("e")) for one in chosen.passages
    ]


def test_nothing_of_earlier_sets_is_chosen(candidates: Path, tmp_path: Path) -> None:
    earlier = table(
        tmp_path / "earlier.tsv",
        [("e40", "other", "x"), ("old", "D41", "y"), ("old2", "other2", "text  42 ")],
        ("passage", "source_document", "text"),
    )
    scored = table(
        tmp_path / "scores.tsv",
        [("e43", "news", 50, 100), ("q", "web", 50, 100)],
        ("passage", "genre", "edits", "words"),
    )
    chosen = choose_passages(candidates, count=77, within=0.9, not_in=[earlier])
    assert chosen.told == (
        "80 candidates, 77 can be chosen: 1 were in an earlier set, 1 have the text of one in an "
        "earlier set, 1 are of a document in an earlier set"
    )
    names = {one.name for one in chosen.passages}
    assert not names & {"e40", "e41", "e42"}
    more = choose_passages(candidates, count=78, within=0.9, not_in=[earlier], same_documents=True)
    assert {one.name for one in more.passages} - names == {"e41"}
    matched = choose_passages(candidates, count=2, within=0.9, earlier_scores=scored)
    assert "1 were in an earlier set" in matched.told


@pytest.mark.parametrize(
    ("count", "code", "said"),
    [
        (
            26,
            "choose.too-few",
            "26 passages of news are wanted but only 25 can be chosen: 1 too few",
        ),
        (26, "choose.too-few", "(--tolerance 0.11)"),
        (41, "choose.too-few", "Add 16 candidates of news of that length, or choose 25."),
        (0, "choose.numbers", "0 passages"),
    ],
)
def test_too_few_is_told_with_what_would_do(
    candidates: Path, count: int, code: str, said: str
) -> None:
    with pytest.raises(StudioError) as caught:
        choose_passages(candidates, count=count, per_genre=True)
    assert caught.value.code == code
    assert said in str(caught.value)


def test_candidates_without_scores_are_told(tmp_path: Path, candidates: Path) -> None:
    bare = table(tmp_path / "bare.tsv", [("a", "D", "web", 125)], COLUMNS[:4])
    with pytest.raises(StudioError) as caught:
        choose_passages(bare, count=1, earlier_scores=candidates)
    assert caught.value.code in ("choose.no-scores", "table.column-missing")
    scores = table(
        tmp_path / "s.tsv", [("p", "web", 5, 10)], ("passage", "genre", "edits", "words")
    )
    with pytest.raises(StudioError) as caught:
        choose_passages(bare, count=1, earlier_scores=scores)
    assert caught.value.code == "choose.no-scores"
    some = table(
        tmp_path / "some.tsv",
        [("a", "D", "web", 125, "", "", ""), ("b", "E", "web", 125, "", 5, 10)],
    )
    chosen = choose_passages(some, count=1, earlier_scores=scores)
    assert [one.name for one in chosen.passages] == ["b"]
    assert "1 have no score" in chosen.told


@pytest.mark.parametrize("tokens", ["", "many", "inf", "nan", "-3", "0"])
def test_a_length_that_is_none_is_told(tmp_path: Path, tokens: str) -> None:
    path = table(tmp_path / "c.tsv", [("a", "D", "web", tokens)], COLUMNS[:4])
    with pytest.raises(StudioError) as caught:
        read_passages(path)
    assert caught.value.code == "corpus.tokens"


@pytest.mark.parametrize("row", [("", "D", "web", 1), ("a", " ", "web", 1)])
def test_a_passage_without_a_name_is_told(tmp_path: Path, row: tuple[object, ...]) -> None:
    with pytest.raises(StudioError) as caught:
        read_passages(table(tmp_path / "c.tsv", [row], COLUMNS[:4]))
    assert caught.value.code == "corpus.passage-name"


def test_the_command_writes_what_assign_reads(
    candidates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["corpus", "choose", str(candidates), "--count", "6", "--per-genre"]
    assert main(words) == 0
    assert "Nothing was written: --out writes this choice." in capsys.readouterr().out
    out = tmp_path / "chosen"
    assert main([*words, "--out", str(out)]) == 0
    assert str(out / "passages.tsv") in capsys.readouterr().out
    people = [(f"S{n}", ("exposed", "unexposed")[n % 2]) for n in range(6)]
    scribes = table(tmp_path / "scribes.tsv", people, ("scribe", "exposure"))
    plan = tmp_path / "plan"
    assign = ["corpus", "assign", str(out / "passages.tsv"), str(scribes), "--out", str(plan)]
    assert main(assign) == 0
    assert main(["corpus", "show", str(plan)]) == 0
    said = capsys.readouterr().out
    assert "12 passages, 36 copies, 6 scribes." in said
    assert "add 74 passages of web" in said.replace("│", " ")
    assert main(["corpus", "report", str(plan), "--out", str(tmp_path / "r")]) == 0
    assert "12 passages, 36 copies" in (tmp_path / "r" / "corpus.html").read_text("utf-8")
    assert main([*words[:4], "600", "--out", str(tmp_path / "none")]) == 2
    assert not (tmp_path / "none").exists()
