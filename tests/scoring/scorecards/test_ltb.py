from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import InputError, UsageError
from madcat_studio.progress import Cancelled
from madcat_studio.scoring.scorecards import ltb
from madcat_studio.scoring.scorecards.layout import Box

PROFILE_OF = {"doc_last_three_missing": "doc", "doc_exclude_parser_failures": "doc"}


def truth_document(document: dict[str, Any], pair: str | None = None) -> ltb.TruthDocument:
    return ltb.TruthDocument(
        document["doc_id"],
        tuple(
            ltb.TruthRegion(
                region["region_id"],
                Box(*region["bbox"]),
                region["text"],
                region["reading_order"],
                references={
                    name: text
                    for name, text in region["references"].items()
                    if pair in (None, name)
                },
            )
            for region in document["regions"]
        ),
    )


def prediction(document: dict[str, Any]) -> ltb.Prediction:
    return ltb.Prediction(
        document["doc_id"],
        tuple(
            ltb.Region(
                region["region_id"], Box(*region["bbox"]), region["text"], region["reading_order"]
            )
            for region in document["regions"]
        ),
    )


@pytest.mark.parametrize("profile", ["doc", "sacrebleu", "ltbench"])
def test_documents_are_those_of_the_independent_implementation(
    golden, differences, profile: str
) -> None:
    wrong: list[str] = []
    for case in golden("ltb")["documents"]:
        expected = case["expected"][profile]
        pair = case["lang_pair"]
        found = ltb.score(
            [truth_document(case["doc"])],
            ltb.Submission({pair: {case["doc"]["doc_id"]: prediction(case["submission"])}}),
            ltb.Options(ltb.PROFILES[profile], replicates=1),
        )
        if expected["excluded"]:
            assert found.excluded == ((pair, case["doc"]["doc_id"]),)
            assert not found.documents
            continue
        (document,) = found.documents
        got = {
            "excluded": False,
            "regions": [
                {
                    "region_id": region.id,
                    "matched_pred": region.prediction,
                    "how": "iou" if region.by == "overlap" else region.by,
                    "chrf": region.chrf,
                    "iou": region.iou,
                    "gate": region.gate.reason if region.gate else None,
                }
                for region in document.regions
            ],
            "chrf": document.chrf,
            "layout_iou": document.iou,
            "tau_b": document.tau_b,
            "tau_norm": document.tau_norm,
            "coverage": document.coverage,
            "tau": document.tau,
            "ltb_100": document.ltb,
            "parser_failure": document.parser_failure,
        }
        wrong += differences(got, expected, f"{case['case_id']} {case['tag']}")
    assert not wrong


def means(values: ltb.Means) -> dict[str, float | None]:
    return {
        "chrf": values.chrf,
        "layout_iou": values.iou,
        "tau": values.tau,
        "ltb_100": values.ltb,
        "ci_low": values.interval.low,
        "ci_high": values.interval.high,
    }


@pytest.mark.long
def test_submissions_are_those_of_the_independent_implementation(golden, differences) -> None:
    data = golden("ltb")
    cases = {case["case_id"]: case for case in data["documents"]}
    wrong: list[str] = []
    for submission in data["submissions"]:
        for kind, expected in submission["expected"].items():
            profile = PROFILE_OF.get(kind, kind)
            chosen = [cases[name] for name in submission["case_ids"]]
            # Pairs come in the order in which a document of theirs is first scored.
            chosen.sort(key=lambda case: case["expected"][profile]["excluded"])
            missing = submission["missing_case_ids"] if kind == "doc_last_three_missing" else []
            pairs: dict[str, dict[str, ltb.Prediction]] = {}
            for case in chosen:
                if case["case_id"] not in missing:
                    predictions = pairs.setdefault(case["lang_pair"], {})
                    predictions[case["doc"]["doc_id"]] = prediction(case["submission"])
            found = ltb.score(
                [truth_document(case["doc"], case["lang_pair"]) for case in chosen],
                ltb.Submission(pairs),
                ltb.Options(
                    ltb.PROFILES[profile],
                    exclude_parser_failures=kind == "doc_exclude_parser_failures",
                ),
            )
            got = {
                "overall": {
                    **means(found.overall),
                    "n_docs": sum(pair.documents for pair in found.pairs),
                    "n_pairs": len(found.pairs),
                    "n_excluded": len(found.excluded),
                },
                "per_pair": sorted(
                    (
                        {
                            "lang_pair": pair.pair,
                            "n_docs": pair.documents,
                            **means(pair.means),
                        }
                        for pair in found.pairs
                    ),
                    key=lambda pair: pair["lang_pair"],
                ),
            }
            expected = {
                **expected,
                "per_pair": sorted(expected["per_pair"], key=lambda pair: pair["lang_pair"]),
            }
            wrong += differences(got, expected, f"{submission['submission_id']} {kind}")
    assert not wrong


