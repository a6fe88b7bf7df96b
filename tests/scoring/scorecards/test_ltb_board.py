from __future__ import annotations

from datetime import date, timedelta

import pytest

from madcat_studio.errors import InputError
from madcat_studio.scoring.scorecards import ltb_board
from madcat_studio.scoring.scorecards.intervals import Interval
from madcat_studio.scoring.scorecards.layout import Box
from madcat_studio.scoring.scorecards.ltb import Means, TruthDocument, TruthRegion


def row(name: str, ltb: float | None, system_type: str = "end-to-end", **parts: float):
    means = Means(
        parts.get("chrf", 50.0), parts.get("iou", 0.5), parts.get("tau", 0.5), ltb,
        Interval(ltb, ltb, ltb),
    )  # fmt: skip
    return ltb_board.BoardRow(name, system_type, means)


def test_manifests(golden) -> None:
    for case in golden("ltb")["manifests"]:
        expected = case["expected"]
        assert expected["valid_type"]
        found = ltb_board.read_manifest(case["manifest"])
        assert found.verified == expected["verified"]
        assert list(found.missing) == expected["missing"]
        assert found.system_type == expected["system_type"]


@pytest.mark.parametrize(
    "fields",
    [
        {"system_type": "cascade"},
        {"cost_usd": "free"},
        {"cost_usd": float("nan")},
        {"total_runtime_seconds": -1},
        {"cost_usd": True},
    ],
)
def test_manifests_that_cannot_be_meant(fields) -> None:
    with pytest.raises(InputError) as caught:
        ltb_board.read_manifest(fields, "manifest.json")
    assert caught.value.code == "scorecards.manifest"
    assert caught.value.where == "manifest.json"


def test_leaderboards(golden) -> None:
    for case in golden("ltb")["leaderboards"]:
        boards = ltb_board.leaderboards(
            [row(one["system_name"], one["ltb_100"], one["system_type"]) for one in case["rows"]]
        )
        found = {
            system_type: [{"rank": placed.rank, "system_name": placed.row.name} for placed in board]
            for system_type, board in boards.items()
        }
        assert found == case["expected"]


def test_a_system_without_a_score_has_no_rank() -> None:
    boards = ltb_board.leaderboards([row("none", None), row("some", 3.0)])
    assert [placed.row.name for placed in boards["end-to-end"]] == ["some"]


def test_how_a_score_is_shown() -> None:
    assert ltb_board.show(Interval(71.234, 65.5, 75.0)) == "71.23 [65.50, 75.00]"
    assert ltb_board.show(Interval(71.234, 0.0, 0.0)) == "71.23 —"
    assert ltb_board.show(Interval(None, None, None)) == "—"


def test_references(golden) -> None:
    for case in golden("ltb")["reference_script_gate"]:
        share = ltb_board.reference_share(case["lang_pair"], case["text"])
        assert share == pytest.approx(case["expected"]["fraction"], abs=1e-6)
        document = TruthDocument(
            "d",
            (
                TruthRegion(
                    "r", Box(0, 0, 1, 1), "", 0, references={case["lang_pair"]: case["text"]}
                ),
            ),
        )
        (kept,), dropped = ltb_board.check_references([document])
        assert bool(dropped) == case["expected"]["drop"]
        assert (case["lang_pair"] in kept.regions[0].references) != case["expected"]["drop"]
        assert len(kept.regions) == 1


def test_a_reference_for_an_unknown_target_is_kept() -> None:
    assert ltb_board.reference_share("en-xx", "anything") is None


def test_weights_that_change_the_order_are_told() -> None:
    steady = ltb_board.ablate([row("a", 2, chrf=60.0), row("b", 1, chrf=40.0)])
    assert steady.stable
    assert steady.lowest == 1
    shaky = ltb_board.ablate([row("a", 2, chrf=80.0, iou=0.1), row("b", 1, chrf=20.0, iou=0.9)])
    assert not shaky.stable
    assert shaky.lowest == 0


def test_one_system_alone_is_stable() -> None:
    assert ltb_board.ablate([row("a", 1)]).stable


def documents(count: int, category: str) -> list[TruthDocument]:
    return [TruthDocument(f"{category}{number}", (), category=category) for number in range(count)]


def test_a_fifth_of_each_category_is_held_out_for_ninety_days() -> None:
    pages = documents(10, "form") + documents(5, "letter") + documents(2, "stamp")
    day = date.fromordinal(90 * 8000)
    chosen = ltb_board.held_out(pages, day, "secret")
    assert len([name for name in chosen if name.startswith("form")]) == 2
    assert len([name for name in chosen if name.startswith("letter")]) == 1
    assert len([name for name in chosen if name.startswith("stamp")]) == 1
    assert ltb_board.held_out(pages, day + timedelta(days=89), "secret") == chosen
    later = [ltb_board.held_out(pages, day + timedelta(days=90 * n), "secret") for n in range(1, 6)]
    assert any(other != chosen for other in later)
    assert ltb_board.held_out(list(reversed(pages)), day, "secret") == chosen
