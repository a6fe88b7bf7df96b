"""Saved results of LayoutTranslateBench: read, put on boards, held against each other."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.operations.test_scorecards import checked, run, write_lines


def public(
    name: str,
    scores: dict[str, list[float]],
    *,
    system_type: str | None = "oracle-layout",
    intervals: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """A result as the public scorer writes it; of old versions without types and intervals."""
    ends = {"ltb_100_ci_low": 1.0, "ltb_100_ci_high": 99.0} if intervals else {}
    system: dict[str, Any] = {"system_name": name, "system_version": "1", "cost_usd": None}
    if system_type is not None:
        system |= {"system_type": system_type, "parser_failures": 0}
    means = {pair: sum(own) / len(own) for pair, own in scores.items() if own}
    overall = sum(means.values()) / len(means)
    parts = {"chrf": 50.0, "layout_iou": 0.9999999999999999, "reading_order_tau": 1.0}
    return {
        "system": system,
        "benchmark_version": "0.1",
        "weights": {"chrf": 0.5, "layout_iou": 0.3, "reading_order_tau": 0.2},
        "overall_ltb_100": overall,
        **{f"overall_{key}": value for key, value in (ends | parts).items()},
        "per_lang_pair": [
            {
                "lang_pair": pair,
                "n_docs": len(own),
                **(parts if own else dict.fromkeys(parts, 0.0)),
                "ltb_100": means.get(pair, 0.0),
                **(ends if own else dict.fromkeys(ends, 0.0)),
            }
            for pair, own in scores.items()
        ],
        "per_doc": [
            {
                "doc_id": f"doc_{number}",
                "lang_pair": pair,
                **parts,
                "ltb_100": value,
                "region_scores": [],
                "parser_failure": False,
            }
            for pair, own in scores.items()
            for number, value in enumerate(own)
        ],
        "scored_at": "2026-05-01T00:00:00Z",
        **more,
    }


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def board(tmp_path: Path, *files: Path) -> dict[str, Any]:
    out = tmp_path / "out"
    assert run("scorecard", "ltb-board", *files, "--out", out, "--formats", "json,html,csv") == 0
    assert (out / "ltb-board.html").is_file()
    return checked(out / "ltb-board.json", "ltb-board")


def rows(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    [table] = [one for one in value["tables"] if one["name"] == name]
    keys = [column["key"] for column in table["columns"]]
    return [dict(zip(keys, row, strict=True)) for row in table["rows"]]


SPANISH = [40.0, 60.0, 80.0]


def test_results_of_the_public_scorer_make_a_board(tmp_path: Path) -> None:
    files = [
        write(tmp_path / "low.json", public("low", {"en-es": SPANISH, "en-th": []})),
        write(tmp_path / "high.json", public("high", {"en-es": [50.0, 70.0, 90.0]})),
        # Of the first version: no type of system, no interval.
        write(
            tmp_path / "old.json",
            public("old", {"en-es": SPANISH}, system_type=None, intervals=False),
        ),
    ]
    value = board(tmp_path, *files)
    [one] = value["data_sets"]
    assert one["rules"] == "v0.1 50/30/20"
    assert one["leaderboards"] == {
        "oracle-layout": [
            {"rank": 1, "system": "high", "ltb_100": 70.0},
            {"rank": 2, "system": "low", "ltb_100": 60.0},
        ],
        "end-to-end": [{"rank": 1, "system": "old", "ltb_100": 60.0}],
    }
    [high, low] = rows(value, "board-1-oracle-layout")
    assert (high["pairs"], high["documents"], high["ci_low"]) == (1, 3, 1.0)
    assert (low["pairs"], low["documents"]) == (1, 3), "a pair of no documents was never tried"
    [old] = rows(value, "board-1-end-to-end")
    assert (old["ci_low"], old["ci_high"]) == (None, None)
    assert {row["pair"] for row in rows(value, "pairs")} == {"en-es"}
    # Each document is ten points apart: whichever are drawn, so is the mean.
    [duel] = one["head_to_head"]
    assert duel == {
        "pair": "en-es",
        "first": "low",
        "second": "high",
        "documents": 3,
        "difference": -10.0,
        "low": -10.0,
        "high": -10.0,
        "p": 0.0,
    }
    assert any("1 of 1 duels are over fewer than 10" in told for told in value["warnings"])


def test_other_documents_weights_or_metrics_have_boards_of_their_own(tmp_path: Path) -> None:
    plain = public("plain", {"en-es": SPANISH})
    more = public("more", {"en-es": [*SPANISH, 10.0]})
    weighed = {
        **public("weighed", {"en-es": SPANISH}),
        "weights": {"chrf": 0.4, "layout_iou": 0.4, "reading_order_tau": 0.2},
    }
    files = [
        write(tmp_path / f"{name}.json", value)
        for name, value in (
            ("plain", plain),
            ("more", more),
            ("weighed", weighed),
            ("plain.comet", plain),
        )
    ]
    value = board(tmp_path, *files)
    assert [one["rules"] for one in value["data_sets"]] == [
        "v0.1 50/30/20",
        "v0.1 50/30/20",
        "v0.1 40/40/20",
        "v0.1 50/30/20 comet",
    ]
    assert all(not one["head_to_head"] for one in value["data_sets"])
    assert any("4 data sets" in told for told in value["warnings"])
    # A pair that one of two did not attempt does not divide them.
    other = write(tmp_path / "other.json", public("other", {"en-de": [5.0]}))
    assert len(board(tmp_path, files[0], other)["data_sets"]) == 1


def test_a_duel_is_a_paired_bootstrap(tmp_path: Path) -> None:
    """Held against the plain way to draw: as many documents as there are, a thousand times."""
    draw = random.Random(5)
    one = [draw.uniform(20, 90) for _ in range(25)]
    other = [min(100, max(0, value + draw.gauss(1, 5))) for value in one]
    files = [
        write(tmp_path / "a.json", public("a", {"en-ar": one})),
        write(tmp_path / "b.json", public("b", {"en-ar": other})),
    ]
    [duel] = board(tmp_path, *files)["data_sets"][0]["head_to_head"]
    names = sorted(range(25), key=lambda number: f"doc_{number}")
    differences = [one[number] - other[number] for number in names]
    chance = random.Random(42)
    means = sorted(
        sum(differences[chance.randrange(25)] for _ in range(25)) / 25 for _ in range(1000)
    )
    delta = sum(differences) / 25
    assert duel["difference"] == pytest.approx(delta)
    assert (duel["low"], duel["high"]) == pytest.approx((means[25], means[974]))
    against = [mean for mean in means if (mean <= 0 if delta > 0 else mean >= 0)]
    assert duel["p"] == len(against) / 1000


def test_our_own_results_stand_on_boards_too(tmp_path: Path) -> None:
    region = {"region_id": "r", "bbox": [0, 0, 9, 9], "text": "a house", "reading_order": 0}
    reference = {**region, "references": {"en-es": "una casa grande"}}
    documents = [{"doc_id": f"d{number}"} for number in range(3)]
    truth = write_lines(
        tmp_path / "truth.jsonl", [{**one, "regions": [reference]} for one in documents]
    )
    system = tmp_path / "system"
    given = {**region, "text": "una casa"}
    write_lines(system / "en-es.jsonl", [{**one, "regions": [given]} for one in documents])
    assert run("scorecard", "ltb", truth, system, "--out", tmp_path / "a", "--formats", "json") == 0
    result = tmp_path / "a" / "ltb.json"
    scored = json.loads(result.read_text("utf-8"))
    value = board(tmp_path, result, result)
    [one] = value["data_sets"]
    (placed, *_) = [row for own in one["leaderboards"].values() for row in own]
    own = scored["systems"][0]
    assert placed["ltb_100"] == own["overall"]["ltb_100"]
    names = [row["system"] for row in rows(value, "pairs")]
    assert set(names) == {own["system"], f"{own['system']} (2)"}
    assert [duel["difference"] for duel in one["head_to_head"]] == [0.0] * len(own["pairs"])
    assert [duel["p"] for duel in one["head_to_head"]] == [1.0] * len(own["pairs"])


def test_a_board_is_shown_again(tmp_path: Path, capsys) -> None:
    file = write(tmp_path / "a.json", public("maple", {"en-es": SPANISH}))
    board(tmp_path, file)
    capsys.readouterr()
    assert run("scorecard", "show", tmp_path / "out" / "ltb-board.json") == 0
    assert "maple" in capsys.readouterr().out
    assert run("scorecard", "show", file) == 2
    told = capsys.readouterr().err
    assert "[scorecards.not-a-result]" in told
    assert "scorecard ltb-board" in told


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda value: value.update(overall_ltb_100=120.0), "scorecards.field"),
        (lambda value: value.update(overall_ltb_100=None), "scorecards.field"),
        (lambda value: value["per_doc"].pop(), "scorecards.other-documents"),
        (lambda value: value["per_doc"].append(value["per_doc"][0]), "scorecards.document-twice"),
        (lambda value: value["system"].pop("system_name"), "scorecards.field"),
        (lambda value: value["system"].update(system_type="magic"), "scorecards.manifest"),
        (lambda value: value["weights"].pop("chrf"), "scorecards.field"),
        (lambda value: value.pop("per_lang_pair"), "scorecards.not-a-result"),
        (lambda value: value.update(per_doc="many"), "scorecards.field"),
    ],
)
def test_what_is_no_whole_result_is_refused(tmp_path: Path, change, code: str, capsys) -> None:
    value = public("maple", {"en-es": SPANISH})
    change(value)
    file = write(tmp_path / "bad.json", value)
    assert run("scorecard", "ltb-board", file, "--out", tmp_path / "out") == 2
    told = capsys.readouterr().err
    assert f"[{code}]" in told
    assert "bad.json" in told
    assert not (tmp_path / "out").exists()


# ---- versions and languages


def test_old_versions_stand_beside_new_ones_with_their_label(tmp_path: Path) -> None:
    old = public("one", {"en-es": SPANISH}, system_type=None, intervals=False)
    new = public("one", {"en-es": [50.0, 60.0, 70.0, 80.0]})
    new["system"]["manifest_version"] = "0.1.6"
    new["benchmark_version"] = "0.1.1"
    files = [
        write(tmp_path / "one.json", old),
        write(tmp_path / "one-v016.json", new),
        write(tmp_path / "one.comet.json", public("one", {"en-es": SPANISH})),
    ]
    found = rows(board(tmp_path, *files), "versions")
    assert [
        (one["version"], one["data_version"], one["ltb_100"], one["ci_low"], one["file"])
        for one in found
    ] == [
        ("v0.1", "", 60.0, None, "one.json"),
        ("v0.1 comet", "", 60.0, 1.0, "one.comet.json"),
        ("v0.1.1", "0.1.6", 65.0, 1.0, "one-v016.json"),
    ]
    # Other numbers are never in one ranking.
    assert len({one["set"] for one in found}) == 3


def test_results_of_one_version_need_no_such_table(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.json", public(f"s{n}", {"en-es": SPANISH})) for n in range(2)]
    assert "versions" not in [one["name"] for one in board(tmp_path, *files)["tables"]]


def previewed(tmp_path: Path, values: list[tuple[float | None, float | None]]) -> Path:
    """A result of our own with the preview's table, as the program writes it."""
    columns = ("system", "pair", "documents", "ltb_next", "ltb_ssim")
    truth = write_lines(
        tmp_path / "truth.jsonl",
        [
            {
                "doc_id": "d",
                "regions": [
                    {
                        "region_id": "r", "bbox": [0, 0, 9, 9], "text": "a", "reading_order": 0,
                        "references": {"en-es": "una casa", "en-fr": "une maison"},
                    }
                ],
            }
        ],
    )  # fmt: skip
    for pair in ("en-es", "en-fr"):
        write_lines(tmp_path / "sys" / f"{pair}.jsonl", [{"doc_id": "d", "regions": []}])
    out = tmp_path / "own"
    assert run("scorecard", "ltb", truth, tmp_path / "sys", "--out", out, "--format", "json") == 0
    value = json.loads((out / "ltb.json").read_text("utf-8"))
    value["tables"].append(
        {
            "name": "v02", "title": "v0.2, a preview", "note": "", "long": False,
            "columns": [
                {"key": key, "title": key, "kind": "text", "note": ""} for key in columns
            ],
            "rows": [
                ["sys", pair, 3, *own]
                for pair, own in zip(("en-es", "en-fr"), values, strict=True)
            ],
        }
    )  # fmt: skip
    return write(out / "ltb.json", value)