def region(name: str, box: Box, text: str, order: int = 0) -> ltb.Region:
    return ltb.Region(name, box, text, order)


def page(name: str, *texts: str, pair: str = "ar-en") -> ltb.TruthDocument:
    return ltb.TruthDocument(
        name,
        tuple(
            ltb.TruthRegion(
                f"s{position}",
                Box(0, 100 * position, 500, 50),
                "نص",
                position,
                references={pair: text},
            )
            for position, text in enumerate(texts)
        ),
    )


def copy_of(document: ltb.TruthDocument, pair: str = "ar-en") -> ltb.Prediction:
    return ltb.Prediction(
        document.id,
        tuple(region(one.id, one.box, one.references[pair], one.order) for one in document.regions),
    )


WORDS = "The meeting of the council will be held in the main hall on Monday"


def test_a_perfect_page_scores_100_and_belongs_to_neither_group() -> None:
    document = page("a", WORDS, "The road was closed by the army in the morning")
    found = ltb.score([document], ltb.Submission({"ar-en": {"a": copy_of(document)}}))
    assert found.overall.ltb == pytest.approx(100)
    assert found.core.ltb is None
    assert found.extension.ltb is None
    assert found.pairs[0].group == "other"
    assert found.gate_rejected == 0


def test_a_document_that_is_not_submitted_counts_as_zeros_and_is_listed() -> None:
    first, second = page("a", WORDS), page("b", WORDS)
    found = ltb.score([first, second], ltb.Submission({"ar-en": {"a": copy_of(first)}}))
    assert found.missing == (("ar-en", "b"),)
    assert found.overall.ltb == pytest.approx(50)


def test_a_pair_that_was_never_attempted_is_not_counted() -> None:
    document = page("a", WORDS)
    found = ltb.score([document], ltb.Submission({}))
    assert found.pairs == ()
    assert found.overall.ltb is None
    assert found.overall.interval.low is None


def test_documents_that_the_truth_does_not_have_are_skipped_and_named() -> None:
    document = page("a", WORDS)
    other = copy_of(page("z", WORDS))
    found = ltb.score([document], ltb.Submission({"ar-en": {"a": copy_of(document), "z": other}}))
    assert found.unknown == (("ar-en", "z"),)
    assert found.overall.ltb == pytest.approx(100)


def test_a_submission_for_other_documents_is_refused() -> None:
    with pytest.raises(InputError, match="none of the ground truth's documents") as caught:
        ltb.score([page("a", WORDS)], ltb.Submission({"ar-en": {"z": copy_of(page("z", WORDS))}}))
    assert caught.value.code == "scorecards.other-documents"


def test_two_documents_of_one_name_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        ltb.score([page("a", WORDS), page("a", WORDS)], ltb.Submission({}))
    assert caught.value.code == "scorecards.document-twice"


@pytest.mark.parametrize("box", [Box(0, 0, 0, 10), Box(0, 0, 10, 0), Box(0, 0, -3, 10)])
def test_a_truth_box_without_size_is_refused(box: Box) -> None:
    with pytest.raises(InputError) as caught:
        ltb.TruthDocument("a", (ltb.TruthRegion("r", box, "", 0),))
    assert caught.value.code == "scorecards.box-without-size"
    assert caught.value.where == "a"


def test_a_page_without_regions_has_no_reference_and_is_left_out() -> None:
    empty = ltb.TruthDocument("a", ())
    found = ltb.score(
        [empty, page("b", WORDS)],
        ltb.Submission({"ar-en": {"a": ltb.Prediction("a", ()), "b": copy_of(page("b", WORDS))}}),
    )
    assert found.excluded == (("ar-en", "a"),)
    assert found.overall.ltb == pytest.approx(100)


