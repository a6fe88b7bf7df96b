"""Kits as files, as a coordinator asks for them and hears of them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.model.campaign import Pass
from madcat_studio.store import create_campaign, open_campaign
from madcat_studio.store.locking import MARK
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.campaigns import make_campaign


def test_what_is_asked_for_must_be_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_campaign(tmp_path / "campaign", "Kits").close()
    where = str(tmp_path / "campaign")
    assert main(["kit", "export", where, "red1", str(tmp_path / "k"), "--kit", "K1"]) == 2
    assert "Name the team with --team" in capsys.readouterr().err
    assert main(["kit", "import", where, str(tmp_path / "none"), str(tmp_path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.endswith("[bundle.cannot-read]") for line in lines)


WORDS = "four right words"


@pytest.fixture
def told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command of ``kit``; what it returned and said."""
    monkeypatch.setattr("madcat_studio.store.locking.COST", 2**4)

    def run(*arguments: str | Path, typed: str | None = None) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed or ""))
        status = main(["kit", *map(str, arguments)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_locked_kit_there_and_back_by_command(
    told: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    where = make_campaign(tmp_path / "campaign", show_page=True)
    words = tmp_path / "words"
    words.write_text(f"\ufeff{WORDS}\r\nanother line\n", encoding="utf-8")
    for folder in ("out", "back"):
        (tmp_path / folder).mkdir()
    status, _, said = told("export", where, "red1", tmp_path / "out", "--lock")
    assert (status, "[bundle.no-passphrase]" in said) == (2, True), "nobody is there to ask"
    status, said, _ = told("export", where, "red1", tmp_path / "out", "--passphrase-file", words)
    assert status == 0
    assert said.endswith("with 1 scan, locked\n")
    (path,) = (tmp_path / "out").iterdir()
    assert told("show", path)[2].endswith("[bundle.locked]\n")
    assert told("show", path, "--passphrase-file", tmp_path / "none")[0] == 2
    status, said, _ = told("show", path, "--passphrase-file", "-", typed=f"{WORDS}\n")
    assert "not finished, locked with a passphrase" in said
    locked = ("--passphrase-file", words)
    assert told("return", path, tmp_path / "back", *locked)[2].endswith("[bundle.untouched]\n")
    with OpenBundle(path, WORDS) as bundle:
        kit = KitWorkspace(bundle, bundle.claim)
        kit.set_text("By hand.", 0)
        kit.close()
    assert told("return", path, tmp_path / "back", "--finish", *locked)[2].endswith(
        "[kit.not-ready]\n"
    )
    status, said, _ = told("return", path, tmp_path / "back", *locked)
    assert (status, said.split(": ")[1]) == (0, "1 text, 4 visits of the log, not finished\n")
    (back,) = (tmp_path / "back").iterdir()
    assert back.stat().st_size < path.stat().st_size
    assert told("import", where, back)[0] == 2
    assert "1 text added" in told("import", where, back, *locked)[1]
    assert "0 texts added, 1 already there" in told("import", where, back, *locked)[1]


def test_a_passphrase_is_never_an_argument(told: Callable[..., tuple[int, str, str]]) -> None:
    for command in ("export", "show", "return", "import"):
        status, said, _ = told(command, "--help")
        assert status == 0
        assert "--passphrase-file" in said
        assert "--passphrase " not in said


def test_what_comes_too_late_is_kept_aside_and_that_is_said(
    told: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    where = make_campaign(tmp_path / "campaign")
    path = tmp_path / "kit.madcat-kit"
    told("export", where, "red1", path)
    with OpenBundle(path) as bundle:
        kit = KitWorkspace(bundle, bundle.claim)
        kit.set_text("By hand.", 0)
        kit.close()
    with open_campaign(where) as campaign:
        campaign.claims.release("K1", "red", Pass.FIRST, by="boss")
    status, out, err = told("import", where, path)
    assert (status, out.split(": ")[-1]) == (
        0,
        "1 text added, 1 of them kept aside, 1 visit of the log\n",
    )
    assert "The claim of the pass has ended" in err
    assert "[bundle.kept-aside]" in err


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is empty"),
        (b"junk", "it is of another kind, cut off, or its bytes were changed"),
        (MARK + bytes(200), "does not open"),
        (MARK, "it is cut off"),
    ],
)
def test_it_is_said_in_plain_words_what_is_wrong_with_a_file(
    told: Callable[..., tuple[int, str, str]], tmp_path: Path, data: bytes, reason: str
) -> None:
    path, words = tmp_path / "kit.madcat-kit", tmp_path / "words"
    path.write_bytes(data)
    words.write_text(WORDS)
    status, _, said = told("show", path, "--passphrase-file", words)
    assert status == 2
    assert reason in said
