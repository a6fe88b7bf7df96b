"""Every command that docs/plan.md names is there, and those on the demo run as they stand."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from madcat_studio.cli.app import main
from madcat_studio.operations import demo as operations
from madcat_studio.store import open_campaign

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "plan.md").read_text("utf-8")
NOTHING = "—"


class Row(NamedTuple):
    section: str
    asks: str
    command: str
    view: str


ROWS = [
    Row(*(cell.strip() for cell in line.strip("|").split("|")))
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith("| section")
]
COMMANDS = sorted({row.command.strip("`") for row in ROWS if row.command != NOTHING})
ON_THE_DEMO = [one.removeprefix("$ ") for one in COMMANDS if one.startswith("$ ")]


def words(command: str) -> list[str]:
    """The words of a command without the program's name."""
    program, *rest = shlex.split(command.removeprefix("$ "))
    assert program == "madcat-studio"
    return rest


def named(command: str) -> list[str]:
    """The command itself: groups and a name, without arguments."""
    found = []
    for word in words(command)[:2]:
        if found and found[0] not in ("campaign", "submission", "kit", "corpus"):
            break
        if not re.fullmatch("[a-z-]+", word):
            break
        found.append(word)
    return found


def test_every_section_of_the_plan_is_there() -> None:
    sections = {part.split(".")[0] for row in ROWS for part in re.split("[ ,]+", row.section)}
    assert {str(number) for number in range(1, 13)} <= sections
    assert all(len(row) == 4 and row.asks for row in ROWS)


def test_what_nothing_meets_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    without = [row for row in ROWS if row.command == row.view == NOTHING]
    with capsys.disabled():
        print(f"\nrequirements of the plan: {len(ROWS)}, without a command or view: {len(without)}")
        for row in without:
            print(f"  {row.section}: {row.asks}")
    assert f"**rows without one: {len(without)}**" in TEXT


@pytest.mark.parametrize("command", sorted({" ".join(named(one)) for one in COMMANDS}))
def test_every_command_is_there(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--help"]) == 0
    assert "Usage: madcat-studio" in capsys.readouterr().out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the demo campaign, and the demo's files as the page names them."""
    made = tmp_path_factory.mktemp("plan")
    (made / "resources").symlink_to(ROOT / "resources")
    with pytest.MonkeyPatch.context() as patched:
        # Its reports are what the commands themselves write.
        patched.setattr(operations, "write_campaign_report", lambda *_, **__: ([], ()))
        patched.chdir(made)
        operations.make_demo(made / "demo-campaign")
        yield made


@pytest.mark.long
@pytest.mark.parametrize("command", ON_THE_DEMO)
def test_it_runs_on_the_demo(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # `doctor` says by its exit status that it found something, as it does in the demo.
    expected = 1 if "doctor" in command else 0
    assert main(words(command)) == expected, capsys.readouterr().err
    assert capsys.readouterr().out


@pytest.mark.long
def test_hands_are_compared_as_the_manuscripts_scored(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the table of manuscripts, told here once more in the plainest way."""
    demo = ["demo-campaign", "--track", "go-no-go", "--format", "json"]
    assert main(["campaign", "score", *demo, "--by", "manuscript"]) == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    with open_campaign(folder / "demo-campaign", read_only=True) as campaign:
        known = {one.manuscript: one for one in campaign.contents.documents()}
    rows = [
        (row["system"], known[row["manuscript"]], row["edits"], row["words"])
        for row in tables["by-manuscript"]
        if row["set"] == "evaluation" and row["words"]
    ]
    expected = {}
    for scribe in {own.scribe for _, own, _, _ in rows}:
        less = words = 0.0
        for system, own, edits, count in rows:
            others = [
                (other_edits, other_count)
                for other_system, other, other_edits, other_count in rows
                if (other_system, other.passage) == (system, own.passage) and other.scribe != scribe
            ]
            if own.scribe == scribe and others:
                rate = sum(one for one, _ in others) / sum(one for _, one in others)
                less, words = less + edits - rate * count, words + count
        if words:
            expected[scribe] = less / words
    assert len(expected) > 2
    assert main(["campaign", "hands", *demo]) == 0
    found = {row["scribe"]: row for row in json.loads(capsys.readouterr().out)}
    assert {scribe: row["difference"] for scribe, row in found.items()} == pytest.approx(expected)
    assert {scribe: row["exposure"] for scribe, row in found.items()} == {
        own.scribe: own.exposure for _, own, _, _ in rows if own.scribe in expected
    }
