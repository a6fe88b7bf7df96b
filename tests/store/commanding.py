"""Every command by which a coordinator reads a campaign, run as from a shell."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from madcat_studio.cli.app import main

__all__ = ["COMMANDS", "Answer", "figures", "run", "run_all"]


class Answer(NamedTuple):
    """What a command said and left."""

    status: int
    out: str
    err: str


COMMANDS: dict[str, tuple[str, ...]] = {
    "status": ("status", "{where}"),
    "kits": ("kits", "{where}"),
    "overlap": ("overlap", "{where}"),
    "agreement": ("agreement", "{where}"),
    "log": ("log", "{where}"),
    "flags": ("flags", "{where}"),
    "score": ("score", "{where}"),
    "report": (
        *("report", "{where}", "--out", "{folder}/report", "--resamples", "100"),
        *("--formats", "html,csv,json"),
    ),
    "evidence": ("evidence", "{where}", "--out", "{folder}/evidence"),
    "export-edits": ("export-edits", "{where}", "{folder}/edits.tsv"),
    "backup": ("backup", "{where}", "{folder}/kept.backup"),
    "copy": ("copy", "{where}", "{folder}/copy"),
    "guidelines": ("guidelines", "{where}"),
}
"""Name -> arguments after ``campaign``."""


def run(*arguments: str) -> Answer:
    """Run one command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    return Answer(status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="commands-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def run_all(where: str, folder: Path, names: Iterable[str] = COMMANDS) -> dict[str, Answer]:
    """Run those of the ``names``, each with its files in ``folder``."""
    found = {}
    for name in names:
        filled = (one.format(where=where, folder=folder) for one in COMMANDS[name])
        found[name] = run("campaign", *filled)
    return found


def figures(folder: Path) -> Any:
    """The report's figures, without what tells when it was made."""
    [path] = (folder / "report").glob("*.json")
    return json.loads(path.read_text(encoding="utf-8"))
