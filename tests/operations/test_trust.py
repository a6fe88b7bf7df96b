"""Which metric may be trusted: a small campaign of three systems, its tables, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import numpy as np
import openpyxl
import pytest
import scipy.stats

from madcat_studio.cli.app import main
from madcat_studio.errors import FormatError, InputError, StudioError, UsageError
from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Editor,
    Kit,
    KitItem,
    System,
    Team,
)
from madcat_studio.operations.campaign.edits_table import import_edits
from madcat_studio.operations.scorecards.files import read_card
from madcat_studio.operations.scores.trust import Trust, trust
from madcat_studio.paths import schemas
from madcat_studio.reports.csv_tables import read_csv
from madcat_studio.scoring.resampling import Resampling
from madcat_studio.scoring.trust.correlation import Coefficient
from madcat_studio.scoring.trust.study import Grouping, Level
from madcat_studio.store import create_campaign, open_campaign

REFERENCE = "The mayor opened the new bridge over the river on Monday morning ."
WORDS = REFERENCE.split()
HOW = Resampling(resamples=100)
SYSTEMS = {"Alpha": "x1", "Beta": "x2", "Gamma": "x3"}
BASES = [f"D{number}_1_S{number % 2}" for number in range(4)]
MAIN = Level.SEGMENT, Grouping.ALL, Coefficient.KENDALL


def output(system: int, base: int, segment: int) -> tuple[str, str]:
    """What a system gave, so many words wrong, and the final text, where some stay as they are."""
    wrong = (system + base + 2 * segment) % 5 + system
    mended = wrong - (base + segment) % 2
    given = [f"w{place}" if place < wrong else word for place, word in enumerate(WORDS)]
    final = [word if place < mended else given[place] for place, word in enumerate(WORDS)]
    return " ".join(given), " ".join(final)


def kit_of(system: str, document: int, tracks: bool) -> str:
    """A kit is of one track."""
    return f"K{system}{document % 2 if tracks else ''}"


def make(where: Path, *, tracks: bool = False, edited: bool = True) -> Path:
    with create_campaign(where, "Small") as campaign, campaign.transaction():
        for number, base in enumerate(BASES):
            campaign.contents.add_document(
                CampaignDocument(
                    base=base,
                    source_document=f"doc{number}",
                    passage=f"p{number}",
                    manuscript=f"p{number}-S",
                    page="1",
                    scribe=f"S{number % 2}",
                    exposure="exposed",
                    data_set=DataSet.EVALUATION,
                    track=("go", "challenge")[number % 2] if tracks else "",
                    genre=("newswire", "web")[number % 2],
                    sha256="",
                ),
                f"<madcat>{base}</madcat>".encode(),
                [
                    CampaignSegment(f"s{one}", "1", "افتتح الجسر", REFERENCE, 2, len(WORDS))
                    for one in range(3)
                ],
            )
        for place, (name, code) in enumerate(SYSTEMS.items()):
            campaign.contents.add_system(System(name, code))
            for number, base in enumerate(BASES):
                texts = {f"s{one}": output(place, number, one)[0] for one in range(3)}
                campaign.contents.add_output(name, base, f"<o>{name}{base}</o>".encode(), texts)
        for team in ("red", "blue"):
            editors = (Editor(f"{team}1", "Ann"), Editor(f"{team}2", "Bob"))
            campaign.plans.add_team(Team(team, editors))
        for name in SYSTEMS:
            for kit in dict.fromkeys(kit_of(name, number, tracks) for number in range(4)):
                own = [b for n, b in enumerate(BASES) if kit_of(name, n, tracks) == kit]
                campaign.plans.plan_kit(Kit(kit, tuple(KitItem(name, base) for base in own)))
                teams = [Assignment(kit, team, f"{team}1", f"{team}2") for team in ("red", "blue")]
                campaign.plans.assign(kit, teams)
    if edited:
        lines = ["kit\tteam\tpass\teditor\tsegment\tstate\ttext"]
        for place, name in enumerate(SYSTEMS):
            for team in ("red", "blue"):
                for pass_, editor in (("first", 1), ("review", 2)):
                    lines += [
                        f"{kit_of(name, number, tracks)}\t{team}\t{pass_}\t{team}{editor}\t"
                        f"{base}/s{one}\tconfirmed\t"
                        f"{output(place, number, one)[1]}"
                        for number, base in enumerate(BASES)
                        for one in range(3)
                    ]
        table = where.parent / f"{where.name}.tsv"
        table.write_text("\n".join(lines) + "\n", "utf-8")
        import_edits(str(where), table)
    return where


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("trust") / "campaign")


@pytest.fixture(scope="module")
def found(where: Path) -> Trust:
    return trust(where, resampling=HOW)


def output_edits(system: int, base: int, segment: int) -> int:
    given, final = (text.split() for text in output(system, base, segment))
    return sum(a != b for a, b in zip(given, final, strict=True))


def hters() -> dict[tuple[str, str, str], float]:
    """Each output's HTER: what was mended over the words of the final text."""
    return {
        (name, base, f"s{one}"): output_edits(place, number, one) / len(WORDS)
        for place, name in enumerate(SYSTEMS)
        for number, base in enumerate(BASES)
        for one in range(3)
    }


