"""The scoring commands without Typer: the same options, the same output, and started at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from madcat_studio.cli import quick
from madcat_studio.cli.app import commands, main
from madcat_ter import kernel


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "hyp").write_text("a b c,\nd e f g\n", encoding="utf-8")
    (tmp_path / "ref").write_text("a x c\nd g e f\n", encoding="utf-8")
    (tmp_path / "trans").write_text("a b (1)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", sorted(quick.COMMANDS))
def test_the_options_are_those_of_typer(name: str) -> None:
    form = quick.COMMANDS[name]
    flags, values, arguments = {}, {}, []
    for one in commands().commands[name].params:
        if one.param_type_name == "argument":
            arguments.append(one)
        elif one.name == "help":
            continue
        elif one.is_flag:
            flags.update(dict.fromkeys(one.opts, (one.name, True)))
            flags.update(dict.fromkeys(one.secondary_opts, (one.name, False)))
        else:
            # A word of a few is a text as others; which words, the test of lines tells.
            kind = str if isinstance(one.default, str) else type(one.default)
            values.update(dict.fromkeys(one.opts, (one.name, kind)))
    assert form.all_flags() == flags
    kinds = {int: form.numbers, str: form.texts, type(None): form.paths}
    assert values == {
        option: (target, kind) for kind, some in kinds.items() for option, target in some.items()
    }
    assert [one.nargs for one in arguments] == [1, -1 if form.most is None else form.most]


@pytest.mark.parametrize(
    "line",
    [
        "ter hyp ref",
        "ter hyp ref ref --no-case --segments -P",
        "ter hyp --beam 5 ref --distance=0 --exact --jobs 2",
        "ter hyp ref --no-normalise --format json --fold-alef --out quick.csv",
        "ter hyp ref --replay 2",
        "wer hyp ref --format=text",
        "wer hyp ref --nist --confusions 3 --characters",
        "wer hyp ref --normalise --segments --out=quick.pra",
        "ter hyp none",
        "ter hyp ref --out quick.xyz",
        "tercom -r trans -h trans -s",
        "tercom -r trans",
        "tercom -r trans -h trans -b x",
        "tercom -r trans -h none",
        "tercom -r trans -h trans --jobs",
    ],
)
def test_what_it_does_is_the_same(
    line: str, files: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = line.split()
    status = quick.run(arguments)
    ours = capfd.readouterr()
    written = {path.name: path.read_bytes() for path in files.glob("quick.*")}
    assert status is not None
    assert main(arguments) == status
    assert capfd.readouterr() == ours
    assert {path.name: path.read_bytes() for path in files.glob("quick.*")} == written


@pytest.mark.parametrize(
    "line",
    [
        *("", "campaign", "ter --help", "ter -h", "ter hyp", "ter hyp ref --beam", "tercom --help"),
        *("ter hyp ref --beam -1", "ter hyp ref --beam x", "ter hyp ref --beam=", "ter - ref"),
        *("ter hyp ref --no-such", "wer hyp ref ref", "ter hyp ref --segments=1", "ter -- hyp ref"),
        "ter hyp ref --format xml",
    ],
)
def test_the_unusual_is_left_to_typer(line: str) -> None:
    assert quick.run(line.split()) is None


LOADED = """
import sys
sys.argv = ["madcat-studio", *{arguments!r}]
from madcat_studio.__main__ import main
try:
    main()
except SystemExit as stop:
    status = stop.code
print(status, [name for name in ("typer", "click", "rich", "pydantic", "lxml", "shapely",
    "matplotlib", "rapidfuzz", "sqlalchemy") if name in sys.modules])
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "status", "loaded"),
    [
        ("ter hyp ref", 0, set()),
        ("wer hyp ref", 0, set()),
        ("tercom -s -r trans -h trans -o ter -n out", 0, set()),
        ("ter hyp none", 2, set()),
        ("ter --help", 0, {"typer", "rich"}),
        ("ter hyp ref --no-such", 2, {"typer"}),
    ],
)
def test_what_is_loaded(line: str, status: int, loaded: set[str], files: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(arguments=line.split())],
        capture_output=True,
        text=True,
        cwd=files,
        check=True,
    )
    told, _, names = done.stdout.splitlines()[-1].partition(" ")
    assert int(told) == status
    found = set(eval(names))
    assert loaded <= found
    if not loaded:
        # The twin in Python computes with it.
        assert found <= ({"rapidfuzz"} if kernel.NAME == "python" else set())


@pytest.mark.usefixtures("caplog")
def test_a_fault_leaves_a_report(monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("madcat_studio.cli.scored.ter", fail)
    assert quick.run(["ter", "hyp", "ref"]) == 70
