"""``evaluate`` and a campaign's scores on workers: the report of one machine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.cli.app import main
from madcat_studio.model.campaign import DataSet, SegmentRecord
from madcat_studio.operations.many import Many, PartsFailed, workers
from madcat_studio.operations.scores import evaluation
from madcat_studio.operations.scores import report as report_room
from madcat_studio.operations.scores.evaluation import CorpusFiles, evaluate
from madcat_studio.operations.scores.hter_workers import HterWorkers
from madcat_studio.operations.scores.report import (
    Format,
    report_records,
    write_campaign_report,
    write_report,
)
from madcat_studio.progress import SILENT
from madcat_studio.reports import results
from madcat_studio.scoring import duration
from madcat_studio.scoring.resampling import Resampling, compare, compare_each
from madcat_ter.options import TerOptions
from tests.gui.campaigns import make_campaign
from tests.reports.conftest import DOCUMENTS, make_record

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra many is not installed"
)

MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
DEMO = Path(__file__).parent.parent.parent / "resources" / "demo"


@pytest.fixture
def many(scheduler: str) -> Iterator[Many]:
    with workers(scheduler) as made:
        yield made


def made_records() -> list[SegmentRecord]:
    """Two systems, two teams, six documents; some texts are empty or not there yet."""
    rng = random.Random(7)
    found = []
    for number in range(120):
        reference = " ".join(rng.choices("abcdefgh\u200fé", k=rng.randrange(1, 9)))
        texts = [" ".join(rng.choices("abcdefgh", k=rng.randrange(8))) for _ in range(5)]
        base = sorted(DOCUMENTS)[0]
        teams = {"red": (texts[1], texts[2]), "blue": (texts[3], texts[4] if number - 50 else None)}
        for system in ("alpha", "beta"):
            output = texts[0] if system == "alpha" or number % 17 else ""
            record = make_record("K", system, base, f"s{number}", reference, output, teams)
            found.append(
                record._replace(
                    base=f"D{number // 20}",
                    source_document=f"D{number // 20}",
                    data_set=DataSet.EVALUATION,
                )
            )
    return found


def on(many: Many | None) -> HterWorkers | None:
    return None if many is None else HterWorkers(many, SILENT)


def written(records: list[SegmentRecord], folder: Path, many: Many | None) -> dict[str, bytes]:
    how = Resampling(resamples=200)
    with report_records(records, title="Made", made=MADE, resampling=how, many=on(many)) as report:
        files = write_report(report, folder, (Format.JSON, Format.CSV), TerOptions())
    return {path.name: path.read_bytes() for path in files}


@pytest.mark.long
def test_a_campaigns_report_is_that_of_one_machine(
    many: Many, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "_STEP", 11)
    records = made_records()
    here = written(records, tmp_path / "one", None)
    assert written(records, tmp_path / "many", many) == here
    assert b"alpha" in here["comparisons.csv"]


def test_a_text_that_cannot_be_scored_is_named(many: Many) -> None:
    records = made_records()
    bad = records[30]._replace(output="a\0")
    with (
        pytest.raises(PartsFailed) as told,
        report_records([*records[:30], bad, *records[31:]], title="Made", many=on(many)),
    ):
        pass
    (failure,) = told.value.failures
    assert failure.segment == f"{bad.system}, {bad.base}/{bad.segment}"
    assert "NUL" in failure.reason


def test_comparisons_are_those_of_one_machine(many: Many) -> None:
    rng = random.Random(2)

    def system() -> tuple[list[float], list[float]]:
        return [float(rng.randrange(9)) for _ in range(12)], [10.0] * 12

    pairs = [(system(), system()) for _ in range(5)]
    asked = []

    def each(work: object, calls: object) -> list[object]:
        asked.append(work)
        return many.each(work, calls, SILENT)  # type: ignore[arg-type]

    how = Resampling(resamples=150)
    found = compare_each(pairs, replace(how, each=each))
    assert found == [compare(*pair, how) for pair in pairs]
    assert asked == [compare]


@pytest.mark.long
def test_evaluate_gives_the_same_tables(many: Many, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "_PART", 3)
    systems = sorted((DEMO / "systems").iterdir())[:1]
    told = []
    for who in (None, many):
        report = evaluate(DEMO / "reference", systems, corpus=CorpusFiles(), made=MADE, many=who)
        told.append(
            [(table.name, list(table.records())) for table in report.tables]
            + [(name, text) for name, text in report.signatures.items()]
            + [("warnings", list(report.warnings))]
        )
    assert told[1] == told[0]


class Asked(Exception):
    """Workers were asked to score."""


@pytest.mark.parametrize("tracks", [1, 2])
@pytest.mark.parametrize("door", ["open_report", "write_campaign_report"])
def test_every_door_of_a_campaigns_report_asks_the_workers(
    door: str, tracks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: object) -> None:
        raise Asked

    monkeypatch.setattr(HterWorkers, "scored", asked)
    campaign = make_campaign(tmp_path / "campaign")
    monkeypatch.setattr(report_room, "read_tracks", lambda _campaign: ("",) * tracks)
    workers = HterWorkers(Many(None), SILENT)

    def go_in() -> None:
        if door == "open_report":
            with report_room.open_report(campaign, track="", many=workers):
                pass
        else:
            report_room.write_campaign_report(campaign, tmp_path / "report", many=workers)

    with pytest.raises(Asked):
        go_in()


@pytest.mark.long
def test_what_may_take_long_is_told_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duration, "LONG", 1e-7)
    said: list[str] = []
    one, *_ = made_records()
    long = one._replace(output="a b c d e f g h", reference="h g f e d c b a", teams=())
    with report_records([long], title="Made", tell=said.append):
        pass
    name = f"{long.system}, {long.base}/{long.segment}"
    assert [note.partition(" has 8 words against 8")[0] for note in said] == [f"segment {name}"]
    said.clear()
    systems = sorted((DEMO / "systems").iterdir())[:1]
    evaluate(DEMO / "reference", systems, made=MADE, tell=said.append)
    assert said
    assert all(note.startswith(f"segment {systems[0].name}, ") for note in said)
    said.clear()
    campaign = make_campaign(tmp_path / "campaign")
    write_campaign_report(campaign, tmp_path / "out", formats=(Format.CSV,), tell=said.append)
    assert said


@pytest.mark.parametrize("command", ["score", "report"])
def test_the_commands(
    command: str,
    scheduler: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scored, asked = HterWorkers.scored, []

    def seen(self: HterWorkers, *arguments: Any) -> Any:
        asked.append(command)
        return scored(self, *arguments)

    monkeypatch.setattr(HterWorkers, "scored", seen)
    campaign = make_campaign(tmp_path / "campaign")
    told = []
    for name, more in (("one", []), ("many", ["--on", scheduler])):
        out = ["--out", str(tmp_path / name), "--formats", "csv"] if command == "report" else []
        assert main(["campaign", command, str(campaign), *out, *more]) == 0
        files = {path.name: path.read_bytes() for path in sorted((tmp_path / name).glob("*.csv"))}
        files.pop("about.csv", None)  # tells when it was made
        shown = capfd.readouterr()
        told.append((shown.out.replace(str(tmp_path / name), ""), shown.err, files))
        assert len(asked) == (name == "many")
    assert told[1] == told[0]
    assert bool(told[0][2]) == (command == "report")
