"""``--format json``: what a script is told, by value, and one way everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.cli.app import main
from madcat_studio.cli.forms import plain, put
from madcat_studio.model.campaign import Flag, Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.scoring.resampling import Interval
from madcat_studio.store import create_campaign
from tests.store.conftest import fill
from tests.store.test_claims import confirm_all

COMMANDS = (
    "status", "score", "kits", "log", "overlap", "agreement", "flags", "effort", "next", "doctor",
)  # fmt: skip


@pytest.fixture
def where(tmp_path: Path) -> str:
    """Both teams have finished K1 but for blue's review; one flag, with an escape in it."""
    folder = tmp_path / "campaign"
    with create_campaign(folder, "Pilot") as campaign:
        fill(campaign)
        for team, pass_ in (("red", Pass.FIRST), ("red", Pass.REVIEW), ("blue", Pass.FIRST)):
            editor = f"{team}{1 if pass_ is Pass.FIRST else 2}"
            campaign.claims.claim("K1", team, pass_, editor, "here")
            confirm_all(campaign, "K1", team, pass_, "first sentence")
            campaign.claims.hand_over("K1", team, pass_, editor=editor)
        claim = campaign.claims.claim("K1", "blue", Pass.REVIEW, "blue2", "here")
        campaign.revisions.append(
            [
                Revision(
                    *(new_id(), "K1", "blue", Pass.REVIEW, SegmentName("A.x_1_S1", "s1"), "blue2"),
                    *("here", datetime.now(UTC), SegmentState.DRAFT, "x", claim.turn),
                    flags={Flag.NOTE: "why \u202e so"},
                )
            ]
        )
        later = datetime.now(UTC) - timedelta(days=1)
        campaign.schedule.set_due(["K1"], [Pass.REVIEW], later, by="boss")
    return str(folder)


