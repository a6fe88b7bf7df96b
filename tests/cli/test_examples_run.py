"""The example on each help page, run as it stands: in order, in a folder with the demo's files."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.cli.examples import EXAMPLES
from madcat_studio.cli.window import Window
from madcat_studio.paths import resources
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.kit import KitWorkspace

DEMO = resources() / "demo"
PAGE = "DEMO_ARB_20480201.0005_1_SCR0002"
TWICE = "DEMO_ARB_20480203.0007_1_SCR0001"

NOT_RUN = {
    "a PostgreSQL server": {
        *("server init", "server check", "server backup", "server restore"),
        *("server user add", "server user password", "server user withdraw", "server user list"),
    },
    "a model behind an address": {"scorecard imtbench-filter", "scorecard imtbench-translate"},
    "the network": {"segmenter install"},
    "a segmenter that is installed": {"segmenter try"},
    "Qt's fonts": {"render"},
    "somebody who types it": {"campaign passphrase"},
    "half a minute, which tests/soak takes": {"demo"},
    "files of other projects, which their own tests make": {
        *("scorecard ltb", "scorecard rosetta", "scorecard imtbench", "scorecard ltb-board"),
        *("scorecard show", "corpus choose", "corpus assign", "corpus show", "corpus report"),
        *("corpus sheets", "corpus arrivals", "campaign select-passages"),
    },
}
"""By what they would need, the examples that are only parsed (test_help.py)."""

FOUND = {"check", "campaign doctor"}
"""Commands that find something here, and end with 1."""


def _copy(source: Path | str, target: str) -> None:
    into = Path(target)
    into.parent.mkdir(parents=True, exist_ok=True)
    if Path(source).is_dir():
        shutil.copytree(source, into, dirs_exist_ok=True)
    else:
        shutil.copy(source, into)


def _files() -> None:
    for name in (
        *("reference", "systems", "earlier", "further", "pages"),
        *("teams.tsv", "kits.tsv", "edits.tsv", "assignments.tsv"),
    ):
        _copy(DEMO / name, name)
    for system in ("juniper_1", "tamarisk_1"):
        _copy(DEMO / "further" / "systems" / system, f"systems/{system}")
        _copy(DEMO / "earlier" / "systems" / "larch_1", "larch")
    for folder in (".", "pages"):
        _copy(DEMO / "pages" / f"{PAGE}.madcat.xml", f"{folder}/page.madcat.xml")
        _copy(DEMO / "pages" / f"{PAGE}.tif", f"{folder}/{PAGE}.tif")
    _copy(DEMO / "pages" / f"{PAGE}.tif", "scan.tif")
    for folder, beside, alone in (("one", ".", "mine"), ("two", "second", "theirs")):
        own = DEMO / "pages" / beside / f"{TWICE}.madcat.xml"
        _copy(own, f"{folder}/page.madcat.xml")
        _copy(own, f"{alone}.madcat.xml")
        _copy(DEMO / "pages" / f"{TWICE}.tif", f"{folder}/{TWICE}.tif")
    for name, text in (("output", "the cat sat down"), ("reference", "the cat sits down")):
        Path(f"{name}.txt").write_text(f"{text} (s1)\n", "utf-8")
    _copy(DEMO / "systems" / "juniper_1", "plato_1")
    Path("drop").mkdir()
    Path("bin").mkdir()
    program = Path("bin/segment")
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)


def _name_backup() -> None:
    (made,) = Path("backups").iterdir()
    made.rename(shlex.split(EXAMPLES["campaign restore"])[2])


def _work() -> None:
    with OpenBundle(Path(shlex.split(EXAMPLES["kit return"])[2])) as bundle:
        kit = KitWorkspace(bundle, bundle.claim, folder=Path("spools"))
        kit.replace_all({1: "The bridge is 187 metres long."})
        kit.close()


FURTHER = "$campaign plan pilot --kits further/kits.tsv --assignments further/assignments.tsv"
Step = str | Callable[[], object]
ORDER: tuple[Step, ...] = (
    *("new", "show", "check", "convert", "compare", "agreement", "settle", "lines", "images"),
    *("derive", "$derive reference --task wordseg --out inputs"),
    "$derive reference --task textseg --image-tasks-closed --out inputs",
    *("ter", "wer", "tercom", "evaluate", "doctor", "completion", "scorecard imtbench-prompt"),
    *("queue list", "queue claim", "queue note", "queue finish", "queue reopen"),
    *("$queue claim pages/page.madcat.xml", "queue give-back", "queue history", "queue pace"),
    *("queue next", "$queue claim pages/page.madcat.xml --as mei"),
    "$queue finish pages/page.madcat.xml --as mei",
    "$queue claim pages/page.madcat.xml --as zoe",
    *("$queue finish pages/page.madcat.xml --as zoe", "queue release"),
    *("submission pack", "submission check", "submission hand-in", "submission receive"),
    *("segmenter list", "segmenter add", "segmenter use", "segmenter remove"),
    *("campaign corpus", lambda: _copy(DEMO / "corpus.tsv", "corpus.tsv"), "campaign create"),
    "$campaign create pilot --corpus further/corpus.tsv --documents further/reference",
    "$campaign create pilot --corpus earlier/corpus.tsv --documents earlier/reference",
    *("campaign add-system", "$campaign add-system pilot tamarisk systems/tamarisk_1"),
    *("campaign add-earlier", "campaign select", "campaign plan"),
    "$campaign plan pilot --assignments assignments.tsv",
    "campaign practice",
    lambda: _copy("pilot", "kept"),
    FURTHER,
    *("campaign change swap", "campaign change move", "campaign change turn-roles"),
    *("campaign change team", "campaign change swap-teams"),
    lambda: shutil.rmtree("pilot"),
    lambda: _copy("kept", "pilot"),
    *("campaign import-edits", "$campaign import-edits pilot edits.tsv", "campaign export-edits"),
    *("campaign set", "campaign guidelines", "campaign references", "campaign quotas"),
    *("campaign kits", "campaign export-plan", "campaign due", "campaign away", "campaign back"),
    *("campaign next", "campaign doctor", "campaign power", "campaign status", "campaign overlap"),
    *("campaign agreement", "campaign log", "campaign flags", "campaign effort"),
    *("campaign export-visits", "campaign calendar", "campaign score", "campaign report"),
    *("campaign evidence", "campaign trust", "campaign hands", FURTHER, "campaign propose-plan"),
    *("campaign migrate", "campaign copy", "campaign backup", _name_backup, "campaign restore"),
    *("campaign release", "campaign replace-editor", "kit export"),
    lambda: _copy("kits/K6.first.lin.mei.madcat-kit", "K6.first.lin.mei.madcat-kit"),
    *("kit show", "kit open", _work, "kit return", "kit import"),
    *("$kit export pilot lin.mei again/", "kit call-back", "campaign rename"),
    *(lambda: _copy("pilot", "demo-campaign"), "open"),
)
"""Examples by their commands; what else is done between them, with $ as a command."""


def test_every_example_is_run_or_it_is_said_why_not() -> None:
    run = [one for one in ORDER if isinstance(one, str) and not one.startswith("$")]
    named = [one for some in NOT_RUN.values() for one in some]
    assert sorted([*run, *named]) == sorted(EXAMPLES)


@pytest.mark.long
def test_the_examples_do_what_they_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _files()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    opened: list[str | None] = []

    def show(where: str | None, demo: bool = False) -> int:
        opened.append(where)
        return 0

    failed = []
    for step in ORDER:
        if not isinstance(step, str):
            step()
            continue
        line = step[1:] if step.startswith("$") else EXAMPLES[step]
        status = main(shlex.split(line), window=Window(show, lambda: pytest.fail("not here")))
        if status != (step in FOUND):
            failed.append((line, status, capsys.readouterr().err[-300:]))
    assert not failed, "\n".join(map(str, failed))
    assert len(opened) == 2
