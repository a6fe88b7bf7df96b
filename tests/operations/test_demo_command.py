"""The demo campaign by command, and a coordinator's commands on it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.operations import demo as operations
from madcat_studio.operations.planning.draft import read_draft
from madcat_studio.operations.planning.overview import WHY
from madcat_studio.operations.planning.units import first_editors
from madcat_studio.paths import resources
from madcat_studio.planning.draft import broken_rules
from madcat_studio.store import open_campaign
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.kit import KitWorkspace

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True, scope="module")
def reported() -> Iterator[list[tuple[Path, Path]]]:
    """Which reports were asked for; they have tests of their own and take long."""
    asked: list[tuple[Path, Path]] = []

    def write(campaign: Path, folder: Path, **_: object) -> tuple[list[Path], tuple[str, ...]]:
        asked.append((campaign, folder))
        return [folder / "go-no-go" / "hter.html"], ()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(operations, "write_campaign_report", write)
        yield asked


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "demo"
    assert main(["demo", str(folder)]) == 0
    return folder


@pytest.fixture
def campaign(made: Path, tmp_path: Path) -> str:
    folder = tmp_path / "campaign"
    folder.mkdir()
    shutil.copy(made / "campaign.sqlite", folder)
    return str(folder)


def test_the_demo_has_pages_of_its_own_and_leaves_what_was_done_in_them(made: Path) -> None:
    source = resources() / "demo" / "reference"
    pages = sorted((made / "pages").glob("*.madcat.xml"))
    assert [page.name for page in pages] == sorted(p.name for p in source.glob("*.madcat.xml"))
    assert all(page.with_name(f"{page.name[:-11]}.tif").is_file() for page in pages)
    pages[0].write_bytes(pages[0].read_bytes() + b"\n")
    edited = pages[0].read_bytes()
    assert main(["demo", str(made)]) == 0
    assert pages[0].read_bytes() == edited
    assert edited != (source / pages[0].name).read_bytes()


@pytest.mark.long
def test_the_demo_is_reported_and_is_kept_when_run_again(
    made: Path, reported: list[tuple[Path, Path]], capsys: Said
) -> None:
    assert next(asked for asked in reported if asked[0] == made) == (made, made / "report")
    with open_campaign(made) as campaign:
        campaign.note("edited by its user", "")
        before = campaign.audit_trail()
    assert main(["demo", str(made)]) == 0
    assert reported[-1] == (made, made / "report")
    said = capsys.readouterr().out
    assert "kept as it is" in said
    assert f" open {made / 'pages'}\n" in said
    assert f"Open first: {made / 'report' / 'index.html'}\n" in said
    # As the campaign itself says: 98 edits in 495 words, and so on.
    assert "go-no-go, juniper: 19.81 %" in said
    assert str(made / "report" / "index.html") in said
    assert str(made / "report" / "go-no-go" / "hter.html") in said
    with open_campaign(made) as campaign:
        assert campaign.audit_trail() == before


@pytest.mark.long
def test_a_demo_that_was_stopped_half_way_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(operations, "import_plan", stop)
        assert main(["demo", str(tmp_path / "demo")]) == 130
    assert main(["demo", str(tmp_path / "demo")]) == 0
    with open_campaign(tmp_path / "demo") as campaign:
        assert campaign.frozen
        assert len(campaign.contents.documents()) == 28
        assert len(campaign.plans.kits()) == 10


def test_status_tells_what_a_coordinator_wants(campaign: str, capsys: Said) -> None:
    assert main(["campaign", "status", campaign]) == 0
    said = capsys.readouterr().out
    assert "28 documents, 10 kits, 4 teams" in said
    assert "System larch, code X3, earlier" in said
    assert "options are frozen" in said
    assert "15 passes handed over" in said
    assert "amara.okafor" in said


def test_people_are_released_and_replaced_by_command(campaign: str, capsys: Said) -> None:
    assert main(["campaign", "release", campaign, "K5", "T1", "first", "--reason", "ill"]) == 0
    assert main(["campaign", "replace-editor", campaign, "K6", "T2", "first", "lin.mei"]) == 0
    assert main(["campaign", "replace-editor", campaign, "K6", "T2", "first", "x"]) == 2
    assert "[store.unknown-editor]" in capsys.readouterr().err
    assert main(["campaign", "log", campaign, "--count", "1"]) == 0
    assert "release  kit K5, team T1, first pass  (ill)" in capsys.readouterr().out


def test_options_that_cannot_be_set(campaign: str, capsys: Said) -> None:
    assert main(["campaign", "set", campaign, "scoring.beam"]) == 2
    assert main(["campaign", "set", campaign, "scoring.beam=10"]) == 2
    said = capsys.readouterr().err
    assert "[campaign.option]" in said
    assert "[store.options-frozen]" in said


def test_what_is_not_there(tmp_path: Path, capsys: Said) -> None:
    assert main(["campaign", "status", str(tmp_path / "absent")]) == 2
    assert main(["campaign", "plan", str(tmp_path)]) == 2
    assert main(["kit", "show", str(tmp_path / "absent")]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.count("madcat-studio: ") == 3


@pytest.mark.long
def test_a_kit_goes_out_as_a_file_and_comes_back(
    campaign: str, tmp_path: Path, capsys: Said
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert main(["kit", "export", campaign, "lin.mei", str(out)]) == 0
    [file] = out.iterdir()
    assert file.name == "K6.first.lin.mei.madcat-kit"
    assert main(["kit", "export", campaign, "lin.mei", str(out)]) == 2
    assert main(["kit", "import", campaign, str(file)]) == 2  # nobody has worked on it
    opened = OpenBundle(file)
    kit = KitWorkspace(opened, opened.claim, folder=tmp_path / "spools")
    for _ in kit.segments:
        kit.confirm_and_next()
    kit.hand_over()
    capsys.readouterr()
    assert main(["kit", "show", str(file)]) == 0
    assert "23 of 23 segments confirmed, finished" in capsys.readouterr().out
    broken = tmp_path / "broken.madcat-kit"
    broken.write_bytes(file.read_bytes()[:-100])
    # One that cannot be taken hinders no other.
    assert main(["kit", "import", campaign, str(broken), str(file)]) == 2
    said = capsys.readouterr()
    assert "broken.madcat-kit" in said.err
    assert "23 texts added, 23 visits of the log, handed over" in said.out
    assert main(["kit", "import", campaign, str(file)]) == 0
    assert "0 texts added, 23 already there" in capsys.readouterr().out
    assert main(["kit", "export", campaign, "nobody", str(out)]) == 2


@pytest.mark.long
def test_a_campaign_is_copied_by_command(campaign: str, tmp_path: Path, capsys: Said) -> None:
    target = str(tmp_path / "copy")
    assert main(["campaign", "copy", campaign, target]) == 0
    assert "holds all of it" in capsys.readouterr().out
    assert main(["campaign", "copy", campaign, target]) == 2


def test_every_part_of_the_plan_is_in_the_demo(campaign: str) -> None:
    kits = {kit.name: kit for kit in read_draft(campaign).kits}
    held = {
        name: {(unit.data_set, unit.system) for unit in kit.units} for name, kit in kits.items()
    }
    assert held["K7"] == {("progress", "juniper"), ("control", "larch")}
    assert held["K8"] == {("progress", "tamarisk")}
    assert held["K9"] == {("evaluation", "juniper")}
    assert {name: kit.track for name, kit in kits.items() if kit.track != "go-no-go"} == {
        "K9": "challenge"
    }
    with open_campaign(campaign) as opened:
        assert [kit.name for kit in opened.plans.kits() if kit.practice] == ["PRACTICE"]
        # Control output never goes to the teams that edited it in the earlier phase.
        edited = first_editors(opened)
        for unit in kits["K7"].units:
            before = edited.get((unit.system, unit.documents[0]), frozenset())
            own = {name for part in kits["K7"].parts for name in (part.first, part.reviewer)}
            assert unit.data_set != "control" or (before and not before & own)
    assert not broken_rules(read_draft(campaign))


def test_the_demos_plan_can_be_gone_on_with(campaign: str, capsys: Said) -> None:
    assert main(["campaign", "propose-plan", campaign, "--write"]) == 0
    assert "New: 1 kit, K10" in capsys.readouterr().out
    kit = next(one for one in read_draft(campaign).kits if one.name == "K10")
    assert {(unit.system, unit.passage) for unit in kit.units} == {
        ("tamarisk", "market"),
        ("tamarisk", "well"),
    }
    assert kit.track == "challenge"
    assert main(["campaign", "practice", campaign, "--name", "AGAIN", "--words", "20"]) == 0
    assert "Practice kit AGAIN: 1 document" in capsys.readouterr().out


def test_the_page_tells_what_each_kit_is_there_for(made: Path) -> None:
    page = (made / "report" / "index.html").read_text("utf-8")
    for words in WHY.values():
        assert words in unescape(page)
    for name in ("go-no-go/hter.html", "challenge", "PRACTICE", "K9", "Quotas"):
        assert name in page


@pytest.mark.long
def test_the_demo_misses_a_few_quotas(campaign: str, capsys: Said) -> None:
    assert main(["campaign", "quotas", campaign, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    found = {
        (row["set"], row["factor"], row["level"]): (row["target"], row["actual"], row["missing"])
        for row in rows
        if row["track"] == "go-no-go"
    }
    # Twelve manuscripts: four passages by three scribes each.
    assert found["evaluation", "passages", "newswire"] == (80, 2, 78)
    assert found["evaluation", "copies", ""] == (4, 4, 0)
    assert found["evaluation", "implement", "pencil"] == (1, 1, 0)
    assert found["evaluation", "surface", "unlined paper"] == (9, 9, 0)
    assert found["evaluation", "exposure", "exposed"] == (6, 6, 0)
    assert found["development", "exposure", "unexposed"] == (1, 0, 1)


def test_the_demo_is_small() -> None:
    files = [path for path in (resources() / "demo").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 10_000_000