def table_of(
    path: Path, score: Callable[[int, float], object], names: str = "COMET", codes: bool = False
) -> Path:
    rows = [f"system\tbase\tsegment\t{names}"]
    for number, ((system, base, segment), hter) in enumerate(hters().items()):
        name = SYSTEMS[system] if codes else system
        rows.append(f"{name}\t{base}\t{segment}\t{score(number, hter)}")
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def row(result: Trust, table: str, **wanted: object) -> dict[str, object]:
    rows = [
        one
        for one in result.report.table(table).records()
        if all(one[key] == value for key, value in wanted.items())
    ]
    assert len(rows) == 1, rows
    return dict(rows[0])


def test_each_output_is_held_against_its_own_hter(found: Trust) -> None:
    points = {(p.system, p.document, p.segment): p.row for p in found.told.points}
    assert {key: float(found.told.said[at]) for key, at in points.items()} == pytest.approx(hters())
    ter = next(at for at, one in enumerate(found.told.metrics) if one.name == "TER")
    wrong = {
        (name, base, f"s{one}"): (place + number + 2 * one) % 5 + place
        for place, name in enumerate(SYSTEMS)
        for number, base in enumerate(BASES)
        for one in range(3)
    }
    for key, at in points.items():
        assert found.told.scores[ter][at] == pytest.approx(wrong[key] / len(WORDS))
    tau = scipy.stats.kendalltau(list(hters().values()), [wrong[key] for key in hters()]).statistic
    estimate = found.study.coefficients[MAIN][ter]
    assert estimate.value == pytest.approx(tau, abs=1e-12)
    assert row(found, "metrics", metric="TER")["tau_b"] == estimate.value


def test_the_systems_are_those_of_the_report(found: Trust, where: Path) -> None:
    from madcat_studio.operations.scores.report import open_report

    with open_report(where, full=False, pictures=False) as (report, _):
        hter = {one["system"]: one["hter"] for one in report.table("systems").records()}
    shown = {one["system"]: one["people"] for one in found.report.table("systems").records()}
    assert shown == pytest.approx(hter)
    # A table's scores are as a metric gives them, not turned: BLEU is above 0.
    names = {column.title: column.key for column in found.report.table("systems").columns}
    for one in found.report.table("systems").records():
        assert 0 < one[names["BLEU"]] < 100
        assert 0 < one[names["chrF++"]] < 100


@pytest.mark.long
def test_scores_of_a_table_count_by_name_or_code_and_may_be_turned(
    where: Path, tmp_path: Path
) -> None:
    good = table_of(tmp_path / "good.tsv", lambda _, hter: -2 * hter, codes=True)
    bad = table_of(tmp_path / "bad.tsv", lambda _, hter: hter, "error")
    made = trust(where, scores=[good, bad], lower=["error"], resampling=HOW)
    for name in ("COMET", "error"):
        assert row(made, "metrics", metric=name)["tau_b"] == pytest.approx(1.0)
    # Not said to be turned, the second says the opposite, and the report wonders.
    turned = trust(where, scores=[bad], resampling=HOW)
    assert row(turned, "metrics", metric="error")["tau_b"] == pytest.approx(-1.0)
    assert any("--lower" in one for one in turned.report.warnings)
    assert set(turned.report.hashes) == {"bad.tsv"}


@pytest.mark.long
def test_peoples_judgements_take_the_place_of_hter(where: Path, tmp_path: Path) -> None:
    table = table_of(tmp_path / "da.tsv", lambda _, hter: 100 - 50 * hter, "DA")
    made = trust(where, scores=[table], against="DA", resampling=HOW)
    assert made.told.people.name == "DA"
    assert row(made, "metrics", metric="HTER")["tau_b"] == pytest.approx(1.0)
    assert "DA" not in [one.name for one in made.told.metrics]
    systems = [one["system"] for one in made.report.table("systems").records()]
    assert systems[0] == "Alpha"  # the fewest edits, the highest judgement


