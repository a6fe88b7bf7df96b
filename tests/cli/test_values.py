"""Words of the command line: plain ones are read without Typer's library, and to the same value."""

from __future__ import annotations

import enum
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_group

from madcat_studio.cli.values import read_plainly
from madcat_studio.store import create_campaign


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


KINDS = (
    *(str, Path, int, float, Colour, list[str], list[Path], list[int], list[Colour]),
    Annotated[int, typer.Argument(min=1, max=8)],
)
WORDS = (
    *("", " ", "a b", "x/y.z", "نص", "red", "RED", "blue ", "0", "7", "-7", "+7", "007", "1_0"),
    *("8", "9", "1e3", "1.5", "-0.5", ".5", "1.", "nan", "inf", "١٢", "9" * 30, "true", "no"),
    *("1 2", "1 ", " 1", "1,2", "1.5.2", "1. 5", "--1", "- 1", "1\t2", "1\n", "1-", "0x1"),
)


def _said(kind: Any, word: str, capsys: pytest.CaptureFixture[str], *, plainly: bool) -> object:
    app = typer.Typer()

    @app.callback()
    def root() -> None:
        """The root."""

    def command(value: Any) -> None:
        print(type(value), repr(value))

    command.__annotations__["value"] = kind
    app.command("command")(command)
    group = get_group(app)
    if plainly:
        read_plainly(group)
    with pytest.raises(SystemExit) as ended:
        group(["command", "--", word], prog_name="x")
    return ended.value.code, capsys.readouterr()


@pytest.mark.parametrize("kind", KINDS, ids=[f"kind-{n}" for n in range(len(KINDS))])
def test_a_word_is_what_it_is_to_typer(kind: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for word in WORDS:
        assert _said(kind, word, capsys, plainly=True) == _said(kind, word, capsys, plainly=False)


@pytest.mark.long
def test_a_look_at_a_campaign_loads_what_it_shows(tmp_path: Path) -> None:
    create_campaign(tmp_path / "c", "x").close()
    loads = (
        "import sys; from madcat_studio.cli.app import main; status = main(sys.argv[1:]);"
        "heavy = {'pydantic', 'rich.table', 'numpy', 'scipy', 'lxml', 'alembic', 'jinja2'};"
        "print(*heavy & set(sys.modules), file=sys.stderr); sys.exit(status)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", loads, "campaign", "status", str(tmp_path / "c")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stderr.strip() == ""
