"""LTB-100 v0.2 as it is announced: OCR of rendered pages and visual fidelity, beside v0.1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from madcat_studio.images.likeness import ssim
from madcat_studio.operations.scorecards import ltb_next, recognising
from madcat_studio.scoring.scorecards.chrf import chrf2
from madcat_studio.scoring.scorecards.ltb_next import composite_next, round_trip
from tests.operations.test_scorecards import checked, run, write_lines

SPANISH = "una casa grande con una puerta"
READER = """#!/bin/sh
case "$1" in
--version) echo "tesseract 9.9" ;;
--list-langs) printf 'List of available languages in "x" (2):\\nspa\\nosd\\n' ;;
*) [ -f "${1%.png}.txt" ] || { echo "cannot read" >&2; exit 1; }
   cat "${1%.png}.txt"; echo "$@" >> "$0.asked" ;;
esac
"""


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in Tesseract's place: it knows Spanish, and reads page.png in page.txt."""
    program = tmp_path / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text(READER, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program


@pytest.fixture
def rendered(tmp_path: Path) -> tuple[Path, Path]:
    """Two documents in the public layout, and a system that rendered both."""
    data = tmp_path / "set" / "data"
    (data / "annotations").mkdir(parents=True)
    (data / "sources").mkdir()
    system = tmp_path / "system"
    system.mkdir()
    entries, lines = [], []
    page = np.full((200, 300), 230, dtype=np.uint8)
    page[150:, :100] = 60  # a picture that is no text
    for number in (1, 2):
        name = f"doc_{number}"
        region = {
            "region_id": "r",
            "bbox": [20, 20, 200, 40],
            "reading_order": 0,
            "text": "a house",
        }
        value = {"doc_id": name, "regions": [{**region, "references": {"en-es": SPANISH}}]}
        (data / "annotations" / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
        Image.fromarray(page).save(data / "sources" / f"{name}.png")
        entries.append(
            {
                "doc_id": name,
                "annotation_file": f"annotations/{name}.json",
                "source_file": f"sources/{name}.png",
            }
        )
        made = page.copy()
        made[25:55, 25:200:7] = 0  # the text, in its box
        Image.fromarray(made).save(system / f"{name}.png")
        (system / f"{name}.txt").write_text(
            "una casa\ngrande con\n\nuna puerta\n", encoding="utf-8"
        )
        lines.append(
            {"doc_id": name, "output_file": f"{name}.png", "regions": [{**region, "text": SPANISH}]}
        )
    (data / "manifest.json").write_text(json.dumps({"entries": entries}), encoding="utf-8")
    write_lines(system / "en-es.jsonl", lines)
    return tmp_path / "set", system


def scored(tmp_path: Path, truth: Path, system: Path, *more: object) -> dict[str, Any]:
    out = tmp_path / "out"
    arguments = ("--preview", "--out", out, "--formats", "json,html")
    assert run("scorecard", "ltb", truth, system, *arguments, *more) == 0
    return checked(out / "ltb.json", "ltb")


def rows(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    [table] = [one for one in value["tables"] if one["name"] == name]
    keys = [column["key"] for column in table["columns"]]
    return [dict(zip(keys, row, strict=True)) for row in table["rows"]]


def test_both_versions_stand_side_by_side(reader: Path, rendered, tmp_path: Path) -> None:
    value = scored(tmp_path, *rendered)
    [row] = rows(value, "v02")
    assert (row["pair"], row["documents"]) == ("en-es", 2)
    assert row["ltb_100"] == pytest.approx(100.0)
    assert row["ocr"] == pytest.approx(100.0)
    # Outside the box nothing changed, but near its edge.
    assert 0.95 < row["ssim"] <= 1
    assert row["lpips"] is None
    assert row["ltb_next"] is None
    assert row["ltb_ssim"] == pytest.approx(90 + 10 * row["ssim"])
    line = value["signatures"]["LTB-100 v0.2 (preview)"]
    assert "weights:40/25/15/10/10|ocr:tesseract-9.9" in line
    assert "visual:ssim" in line
    assert "like:v0.1.1" in value["signatures"]["LTB-100"]
    told = " ".join(value["warnings"])
    assert "do not rank by it" in told
    assert "no LPIPS, and so no v0.2" in told
    assert reader.with_name("tesseract.asked").read_text().count("-l spa --psm 3") == 2
    assert len(rows(value, "v02-documents")) == 2


def test_with_lpips_there_is_a_v02(reader: Path, rendered, tmp_path: Path, monkeypatch) -> None:
    class Quarter:
        backbone, sha256 = "alexnet.pth", "ab" * 32

        def __init__(self, path: Path) -> None:
            assert path.name == "alexnet.pth"

        def map(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
            assert first.shape == second.shape == (200, 300, 3)
            return np.full(first.shape[:2], 0.25)

    monkeypatch.setattr(ltb_next, "Distance", Quarter)
    value = scored(tmp_path, *rendered, "--backbone", "alexnet.pth")
    [row] = rows(value, "v02")
    assert row["lpips"] == pytest.approx(0.75)
    assert row["ltb_next"] == pytest.approx(97.5)
    assert (row["ltb_next_low"], row["ltb_next_high"]) == pytest.approx((97.5, 97.5))
    assert "alexnet.pth,sha256:abababababababab" in value["signatures"]["LTB-100 v0.2 (preview)"]


def test_what_is_claimed_and_not_rendered_is_seen(reader: Path, rendered, tmp_path: Path) -> None:
    truth, system = rendered
    (system / "doc_1.txt").write_text("una casa", encoding="utf-8")
    (system / "doc_2.txt").write_text("", encoding="utf-8")
    [row] = rows(scored(tmp_path, truth, system), "v02")
    assert row["ltb_100"] == pytest.approx(100.0)
    assert row["ocr"] == pytest.approx(chrf2("una casa", SPANISH) / 2)


@pytest.mark.long
def test_pages_that_are_missing_damaged_or_of_another_size_are_told(
    reader: Path, rendered, tmp_path: Path
) -> None:
    truth, system = rendered
    with Image.open(system / "doc_1.png") as image:
        image.resize((150, 100)).save(system / "doc_1.png")
    (system / "doc_2.png").write_bytes(b"no picture")
    value = scored(tmp_path, truth, system)
    told = " ".join(value["warnings"])
    assert "1 rendered pages of system had another size" in told
    assert "1 rendered pages of system could not be compared, such as that of doc_2" in told
    [row] = rows(value, "v02")
    assert row["documents"] == 1
    lines = [json.loads(line) for line in (system / "en-es.jsonl").read_text().splitlines()]
    for line in lines:
        del line["output_file"]
    write_lines(system / "en-es.jsonl", lines)
    value = scored(tmp_path, truth, system)
    assert rows(value, "v02") == []
    assert "gave no rendered page for 2 documents, such as doc_1" in " ".join(value["warnings"])


def test_a_program_or_a_language_that_is_missing_is_named(
    reader: Path, rendered, tmp_path: Path, monkeypatch, capsys
) -> None:
    truth, system = rendered
    reader.write_text(READER.replace("nspa", "neng"), encoding="utf-8")
    recognising._about.cache_clear()
    assert run("scorecard", "ltb", truth, system, "--preview") == 2
    told = capsys.readouterr().err
    assert "[ocr.no-language]" in told
    assert "apt install tesseract-ocr-spa" in told
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run("scorecard", "ltb", truth, system, "--preview") == 2
    assert "[ocr.no-tesseract]" in capsys.readouterr().err
    # Without the preview nothing of it is needed.
    assert run("scorecard", "ltb", truth, system) == 0


def test_the_weights_are_the_announced_ones() -> None:
    assert composite_next(50, 0.4, 0.6, 80, 0.5) == pytest.approx(20 + 10 + 9 + 8 + 5)
    assert round_trip(" una  casa\n", ["una", "casa"]) == 100.0
    assert round_trip("", ["una"]) == 0.0


def test_likeness_is_one_for_the_same_and_less_for_noise() -> None:
    draw = np.random.default_rng(1)
    page = draw.integers(0, 255, (60, 80)).astype(np.uint8)
    mask = np.ones(page.shape, dtype=bool)
    assert ssim(page, page, mask) == pytest.approx(1.0)
    assert abs(ssim(page, draw.permuted(page, axis=1), mask) or 0) < 0.1
    # A lighter page of one grey: only the term of luminance is left.
    dark, light = (np.full((60, 80), grey, dtype=np.uint8) for grey in (100, 120))
    c1 = (0.01 * 255) ** 2
    assert ssim(dark, light, mask) == pytest.approx(
        (2 * 100 * 120 + c1) / (100**2 + 120**2 + c1), abs=1e-6
    )
    assert ssim(page, page, ~mask) is None