@pytest.mark.parametrize(
    ("values", "next_ltb"),
    [([(80.0, 81.0), (60.0, 71.0)], 70.0), ([(80.0, 81.0), (None, 71.0)], None)],
)
def test_v02_of_a_saved_result_stands_beside_its_v01(tmp_path: Path, values, next_ltb) -> None:
    own = previewed(tmp_path, values)
    value = board(tmp_path, own)
    found = rows(value, "versions")
    assert [(one["version"], one["ltb_100"], one["documents"]) for one in found] == [
        ("v0.1", 0.0, 2),
        # A mean over some of the pairs would be another figure.
        ("v0.2 with SSIM, a preview", 76.0, 6),
        ("v0.2, a preview", next_ltb, 6),
    ]
    [ranked] = rows(value, "board-1-end-to-end")
    assert ranked["ltb_100"] == 0.0


def test_a_damaged_preview_is_named(tmp_path: Path, capsys) -> None:
    own = previewed(tmp_path, [(80.0, 81.0), (60.0, 71.0)])
    value = json.loads(own.read_text("utf-8"))
    value["tables"][-1]["rows"][0].pop()
    assert run("scorecard", "ltb-board", write(own, value)) == 2
    assert "[scorecards.field]" in capsys.readouterr().err
    value["tables"][-1]["rows"][0] = ["sys", "en-es", 3, 101.0, 5.0]
    assert run("scorecard", "ltb-board", write(own, value)) == 2


def test_pairs_are_drawn_by_language(tmp_path: Path) -> None:
    scores = {"en-es": SPANISH, "en-th": [30.0, 40.0, 50.0]}
    files = [write(tmp_path / f"{n}.json", public(f"s{n}", scores)) for n in range(2)]
    board(tmp_path, *files)
    page = (tmp_path / "out" / "ltb-board.html").read_text("utf-8")
    drawn = page[page.index('<section id="drawings">') :]
    assert "LTB-100 by pair of languages, data set 1, oracle-layout" in drawn
    assert '<text class="group" x="0" y="24">en-es</text>' in drawn
    # The saved result has it too.
    out = tmp_path / "again"
    saved = tmp_path / "out" / "ltb-board.json"
    assert run("scorecard", "show", saved, "--out", out, "--formats", "html") == 0
    assert (out / "ltb-board.html").read_text("utf-8") == page
