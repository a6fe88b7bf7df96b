"""What stands beside LTB-100 v0.1: several references, their grade, and what people say."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from madcat_studio.scoring.scorecards.chrf import chrf2
from tests.operations.test_scorecard_next import reader, rendered, rows, scored
from tests.operations.test_scorecards import checked, run, write_lines

__all__ = ["reader", "rendered"]

HOUSE = "una casa grande con una puerta"


def region(name: str, references: Any, order: int = 0) -> dict[str, Any]:
    return {
        "region_id": name,
        "bbox": [20, 20 + 50 * order, 200, 40],
        "reading_order": order,
        "text": "a house",
        "references": {"en-es": references},
    }


def given(name: str, text: str, order: int = 0) -> dict[str, Any]:
    return {
        "region_id": name,
        "bbox": [20, 20 + 50 * order, 200, 40],
        "reading_order": order,
        "text": text,
    }


def ltb(tmp_path: Path, truth: Path, *arguments: object) -> dict[str, Any]:
    out = tmp_path / "out"
    files = ("--out", out, "--formats", "json,html,csv,xlsx")
    assert run("scorecard", "ltb", truth, *arguments, *files) == 0
    return checked(out / "ltb.json", "ltb")


# ---- several references


def test_v01_takes_the_first_reference_and_v02_the_best(
    reader, rendered, tmp_path: Path, capsys
) -> None:
    truth, system = rendered
    other = "el hogar amplio tiene una entrada"
    for number, references in ((1, [other, HOUSE]), (2, [HOUSE, " ", other])):
        file = truth / "data" / "annotations" / f"doc_{number}.json"
        file.write_text(
            json.dumps({"doc_id": f"doc_{number}", "regions": [region("r", references)]})
        )
    value = scored(tmp_path, truth, system)
    first, second = rows(value, "v02-documents")
    far = chrf2(HOUSE, other)
    assert far < 60
    assert (first["ltb_100"], first["chrf"]) == pytest.approx((50 + far / 2, 100.0))
    assert (second["ltb_100"], second["chrf"]) == pytest.approx((100.0, 100.0))
    [documents] = value["systems"]
    assert documents["documents"][0]["chrf"] == pytest.approx(far)
    assert "references:best-of-all" in value["signatures"]["LTB-100 v0.2 (preview)"]
    told = " ".join(value["warnings"])
    assert "two references" not in told
    assert "It asks for 25 documents a pair; rendered are: en-es 2." in told


def test_no_reference_mends_a_wrong_language(tmp_path: Path, reader, rendered) -> None:
    """The gate looks at the text alone: English stays 0 though a reference is English."""
    truth, system = rendered
    english = "a large house with a wooden door and windows"
    for number in (1, 2):
        file = truth / "data" / "annotations" / f"doc_{number}.json"
        value = {"doc_id": f"doc_{number}", "regions": [region("r", [HOUSE, english])]}
        file.write_text(json.dumps(value))
    lines = [
        {"doc_id": f"doc_{n}", "output_file": f"doc_{n}.png", "regions": [given("r", english)]}
        for n in (1, 2)
    ]
    write_lines(system / "en-es.jsonl", lines)
    [row] = rows(scored(tmp_path, truth, system), "v02")
    assert row["chrf"] == 0.0


@pytest.mark.parametrize("references", [7, [7.5], [["a"]], [True], {"a": "b"}])
def test_a_reference_that_is_no_text_is_refused(tmp_path: Path, capsys, references) -> None:
    truth = write_lines(
        tmp_path / "truth.jsonl", [{"doc_id": "d", "regions": [region("r", references)]}]
    )
    write_lines(tmp_path / "s" / "en-es.jsonl", [{"doc_id": "d", "regions": []}])
    status = run("scorecard", "ltb", truth, tmp_path / "s")
    # A number serves as a text everywhere in these files.
    assert status == (0 if references == 7 else 2)
    assert status == 0 or "[scorecards.field]" in capsys.readouterr().err


def test_a_reference_in_the_wrong_script_gives_way_to_the_next(tmp_path: Path) -> None:
    truth = write_lines(
        tmp_path / "truth.jsonl",
        [
            {"doc_id": "d", "regions": [region("r", ["农用化学品", HOUSE, "农用化学品"])]},
            {"doc_id": "e", "regions": [region("r", ["农用化学品"])]},
            {"doc_id": "f", "regions": [region("r", [])]},
        ],
    )
    write_lines(
        tmp_path / "s" / "en-es.jsonl",
        [{"doc_id": name, "regions": [given("r", HOUSE)]} for name in "def"],
    )
    value = ltb(tmp_path, truth, tmp_path / "s")
    (system,) = value["systems"]
    assert [one["document"] for one in system["documents"]] == ["d"]
    assert system["documents"][0]["chrf"] == 100.0
    assert system["counts"]["excluded"] == 2
    assert value["dropped_references"] == 2


# ---- grades


def test_scores_are_told_by_the_grade_of_the_references(tmp_path: Path) -> None:
    grades = ["certified-translator", "Certified_Translator", "ml-curated", None]
    truth = write_lines(
        tmp_path / "truth.jsonl",
        [
            {
                "doc_id": f"d{number}",
                "regions": [region("r", HOUSE)],
                **({} if grade is None else {"provenance": {"grade": grade}}),
            }
            for number, grade in enumerate(grades)
        ],
    )
    texts = [HOUSE, "", HOUSE, ""]
    write_lines(
        tmp_path / "s" / "en-es.jsonl",
        [
            {"doc_id": f"d{number}", "regions": [given("r", text)]}
            for number, text in enumerate(texts)
        ],
    )
    found = rows(ltb(tmp_path, truth, tmp_path / "s"), "grades")
    assert [(one["grade"], one["documents"], one["chrf"], one["ltb_100"]) for one in found] == [
        ("certified-translator", 2, 50.0, 75.0),
        ("ml-curated", 1, 100.0, 100.0),
        ("not told", 1, 0.0, 50.0),
    ]
    assert (found[0]["ci_low"], found[0]["ci_high"]) == (50.0, 100.0)


# ---- what people say

SYSTEMS = ("cedar", "maple", "olive")


@pytest.fixture
def judged(tmp_path: Path) -> tuple[Path, list[Path], dict[tuple[str, str], float]]:
    """Three systems on twenty documents, and the share of the text that each gave."""
    draw = random.Random(3)
    truth = write_lines(
        tmp_path / "truth.jsonl",
        [{"doc_id": f"d{n}", "regions": [region("r", HOUSE)]} for n in range(20)],
    )
    shares: dict[tuple[str, str], float] = {}
    folders = []
    for system in SYSTEMS:
        lines = []
        for n in range(20):
            length = draw.randrange(6, len(HOUSE))
            shares[system, f"d{n}"] = length + draw.random()
            lines.append({"doc_id": f"d{n}", "regions": [given("r", HOUSE[:length])]})
        write_lines(tmp_path / system / "en-es.jsonl", lines)
        folders.append(tmp_path / system)
    return truth, folders, shares


def table(path: Path, shares: dict[tuple[str, str], float], **columns: Any) -> Path:
    lines = ["\t".join(["system", "document", "pair", *columns])]
    for (system, document), share in shares.items():
        cells = [f"{of(share):.3f}" for of in columns.values()]
        lines.append("\t".join([system, document, "en-es", *cells]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.long
def test_each_part_is_held_against_what_people_say(judged, tmp_path: Path) -> None:
    truth, folders, shares = judged
    file = table(
        tmp_path / "people.tsv", shares,
        adequacy=lambda share: share + (17 * share) % 9, errors=lambda share: 100 - share,
    )  # fmt: skip
    value = ltb(tmp_path, truth, *folders, "--judgements", file, "--lower", "errors")
    found = {(one["judged"], one["part"]): one for one in rows(value, "judgements")}
    assert [part for column, part in found if column == "adequacy"][:2] == [
        "LTB-100 (v0.1)",
        "chrF",
    ]
    assert {part for _, part in found} == {"LTB-100 (v0.1)", "chrF", "IoU", "tau"}
    documents = {
        (system["system"], one["document"]): one["chrf"]
        for system in value["systems"]
        for one in system["documents"]
    }
    said = {key: share + (17 * share) % 9 for key, share in shares.items()}
    keys = list(shares)
    one, other = [documents[key] for key in keys], [round(said[key], 3) for key in keys]
    own = found["adequacy", "chrF"]
    assert own["tau_b"] == pytest.approx(kendalltau(one, other).statistic)
    assert own["rho"] == pytest.approx(spearmanr(one, other).statistic)
    assert own["r"] == pytest.approx(pearsonr(one, other).statistic)
    assert own["low"] < own["tau_b"] < own["high"]
    assert (own["documents"], own["systems"]) == (60, 3)
    assert 0 < own["right"] <= 1
    # Fewer errors are better: what says the same is 1, not -1.
    assert found["errors", "chrF"]["rho"] > 0.9
    # A part that is the same for all tells nothing.
    assert found["adequacy", "IoU"]["tau_b"] is None
    assert "judgements" in value["input_sha256"]


@pytest.mark.long
def test_what_v02_adds_is_held_against_people_too(reader, rendered, tmp_path: Path) -> None:
    truth, system = rendered
    (system / "doc_1.txt").write_text("una", encoding="utf-8")
    third = {"doc_id": "doc_3", "regions": [region("r", HOUSE)]}
    (truth / "data" / "annotations" / "doc_3.json").write_text(json.dumps(third))
    manifest = truth / "data" / "manifest.json"
    entries = json.loads(manifest.read_text())
    entries["entries"].append({"doc_id": "doc_3", "annotation_file": "annotations/doc_3.json"})
    manifest.write_text(json.dumps(entries))
    file = tmp_path / "people.csv"
    file.write_text(
        "system,document,pair,adequacy\nsystem,doc_1,en-es,10\nsystem,doc_2,en-es,90\n"
        "system,doc_3,en-es,5\n"
    )
    value = scored(tmp_path, truth, system, "--judgements", file)
    # Document 3 was not rendered: what not every judged output has is named and left out.
    assert {one["part"] for one in rows(value, "judgements")} == {
        "LTB-100 (v0.1)", "chrF", "IoU", "tau",
    }  # fmt: skip
    told = " ".join(value["warnings"])
    assert "since not every judged output has it: v0.2 with SSIM, OCR, SSIM" in told
    assert "adequacy judges 3 outputs; the announcement of v0.2 speaks of about 50" in told
    file.write_text("system,document,pair,adequacy\nsystem,doc_1,en-es,10\nsystem,doc_2,en-es,9\n")
    value = scored(tmp_path, truth, system, "--judgements", file)
    assert rows(value, "judgements") == []
    assert "adequacy judges 2 outputs: too few for a correlation" in " ".join(value["warnings"])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("system\tdocument\tscore\ncedar\td1\t3\n", "table.column-missing"),
        ("system\tdocument\tpair\ncedar\td1\ten-es\n", "trust.no-scores"),
        ("system\tdocument\tpair\tscore\noak\td1\ten-es\t3\n", "trust.other-segments"),
        ("system\tdocument\tpair\tscore\ncedar\td1\ten-fr\t3\n", "trust.other-segments"),
        ("system\tdocument\tpair\tscore\n" + "cedar\td1\ten-es\t3\n" * 2, "trust.twice"),
        ("system\tdocument\tpair\tscore\ncedar\td1\ten-es\tgood\n", "trust.not-a-number"),
    ],
)
def test_a_table_of_judgements_that_does_not_fit_is_refused(
    judged, tmp_path: Path, capsys, text, code
) -> None:
    truth, folders, _ = judged
    file = tmp_path / "people.tsv"
    file.write_text(text, encoding="utf-8")
    assert run("scorecard", "ltb", truth, folders[0], "--judgements", file) == 2
    told = capsys.readouterr().err
    assert f"[{code}]" in told
    assert "BASE" not in told


# ---- models beside chrF

COMET = """
from pathlib import Path
from types import SimpleNamespace

