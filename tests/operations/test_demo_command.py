"""The demo campaign by command, and a coordinator's commands on it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.operations import demo as operations
from madcat_studio.paths import resources
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
        return [folder / "hter.html"], ()

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
    assert f"Pages to mark and correct: {made / 'pages'}\n" in said
    assert str(made / "report" / "hter.html") in said
    with open_campaign(made) as campaign:
        assert campaign.audit_trail() == before


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
        assert len(campaign.contents.documents()) == 24


def test_status_tells_what_a_coordinator_wants(campaign: str, capsys: Said) -> None:
    assert main(["campaign", "status", campaign]) == 0
    said = capsys.readouterr().out
    assert "24 documents, 6 kits, 4 teams" in said
    assert "System larch, code X3, earlier" in said
    assert "options are frozen" in said
    assert "15 passes handed over" in said
    assert "amara.okafor" in said


def test_people_are_released_and_replaced_by_command(campaign: str, capsys: Said) -> None:
    assert main(["campaign", "release", campaign, "K5", "T1", "first", "--reason", "ill"]) == 0
    assert main(["campaign", "replace-editor", campaign, "K6", "T2", "first", "lin.mei"]) == 0
    assert main(["campaign", "replace-editor", campaign, "K6", "T2", "first", "x"]) == 2
    assert "[store.unknown-editor]" in capsys.readouterr().err
    assert main(["campaign", "log", campaign, "--number", "1"]) == 0
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
    assert "0 texts added, 23 there already" in capsys.readouterr().out
    assert main(["kit", "export", campaign, "nobody", str(out)]) == 2


def test_a_campaign_is_copied_by_command(campaign: str, tmp_path: Path, capsys: Said) -> None:
    target = str(tmp_path / "copy")
    assert main(["campaign", "copy", campaign, target]) == 0
    assert "holds all of it" in capsys.readouterr().out
    assert main(["campaign", "copy", campaign, target]) == 2