@pytest.fixture
def asked(where: str, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    def ask(command: str, *more: str) -> Any:
        capsys.readouterr()
        status = main(["campaign", command, where, *more, "--format", "json"])
        assert status == (1 if command == "doctor" else 0), command
        out = capsys.readouterr().out
        assert "\u202e" not in out
        return json.loads(out)

    return ask


@pytest.mark.long
def test_every_command_answers_a_script(asked: Callable[..., Any]) -> None:
    for command in COMMANDS:
        assert asked(command) is not None


def test_status_by_value(asked: Callable[..., Any]) -> None:
    found = asked("status")
    assert (found["name"], found["documents"], found["kits"], found["frozen"]) == (
        "Pilot", 4, 2, True,
    )  # fmt: skip
    assert [one["name"] for one in found["systems"]] == ["Alpha", "Beta"]
    passes = {(one["kit"], one["team"], one["pass"]): one for one in found["passes"]}
    own = passes["K1", "blue", "review"]
    assert (own["state"], own["editor"], own["late"], own["stalled"]) == (
        "claimed", "blue2", True, False,
    )  # fmt: skip
    assert (own["segments"], own["confirmed"], own["drafts"]) == (4, 0, 1)
    assert datetime.fromisoformat(own["due"]) < datetime.now(UTC)
    assert passes["K2", "blue", "first"]["state"] == "open"
    assert found["alarms"] == []


@pytest.mark.long
def test_a_look_at_a_campaign_loads_what_it_shows_and_no_more(where: str) -> None:
    """Whoever leads a campaign asks often: nothing of what measures and writes is loaded."""
    ask = (
        "import sys; from madcat_studio.cli.app import main;"
        f"assert main(['campaign', 'status', {where!r}]) == 0;"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True)
    loaded = set(done.stderr.split())
    assert {"sqlalchemy", "madcat_studio.operations.campaign.standing"} <= loaded
    assert not loaded & {
        *("numpy", "lxml", "PIL", "alembic", "psycopg", "sqlalchemy.dialects.postgresql"),
        *("madcat_studio.reports.report", "madcat_studio.operations.campaign.filling"),
        *("madcat_ter.ter", "madcat_studio.coach", "madcat_studio.images", "PySide6"),
    }


def test_kits_tell_what_editors_call_pages(asked: Callable[..., Any]) -> None:
    first, second = asked("kits")
    assert (first["name"], first["words"], first["frozen"]) == ("K1", 14, True)
    assert first["covers"] == {"K1.01": "A.x_1_S1", "K1.02": "B.x_1_S1"}
    assert [unit["system"] for unit in first["units"]] == ["Alpha", "Beta"]
    assert second["parts"][0] == {
        "kit": "K2", "team": "blue", "first": "blue2", "reviewer": "blue1",
    }  # fmt: skip


@pytest.mark.long
def test_flags_log_overlap_and_agreement(asked: Callable[..., Any]) -> None:
    assert asked("flags") == [
        {
            "kit": "K1",
            "team": "blue",
            "pass": "review",
            "segment": "A.x_1_S1/s1",
            "editor": "blue2",
            "flag": "note",
            "words": "why \u202e so",
        }
    ]
    [latest] = asked("log", "--count", "1")
    assert set(latest) == {"at", "who", "machine", "action", "subject", "detail"}
    found = asked("overlap")
    assert (found["teams"], found["kits"][0]) == (["red", "blue", "green"], [2, 2, 0])
    found = asked("agreement")
    assert (found["segments"], found["compared"]) == (8, 0)
    assert {row["stage"] for row in found["teams"]} == {"first pass"}


@pytest.mark.long
def test_scores_by_value(asked: Callable[..., Any]) -> None:
    found = asked("score", "--by", "team")
    rows = {row["system"]: row for row in found["tables"]["systems"]}
    # Alpha gave "first sentence Alpha" and "second"; red's texts are "first sentence sN".
    assert (rows["Alpha"]["edits"], rows["Alpha"]["words"]) == (1 + 3, 3 + 3)
    assert rows["Alpha"]["hter"] == 4 / 6
    assert found["signature"].startswith("HTER")
    assert found["preliminary"]
    assert len(found["tables"]) == 2


def test_values_are_spelt_in_one_way(capsys: pytest.CaptureFixture[str]) -> None:
    moment = datetime(2026, 1, 2, 3, tzinfo=UTC)
    assert plain({Pass.FIRST: Interval(0.5, float("nan"), float("inf"))}) == {
        "first": {"point": 0.5, "low": None, "high": None}
    }
    assert plain([moment, SegmentName("B", "s1"), Path("x"), (1, None, True)]) == [
        "2026-01-02T03:00:00+00:00", "B/s1", "x", [1, None, True],
    ]  # fmt: skip
    put({"a": "\x1b[31m \x9b \u202e \U000e0041 نص"})
    shown = capsys.readouterr().out
    assert all(one.isprintable() or one == "\n" for one in shown)
    assert json.loads(shown) == {"a": "\x1b[31m \x9b \u202e \U000e0041 نص"}


SHOWING = ("show", "list", "check", "compare", "find", "calculate", "rank", "score")
"""How the help of a command begins that shows something."""
WITHOUT = {
    # tercom's own output, byte for byte; and a command whose question is answered in the window.
    "tercom",
    # It packs, and its check is a command of its own.
    "submission pack",
}


def test_every_command_that_shows_something_has_json_under_one_option() -> None:
    from madcat_studio.cli.app import commands
    from tests.cli.test_rooms import walk

    every = dict(walk(commands()))
    shows = {
        name: command
        for name, command in every.items()
        if (command.help or "").split()[0].lower() in SHOWING and name not in WITHOUT
    }
    assert {"ter", "kit show", "queue history", "server user list", "campaign power"} <= set(shows)
    for name, command in shows.items():
        forms = [one for one in command.params if "--format" in one.opts]
        assert len(forms) == 1, name
        context = command.make_context(name, [], resilient_parsing=True)
        assert "json" in " ".join(forms[0].get_help_record(context)).lower(), name
    # No option of another name for the same.
    assert not [n for n, one in every.items() if any("--json" in p.opts for p in one.params)]


@pytest.mark.long
def test_what_a_kits_file_and_the_guidelines_hold_by_value(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    which = ("--kit", "K2", "--team", "blue")
    file = tmp_path / "out.madcat-kit"
    assert main(["kit", "export", where, "blue2", str(file), *which]) == 0
    capsys.readouterr()
    assert main(["kit", "show", str(file), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["problems"] == []
    assert any("blue2" in line for line in found["done"])
    assert main(["campaign", "guidelines", where, "--format", "json"]) == 0
    before = json.loads(capsys.readouterr().out)
    assert before == []