@pytest.mark.long
def test_where_a_metric_ranks_systems_otherwise(where: Path, tmp_path: Path) -> None:
    by_system = {"Alpha": 1.0, "Beta": 3.0, "Gamma": 2.0}
    rows = [f"{s}\t{b}\t{g}\t{by_system[s]}" for s, b, g in hters()]
    table = tmp_path / "odd.tsv"
    table.write_text("system\tbase\tsegment\todd\n" + "\n".join(rows) + "\n", "utf-8")
    made = trust(where, scores=[table], resampling=HOW)
    pairs = [
        (one["better"], one["worse"])
        for one in made.report.table("otherwise").records()
        if one["metric"] == "odd"
    ]
    assert pairs == [("Beta", "Alpha"), ("Gamma", "Alpha")]
    assert row(made, "metrics", metric="odd")["right_systems"] == pytest.approx(1 / 3)


@pytest.mark.long
def test_a_constant_score_is_told_and_absent(where: Path, tmp_path: Path) -> None:
    table = table_of(tmp_path / "flat.tsv", lambda number, hter: 0.7, "flat")
    made = trust(where, scores=[table], resampling=HOW)
    own = row(made, "metrics", metric="flat")
    for key in ("tau_b", "low", "high", "rho", "r", "tau_b_systems", "tau_b_documents", "right"):
        assert own[key] is None, key
    assert "no value" in str(own["note"])
    assert any(one.startswith("flat gives every output the same") for one in made.report.warnings)
    assert "flat" not in [one.label for one in made.report.plot]
    assert not any("flat" in one.title for one in made.report.drawings)


@pytest.mark.long
def test_outputs_without_a_score_are_left_out_for_all_metrics_and_counted(
    where: Path, tmp_path: Path
) -> None:
    table = table_of(tmp_path / "part.tsv", lambda number, hter: "" if number % 9 == 0 else -hter)
    made = trust(where, scores=[table], resampling=HOW)
    assert len(made.told.said) == 32
    assert row(made, "coefficients", measure="Pearson's r", level="segment", grouping="over all",
               metric="BLEU")["units"] == 32  # fmt: skip
    assert any("4 outputs without a score by COMET" in one for one in made.report.warnings)


def refused(error: type[StudioError], code: str, call: Callable[[], object]) -> StudioError:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.code == code
    return caught.value


@pytest.mark.parametrize(
    ("rows", "error", "code", "line"),
    [
        (["Alpha\tD9_1_S0\ts0\t1"], InputError, "trust.other-segments", "D9_1_S0/s0"),
        (["Delta\tD0_1_S0\ts0\t1"], InputError, "trust.other-segments", "Delta"),
        (["Alpha\tD0_1_S0\ts0\t1"] * 2, FormatError, "trust.twice", ":3"),
        (["Alpha\tD0_1_S0\ts0\tgood"], FormatError, "trust.not-a-number", ":2"),
        (["Alpha\tD0_1_S0\ts0\tnan"], FormatError, "trust.not-a-number", ":2"),
        (["Alpha\tD0_1_S0\ts0\tinf"], FormatError, "trust.not-a-number", ":2"),
        (["Alpha\tD0_1_S0\ts0\t"], InputError, "trust.nothing-in-common", "COMET"),
    ],
)
def test_a_table_that_cannot_be_held_against_anything_is_refused(
    where: Path, tmp_path: Path, rows: list[str], error: type[StudioError], code: str, line: str
) -> None:
    table = tmp_path / "scores.tsv"
    table.write_text("\n".join(["system\tbase\tsegment\tCOMET", *rows]) + "\n", "utf-8")
    told = refused(error, code, lambda: trust(where, scores=[table], resampling=HOW))
    assert line in f"{told.where} {told.reason} {told.remedy}"


@pytest.mark.long
def test_names_that_are_not_there_are_refused(where: Path, tmp_path: Path) -> None:
    table = table_of(tmp_path / "t.tsv", lambda number, hter: number)
    again = table_of(tmp_path / "again.tsv", lambda number, hter: number)
    empty = tmp_path / "empty.tsv"
    empty.write_text("system\tbase\tsegment\n", "utf-8")

    def call(**more: object) -> Callable[[], object]:
        return lambda: trust(where, resampling=HOW, **more)  # type: ignore[arg-type]

    refused(UsageError, "trust.no-column", call(scores=[table], lower=["BLEURT"]))
    refused(UsageError, "trust.no-column", call(scores=[table], against="DA"))
    refused(FormatError, "trust.column-twice", call(scores=[table, again]))
    refused(FormatError, "trust.no-scores", call(scores=[empty]))
    refused(UsageError, "trust.track", call(track="go"))
    refused(UsageError, "trust.system", call(recognition={"Delta": tmp_path}))
    refused(InputError, "trust.no-recognition", call(recognition={"Alpha": tmp_path / "none"}))


