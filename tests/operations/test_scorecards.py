"""The three scorecards from files to reports, as their commands are used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import openpyxl
import PIL.Image
import pytest

from madcat_studio.cli import app as root
from madcat_studio.errors import FormatError
from madcat_studio.operations.campaign.filling import add_system, create
from madcat_studio.operations.scorecards.files import read_card, write_card
from madcat_studio.operations.scores.report import Format
from madcat_studio.paths import resources, schemas

GOLDEN = Path(__file__).parents[1] / "data" / "scorecards"
KEY = "sk-not-to-be-seen-123456"


def golden(name: str) -> dict[str, Any]:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def write_lines(path: Path, values: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values),
        encoding="utf-8",
    )
    return path


def run(*arguments: object) -> int:
    return root.main([str(argument) for argument in arguments])


def checked(path: Path, schema: str) -> dict[str, Any]:
    value = json.loads(path.read_text(encoding="utf-8"))
    rules = json.loads((schemas() / f"{schema}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(rules)
    jsonschema.validate(value, rules)
    return value


# ---- pages


@pytest.fixture
def pages(tmp_path: Path) -> tuple[Path, Path]:
    """A ground truth of twelve documents, and a system's folder."""
    cases = golden("ltb")["documents"][:12]
    truth = write_lines(
        tmp_path / "truth.jsonl",
        [
            {
                **case["doc"],
                "regions": [
                    {
                        **region,
                        "references": {
                            pair: text
                            for pair, text in region["references"].items()
                            if pair == case["lang_pair"]
                        },
                    }
                    for region in case["doc"]["regions"]
                ],
            }
            for case in cases
        ],
    )
    system = tmp_path / "system"
    by_pair: dict[str, list[Any]] = {}
    for case in cases:
        by_pair.setdefault(case["lang_pair"], []).append(case["submission"])
    for pair, lines in by_pair.items():
        write_lines(system / f"{pair}.jsonl", lines)
    (system / "manifest.json").write_text(
        json.dumps({"system_name": "نظام <b>one</b>", "cost_usd": 0, "hardware": "cpu"})
    )
    return truth, system


@pytest.mark.long
def test_pages_are_scored_and_reported(pages, tmp_path: Path, capsys) -> None:
    truth, system = pages
    out = tmp_path / "out"
    assert run("scorecard", "ltb", truth, system, "--out", out) == 0
    told = capsys.readouterr()
    assert "LTB-100|version:" in told.out
    assert "|profile:doc|" in told.out
    assert "unverified" in told.out
    value = checked(out / "ltb.json", "ltb")
    expected = {
        (case["lang_pair"], case["doc"]["doc_id"]): case["expected"]["doc"]
        for case in golden("ltb")["documents"][:12]
    }
    (found,) = value["systems"]
    assert found["system"] == "نظام <b>one</b>"
    for document in found["documents"]:
        wanted = expected[document["pair"], document["document"]]
        assert document["ltb_100"] == pytest.approx(wanted["ltb_100"], abs=1e-6)
    opened = read_card(out / "ltb.json")
    assert opened.kind == "LTB-100"
    again = tmp_path / "again"
    write_card(opened, again, list(Format))
    for file in sorted(out.iterdir()):
        if file.suffix != ".xlsx":  # it holds the time of writing
            assert (again / file.name).read_bytes() == file.read_bytes(), file.name
    assert run("scorecard", "show", out / "ltb.json") == 0
    assert "LTB-100|version:" in capsys.readouterr().out
    page = (out / "ltb.html").read_text(encoding="utf-8")
    assert "<b>one</b>" not in page
    assert "&lt;b&gt;one" in page
    assert "<svg" in page
    book = openpyxl.load_workbook(out / "ltb.xlsx", read_only=True)
    assert book.sheetnames[:2] == ["About", "Leaderboard, end-to-end"]
    book.close()
    assert "ltb_100" in (out / "ltb-pairs.csv").read_text(encoding="utf-8-sig")


def test_a_file_that_is_not_named_by_its_pair(pages, tmp_path: Path, capsys) -> None:
    truth, system = pages
    (file, *_) = sorted(system.glob("*.jsonl"))
    pair = file.stem
    named = tmp_path / "my-system.jsonl"
    named.write_bytes(file.read_bytes())
    assert run("scorecard", "ltb", truth, named) == 0
    assert "no reference for my-system" in capsys.readouterr().err
    assert run("scorecard", "ltb", truth, named, "--pair", pair) == 0
    assert "no reference" not in capsys.readouterr().err
    other = tmp_path / "system.jsonl"
    other.write_bytes(file.read_bytes())
    assert run("scorecard", "ltb", truth, other) == 2
    assert "[scorecards.pair]" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "madcat-studio-ltb"}', "\0"])
