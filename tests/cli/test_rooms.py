"""The coordinator's passphrase on the command line: every command is in one of two lists."""

from __future__ import annotations

import ast
import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import madcat_studio
from madcat_studio.cli.app import commands, main
from madcat_studio.cli.coordinator import FLAG, VARIABLE
from madcat_studio.operations.campaign import rooms
from madcat_studio.operations.campaign.rooms import Rooms
from madcat_studio.store import lock_rooms, open_campaign
from tests.gui.campaigns import make_campaign

PAGES = Path(__file__).parent.parent / "data" / "madcat"
WORDS = "four right words"
WRONG = "four wrong words"

TABLE = "«table»"
"""Stands for a table of edits that is there; `«new»` for a place where nothing is."""

ASKS: dict[str, tuple[str, ...]] = {
    "campaign create": ("«where»", "--documents", "«folder»"),
    "campaign add-system": ("«where»", "gamma", "«folder»"),
    "campaign add-earlier": ("«where»", "«folder»"),
    "campaign plan": ("«where»", "--teams", TABLE),
    "campaign import-edits": ("«where»", TABLE),
    "campaign export-edits": ("«where»", "«new»"),
    "campaign set": ("«where»", "claims.expire_hours=5"),
    "campaign release": ("«where»", "K1", "red", "first"),
    "campaign replace-editor": ("«where»", "K1", "red", "first", "red2"),
    "campaign copy": ("«where»", "«new»"),
    "campaign propose-plan": ("«where»", "--out", "«new»"),
    "campaign select": ("«where»", "evaluation", "--count", "1"),
    "campaign kits": ("«where»",),
    "campaign due": ("«where»", "none"),
    "campaign calendar": ("«where»",),
    "campaign away": ("«where»", "red"),
    "campaign back": ("«where»", "red"),
    "campaign practice": ("«where»",),
    "campaign references": ("«where»", "«folder»"),
    "campaign status": ("«where»",),
    "campaign overlap": ("«where»",),
    "campaign agreement": ("«where»",),
    "campaign log": ("«where»",),
    "campaign flags": ("«where»",),
    "campaign rename": ("«where»", "team", "red", "pink"),
    "campaign power": ("«where»",),
    "campaign quotas": ("«where»",),
    "campaign next": ("«where»",),
    "campaign doctor": ("«where»",),
    "campaign export-plan": ("«where»", "--out", "«new»"),
    "campaign effort": ("«where»",),
    "campaign export-visits": ("«where»", "«new»"),
    "campaign score": ("«where»",),
    "campaign report": ("«where»", "--out", "«new»"),
    "campaign evidence": ("«where»", "--out", "«new»"),
    "campaign trust": ("«where»",),
    "campaign hands": ("«where»",),
    "campaign backup": ("«where»", "«new»"),
    "campaign passphrase": ("«where»", "--new-file", "«words»"),
    "campaign change move": ("«where»", "Secretly Alpha", "p-S1", "K1"),
    "campaign change swap": ("«where»", "Secretly Alpha", "p-S1", "Secretly Alpha", "p-S1"),
    "campaign change team": ("«where»", "K1", "red", "blue"),
    "campaign change swap-teams": ("«where»", "K1", "K1"),
    "campaign change turn-roles": ("«where»", "K1", "red"),
    "kit export": ("«where»", "red1", "«new»"),
    "kit call-back": ("«where»", "K1", "red", "first"),
    "kit import": ("«where»", TABLE),
    "derive": (
        *("«pages»", "--task", "lineseg", "--out", "«new»"),
        *("--campaign", "«where»"),
    ),
    "submission receive": (
        *("«pages»", "--inputs", "«pages»", "--into", "«new»"),
        *("--campaign", "«where»"),
    ),
    "evaluate": ("«pages»", "«pages»", "--campaign", "«where»"),
    "scorecard rosetta": ("--campaign", "«where»"),
}
"""Commands that show or change more than one editor's side, and how each is called."""

