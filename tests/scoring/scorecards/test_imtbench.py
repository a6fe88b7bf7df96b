from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.scoring.scorecards import imtbench
from madcat_studio.scoring.scorecards.judge_reply import DELIMITER, read_reply


def test_replies(golden) -> None:
    for case in golden("imtbench")["judge_outputs"]:
        expected = case["expected"]
        found = read_reply(case["raw"])
        got: dict[str, Any] = {"ok": found.error is None}
        if found.error is None:
            got |= {
                "harmonization": found.harmonisation,
                "alignment": found.alignment,
                "reasoning": found.reasoning,
                "warnings": list(found.warnings),
            }
        else:
            got["error"] = found.error
            assert found.harmonisation is None
            assert found.alignment is None
        assert got == expected, case["tag"]


def framed(text: str) -> str:
    return f"{DELIMITER}\n{text}\n{DELIMITER}"


NATURAL = "harmonization_score"


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        ("  \n", "empty_response"),
        (f"x {DELIMITER} y", "unterminated_block"),
        (f"{DELIMITER} \n {DELIMITER}", "empty_block"),
        (framed(f'"{NATURAL}": [], "alignment_score": [1]'), f"empty_{NATURAL}"),
        (framed(f'"{NATURAL}": [1], "alignment_score": ""'), "empty_alignment_score"),
        (framed(f'"{NATURAL}": [7/10], "alignment_score": [1]'), f"not_a_number_{NATURAL}"),
        (framed(f'"{NATURAL}": [NaN], "alignment_score": [1]'), f"not_a_number_{NATURAL}"),
        (framed(f'"{NATURAL}":\n"alignment_score": [1]'), f"not_a_number_{NATURAL}"),
        (framed(f'"{NATURAL}": [-1], "alignment_score": [1]'), f"out_of_range_{NATURAL}"),
        (framed(f'"{NATURAL}": [7, ], "alignment_score": [1]'), f"bad_list_{NATURAL}"),
    ],
)
def test_replies_that_do_not_hold(raw: str, error: str) -> None:
    assert read_reply(raw).error == error


def test_the_last_of_several_blocks_counts() -> None:
    raw = framed('"harmonization_score": [1], "alignment_score": [1], "reasoning": "x"') + framed(
        '"harmonization_score": "8", "alignment_score": 9, "reasoning": "y"'
    )
    found = read_reply(raw)
    assert (found.harmonisation, found.alignment, found.reasoning) == (8, 9, "y")
    assert found.warnings == ("several_blocks",)


@given(st.text(alphabet='|V^=harmonization_score"alignment: [7],\n{}', max_size=120))
def test_no_reply_raises(text: str) -> None:
    found = read_reply(framed(text))
    assert (found.error is None) == (found.alignment is not None)


def sample(data: dict[str, Any]) -> imtbench.Sample:
    return imtbench.Sample(
        data["sample_id"],
        data["scenario"],
        data["src_lang"],
        data["tgt_lang"],
        data.get("comet"),
        data.get("mask_lpips"),
        data.get("judge_raw"),
    )


def summaries(groups) -> dict[str, Any]:
    return {
        name: {
            **group.means,
            **{f"n_{part}": count for part, count in group.counts.items()},
            "s": group.s,
            "n": group.samples,
            "n_complete": group.complete,
        }
        for name, group in groups.items()
    }


def test_aggregations(golden, differences) -> None:
    wrong: list[str] = []
    for case in golden("imtbench")["aggregations"]:
        found = imtbench.aggregate(map(sample, case["samples"]))
        got = {
            "samples": [
                {
                    "s_text": one.s_text,
                    "s_bg": one.s_bg,
                    "s_align": one.s_align,
                    "s_vis": one.s_vis,
                    "judge_error": one.judge_error,
                    "warnings": list(one.warnings),
                    "s": one.s,
                    "scenario": one.sample.scenario,
                    "src_lang": one.sample.source_language,
                    "tgt_lang": one.sample.target_language,
                }
                for one in found.samples
            ],
            "by_scenario": summaries(found.by_scenario),
            "by_target": summaries(found.by_target),
            "by_source": summaries(found.by_source),
            "overall_macro": found.overall,
            "overall_micro": found.all.s,
            "judge_errors": dict(found.judge_errors),
        }
        wrong += differences(got, case["expected"], case["case_id"])
    assert not wrong


def test_the_published_table_follows_from_its_own_rows(golden) -> None:
    for case in golden("imtbench")["paper_table2"]:
        samples = [
            imtbench.Sample(
                name, name, "x", "y", text / 100, 1 - background / 100, None, None,
                visual / 10, align / 10,
            )
            for name, (text, background, align, visual) in case["scenarios"].items()
        ]  # fmt: skip
        found = imtbench.aggregate(samples)
        assert found.overall is not None
        assert found.overall * 100 == pytest.approx(case["expected_macro"], abs=1e-6)
        assert round(found.overall * 100, 1) == pytest.approx(case["published_s_avg"], abs=0.11)


def test_backgrounds(golden) -> None:
    for case in golden("imtbench")["mask_lpips_maps"]:
        found = imtbench.background_score(case["lpips_map"], case["background_mask"])
        expected = case["expected"]["s_bg"]
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-6))


def test_masked_features(golden) -> None:
    for case in golden("imtbench")["masked_features"]:
        found = imtbench.masked_distance(
            (one["phi_ref"], one["phi_hyp"], one["w"], one["mask"]) for one in case["layers"]
        )
        assert found == pytest.approx(case["expected"]["distance"], abs=1e-6)
        assert found is not None
        assert min(1, max(0, 1 - found)) == pytest.approx(case["expected"]["s_bg"], abs=1e-6)


def test_no_background_no_score() -> None:
    assert imtbench.background_score(np.ones((2, 2)), np.zeros((2, 2))) is None
    layer = (np.ones((1, 2, 2)), np.ones((1, 2, 2)), [1.0], np.zeros((2, 2)))
    assert imtbench.masked_distance([layer]) is None


def test_a_mask_leaves_out_every_pixel_that_a_box_touches() -> None:
    mask = imtbench.background_mask(4, 6, [(1.5, 1.2, 1.0, 1.0), (-5, -5, 2, 2), (5, 3, 9, 9)])
    assert mask.tolist() == [
        [True, True, True, True, True, True],
        [True, False, False, True, True, True],
        [True, False, False, True, True, True],
        [True, True, True, True, True, False],
    ]
    assert not imtbench.background_mask(4, 6, [(2, 2, 1, 1)], margin=9).any()


def test_what_is_absent_is_none_and_named() -> None:
    found = imtbench.aggregate([imtbench.Sample("1", "web", "ar", "en", comet=0.5)])
    assert found.overall is None
    assert found.unscored_scenarios == ("web",)
    assert found.absent == ("s_bg", "s_align", "s_vis")
    assert found.by_scenario["web"].s is None
    assert found.by_scenario["web"].means["s_text"] == 0.5


def test_a_judge_that_failed_is_counted_and_gives_nothing() -> None:
    found = imtbench.aggregate(
        [
            imtbench.Sample("1", "web", "ar", "en", judge_error="http_500", naturalness=5.0),
            imtbench.Sample("2", "web", "ar", "en", naturalness=11.0, alignment=5.0),
        ]
    )
    assert found.judge_errors == {"http_500": 1}
    assert found.samples[0].s_vis is None
    assert found.samples[1].s_vis is None
    assert found.samples[1].s_align == 0.5


def test_nothing_at_all() -> None:
    found = imtbench.aggregate([])
    assert found.overall is None
    assert found.all.s is None
    assert found.complete.point is None