def test_files_that_are_no_result(tmp_path: Path, text: str) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_card(path)
    assert caught.value.code == "scorecards.not-a-result"


def test_oracle_systems_have_a_leaderboard_of_their_own(pages, tmp_path: Path, capsys) -> None:
    truth, system = pages
    oracle = tmp_path / "oracle"
    oracle.mkdir()
    for file in system.glob("*.jsonl"):
        (oracle / file.name).write_bytes(file.read_bytes())
    (oracle / "manifest.json").write_text('{"system_type": "oracle-layout"}')
    out = tmp_path / "out"
    assert run("scorecard", "ltb", truth, system, oracle, "--out", out, "--formats", "json") == 0
    boards = checked(out / "ltb.json", "ltb")["leaderboards"]
    assert [one["system"] for one in boards["oracle-layout"]] == ["oracle"]
    assert len(boards["end-to-end"]) == 1


def test_a_held_out_split_is_not_shown_raw(pages, tmp_path: Path, capsys, monkeypatch) -> None:
    truth, system = pages
    monkeypatch.setenv("MADCAT_STUDIO_SPLIT_SECRET", "s")
    out = tmp_path / "out"
    assert run("scorecard", "ltb", truth, system, "--split", "held-out", "--out", out) == 0
    assert not (out / "ltb-regions.csv").exists()
    text = (out / "ltb.json").read_text() + (out / "ltb.html").read_text()
    assert not any(case["doc"]["doc_id"] in text for case in golden("ltb")["documents"][:12])


@pytest.mark.long
def test_madcat_documents_are_pages_too(tmp_path: Path, capsys) -> None:
    demo = resources() / "demo"
    systems = sorted((demo / "systems").iterdir())
    out = tmp_path / "out"
    assert (
        run(
            "scorecard", "ltb", demo / "reference", *systems, "--kind", "linesys", "--polygons",
            "--out", out, "--formats", "json",
        )
        == 0
    )  # fmt: skip
    value = checked(out / "ltb.json", "ltb")
    assert len(value["systems"]) == len(systems)
    for system in value["systems"]:
        assert [pair["group"] for pair in system["pairs"]] == ["other"]
        assert system["core"]["ltb_100"] is None
    assert any("given them" in sentence for sentence in value["warnings"])


def test_several_files_for_one_document_are_refused(capsys) -> None:
    demo = resources() / "demo"
    system = sorted((demo / "systems").iterdir())[0]
    assert run("scorecard", "ltb", demo / "reference", system) == 2
    assert "--kind" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        ("bbox", "scorecards.box-without-size"),
        ("twice", "scorecards.document-twice"),
        ("json", "json.not-json"),
        ("order", "scorecards.field"),
        ("list", "scorecards.field"),
        ("nan", "scorecards.field"),
        ("other", "scorecards.other-documents"),
        ("line twice", "scorecards.document-twice"),
        ("manifest", "scorecards.manifest"),
        ("none", "file.nothing-matches"),
        ("empty", "scorecards.no-documents"),
    ],
)
def test_pages_that_cannot_be_scored(pages, spoil: str, code: str, capsys) -> None:
    truth, system = pages
    values = [json.loads(line) for line in truth.read_text().splitlines()]
    file = sorted(system.glob("*.jsonl"))[0]
    if spoil == "bbox":
        values[0]["regions"][0]["bbox"] = [1, 2, 0, 4]
    elif spoil == "twice":
        values.append(values[0])
    elif spoil == "order":
        values[0]["regions"][0]["reading_order"] = "first"
    elif spoil == "list":
        values[0]["regions"] = {"a": 1}
    elif spoil == "nan":
        values[0]["regions"][0]["bbox"] = [1, 2, float("nan"), 4]
    elif spoil == "other":
        values = [{**value, "doc_id": f"x{n}"} for n, value in enumerate(values)]
    elif spoil == "line twice":
        file.write_text(file.read_text() + file.read_text().splitlines()[0] + "\n")
    elif spoil == "manifest":
        (system / "manifest.json").write_text('{"system_type": "magic"}')
    elif spoil == "none":
        for one in system.glob("*.jsonl"):
            one.unlink()
    elif spoil == "empty":
        values = []
    write_lines(truth, values)
    if spoil == "json":
        truth.write_text('{"doc_id": "a"}\n{"doc_id": \n')
    assert run("scorecard", "ltb", truth, system) == 2
    told = capsys.readouterr().err
    assert f"[{code}]" in told
    assert "Traceback" not in told
    if spoil == "json":
        assert "truth.jsonl:2" in told