class Model:
    def __init__(self, kind):
        self.kind = kind

    def requires_references(self):
        return self.kind == "comet"

    def predict(self, data, batch_size, gpus, progress_bar):
        assert (gpus, progress_bar) == (0, False)
        # Each text once, and no empty one.
        assert len({tuple(one.items()) for one in data}) == len(data)
        assert all(one["mt"].strip() for one in data)
        scores = [1.5 if one["mt"] == one.get("ref") else len(one["mt"]) / 100 for one in data]
        return SimpleNamespace(scores=scores)

def load_from_checkpoint(path):
    kind = Path(path).read_text()
    if kind not in ("comet", "kiwi"):
        raise ValueError("no checkpoint")
    return Model(kind)
"""


@pytest.fixture
def comet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A package in the place of unbabel-comet, and a model file of each kind."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "comet.py").write_text(COMET)
    monkeypatch.delitem(sys.modules, "comet", raising=False)
    monkeypatch.syspath_prepend(str(site))
    models = tmp_path / "comet.ckpt", tmp_path / "kiwi.ckpt"
    for model in models:
        model.write_text(model.stem)
    return models


@pytest.mark.long
def test_models_stand_beside_chrf_and_rank_nothing(comet, tmp_path: Path, monkeypatch) -> None:
    truth = write_lines(
        tmp_path / "truth.jsonl",
        [
            {"doc_id": "d", "regions": [region("r", HOUSE), region("s", HOUSE, 1)]},
            {"doc_id": "e", "regions": [region("r", HOUSE)]},
        ],
    )
    write_lines(
        tmp_path / "s" / "en-es.jsonl",
        [
            {"doc_id": "d", "regions": [given("r", HOUSE), given("s", " ", 1)]},
            {"doc_id": "e", "regions": [given("r", "una casa de")]},
        ],
    )
    file = tmp_path / "people.tsv"
    file.write_text(
        "system\tdocument\tpair\tadequacy\ns\td\ten-es\t9\ns\te\ten-es\t3\n", encoding="utf-8"
    )
    with_models = ("--comet", comet[0], "--comet-kiwi", comet[1], "--judgements", file)
    value = ltb(tmp_path, truth, tmp_path / "s", *with_models)
    [row] = rows(value, "models")
    # Cut to 0..1; a region without output has 0; documents weigh the same.
    assert row["comet"] == pytest.approx((50.0 + 11.0) / 2)
    assert row["comet_kiwi"] == pytest.approx((len(HOUSE) / 2 + 11.0) / 2)
    assert row["ltb_100"] == pytest.approx(value["systems"][0]["overall"]["ltb_100"])
    assert row["ltb_comet"] - row["ltb_100"] == pytest.approx(0.5 * (row["comet"] - row["chrf"]))
    assert "|comet:comet.ckpt,sha256:" in value["signatures"]["models"]
    assert "comet" not in value["signatures"]["LTB-100"].lower()
    plain = ltb(tmp_path, truth, tmp_path / "s")
    assert plain["systems"] == value["systems"]
    assert plain["leaderboards"] == value["leaderboards"]
    assert "models" not in [one["name"] for one in plain["tables"]]


@pytest.mark.long
def test_models_are_held_against_people_too(comet, judged, tmp_path: Path) -> None:
    truth, folders, shares = judged
    file = table(tmp_path / "people.tsv", shares, adequacy=lambda share: share)
    value = ltb(tmp_path, truth, *folders, "--comet-kiwi", comet[1], "--judgements", file)
    found = {one["part"]: one for one in rows(value, "judgements")}
    assert found["COMET-Kiwi"]["rho"] > 0.99


@pytest.mark.parametrize(
    ("option", "content", "code"),
    [
        ("--comet", "kiwi", "scorecards.bad-model"),
        ("--comet-kiwi", "comet", "scorecards.bad-model"),
        ("--comet-kiwi", "else", "scorecards.bad-model"),
    ],
)
def test_a_model_file_of_another_kind_is_refused(
    comet, judged, capsys, option, content, code
) -> None:
    truth, folders, _ = judged
    comet[0].write_text(content)
    assert run("scorecard", "ltb", truth, folders[0], option, comet[0]) == 2
    told = capsys.readouterr().err
    assert f"[{code}]" in told
    assert str(comet[0]) in told


def test_without_the_package_it_is_told_how_to_get_it(judged, capsys, monkeypatch) -> None:
    from madcat_studio.scoring.scorecards import models

    truth, folders, _ = judged
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    assert run("scorecard", "ltb", truth, folders[0], "--comet-kiwi", truth) == 2
    told = capsys.readouterr().err
    assert "[scorecards.no-comet]" in told
    assert "pip install 'madcat-studio[comet]'" in told


@pytest.mark.long
def test_what_render_made_is_named_by_its_folder(tmp_path: Path) -> None:
    truth = write_lines(
        tmp_path / "truth.jsonl", [{"doc_id": "d", "regions": [region("r", HOUSE)]}]
    )
    lines = [{"doc_id": "d", "regions": [given("r", HOUSE)]}]
    files = [
        write_lines(tmp_path / "cedar" / "rendered.jsonl", lines),
        write_lines(tmp_path / "maple" / "rendered.jsonl", lines),
        write_lines(tmp_path / "olive.jsonl", lines),
    ]
    value = ltb(tmp_path, truth, *files, "--pair", "en-es")
    assert [one["system"] for one in value["systems"]] == ["cedar", "maple", "olive"]