SHOWS_ONE_SIDE = {
    "campaign guidelines",  # which editors see; to set them asks
    "campaign migrate",  # shows nothing
    "campaign restore",  # whoever has the backup; what it makes is locked as the backup was
}
"""Commands that open a campaign in a folder and ask for nothing."""

NO_CAMPAIGN = {
    *("open", "new", "show", "check", "convert", "compare", "lines", "images", "render"),
    *("ter", "wer", "tercom", "demo", "doctor", "completion"),
    *("queue list", "queue next", "queue claim", "queue finish", "queue give-back"),
    *(
        "queue reopen",
        "queue release",
        "queue note",
        "queue history",
        "queue pace",
        "agreement",
        "settle",
    ),
    *("segmenter install", "segmenter add", "segmenter use", "segmenter remove"),
    *("segmenter list", "segmenter try"),
    *("submission pack", "submission check", "submission hand-in"),
    *(
        "campaign corpus",
        "campaign select-passages",
        "corpus choose",
        "corpus assign",
        "corpus show",
        "corpus arrivals",
        "corpus sheets",
        "corpus report",
    ),
    *("kit open", "kit show", "kit return"),
    *(
        "scorecard ltb",
        "scorecard ltb-board",
        "scorecard imtbench",
        "scorecard imtbench-filter",
        "scorecard imtbench-translate",
        "scorecard imtbench-prompt",
        "scorecard show",
    ),
    # On a server, where each login's role decides.
    *("server init", "server check", "server backup", "server restore"),
    *("server user add", "server user password", "server user withdraw", "server user list"),
}
"""Commands that open no campaign in a folder. The window (`open`) asks for itself."""