# ---- runs


def run_file(folder: Path, case: dict[str, Any]) -> Path:
    about = {key: case[key] for key in ("run_id", "total_cost_usd", "elapsed_seconds")}
    return write_lines(folder / f"{case['run_id']}.jsonl", [about, *case["entries"]])


@pytest.mark.long
def test_runs_get_cards_and_are_compared(tmp_path: Path, capsys) -> None:
    cases = golden("rosetta")["runs"][:2]
    again = {**cases[0], "run_id": "again"}  # the two cases are of two data sets
    files = [run_file(tmp_path, case) for case in (*cases, again)]
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", *files, "--target", "es", "--out", out) == 0
    assert "Rosetta-run-card|version:" in capsys.readouterr().out
    value = checked(out / "rosetta.json", "rosetta")
    for card, case in zip(value["cards"], (*cases, again), strict=True):
        for name in ("composite", "chrf_plus_plus", "exact_match_rate", "bleu", "cost_adjusted"):
            assert card["scores"][name] == pytest.approx(case["expected"]["scores"][name], rel=1e-6)
        assert card["scores"]["ter"] is not None
        assert "ter" in card["computed_beyond_document"]
    assert len(value["comparisons"]) == 2
    assert (out / "rosetta.html").exists()
    assert (out / "rosetta-entries.csv").exists()


def test_without_planned_metrics_they_are_null(tmp_path: Path, capsys) -> None:
    file = run_file(tmp_path, golden("rosetta")["runs"][0])
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", file, "--no-planned", "--out", out, "--formats", "json") == 0
    scores = checked(out / "rosetta.json", "rosetta")["cards"][0]["scores"]
    assert scores["ter"] is None
    assert scores["length_ratio"] is None


def test_runs_with_other_metrics_are_not_comparable(tmp_path: Path, capsys) -> None:
    runs = golden("rosetta")["runs"]
    files = [run_file(tmp_path, runs[0]), run_file(tmp_path, runs[8])]
    assert run("scorecard", "rosetta", *files) == 0
    assert "not comparable" in capsys.readouterr().err


def test_a_run_may_be_a_table(tmp_path: Path, capsys) -> None:
    table = tmp_path / "run.tsv"
    table.write_text(
        "id\tsource\texpected\tpredicted\tvariant\tlatency_s\terror\n"
        "1\tباب\tthe door\tthe door\t\t0.5\t\n"
        "2\tبيت\ta house\tthe house\tthe house | one house\tnan\t\n"
        "3\tنص\ta text\t\t\t\ttimeout\n",
        encoding="utf-8",
    )
    glossary = tmp_path / "terms.tsv"
    glossary.write_text("source\ttarget\nباب\tdoor\n", encoding="utf-8")
    out = tmp_path / "out"
    assert (
        run(
            "scorecard", "rosetta", table, "--source", "ar", "--target", "en",
            "--code-switching", "--glossary", glossary, "--out", out, "--formats", "json",
        )
        == 0
    )  # fmt: skip
    (card,) = checked(out / "rosetta.json", "rosetta")["cards"]
    assert card["scores"]["equivalent_matches"] == 2
    assert card["scores"]["errors"] == 1
    assert card["scores"]["code_switching_rate"] == 0
    assert card["scores"]["terminology_adherence"] == 1
    assert card["speed"]["avg_latency_seconds"] == 0.5


@pytest.mark.long
def test_a_campaigns_systems_are_runs(tmp_path: Path, capsys) -> None:
    demo = resources() / "demo"
    campaign = tmp_path / "demo"
    create(
        str(campaign),
        corpus=demo / "corpus.tsv",
        documents=demo / "reference",
        name="Demo",
    )
    for folder in sorted((demo / "systems").iterdir()):
        add_system(str(campaign), name=folder.name, outputs=folder)
    out = tmp_path / "out"
    assert (
        run("scorecard", "rosetta", "--campaign", campaign, "--out", out, "--formats", "json") == 0
    )
    cards = checked(out / "rosetta.json", "rosetta")["cards"]
    assert len(cards) == 2
    assert all(card["scores"]["evaluated"] > 0 for card in cards)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["[1]"], "scorecards.field"),
        (['{"id": "1"}', '{"id": "1"}'], "scorecards.entry-twice"),
        (['{"id": "1", "latency_s": "fast"}'], "scorecards.field"),
        (['{"id": "1", "fst": {"words": 1, "accepted": 2}}'], "scorecards.field"),
        (['{"total_cost_usd": -1}'], "scorecards.field"),
        (['{"has_fst": "yes"}'], "scorecards.field"),
        (["{"], "json.not-json"),
    ],
)
def test_runs_that_cannot_be_read(tmp_path: Path, lines: list[str], code: str, capsys) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(lines))
    assert run("scorecard", "rosetta", path) == 2
    assert f"[{code}]" in capsys.readouterr().err