def test_text_in_another_language_is_rejected_but_its_place_still_counts() -> None:
    document = page("a", WORDS)
    wrong = ltb.Prediction(
        "a",
        (
            region(
                "s0",
                document.regions[0].box,
                "Die Sitzung findet am Montag um neun Uhr im großen Saal statt",
            ),
        ),
    )
    (scored,) = ltb.score([document], ltb.Submission({"ar-en": {"a": wrong}})).documents
    (only,) = scored.regions
    assert only.chrf == 0
    assert only.gate is not None
    assert not only.gate.accepted
    assert only.gate.reason == "langdetect:de"
    assert scored.iou == 1
    assert scored.ltb == pytest.approx(50)


def test_more_letters_may_be_asked_for_before_the_detector_is_believed() -> None:
    pair = "en-es"
    document = page("a", "Número de factura: A-2031", pair=pair)
    submission = ltb.Submission({pair: {"a": copy_of(document, pair)}})
    assert ltb.score([document], submission).gate_rejected == 1
    patient = ltb.score([document], submission, ltb.Options(min_letters_latin=20))
    assert patient.gate_rejected == 0
    assert patient.overall.ltb == pytest.approx(100)


def test_a_finer_measure_of_overlap_replaces_the_boxes() -> None:
    document = page("a", WORDS)
    found = ltb.score(
        [document],
        ltb.Submission({"ar-en": {"a": copy_of(document)}}),
        overlap=lambda truth, predicted: 0.25,
    )
    assert found.overall.iou == 0.25


@pytest.mark.long
def test_processes_do_not_change_a_number() -> None:
    documents = [page(f"d{number}", f"{WORDS} {number}", WORDS) for number in range(6)]
    submission = ltb.Submission({"ar-en": {one.id: copy_of(one) for one in documents}})
    alone = ltb.score(documents, submission, ltb.Options(workers=1))
    together = ltb.score(documents, submission, ltb.Options(workers=2))
    assert alone.documents == together.documents


def test_a_user_can_stop_it() -> None:
    class Stop:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            pass

        def cancelled(self) -> bool:
            return True

    document = page("a", WORDS)
    with pytest.raises(Cancelled):
        ltb.score([document], ltb.Submission({"ar-en": {"a": copy_of(document)}}), progress=Stop())


def test_options_are_checked() -> None:
    with pytest.raises(UsageError):
        ltb.Options(min_letters_latin=0)


boxes = st.builds(Box, *[st.integers(0, 50).map(float)] * 2, *[st.integers(1, 60).map(float)] * 2)


@pytest.mark.long
@given(
    st.lists(st.tuples(boxes, st.text(max_size=12), st.integers(0, 5)), min_size=1, max_size=5),
    st.lists(
        st.tuples(st.sampled_from(["", "s0", "s1", "s9"]), boxes, st.text(max_size=12)),
        max_size=5,
    ),
    st.sampled_from(sorted(ltb.PROFILES)),
)
def test_every_part_stays_in_its_range(truth, predicted, profile: str) -> None:
    document = ltb.TruthDocument(
        "a",
        tuple(
            ltb.TruthRegion(f"s{n}", box, "", order, references={"en-ar": text or "x"})
            for n, (box, text, order) in enumerate(truth)
        ),
    )
    given_regions = tuple(
        ltb.Region(name, box, text, n) for n, (name, box, text) in enumerate(predicted)
    )
    found = ltb.score(
        [document],
        ltb.Submission({"en-ar": {"a": ltb.Prediction("a", given_regions)}}),
        ltb.Options(ltb.PROFILES[profile], replicates=1),
    )
    for scored in found.documents:
        assert -1e-9 <= scored.chrf <= 100 + 1e-9
        assert 0 <= scored.iou <= 1 + 1e-9
        assert 0 <= scored.tau <= scored.coverage <= 1
        assert -1e-9 <= scored.ltb <= 100 + 1e-9
        matched = [one.prediction for one in scored.regions if one.prediction is not None]
        if profile != "ltbench":
            assert len(set(matched)) == len(matched)
