"""Every command that the documentation shows can be typed as it stands."""

from __future__ import annotations

import pytest

import run
from madcat_studio.cli.app import commands
from tests.documented import PAGES, ROOT, Shown, commands_of

SHOWN = [shown for page in PAGES for shown in commands_of(page)]
OURS = [shown for shown in SHOWN if shown.is_ours]


def wrong_with(shown: Shown) -> str:
    """Why the program would refuse a command before it did anything, or ""."""
    command, words = commands(), list(shown.words[1:])
    named = []
    while words and hasattr(command, "commands"):
        if words[0].startswith("-"):
            return "" if words[0] in ("--help", "--version") else f"no option {words[0]}"
        named.append(words.pop(0))
        if named[-1] not in command.commands:
            return f"no command {' '.join(named)}"
        command = command.commands[named[-1]]
    if hasattr(command, "commands") or command.context_settings.get("ignore_unknown_options"):
        return ""
    context = command.make_context(shown.words[0], [*words], resilient_parsing=True)
    context.resilient_parsing = False  # from here on it refuses
    given, rest, _ = command.make_parser(context).parse_args([*words])
    missing = [
        one.name
        for one in command.params
        if one.required and given.get(one.name) in (None, ()) and not one.multiple
    ]
    if missing:
        return f"without {', '.join(map(str, missing))}"
    return f"too much: {rest}" if rest else ""


@pytest.mark.parametrize("shown", OURS, ids=str)
def test_it_can_be_typed_as_it_stands(shown: Shown) -> None:
    assert wrong_with(shown) == ""


def test_what_is_wrong_is_found() -> None:
    assert len(OURS) > 60
    for words, why in (
        ("campaign stauts pilot", "no command campaign stauts"),
        ("campaign status", "without where"),
        ("campaign status one two", "too much"),
        ("--verison", "no option --verison"),
    ):
        assert why in wrong_with(Shown("x", ("madcat-studio", *words.split())))
    with pytest.raises(Exception, match="--formt"):
        wrong_with(Shown("x", ("madcat-studio", "campaign", "status", "x", "--formt", "json")))


def test_the_words_of_run_are_there() -> None:
    asked = {shown.words[2] for shown in SHOWN if shown.words[:2] == ("python3", "run.py")}
    assert len(asked) > 8
    assert asked - {"WORD"} <= set(run.WORDS)
    assert (ROOT / ".ci" / "run").is_file()
