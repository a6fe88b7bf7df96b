"""A coordinator who is led: what comes next, and what is odd."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from madcat_studio.cli.app import main
from madcat_studio.model.campaign import DataSet, Pass, PassState
from madcat_studio.operations.campaign.doctor import examine
from madcat_studio.operations.campaign.steps import StepState, read_steps
from madcat_studio.operations.planning.proposal import propose_draft
from madcat_studio.operations.planning.units import unchosen_control
from madcat_studio.paths import resources
from madcat_studio.planning.units import KitRules
from madcat_studio.store import open_campaign
from madcat_studio.workspace.bundle import OpenBundle, return_bundle
from madcat_studio.workspace.kit import KitWorkspace
from tests.operations.test_campaign import document

DEMO = resources() / "demo"
SYSTEMS = {"maple": 1, "willow": 3, "alder": 5}
"""Systems, and how many of the eight words of a page each gets wrong."""


def words(page: int, segment: int) -> list[str]:
    return [f"w{page}.{segment}.{place}" for place in range(8)]


@pytest.fixture(params=[15])
def material(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """What lies in a coordinator's folder before there is a campaign: pages, three systems."""
    generator = np.random.default_rng(1)
    (tmp_path / "reference").mkdir()
    for page in range(request.param):
        base = f"SRC{page:03}_1_S{page % 5}"
        texts = {f"s{n}": ("نص", " ".join(words(page, n))) for n in range(1)}
        (tmp_path / "reference" / f"{base}.madcat.xml").write_text(document(base, texts), "utf-8")
        for system, wrong in SYSTEMS.items():
            folder = tmp_path / "systems" / f"{system}_1"
            folder.mkdir(parents=True, exist_ok=True)
            given = {}
            for n in range(1):
                count = generator.binomial(8, wrong / 8)
                given[f"s{n}"] = ("", " ".join(["x"] * count + words(page, n)[count:]))
            file = folder / f"{base}.linesys.madcat.xml"
            file.write_text(document(base, given), "utf-8")
    rows = [f"T{n}\tt{n}{who}\tName" for n in range(1, 5) for who in "ab"]
    (tmp_path / "teams.tsv").write_text("team\teditor\tname\n" + "\n".join(rows) + "\n", "utf-8")
    (tmp_path / "guidelines.txt").write_text("As few edits as can be.\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def led(capsys: pytest.CaptureFixture[str]) -> Callable[[], dict[str, Any]]:
    """What ``campaign next`` says."""

    def ask() -> dict[str, Any]:
        capsys.readouterr()
        assert main(["campaign", "next", "pilot", "--format", "json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return ask


def edit(file: Path) -> None:
    """What an editor does with a kit as a file: every text becomes the reference; sent back."""
    with OpenBundle(file) as bundle:
        kit = KitWorkspace(bundle, bundle.claim)
        while kit.check():
            kit.set_text(kit.segments[kit.current].reference, 0)
            kit.confirm_and_next()
        kit.close()
    Path("back").mkdir(exist_ok=True)
    return_bundle(file, Path("back"), finish=True)
    file.unlink()


@pytest.mark.long
@pytest.mark.parametrize(
    "material", [10, pytest.param(60, marks=pytest.mark.soak)], indirect=True, ids=str
)
def test_a_whole_campaign_by_what_comes_next_alone(
    material: Path,
    led: Callable[[], dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
    record_property: Callable[[str, object], None],
) -> None:
    done: list[str] = []
    passes = 0
    while True:
        found = led()
        if found["next"] is None:
            break
        step = next(one for one in found["steps"] if one["step"] == found["next"])
        assert step["command"], step
        if step["state"] == "waiting":  # for the editors: now they work
            assert step["step"] == "follow"
            files = sorted(Path("kits").iterdir())
            assert files, step
            for file in files:
                edit(file)
            passes += len(files)
            done.append("editors")
            continue
        assert main(step["command"]) == 0, (step, capsys.readouterr().err)
        done.append(step["step"])
        assert len(done) < 100
    runs = [one for place, one in enumerate(done) if done[place - 1 : place] != [one]]
    assert runs[:3] == ["references", "plan", "give-out"]
    assert runs[-2:] == ["report", "evidence"]
    assert {"editors", "follow"} <= set(runs)
    assert all(one["state"] == "done" or one["optional"] for one in found["steps"])
    data = json.loads(Path("report/hter.json").read_text("utf-8"))
    assert data["preliminary"] == []
    said = next(table for table in data["tables"] if table["name"] == "verdict")["rows"]
    ranking = [row["text"] for row in said if row["what"] == "ranking"]
    assert [text.split()[1].rstrip(":") for text in ranking] == ["maple", "willow", "alder"]
    assert sum("is better than" in row["text"] for row in said) == 3
    assert "All is done." in told(capsys, "pilot")
    with open_campaign("pilot", read_only=True) as campaign:
        kits, documents = len(campaign.plans.kits()), len(campaign.contents.documents())
        assert {one.state for one in campaign.progress()} == {PassState.HANDED_OVER}
        assert passes == 2 * len(campaign.plans.assignments())
    record_property("pages", documents)
    record_property("systems", len(SYSTEMS))
    record_property("kits", kits)
    record_property("passes edited as files", passes)
    record_property("commands that were told and run", len(done) - done.count("editors"))


def told(capsys: pytest.CaptureFixture[str], where: str) -> str:
    capsys.readouterr()
    assert main(["campaign", "next", where]) == 0
    return capsys.readouterr().out


def test_each_step_says_what_it_waits_for(
    material: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = {one.key: one for one in read_steps("pilot", Path()).steps}
    assert steps["references"].state is StepState.NOW
    assert {one.state for key, one in steps.items() if key != "references"} == {StepState.WAITING}
    assert "Next: madcat-studio campaign create pilot" in told(capsys, "pilot")
    assert main(["campaign", "create", "pilot", "--documents", "reference"]) == 0
    found = read_steps("pilot", Path())
    steps = {one.key: one for one in found.steps}
    assert steps["plan"].told == "for a system's outputs and two teams"
    assert found.next is steps["systems"]
    assert steps["systems"].command[-2:] == ("alder", str(Path("systems/alder_1")))
    shown = told(capsys, "pilot")
    assert "waits  Plan" in shown
    assert shown.splitlines()[-1].startswith("Next: madcat-studio campaign add-system pilot alder")
    # Without the files the same steps are there, with words for what is to be named.
    bare = {one.key: one for one in read_steps("pilot").steps}
    assert bare["systems"].command[-2:] == ("NAME", "FOLDER")


# -- an earlier phase --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def with_earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("earlier") / "campaign"
    command = ["campaign", "create", str(where), "--documents", str(DEMO / "reference")]
    command += ["--corpus", str(DEMO / "corpus.tsv"), "--teams", str(DEMO / "teams.tsv")]
    command += ["--system", f"juniper={DEMO / 'systems/juniper_1'}"]
    assert main([*command, "--earlier", str(DEMO / "earlier")]) == 0
    return where


@pytest.fixture
def earlier(with_earlier: Path, tmp_path: Path) -> str:
    return str(shutil.copytree(with_earlier, tmp_path / "campaign"))


RULES = KitRules(target=200, tolerance=0.5)


def sets_planned(where: str) -> set[str]:
    draft = propose_draft(where, rules=RULES, steps=200)
    return {unit.data_set for kit in draft.kits for unit in kit.units}


@pytest.mark.long
def test_an_earlier_phase_never_enters_a_plan_unasked(
    earlier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sets_planned(earlier) == {"evaluation"}
    with open_campaign(earlier) as campaign:
        assert unchosen_control(campaign) > 0
    found = read_steps(earlier)
    steps = {one.key: one for one in found.steps}
    assert found.next is steps["sets"]
    assert steps["plan"].told == "for the choice of the control set"
    assert {one.code for one in examine(earlier)} >= {"doctor.control-unchosen"}
    assert main(list(steps["sets"].command)) == 0
    assert sets_planned(earlier) == {"evaluation", "control"}
    assert read_steps(earlier).next.key == "plan"  # type: ignore[union-attr]
    with open_campaign(earlier) as campaign:
        assert unchosen_control(campaign) == 0
        assert len(campaign.selections.chosen()[DataSet.CONTROL]) == 1
    capsys.readouterr()
    assert main(["campaign", "select", earlier, "control", "--all"]) == 0
    said = "No passage of the control set is planned until you choose.\n"
    assert capsys.readouterr().out == said
    assert sets_planned(earlier) == {"evaluation"}


# -- plans, before and after -------------------------------------------------------------------


@pytest.mark.long
def test_a_plan_shows_what_is_otherwise_before_it_is_accepted(
    earlier: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    propose = ["campaign", "propose-plan", earlier, "--kit-words", "400", "--tolerance", "0.5"]
    assert main([*propose, "--write"]) == 0
    out = tmp_path / "first"
    assert main(["campaign", "export-plan", earlier, "--out", str(out)]) == 0
    kits = (out / "kits.tsv").read_text("utf-8")
    with open_campaign(earlier) as campaign:
        planned = {(kit.name, *item) for kit in campaign.plans.kits() for item in kit.items}
    assert {tuple(row.split("\t")) for row in kits.splitlines()[1:]} == planned
    capsys.readouterr()
    # Anew with longer kits: shown, and nothing is written.
    anew = [*propose[:3], "--kit-words", "900", "--tolerance", "0.5", "--anew"]
    assert main(anew) == 0
    shown = capsys.readouterr().out
    assert "Nothing was written" in shown
    assert "Into another kit" in shown or "Gone:" in shown
    assert "kits: " in shown
    assert " -> " in shown
    assert main([*anew, "--out", str(tmp_path / "tables")]) == 0
    assert (tmp_path / "tables" / "kits.tsv").is_file()
    assert main(["campaign", "export-plan", earlier, "--out", str(out)]) == 0
    assert (out / "kits.tsv").read_text("utf-8") == kits
    capsys.readouterr()
    assert main([*anew, "--write"]) == 0
    assert shown.split("Nothing was")[0] == capsys.readouterr().out.split("The plan is in")[0]
    assert main(["campaign", "export-plan", earlier, "--out", str(out)]) == 0
    assert (out / "kits.tsv").read_text("utf-8") == (tmp_path / "tables/kits.tsv").read_text()
    # The same once more is no difference.
    assert main(anew) == 0
    assert "Into another kit" not in capsys.readouterr().out


def test_there_is_no_plan_to_export(earlier: str, tmp_path: Path, capsys: Any) -> None:
    assert main(["campaign", "export-plan", earlier, "--out", str(tmp_path / "o")]) == 2
    assert "[plan.none-yet]" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


@pytest.mark.long
@pytest.mark.parametrize("ending", ["/", ""])
def test_a_slash_at_the_end_is_a_folder(
    earlier: str, tmp_path: Path, ending: str, capsys: Any
) -> None:
    target = tmp_path / "backups"
    assert main(["campaign", "backup", earlier, f"{target}{ending}"]) == 0
    assert target.is_dir() == bool(ending)
    assert main(["campaign", "propose-plan", earlier, "--write", "--kit-words", "300"]) == 0
    editor = next(
        one.editors[0].id for one in opened_teams(earlier) if one.name == first_team(earlier)
    )
    kits = tmp_path / "new" / "kits"
    kits.parent.mkdir(exist_ok=bool(ending))
    assert main(["kit", "export", earlier, editor, f"{kits}{ending}"]) == 0
    assert kits.is_dir() == bool(ending)
    # What comes to nothing leaves no folder behind.
    assert main(["kit", "export", earlier, "nobody", f"{tmp_path / 'none'}{ending}"]) != 0
    assert not (tmp_path / "none").exists()


def opened_teams(where: str) -> Any:
    with open_campaign(where, read_only=True) as campaign:
        return campaign.plans.teams()


def first_team(where: str) -> str:
    with open_campaign(where, read_only=True) as campaign:
        return campaign.plans.assignments()[0].team


# -- what is odd -------------------------------------------------------------------------------


def codes(where: str) -> list[str]:
    return sorted({one.code for one in examine(where)})


def hand_over(where: str, change: Callable[[str], str]) -> None:
    """One team's first pass and review of its first kit."""
    with open_campaign(where) as campaign:
        part = campaign.plans.assignments()[0]
        editors = next(one.editors for one in campaign.plans.teams() if one.name == part.team)
        first = next(one.id for one in editors if part.first in (None, one.id))
        second = next(one.id for one in editors if one.id != first)
        for pass_, editor in ((Pass.FIRST, first), (Pass.REVIEW, second)):
            claim = campaign.claims.claim(part.kit, part.team, pass_, editor, "here")
            kit = KitWorkspace(campaign, claim, folder=Path(where) / "spools")
            while kit.check():
                if pass_ is Pass.FIRST:
                    kit.set_text(change(kit.segments[kit.current].output) or "x", 0)
                kit.confirm_and_next()
            kit.hand_over()
            kit.close()


@pytest.mark.long
def test_a_sound_campaign_has_nothing_odd(
    material: Path, led: Callable[[], dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        found = led()
        step = next(one for one in found["steps"] if one["step"] == found["next"])
        assert main(step["command"]) == 0
    assert codes("pilot") == []
    capsys.readouterr()
    assert main(["campaign", "doctor", "pilot"]) == 0
    assert "Nothing is odd." in capsys.readouterr().out


@pytest.mark.long
def test_what_is_odd_is_found_and_only_that(
    earlier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["campaign", "select", earlier, "control"]) == 0
    clean = codes(earlier)
    assert main(["campaign", "propose-plan", earlier, "--write", "--kit-words", "300"]) == 0
    assert codes(earlier) == clean
    team = first_team(earlier)
    assert main(["campaign", "away", earlier, team]) == 0
    assert codes(earlier) == sorted({*clean, "doctor.away"})
    assert main(["campaign", "back", earlier, team]) == 0
    assert main(["campaign", "due", earlier, "2020-01-01"]) == 0
    assert codes(earlier) == sorted({*clean, "doctor.late"})
    assert main(["campaign", "due", earlier, "none"]) == 0
    capsys.readouterr()
    assert main(["campaign", "doctor", earlier, "--format", "json"]) == int(bool(clean))
    assert {one["code"] for one in json.loads(capsys.readouterr().out)} == set(clean)


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda output: output, "doctor.unchanged"),
        (lambda output: f'"{output}"', "doctor.quoted"),
        (lambda output: output.split()[0] if output else "", "doctor.short"),
    ],
)
def test_odd_texts_are_found(
    earlier: str, change: Callable[[str], str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madcat_studio.operations.campaign.doctor._MANY", 10)
    assert main(["campaign", "propose-plan", earlier, "--write", "--kit-words", "600"]) == 0
    before = codes(earlier)
    hand_over(earlier, change)
    assert codes(earlier) == sorted({*before, code})
