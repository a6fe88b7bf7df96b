"""That an option of scoring is declared once: what is made from the declaration knows of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import pytest
import typer
from typer.testing import CliRunner

from madcat_studio.cli.switches import takes_switches
from madcat_ter.options import (
    Switch,
    TerOptions,
    TextOptions,
    WerOptions,
    switches,
)
from madcat_ter.text import words

KINDS = (TextOptions, TerOptions, WerOptions)


@pytest.mark.parametrize("kind", KINDS)
def test_every_switch_is_declared_and_signed(kind: type[TextOptions]) -> None:
    declared = dict(switches(kind))
    plain = kind()
    assert set(declared) == {
        one.name for one in fields(kind) if isinstance(getattr(plain, one.name), bool)
    }
    flags = [flag for one in declared.values() for flag in one.flags]
    assert len(set(flags)) == len(flags)
    signed = {tuple(plain.settings())}
    for name, switch in declared.items():
        assert getattr(plain, name) is switch.default
        signed.add(tuple(kind(**{name: not switch.default}).settings()))
    assert len(signed) == len(declared) + 1


def test_what_a_signature_says() -> None:
    assert dict(TextOptions().settings()) == {
        "case": "kept",
        "norm": "tercom-N",
        "punct": "kept",
        "fold": "no",
    }
    changed = WerOptions(
        case_sensitive=False, no_punctuation=True, fold_yeh=True, nfkc=True, nist=True
    )
    assert dict(changed.settings()) == {
        "case": "lower",
        "norm": "no",
        "punct": "removed",
        "fold": "yeh,nfkc",
        "weights": "nist",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Later(TextOptions):
    """The options of a later program, with a switch more."""

    fold_heh: bool = field(
        default=False,
        metadata={
            "switch": Switch(False, ("--fold-heh",), "Heh.", "fold", "heh", "no", {0x6C1: "\u0647"})
        },
    )


def test_a_new_switch_is_one_declaration() -> None:
    seen: list[Later] = []
    app = typer.Typer()

    @app.command()
    @takes_switches(Later)
    def command(text: str, *, loud: bool = False, **given: bool) -> None:
        seen.append(Later(**given))

    shown = CliRunner().invoke(app, ["--help"], terminal_width=100).output
    assert shown.index("--nfkc") < shown.index("--fold-heh") < shown.index("--loud")
    assert CliRunner().invoke(app, ["x", "--fold-heh", "--no-case"]).exit_code == 0
    assert seen == [Later(fold_heh=True, case_sensitive=False)]
    assert ("fold", "heh") in tuple(seen[0].settings())
    assert seen[0].folds
    assert words("\u06c1", seen[0]) == ["\u0647"]
    assert words("\u06c1", Later()) == ["\u06c1"]
