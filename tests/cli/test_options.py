"""One name for one option in all commands: what has been learnt of one holds for the others."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.cli.app import commands, main
from tests.cli.test_rooms import walk

# For what is meant there is one name; the others are those that were tried, or that people guess.
ONE_NAME = {
    "--out": ("--output", "--output-file", "--outfile", "--target-file", "--save", "--dest"),
    "--into": ("--folder", "--drop", "--destination"),
    "--overwrite": ("--replace-file", "--clobber", "--replace-files"),
    "--format": ("--json", "--csv", "--as-json", "--form", "--output-format", "--sarif"),
    "--formats": ("--files-format", "--write-formats"),
    "--dry-run": ("--simulate", "--check-only", "--no-write", "--preview-only", "--pretend"),
    "--count": ("--number", "--limit", "--most", "--top"),
    "--person": ("--who", "--user", "--annotator"),
    "--tolerance": ("--within", "--leeway"),
    "--timeout": ("--seconds", "--time-limit", "--wait"),
    "--kit-words": ("--words-a-kit", "--target-words"),
    "--jobs": ("--processes", "--threads", "--workers", "--cores"),
    "--seed": ("--random-seed", "--random-state"),
    "--set": ("--for", "--data-set", "--subset"),
}
FLAG_MEANS_YES = ("case", "normalise", "bom", "check-scripts", "planned", "compare")
"""These hold unless somebody says ``--no-…``; no other option has such a twin."""


@pytest.fixture(scope="module")
def options() -> dict[str, dict[str, Any]]:
    """By an option's name what it is in each command."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, command in walk(commands()):
        for one in command.params:
            if one.param_type_name == "option":
                for spelt in (*one.opts, *one.secondary_opts):
                    found[spelt][name] = one
    return found


def test_what_is_meant_has_one_name(options: dict[str, dict[str, Any]]) -> None:
    assert len(options) > 150
    others = {other: name for name, some in ONE_NAME.items() for other in some}
    assert {other: [*options[other]] for other in others if other in options} == {}


def test_a_name_is_a_switch_everywhere_or_takes_a_value_everywhere(
    options: dict[str, dict[str, Any]],
) -> None:
    mixed = {
        name: sorted(used)
        for name, used in options.items()
        if len({one.is_flag for one in used.values()}) > 1
    }
    assert mixed == {}


def test_a_value_has_one_name_in_the_commands_and_in_the_code(
    options: dict[str, dict[str, Any]],
) -> None:
    """The same help is the same option, so it has the same name."""
    by_help: dict[str, set[str]] = defaultdict(set)
    for name, used in options.items():
        for one in used.values():
            if name in one.opts and name.startswith("--"):
                by_help[one.help].add(name)
    assert {said: names for said, names in by_help.items() if len(names) > 1} == {}


def test_what_is_written_is_named_by_one_letter_too(options: dict[str, dict[str, Any]]) -> None:
    assert len(options["--out"]) > 20
    for name, one in options["--out"].items():
        assert one.opts == ["--out", "-o"], name
    assert set(options["-o"]) == set(options["--out"])


def test_only_what_holds_by_itself_can_be_denied(options: dict[str, dict[str, Any]]) -> None:
    twins = {
        spelt for used in options.values() for one in used.values() for spelt in one.secondary_opts
    }
    denied = {name.removeprefix("--no-") for name in twins}
    assert denied == set(FLAG_MEANS_YES)


@pytest.mark.parametrize("short", ["-q", "-v", "-h"])
def test_what_every_command_has_no_command_uses_otherwise(
    short: str, options: dict[str, dict[str, Any]]
) -> None:
    assert short not in options


def test_a_card_is_given_to_a_script_as_its_file_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run.jsonl"
    values = [{"id": "1", "source": "a", "reference": "the cat", "output": "the cat"}]
    run.write_text("".join(json.dumps(one) + "\n" for one in values), "utf-8")
    arguments = ["scorecard", "rosetta", str(run), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--formats", "json", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    written = json.loads((tmp_path / "out" / "rosetta.json").read_text("utf-8"))
    assert said == written
    assert said["format"] == "madcat-studio-rosetta"