def test_what_json_can_say_and_no_report_can_hold(tmp_path: Path, capsys) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(
        '{"run_id": "r", "temperature": NaN, "more": [Infinity, {"x": 1}]}\n'
        '{"id": "1", "source": "a\\ud800b", "expected": "x\\udc00", "predicted": "=1+1"}\n'
    )
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", path, "--out", out) == 0
    (card,) = checked(out / "rosetta.json", "rosetta")["cards"]
    assert card["about"] == {"temperature": None, "more": [None, {"x": 1}]}
    assert "\ufffd" in (out / "rosetta-entries.csv").read_text(encoding="utf-8-sig")


def test_a_text_that_no_edit_rate_can_have_is_named(tmp_path: Path, capsys) -> None:
    path = write_lines(tmp_path / "run.jsonl", [{"id": "e7", "expected": "a", "predicted": "a\0b"}])
    assert run("scorecard", "rosetta", path) == 2
    assert "run, e7" in capsys.readouterr().err


def test_a_run_without_entries_is_told(tmp_path: Path, capsys) -> None:
    path = write_lines(tmp_path / "run.jsonl", [{"run_id": "empty"}])
    out = tmp_path / "out"
    assert run("scorecard", "rosetta", path, "--out", out) == 0
    assert "no entries" in capsys.readouterr().err
    assert checked(out / "rosetta.json", "rosetta")["cards"][0]["scores"]["composite"] is None


def test_the_packaged_sentence_model_is_for_english_only(tmp_path: Path, capsys) -> None:
    path = write_lines(tmp_path / "run.jsonl", [{"id": "1"}])
    assert run("scorecard", "rosetta", path, "--semantic", "--target", "es") == 2
    assert "[scorecards.semantic-language]" in capsys.readouterr().err


def test_no_run_at_all(capsys) -> None:
    assert run("scorecard", "rosetta") == 2
    assert "[scorecards.no-runs]" in capsys.readouterr().err


# ---- translated images


def sample(name: str, **more: Any) -> dict[str, Any]:
    return {"sample_id": name, "scenario": "web", "src_lang": "ar", "tgt_lang": "en", **more}


REPLY = """||V^=^V||
"harmonization_score" : [8],
"alignment_score" : [6],
"reasoning" : "ok"
||V^=^V||"""


def test_samples_are_averaged_and_reported(tmp_path: Path, capsys) -> None:
    case = golden("imtbench")["aggregations"][0]
    path = write_lines(tmp_path / "system.jsonl", case["samples"])
    out = tmp_path / "out"
    assert run("scorecard", "imtbench", path, "--out", out) == 0
    (found,) = checked(out / "imtbench.json", "imtbench")["systems"]
    assert found["overall"] == pytest.approx(case["expected"]["overall_macro"], abs=1e-6)
    assert found["judge_errors"] == case["expected"]["judge_errors"]
    assert (out / "imtbench.html").exists()