def walk(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        words = f"{path} {name}".strip()
        if hasattr(command, "commands"):
            yield from walk(command, words)
        else:
            yield words, command


def test_every_command_is_in_one_list() -> None:
    """A new command is in none: say here whether it shows the other side."""
    lists = [set(ASKS), SHOWS_ONE_SIDE, NO_CAMPAIGN]
    assert {name for name, _ in walk(commands())} == set().union(*lists)
    assert sum(map(len, lists)) == len(set().union(*lists))


def test_every_command_that_asks_takes_a_file() -> None:
    flagged = {
        name
        for name, command in walk(commands())
        if any(FLAG in getattr(one, "opts", ()) for one in command.params)
    }
    assert flagged >= set(ASKS)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = make_campaign(tmp_path_factory.mktemp("locked") / "campaign")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("madcat_studio.store.locking.COST", 2**4)
        rooms.set_passphrase(str(where), WORDS)
    return where


@pytest.fixture
def where(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A campaign whose rooms are locked, seen by a program that has just been started."""
    monkeypatch.setattr("madcat_studio.store.locking.COST", 2**4)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    lock_rooms()
    yield shutil.copytree(made, tmp_path / "campaign")
    lock_rooms()


@pytest.fixture
def run(where: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs a command; its exit status, what it printed, and what it said of errors."""
    (tmp_path / "folder").mkdir()
    table = tmp_path / "edits.tsv"
    table.write_text("kit\tteam\tpass\teditor\tsegment\tstate\ttext\n", "utf-8")
    words = tmp_path / "words"
    words.write_text(WORDS, "utf-8")
    places = {
        "«where»": where,
        "«new»": tmp_path / "new",
        "«folder»": tmp_path / "folder",
        TABLE: table,
        "«words»": words,
        "«pages»": PAGES,
    }

    def act(command: str, *arguments: str) -> tuple[int, str, str]:
        given = [str(places.get(one, one)) for one in arguments]
        status = main([*command.split(), *given])
        said = capsys.readouterr()
        return status, said.out, said.err

    return act


def in_file(tmp_path: Path, words: str) -> str:
    path = tmp_path / "coordinator"
    path.write_text(f"{words}\n", "utf-8")
    return str(path)


@pytest.mark.long
@pytest.mark.parametrize("command", ASKS)
def test_it_asks(
    command: str, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is shown or written without the passphrase, nor with a wrong one."""
    status, shown, said = run(command, *ASKS[command])
    assert (status, shown) == (2, "")
    assert said.rstrip().endswith("[campaign.locked]"), said
    assert "Secretly Alpha" not in said
    status, shown, said = run(command, *ASKS[command], FLAG, in_file(tmp_path, WRONG))
    assert (status, shown) == (2, "")
    assert said.rstrip().endswith("[campaign.wrong-passphrase]"), said
    assert not (tmp_path / "new").exists()
    # The right one lets it in, by the environment as well; what it then does is another matter.
    monkeypatch.setenv(VARIABLE, WORDS)
    _, _, said = run(command, *ASKS[command])
    assert "[campaign.locked]" not in said
    assert "[campaign.wrong-passphrase]" not in said
    lock_rooms()
    monkeypatch.delenv(VARIABLE)


def test_the_right_one_shows(run: Callable[..., Any], tmp_path: Path) -> None:
    status, shown, said = run("campaign status", "«where»", FLAG, in_file(tmp_path, WORDS))
    assert (status, said) == (0, "")
    assert "Secretly Alpha" in shown
    assert rooms.NO_PASSPHRASE not in shown


def test_it_is_typed_at_a_terminal(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def prompt(text: str, **_: object) -> str:
        asked.append(text)
        return WORDS

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.prompt", prompt)
    status, shown, _ = run("campaign log", "«where»")
    assert status == 0
    assert len(asked) == 1, asked
    assert asked[0].startswith("Coordinator's passphrase of ")
    assert "set the coordinator's passphrase" in shown


def test_one_side_is_shown_without(run: Callable[..., Any], where: Path, tmp_path: Path) -> None:
    assert run("campaign guidelines", "«where»")[0] == 0
    assert run("campaign migrate", "«where»")[0] == 0
    status, _, said = run("campaign guidelines", "«where»", "--new-file", "«words»")
    assert status == 2
    assert said.rstrip().endswith("[campaign.locked]")


@pytest.mark.long
def test_a_backup_keeps_the_lock(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, WORDS)
    assert run("campaign backup", "«where»", "«new»")[0] == 0
    monkeypatch.delenv(VARIABLE)
    lock_rooms()
    again = str(tmp_path / "again")
    assert run("campaign restore", "«new»", again)[0] == 0
    assert rooms.read_rooms(again) is Rooms.LOCKED
    assert run("campaign score", again)[0] == 2


@pytest.mark.long
def test_it_is_set_as_the_campaign_is_made(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "references"
    folder.mkdir()
    name = "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
    shutil.copy(PAGES / name, folder / name)
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    given = ("--documents", str(folder), "--lock")
    status, _, said = run("campaign create", one, *given)
    assert status == 2
    assert "[campaign.no-passphrase]" in said
    status, _, said = run("campaign create", one, *given, FLAG, in_file(tmp_path, "short"))
    assert status == 2
    assert "[bundle.short-passphrase]" in said
    assert not Path(one).exists()
    status, shown, said = run("campaign create", one, *given, FLAG, in_file(tmp_path, WORDS))
    assert (status, said) == (0, "")
    assert rooms.NO_PASSPHRASE not in shown
    assert rooms.read_rooms(one) is Rooms.UNLOCKED
    lock_rooms()
    assert rooms.read_rooms(one) is Rooms.LOCKED
    # Without a passphrase it opens as ever, and that is said.
    status, shown, _ = run("campaign create", two, *given[:-1])
    assert status == 0
    assert shown.splitlines()[-1] == rooms.NO_PASSPHRASE
    assert run("campaign log", two)[0] == 0
    # What is there already is not locked by adding to it.
    status, _, said = run("campaign create", two, *given, FLAG, in_file(tmp_path, WORDS))
    assert status == 2
    assert said.rstrip().endswith("[campaign.there-already]")
    assert rooms.read_rooms(two) is Rooms.OPEN


def test_changed_removed_and_reset(
    run: Callable[..., Any], where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = tmp_path / "new words"
    new.write_text("another four words\n", "utf-8")
    monkeypatch.setenv(VARIABLE, WORDS)
    assert run("campaign passphrase", "«where»", "--new-file", str(new))[0] == 0
    lock_rooms()
    assert "[campaign.wrong-passphrase]" in run("campaign status", "«where»")[2]
    monkeypatch.setenv(VARIABLE, "another four words")
    assert run("campaign status", "«where»")[0] == 0
    # Lost: whoever may write the folder sets another one, and the trail tells of it.
    lock_rooms()
    monkeypatch.delenv(VARIABLE)
    assert run("campaign passphrase", "«where»", "--reset", "--new-file", "«words»")[0] == 0
    assert "[campaign.locked]" in run("campaign log", "«where»")[2]
    monkeypatch.setenv(VARIABLE, WORDS)
    done = [line.split("  ")[1] for line in run("campaign log", "«where»")[1].splitlines()]
    assert done == [
        "reset the coordinator's passphrase",
        "change the coordinator's passphrase",
        "set the coordinator's passphrase",
    ]
    assert run("campaign passphrase", "«where»", "--remove")[0] == 0
    lock_rooms()
    monkeypatch.delenv(VARIABLE)
    status, shown, _ = run("campaign status", "«where»")
    assert status == 0
    assert rooms.NO_PASSPHRASE in shown


def test_on_a_server_no_passphrase_is_set(run: Callable[..., Any]) -> None:
    address = "postgresql://somebody@nowhere.invalid/campaign"
    status, _, said = run("campaign passphrase", address, "--new-file", "«words»")
    assert status == 2
    assert said.rstrip().endswith("[campaign.roles-decide]")


def test_an_editor_s_door_gives_one_side(where: Path) -> None:
    """What shows both sides refuses where the campaign was opened for an editor."""
    from madcat_studio.errors import UsageError
    from madcat_studio.model.campaign import Pass

    with open_campaign(where, for_editor=True) as campaign:
        for act in (
            lambda: list(campaign.segment_records()),
            campaign.audit_trail,
            campaign.bundle_key,
            lambda: campaign.set_options({"claims.expire_hours": 1}),
            lambda: campaign.set_guidelines("other"),
            campaign.contents.systems,
            campaign.contents.documents,
            lambda: campaign.contents.document("D_1_S1"),
            lambda: campaign.contents.outputs("Secretly Alpha", "D_1_S1"),
            lambda: campaign.contents.documents_of("Secretly Alpha"),
            campaign.contents.scribe_errors,
            campaign.earlier.texts,
            campaign.earlier.scores,
            campaign.revisions.flagged,
            lambda: list(campaign.visits.all()),
            lambda: campaign.claims.release("K1", "red", Pass.FIRST, by="x"),
            lambda: campaign.claims.replace_editor("K1", "red", Pass.FIRST, "red2", by="x"),
        ):
            with pytest.raises(UsageError) as refused:
                act()
            assert refused.value.code == "campaign.one-side"


OPENED_FOR_EDITORS = {
    "gui/editor/view.py": 1,  # the desk
    "operations/campaign/rooms.py": 3,  # to look at the lock, to open it, to change it
    "operations/campaign/copies.py": 1,  # brought up to date
    "operations/campaign/backup.py": 1,  # where a backup went
    "operations/campaign/guidelines.py": 1,  # which editors see
    "store/backup.py": 2,  # a backup on its way back, lock and all
    "store/campaigns.py": 1,  # the copy's own door, as its caller says
}
"""Where a campaign is opened without asking for the passphrase, how often, and why."""


@pytest.mark.long
def test_few_places_open_a_campaign_without_asking() -> None:
    package = Path(madcat_studio.__file__).parent
    found: dict[str, int] = {}
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("_campaign"):
                for one in node.keywords:
                    if one.arg == "for_editor":
                        name = str(path.relative_to(package))
                        found[name] = found.get(name, 0) + 1
    assert found == OPENED_FOR_EDITORS
