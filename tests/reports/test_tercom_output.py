"""Read the evidence as tercom reads it, and score it again."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.report import report_records
from madcat_studio.reports.tables import Report
from madcat_studio.reports.tercom_output import segment_id, write_evidence
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter


def trans(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in path.read_bytes().decode("utf-8").split("\n"):
        if line:
            text, _, name = line.rstrip(")").rpartition(" (")
            assert name not in found
            found[name] = text
    return found


@pytest.fixture(scope="module")
def folder(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("evidence")
    write_evidence(report.results, made, TerOptions())
    return made


def expected(folder: Path) -> list[dict[str, str]]:
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def test_scored_again_the_files_give_what_they_promise(folder: Path) -> None:
    rows = expected(folder)
    assert len(rows) == 4 * 4  # alpha, beta, alpha's progress set, gamma's control set
    for row in rows:
        hypotheses = trans(folder / row["hypothesis"])
        references = trans(folder / row["reference"])
        lengths = trans(folder / row["lengths"]) if row["lengths"] else references
        assert hypotheses.keys() == references.keys() <= lengths.keys()
        edits = words = 0.0
        for name, text in hypotheses.items():
            result = ter(text, [references[name]], TerOptions(), [lengths[name]])
            edits, words = edits + result.edits, words + result.words
        assert (edits, words) == (float(row["edits"]), float(row["words"]))


def test_they_are_the_reports_numbers(folder: Path, report: Report) -> None:
    rows = {row["reference"]: row for row in expected(folder)}
    for system in report.table("systems").records():
        stem = f"evaluation.{system['system']}"
        chosen = rows[f"{stem}.chosen.ref"]
        assert (int(chosen["edits"]), int(chosen["words"])) == (system["edits"], system["words"])
        assert float(chosen["ter"]) == system["hter"]
        assert float(rows[f"{stem}.chosen-reference.ref"]["ter"]) == system["hter_reference"]
    # T1 in k1, 13; T3 in k2, 0 + 3; s6, which has no output, 3.
    assert rows["evaluation.alpha.listed-1.ref"]["edits"] == str(13 + 3 + 3)


def test_the_readme_has_a_command_for_each(folder: Path) -> None:
    text = (folder / "README.txt").read_text("utf-8")
    for row in expected(folder):
        assert f"-s -N -h {row['hypothesis']} -r {row['reference']}" in text


def test_ids_and_texts_that_tercom_would_trip_over(
    record_of: Callable[..., SegmentRecord], tmp_path: Path
) -> None:
    record = record_of(
        "k:1", "alpha", "D1", "s (1)", "r", "well-\nknown\r\nhow", {"T1": ("x", "a\u2028b (c)")}
    )
    with report_records([record], title="Odd", full=False) as report:
        evidence = write_evidence(report.results, tmp_path, TerOptions())
        totals = next(report.table("systems").records())
    name = "k%3A1/D1/s%20%281%29"
    assert segment_id("k:1", "D1", "s (1)") == name
    assert trans(tmp_path / "evaluation.alpha.hyp") == {name: "wellknown how"}
    assert evidence.dropped == [name]
    assert name in (tmp_path / "README.txt").read_text("utf-8")
    found = ter("wellknown how", ["a\u2028b (c)"])
    assert (found.edits, found.words) == (totals["edits"], totals["words"])


def test_options_become_switches(report: Report, tmp_path: Path) -> None:
    options = TerOptions(case_sensitive=False, normalise=False, no_punctuation=True, beam=5)
    write_evidence(report.results, tmp_path, options)
    text = (tmp_path / "README.txt").read_text("utf-8")
    assert " -P -b 5 -h " in text
    assert "its numbers differ" not in text