def test_a_judge_is_asked_once_and_its_key_is_nowhere(
    judge, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("MADCAT_STUDIO_JUDGE_KEY", KEY)
    for name, form in (("a.png", "PNG"), ("b.jpg", "JPEG")):
        PIL.Image.new("RGB", (40, 30), "white").save(tmp_path / name, form)
    path = write_lines(
        tmp_path / "system.jsonl",
        [
            sample("1", output_image="a.png", output_text="the door"),
            sample("2", output_image="b.jpg", output_text="a house"),
            sample("3", output_image="none.png"),
            sample("4", naturalness=5, alignment=7),
        ],
    )
    judge.answers = [REPLY, "no delimiter " + KEY]
    arguments = [
        "scorecard", "imtbench", path, "--judge", judge.base, "--judge-model", "m",
        "--judge-log", tmp_path / "log.jsonl", "--out", tmp_path / "out",
    ]  # fmt: skip
    assert run(*arguments) == 0
    told = capsys.readouterr()
    (found,) = checked(tmp_path / "out" / "imtbench.json", "imtbench")["systems"]
    assert [one["s_align"] for one in found["samples"]] == [0.6, None, None, 0.7]
    assert found["judge_errors"] == {"missing_delimiter": 1, "image_unreadable": 1}
    (message,) = judge.bodies[0]["messages"]
    assert "localization QA specialist" in message["content"][0]["text"]
    assert "↪" not in message["content"][0]["text"]
    assert message["content"][-1]["text"] == 'Model Translation Result:\n"the door"'
    # Nothing is paid twice.
    assert run(*arguments) == 0
    assert len(judge.bodies) == 2
    told_again = capsys.readouterr()
    written = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(KEY.encode() in data for data in written)
    assert KEY not in told.out + told.err + told_again.out + told_again.err


def test_without_a_log_named_replies_are_kept_beside_the_samples(judge, tmp_path: Path) -> None:
    PIL.Image.new("RGB", (8, 8)).save(tmp_path / "a.png")
    path = write_lines(tmp_path / "system.jsonl", [sample("1", output_image="a.png")])
    judge.answers = [REPLY]
    arguments = ["scorecard", "imtbench", path, "--judge", judge.base, "--judge-model", "m"]
    assert run(*arguments) == 0
    assert run(*arguments) == 0
    assert len(judge.bodies) == 1
    assert "harmonization_score" in (tmp_path / "system.judge.jsonl").read_text("utf-8")


def test_a_judge_needs_a_name(tmp_path: Path, capsys) -> None:
    path = write_lines(tmp_path / "system.jsonl", [sample("1")])
    assert run("scorecard", "imtbench", path, "--judge", "https://host/v1") == 2
    assert "[scorecards.judge]" in capsys.readouterr().err


def test_the_filter_decides(judge, tmp_path: Path, capsys) -> None:
    PIL.Image.new("RGB", (8, 8)).save(tmp_path / "a.png")
    path = write_lines(
        tmp_path / "samples.jsonl",
        [
            sample("1", source_image="a.png", reference_image="a.png", source_text="باب"),
            sample("2", source_image="a.png", reference_image="a.png"),
            sample("3", source_image="a.png"),
        ],
    )
    checks = (
        "text_coverage_source", "text_coverage_target", "layout_consistent",
        "no_text_overlap", "translation_quality_ok",
    )  # fmt: skip
    details = (
        "missing_source_texts", "missing_target_texts", "extra_visible_text_in_source",
        "extra_visible_text_in_target", "layout_issues", "overlap_issues", "translation_issues",
    )  # fmt: skip
    value = {
        "valid": True,
        "checks": dict.fromkeys(checks, True),
        "reason": "OK",
        "details": {name: [] for name in details},
    }
    judge.answers = [json.dumps(value), "I cannot tell"]
    out = tmp_path / "decisions.jsonl"
    assert (
        run(
            "scorecard", "imtbench-filter", path, "--out", out, "--judge", judge.base,
            "--judge-model", "m", "--judge-log", tmp_path / "log.jsonl",
        )
        == 0
    )  # fmt: skip
    decisions = [json.loads(line) for line in out.read_text().splitlines()]
    assert [one["valid"] for one in decisions] == [True, None, None]
    assert [one["error"] for one in decisions] == [None, "not_json", "image_missing"]
    payload = json.loads(judge.bodies[0]["messages"][0]["content"][-1]["text"])
    assert payload["source_texts"] == ["باب"]
    assert len(judge.bodies[0]["messages"][0]["content"]) == 4


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([sample("1"), sample("1")], "scorecards.sample-twice"),
        ([{"sample_id": "1"}], "scorecards.field"),
        ([sample("1", comet="good")], "scorecards.field"),
        ([sample("1", reference_boxes=[[1, 2, 3]])], "scorecards.field"),
    ],
)
def test_samples_that_cannot_be_read(tmp_path: Path, values, code: str, capsys) -> None:
    path = write_lines(tmp_path / "s.jsonl", values)
    assert run("scorecard", "imtbench", path) == 2
    assert f"[{code}]" in capsys.readouterr().err


def test_no_samples_are_told(tmp_path: Path, capsys) -> None:
    path = write_lines(tmp_path / "s.jsonl", [])
    assert run("scorecard", "imtbench", path) == 0
    assert "no samples" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["scorecard", "ltb", "--profile", "x"],
        ["scorecard", "ltb", "--split", "x"],
        ["scorecard", "ltb", "--formats", "pdf"],
        ["scorecard", "ltb", "--min-letters", "0"],
    ],
)
def test_options_that_do_not_exist(pages, arguments: list[str], capsys) -> None:
    truth, system = pages
    assert run(*arguments, truth, system) == 2
    assert "Choose from" in (told := capsys.readouterr().err) or "positive" in told