@pytest.mark.long
def test_nothing_is_held_over_two_tracks(tmp_path: Path) -> None:
    where = make(tmp_path / "tracks", tracks=True)
    told = refused(UsageError, "trust.track", lambda: trust(where, resampling=HOW))
    assert "go" in told.remedy
    assert "challenge" in told.remedy
    made = trust(where, track="challenge", resampling=HOW)
    assert {point.document for point in made.told.points} == {BASES[1], BASES[3]}
    assert len(made.told.said) == 18
    refused(UsageError, "trust.track", lambda: trust(where, track="other", resampling=HOW))


def test_without_a_final_text_there_is_nothing_to_hold_against(tmp_path: Path) -> None:
    where = make(tmp_path / "new", edited=False)
    refused(InputError, "trust.no-finals", lambda: trust(where, resampling=HOW))


@pytest.mark.long
def test_the_recognition_of_a_page_is_a_metric_too(where: Path, tmp_path: Path) -> None:
    folders = {}
    for place, name in enumerate(SYSTEMS):
        folders[name] = tmp_path / name
        folders[name].mkdir()
        for number, base in enumerate(BASES):
            # The more was mended, the more words of the transcription are wrong: none, one, both.
            segments = "".join(
                f'<segment id="s{one}"><transcription>'
                f"{' '.join(['افتتح', 'الجسر'][min(output_edits(place, number, one), 2) :] or 'س')}"
                "</transcription></segment>"
                for one in range(3)
            )
            text = (
                f'<madcat version="2009.1"><doc id="{base}" src="a.tif" type="newswire" '
                f'nbpages="1"><writer id="S"/><image/><content><section id="x">{segments}'
                "</section></content></doc></madcat>"
            )
            (folders[name] / f"{base}.linesys.madcat.xml").write_text(text, "utf-8")
    made = trust(where, recognition=folders, resampling=HOW)
    place = [one.name for one in made.told.metrics].index("WER of the recognition")
    points = {(p.system, p.document, p.segment): p.row for p in made.told.points}
    for (system, base, segment), at in points.items():
        edits = output_edits([*SYSTEMS].index(system), BASES.index(base), int(segment[1:]))
        assert made.told.scores[place][at] == min(edits, 2) / 2, (system, base, segment)
    assert made.study.coefficients[MAIN][place].value > 0.5
    assert "diacritics" in made.report.signatures["WER of the recognition"]


@pytest.mark.long
def test_the_files_hold_the_same(where: Path, tmp_path: Path, found: Trust) -> None:
    out = tmp_path / "out"
    assert main(["campaign", "trust", str(where), "--out", str(out), "--resamples", "100"]) == 0
    data = json.loads((out / "trust.json").read_text("utf-8"))
    jsonschema.validate(data, json.loads((schemas() / "trust.schema.json").read_text("utf-8")))
    assert read_card(out / "trust.json").plot == found.report.plot
    book = openpyxl.load_workbook(out / "trust.xlsx")
    for table, written in zip(found.report.tables, data["tables"], strict=True):
        rows = [list(one) for one in table.rows]
        assert written["rows"] == rows, table.name
        assert len(list(read_csv(out / f"trust-{table.name}.csv"))) == len(rows)
        assert book[table.title].max_row == len(rows) + 1
    page = (out / "trust.html").read_text("utf-8")
    # Each point leads to an output that is there, with its texts.
    for number, point in enumerate(found.told.points, 1):
        assert page.count(f'href="#output-{number}"') == len(found.report.drawings)
        assert page.count(f'id="output-{number}"') == 1
        assert point.output in page
    assert "http" not in page.partition("</style>")[2].replace("http://www.w3.org", "")


@pytest.mark.long
def test_the_command_shows_it(where: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["campaign", "trust", str(where), "--resamples", "100"]) == 0
    shown = capsys.readouterr()
    assert "TER (tercom's defaults)" in shown.out
    assert "HTER|version:" in shown.out
    assert "over 4 source documents" in shown.err.lower()
    assert main(["campaign", "trust", str(where), "--recognition", "Alpha"]) == 2
    assert "trust.recognition" in capsys.readouterr().err


@pytest.mark.long
def test_the_campaign_is_only_read(where: Path) -> None:
    with open_campaign(where, read_only=True) as campaign:
        before = len(list(campaign.audit_trail()))
    trust(where, resampling=HOW)
    with open_campaign(where, read_only=True) as campaign:
        assert len(list(campaign.audit_trail())) == before


@pytest.mark.long
def test_the_same_seed_gives_the_same(where: Path, found: Trust) -> None:
    again = trust(where, resampling=HOW)
    for one, other in zip(found.report.tables, again.report.tables, strict=True):
        assert list(one.rows) == list(other.rows)
    other = trust(where, resampling=Resampling(resamples=100, seed=3))
    place = found.order[0]
    interval = [one.study.coefficients[MAIN][place].interval for one in (found, other)]
    assert interval[0] != interval[1]
    assert np.isfinite([one.low for one in interval if one]).all()
