"""Files of other people at the scorecards' border: refused, counted or told, never guessed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.operations.test_scorecards import checked, run, sample, write_lines

DATA = Path(__file__).parents[1] / "data" / "scorecards"


def entry(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "source": "باب", "expected": "the door", "predicted": "the door", **more}


# ---- one header, at the top


def damaged(position: int, *, gone: str) -> list[dict[str, Any]]:
    lines = [entry(str(number)) for number in range(3)]
    del lines[position][gone]
    return lines


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_line_that_lost_its_id_is_refused_wherever_it_stands(
    tmp_path: Path, position: int, capsys
) -> None:
    path = write_lines(tmp_path / "run.jsonl", damaged(position, gone="id"))
    assert run("scorecard", "rosetta", path) == 2
    told = capsys.readouterr().err
    assert f"run.jsonl:{position + 1}" in told
    assert "“id” is missing" in told


def test_a_second_header_is_no_header(tmp_path: Path, capsys) -> None:
    path = write_lines(tmp_path / "run.jsonl", [{"run_id": "a"}, entry("1"), {"run_id": "b"}])
    assert run("scorecard", "rosetta", path) == 2
    assert "run.jsonl:3" in capsys.readouterr().err


# ---- documented scales, and numbers that can be worked with


@pytest.mark.parametrize(
    "more",
    [
        {"metrics": {"semantic_score": 7}},
        {"metrics": {"hallucination_rate": -0.1}},
        {"metrics": {"comet_score": 1e300}},
        {"latency_s": -3},
        {"usage": {"prompt_tokens": -1}},
        {"usage": {"completion_tokens": 1e300}},
        {"usage": {"prompt_tokens_details": {"cached_tokens": -5}}},
    ],
)
def test_a_value_off_its_scale_is_refused_with_its_place(tmp_path: Path, more, capsys) -> None:
    path = write_lines(tmp_path / "run.jsonl", [entry("1"), entry("two", **more)])
    assert run("scorecard", "rosetta", path) == 2
    told = capsys.readouterr().err
    assert "run.jsonl:2, two" in told
    assert "[scorecards.field]" in told


def test_the_ends_of_a_scale_belong_to_it(tmp_path: Path) -> None:
    values = {"semantic_score": 1, "hallucination_rate": 0}
    path = write_lines(tmp_path / "run.jsonl", [entry("1", metrics=values, latency_s=0)])
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", path, "--out", out, "--formats", "json") == 0
    (card,) = checked(out / "rosetta.json", "rosetta")["cards"]
    assert card["scores"]["semantic_score"] == 1.0
    assert card["speed"]["avg_latency_seconds"] == 0.0


@pytest.mark.parametrize("box", [[0, 0, 1e308, 1e308], [1e308, 0, 1e308, 5], [-1e13, 0, 5, 5]])
@pytest.mark.parametrize("side", ["truth", "system"])
def test_a_box_that_overflows_is_refused(tmp_path: Path, box, side: str, capsys) -> None:
    region = {"region_id": "r", "bbox": [0, 0, 9, 9], "text": "t", "reading_order": 0}
    truth = {"doc_id": "d", "regions": [{**region, "references": {"en-es": "una casa"}}]}
    given = {"doc_id": "d", "regions": [dict(region)]}
    (truth if side == "truth" else given)["regions"][0]["bbox"] = box
    write_lines(tmp_path / "truth.jsonl", [truth])
    write_lines(tmp_path / "system" / "en-es.jsonl", [given])
    assert run("scorecard", "ltb", tmp_path / "truth.jsonl", tmp_path / "system") == 2
    assert "[scorecards.field]" in capsys.readouterr().err


# ---- TER


def test_ter_is_sacrebleus_and_ours_stands_beside_it(tmp_path: Path) -> None:
    from sacrebleu.metrics.ter import TER

    pairs = [
        ("The house, is (very) big.", "the House is very big ."),
        ("it's an old door", "an old door it is"),
        ("one two three four", "four three two one"),
        ("nothing", "a text of five words"),
    ]
    path = write_lines(
        tmp_path / "run.jsonl",
        [
            {"id": str(number), "source": "s", "expected": reference, "predicted": output}
            for number, (output, reference) in enumerate(pairs)
        ],
    )
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", path, "--out", out, "--formats", "json") == 0
    (card,) = checked(out / "rosetta.json", "rosetta")["cards"]
    theirs = TER().corpus_score([one for one, _ in pairs], [[one for _, one in pairs]]).score
    assert card["scores"]["ter"] == pytest.approx(theirs, abs=1e-12)
    assert card["scores"]["ter_tercom"] is not None
    signature = json.loads((out / "rosetta.json").read_text())["signatures"]["run card"]
    assert "ter:sacrebleu-corpus-ter,defaults" in signature
    assert "ter-tercom:" in signature


# ---- reports of the public harness


def report_of(entries: list[dict[str, Any]], **overall: Any) -> dict[str, Any]:
    return {
        "run_id": "run_1",
        "config": {"model": "maker/model"},
        "overall": {"total_entries": len(entries), **overall},
        "by_segment": {},
        "entries": entries,
    }


def harness_entry(name: str, **more: Any) -> dict[str, Any]:
    plugins = {
        "hallucination": {"hallucination_rate": 0.25, "hall_length_score": 0.0},
        "terminology": {"terminology_adherence": None, "term_misses": []},
        "fst": {"fst_total_words": 4, "fst_valid_words": 3},
    }
    return entry(name, segment="", plugin_metrics=plugins, error=None, **more)


@pytest.mark.parametrize(
    ("overall", "cost"),
    [({"total_cost_usd": 0.5}, 0.5), ({}, 0.25), ({"total_cost_usd": 0.0}, 0.0)],
)
def test_a_harness_report_is_a_run_with_its_cost(tmp_path: Path, overall, cost) -> None:
    report = report_of(
        [harness_entry("1", cost_usd=0.2), harness_entry("2", cost_usd=0.05)],
        corpus_chrf=100.0,
        corpus_bleu=99.0,
        **overall,
    )
    path = tmp_path / "run_1_report.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", path, "--out", out, "--formats", "json") == 0
    (card,) = checked(out / "rosetta.json", "rosetta")["cards"]
    assert card["run"] == "run_1"
    assert card["about"]["config"] == {"model": "maker/model"}
    assert "overall" not in card["about"]
    assert card["cost"]["total_cost_usd"] == pytest.approx(cost)
    assert card["scores"]["hallucination_rate"] == 0.25
    assert card["scores"]["terminology_adherence"] is None
    assert card["scores"]["fst_acceptance_rate"] == 0.75
    assert "As the run's own report has it: chrf_plus_plus." in card["notes"]
    assert "The run's own report has bleu 99, this card 0.0000." in card["notes"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda value: value["entries"][1].pop("id"), "entry 2"),
        (lambda value: value["entries"][1].update(cost_usd=-1), "entry 2"),
        (lambda value: value.update(overall=[]), "overall"),
        (lambda value: value["overall"].update(total_cost_usd="much"), "total_cost_usd"),
        (lambda value: value["entries"][0].update(plugin_metrics={"fst": 3}), "entry 1"),
    ],
)
def test_a_damaged_harness_report_names_its_place(tmp_path: Path, change, place, capsys) -> None:
    report = report_of([harness_entry("1"), harness_entry("2")])
    change(report)
    path = tmp_path / "run_1_report.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    assert run("scorecard", "rosetta", path) == 2
    told = capsys.readouterr().err
    assert "run_1_report.json" in told
    assert place in told


def test_the_length_ratio_of_all_is_not_the_mean_of_the_entries(tmp_path: Path) -> None:
    lines = [entry("1", predicted="a" * 16), entry("2", expected="abcd", predicted="abcdef")]
    path = write_lines(tmp_path / "run.jsonl", lines)
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", path, "--out", out, "--formats", "json") == 0
    (card,) = checked(out / "rosetta.json", "rosetta")["cards"]
    assert card["scores"]["length_ratio"] == pytest.approx(22 / 12)
    assert card["scores"]["length_ratio_mean"] == pytest.approx((2 + 1.5) / 2)


# ---- the split and its secret


@pytest.fixture
def pages(tmp_path: Path) -> tuple[Path, Path]:
    """Ten documents of one category and a system that gives their references."""
    region = {"region_id": "r", "bbox": [0, 0, 90, 9], "reading_order": 0}
    text = {"text": "a house", "references": {"en-es": "una casa grande con una puerta"}}
    truth = write_lines(
        tmp_path / "truth.jsonl",
        [{"doc_id": f"d{n}", "regions": [{**region, **text}]} for n in range(10)],
    )
    given = {**region, "text": "una casa grande con una puerta"}
    write_lines(
        tmp_path / "system" / "en-es.jsonl",
        [{"doc_id": f"d{n}", "regions": [given]} for n in range(10)],
    )
    return truth, tmp_path / "system"


def test_a_split_without_a_secret_is_refused(pages, capsys, monkeypatch) -> None:
    monkeypatch.delenv("MADCAT_STUDIO_SPLIT_SECRET", raising=False)
    assert run("scorecard", "ltb", *pages, "--split", "public") == 2
    told = capsys.readouterr().err
    assert "[scorecards.split-without-secret]" in told
    assert "MADCAT_STUDIO_SPLIT_SECRET" in told


def test_the_signature_tells_splits_apart_and_not_the_secret(
    pages, tmp_path: Path, monkeypatch
) -> None:
    signatures = {}
    for secret, split in (("one", "public"), ("two", "public"), ("one", "held-out"), ("", "all")):
        monkeypatch.setenv("MADCAT_STUDIO_SPLIT_SECRET", secret)
        out = tmp_path / f"{secret}-{split}"
        arguments = ("--split", split, "--out", out, "--formats", "json")
        assert run("scorecard", "ltb", *pages, *arguments) == 0
        text = (out / "ltb.json").read_text(encoding="utf-8")
        signatures[secret, split] = json.loads(text)["signatures"]["LTB-100"]
    assert len(set(signatures.values())) == 4
    # The first 8 digits of sha256("one"), as sha256sum gives them.
    assert "split:public,from" in signatures["one", "public"]
    assert signatures["one", "public"].count("secret-sha256:7692c3ad") == 1
    assert "split:all" in signatures["", "all"]


# ---- the gate knows every profile, and says where it did not run


def gate_pages(tmp_path: Path, pair: str, text: str, reference: str, name: str) -> Path:
    region = {"region_id": "r", "bbox": [0, 0, 90, 9], "reading_order": 0}
    write_lines(
        tmp_path / "truth.jsonl",
        [{"doc_id": "d", "regions": [{**region, "text": "x", "references": {pair: reference}}]}],
    )
    folder = tmp_path / "system"
    given = {**region, "text": text}
    write_lines(folder / f"{name}.jsonl", [{"doc_id": "d", "regions": [given]}])
    return folder


ENGLISH = "The committee will meet again on Thursday to discuss the new buildings of the town."
ITALIAN = "Il comitato si riunirà di nuovo giovedì per discutere dei nuovi edifici della città."
CHINESE = "委員會將於星期四再次開會討論該鎮的新建築"


@pytest.mark.parametrize(
    ("pair", "name", "text", "reference", "verdict", "chrf"),
    [
        ("en-it", "en-it", ENGLISH, ITALIAN, "langdetect:en", 0.0),
        ("en-it", "en-it", ITALIAN, ITALIAN, "langdetect:it", 100.0),
        ("en-zh-tw", "en-zh-TW", ENGLISH, CHINESE, "script:0/68", 0.0),
        ("en-zh-TW", "en-zh-tw", CHINESE, CHINESE, "script:20/20", 100.0),
        ("en-pt-BR", "en-pt-br", ENGLISH, ITALIAN, "langdetect:en", 0.0),
    ],
)
def test_every_profile_of_the_detector_is_used(
    tmp_path: Path, pair, name, text, reference, verdict, chrf
) -> None:
    folder = gate_pages(tmp_path, pair, text, reference, name)
    out = tmp_path / "out"
    truth = tmp_path / "truth.jsonl"
    assert run("scorecard", "ltb", truth, folder, "--out", out, "--formats", "json,csv") == 0
    with (out / "ltb-regions.csv").open(encoding="utf-8-sig") as file:
        assert verdict in file.read()
    (system,) = checked(out / "ltb.json", "ltb")["systems"]
    assert system["pairs"][0]["pair"] == pair.lower()
    assert system["pairs"][0]["chrf"] == pytest.approx(chrf)


@pytest.mark.parametrize("pair", ["en-haw", "en-uz"])
def test_a_target_that_nothing_tells_apart_is_told(tmp_path: Path, pair: str) -> None:
    folder = gate_pages(tmp_path, pair, ENGLISH, "he hale", pair)
    out = tmp_path / "out"
    truth = tmp_path / "truth.jsonl"
    assert run("scorecard", "ltb", truth, folder, "--out", out, "--formats", "html") == 0
    assert f"gate did not run for {pair}" in (out / "ltb.html").read_text(encoding="utf-8")


def test_two_references_for_one_pair_are_refused(tmp_path: Path, capsys) -> None:
    folder = gate_pages(tmp_path, "en-zh-tw", CHINESE, CHINESE, "en-zh-tw")
    truth = tmp_path / "truth.jsonl"
    value = json.loads(truth.read_text(encoding="utf-8"))
    value["regions"][0]["references"]["en-zh-TW"] = ENGLISH
    write_lines(truth, [value])
    assert run("scorecard", "ltb", truth, folder) == 2
    assert "[scorecards.pair]" in capsys.readouterr().err


# ---- the public layout


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """A data set as it is published: a manifest and a folder of annotations for each origin."""
    root = tmp_path / "set"
    entries = []
    for number, folder in ((1, "annotations"), (2, "annotations"), (26, "flores/annotations")):
        name = f"doc_{number:03}"
        region = {
            "region_id": "r1",
            "bbox": [50, 60, 700, 70],
            "text": "A house",
            "reading_order": 0,
            "layout_class": "title",
            "references": {"en-es": "Una casa grande"},
        }
        file = root / "data" / folder / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        value = {
            "doc_id": name,
            "page_size": [800, 1100],
            "provenance": {"grade": "certified-translator"},
            "regions": [region],
        }
        file.write_text(json.dumps(value), encoding="utf-8")
        entries.append(
            {"doc_id": name, "category": "letter", "annotation_file": f"{folder}/{name}.json"}
        )
    manifest = {"benchmark": "LayoutTranslateBench", "version": "0.1.6", "entries": entries}
    (root / "data" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    given = {"region_id": "r1", "bbox": [50, 60, 700, 70], "text": "Una casa", "reading_order": 0}
    write_lines(
        tmp_path / "system" / "en-es.jsonl",
        [{"doc_id": f"doc_{n:03}", "regions": [given]} for n in (1, 2, 26)],
    )
    return root


def scored(truth: Path, system: Path, out: Path, *more: str) -> dict[str, Any]:
    assert run("scorecard", "ltb", truth, system, "--out", out, "--formats", "json", *more) == 0
    (found,) = checked(out / "ltb.json", "ltb")["systems"]
    return found


@pytest.mark.long
def test_the_public_layout_is_read_by_each_of_its_names(public: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("", "data", "data/manifest.json")):
        found = scored(public / name, tmp_path / "system", tmp_path / f"out{number}")
        assert found["pairs"][0]["documents"] == 3


def manifest_of(public: Path) -> tuple[Path, dict[str, Any]]:
    path = public / "data" / "manifest.json"
    return path, json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.long
def test_the_data_sets_own_split_needs_no_secret(public, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("MADCAT_STUDIO_SPLIT_SECRET", raising=False)
    path, value = manifest_of(public)
    for one, split in zip(value["entries"], ("public", "public", "held_out"), strict=True):
        one["split"] = split
    path.write_text(json.dumps(value), encoding="utf-8")
    for split, count in (("public", 2), ("held-out", 1), ("all", 3)):
        found = scored(public, tmp_path / "system", tmp_path / split, "--split", split)
        assert found["pairs"][0]["documents"] == count


def lost(public: Path) -> str:
    (public / "data" / "annotations" / "doc_002.json").unlink()
    return "doc_002.json"


def other(public: Path) -> str:
    folder = public / "data" / "annotations"
    shutil.copy(folder / "doc_001.json", folder / "doc_002.json")
    return "doc_002.json"


def twice(public: Path) -> str:
    path, value = manifest_of(public)
    value["entries"].append(value["entries"][0])
    path.write_text(json.dumps(value), encoding="utf-8")
    return "entry 4"


def outside(public: Path) -> str:
    path, value = manifest_of(public)
    value["entries"][1]["annotation_file"] = "../../elsewhere.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return "entry 2"


def unknown_split(public: Path) -> str:
    path, value = manifest_of(public)
    value["entries"][1]["split"] = "secret"
    path.write_text(json.dumps(value), encoding="utf-8")
    return "“secret”"


@pytest.mark.parametrize("spoil", [lost, other, twice, outside, unknown_split])
def test_a_damaged_data_set_names_the_file_at_fault(public, tmp_path: Path, spoil, capsys) -> None:
    place = spoil(public)
    assert run("scorecard", "ltb", public, tmp_path / "system") == 2
    assert place in capsys.readouterr().err


# ---- scenarios


@pytest.mark.parametrize(
    ("written", "meant"),
    [("PPT", "ppt"), ("PowerPoint", "ppt"), ("slides", "ppt"), ("Web", "web"), ("SCENE", "scene")],
)
def test_one_scenario_has_one_name(tmp_path: Path, written: str, meant: str) -> None:
    path = write_lines(
        tmp_path / "system.jsonl",
        [{**sample("a"), "scenario": written}, {**sample("b"), "scenario": meant}],
    )
    out = tmp_path / "out"
    assert run("scorecard", "imtbench", path, "--out", out, "--formats", "json") == 0
    (found,) = checked(out / "imtbench.json", "imtbench")["systems"]
    assert list(found["by_scenario"]) == [meant]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"scenario": "menu"}, "scorecards.scenario"),
        ({"alignment": 70}, "scorecards.field"),
        ({"naturalness": -1}, "scorecards.field"),
        ({"mask_lpips": -0.5}, "scorecards.field"),
    ],
)
def test_samples_off_the_list_or_the_scale_are_refused(tmp_path: Path, more, code, capsys) -> None:
    path = write_lines(tmp_path / "system.jsonl", [sample("ok"), {**sample("bad"), **more}])
    assert run("scorecard", "imtbench", path) == 2
    told = capsys.readouterr().err
    assert "system.jsonl:2, bad" in told
    assert f"[{code}]" in told


# ---- one board a data set


def test_runs_of_two_data_sets_are_never_in_one_ranking(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "one.jsonl", [entry("1")])
    second = write_lines(tmp_path / "two.jsonl", [entry("9", predicted="a gate")])
    again = write_lines(tmp_path / "again.jsonl", [entry("1", predicted="door")])
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", first, second, again, "--out", out) == 0
    boards = {
        number: (out / f"rosetta-runs-{number}.csv").read_text(encoding="utf-8-sig")
        for number in (1, 2)
    }
    assert sorted(len(text.splitlines()) for text in boards.values()) == [2, 3]
    assert all(text.splitlines()[1].startswith("1,") for text in boards.values())
    assert "2 data sets" in (out / "rosetta.html").read_text(encoding="utf-8")
    tests = checked(out / "rosetta.json", "rosetta")["comparisons"]
    tested = {(one["a"], one["b"]) for one in tests if one["common_entries"]}
    assert tested == {("one", "again")}


def test_the_same_ids_with_other_references_are_another_data_set(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "one.jsonl", [entry("1")])
    other = write_lines(tmp_path / "two.jsonl", [entry("1", expected="the gate")])
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", first, other, "--out", out, "--formats", "json") == 0
    assert checked(out / "rosetta.json", "rosetta")["comparisons"] == []


def test_what_could_not_be_tested_is_absent_and_not_zero(tmp_path: Path) -> None:
    error = entry("1", error="timeout")
    first = write_lines(tmp_path / "one.jsonl", [entry("1")])
    second = write_lines(tmp_path / "two.jsonl", [error])
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", first, second, "--out", out, "--formats", "json") == 0
    tests = checked(out / "rosetta.json", "rosetta")["comparisons"]
    assert len(tests) == 2
    for one in tests:
        assert one["common_entries"] == 0
        assert [one[key] for key in ("delta", "p_value", "ci_lower", "ci_upper")] == [None] * 4


# ---- runs of several languages


@pytest.mark.parametrize(
    ("about", "language"),
    [
        ({"config": {"target_lang": "Welsh"}}, "Welsh"),
        ({"target_lang": " cy "}, "cy"),
        ({"target": "ar", "config": {"target_lang": "Welsh"}}, "ar"),
        ({"config": "Welsh"}, ""),
        ({"config": {"target_lang": ""}}, ""),
        ({"target": 7}, ""),
    ],
)
def test_a_runs_file_tells_its_language(about: dict[str, Any], language: str) -> None:
    from madcat_studio.scoring.scorecards.rosetta_run import Run

    assert Run("r", (), about=about).language == language


@pytest.mark.long
def test_runs_are_told_by_language(tmp_path: Path) -> None:
    files = []
    for number, language in enumerate(("Welsh", "Arabic", None)):
        head = {"run_id": f"r{number}", **({"target_lang": language} if language else {})}
        lines = [head, entry("1"), entry("2", predicted="other")]
        files.append(write_lines(tmp_path / f"{number}.jsonl", lines))
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", *files, "--out", out, "--formats", "json,html") == 0
    value = checked(out / "rosetta.json", "rosetta")
    [table] = [one for one in value["tables"] if one["name"] == "languages"]
    assert [row[:2] for row in table["rows"]] == [["Arabic", "r1"], ["Welsh", "r0"]]
    assert table["rows"][0][3] == value["cards"][1]["scores"]["chrf_plus_plus"]
    assert '<text class="group" x="0" y="24">Arabic</text>' in (out / "rosetta.html").read_text()
    assert run("scorecard", "rosetta", files[2], "--out", out, "--formats", "json") == 0
    value = checked(out / "rosetta.json", "rosetta")
    assert "languages" not in [one["name"] for one in value["tables"]]


def test_what_holds_for_many_runs_is_told_once(tmp_path: Path, capsys) -> None:
    files = [
        write_lines(tmp_path / f"r{n}.jsonl", [{"total_cost_usd": 1e-6}, entry("1")])
        for n in range(6)
    ]
    assert run("scorecard", "rosetta", *files) == 0
    told = capsys.readouterr()
    assert told.out.startswith("r0, r1, r2 and 3 more: Rosetta\n")
    [cheap] = [line for line in told.err.splitlines() if "Below $0.001" in line]
    assert cheap.startswith("warning: r0, r1, r2 and 3 more: Below $0.001 per entry")
    assert told.err.count("A run has fewer than 30 evaluated entries") == 1
