"""Break the code on purpose, one place at a time, and see that a test fails: mutation testing.

Run by ``python3 run.py mutants [ROOM ...] [--count N] [--hours H]``. Each room's modules are
changed in a copy of the checkout, and that room's tests alone are run on each change. A run that
was stopped goes on where it was. What survives is listed in docs/mutants.md, with its reason from
survivors.toml beside this file.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkItem, WorkResult

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "build" / "mutants"
REASONS = Path(__file__).with_name("survivors.toml")
RESULTS = ROOT / "docs" / "results" / "mutants.json"
PAGE = ROOT / "docs" / "mutants.md"

SEED = 20261128
MUTANTS = 400
HOURS = 2.0
WANTED = 0.9
"""The share of each room's mutants that its tests must kill."""

SLOW = 6
"""A mutant whose tests take so many times as long as they usually do goes round for ever."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is changed, by patterns under madcat_studio, and the tests that must notice."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    def paths(self) -> list[Path]:
        """The modules, relative to the checkout."""
        found = [path for each in self.modules for path in sorted(ROOT.glob(each))]
        return [path.relative_to(ROOT) for path in found if path.name != "__init__.py"]

    def test_paths(self) -> list[Path]:
        """The modules with tests, relative to the checkout."""
        found = [path for each in self.tests for path in sorted((ROOT / "tests").glob(each))]
        return [path.relative_to(ROOT) for path in found]


ROOMS = {
    "scoring": Room(
        (
            *(f"engine/madcat_ter/{name}.py" for name in ("ter", "hter", "wer")),
            "madcat_studio/scoring/agreement.py",
        ),
        # Not the kernels against each other, nor the stopping: minutes, and none of these four.
        tuple(f"scoring/test_{name}.py" for name in ("ter", "hter", "wer", "agreement", "changes")),
    ),
    "coach": Room(("madcat_studio/coach/*.py",), ("coach/test_*.py",)),
    "edits": Room(("madcat_studio/edits/*.py",), ("edits/test_*.py",)),
    "planning": Room(
        tuple(f"madcat_studio/planning/{name}.py" for name in ("kits", "assignment", "selection")),
        ("planning/test_*.py",),
    ),
    "store": Room(
        ("madcat_studio/store/claims.py",),
        ("store/test_claims.py", "store/test_returns.py", "store/test_expiry.py"),
    ),
}


def main() -> int:
    """Break each room; 1 where a room kills too few."""
    parser = argparse.ArgumentParser(description=__doc__)
    told = f"{', '.join(ROOMS)}; all without one"
    parser.add_argument("rooms", nargs="*", choices=[[], *ROOMS], metavar="ROOM", help=told)
    parser.add_argument("--count", type=int, default=MUTANTS, help="mutants of all rooms together")
    parser.add_argument("--hours", type=float, default=HOURS, help="to work at most")
    asked = parser.parse_args()
    names = asked.rooms or list(ROOMS)
    end = time.monotonic() + 3600 * asked.hours
    os.nice(10)
    outcomes = {name: work(name, asked.count // len(names), end) for name in names}
    report(outcomes)
    return 0 if all(one.share >= WANTED for one in outcomes.values()) else 1


# ----------------------------------------------------------------------------------- a room's run


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a room's mutants; ``left`` were not tried for want of time."""

    possible: int
    killed: int
    survivors: list[tuple[MutationSpec, str]]
    left: int

    @property
    def share(self) -> float:
        """Killed of those that were tried."""
        tried = self.killed + len(self.survivors)
        return self.killed / tried if tried else 0.0


def work(name: str, count: int, end: float) -> Outcome:
    """Try a room's mutants until all of the sample are tried, or the time is over."""
    room = ROOMS[name]
    copy = PLACE / name / "copy"
    make_copy(copy)
    environment = {
        **os.environ,
        "PYTHONPATH": f"{copy}{os.pathsep}{copy / 'engine'}",
        "QT_QPA_PLATFORM": "offscreen",
    }
    tests = [str(path) for path in room.test_paths()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    started = time.monotonic()
    # Also the run that compiles the modules that stay as they are.
    whole = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    usual = time.monotonic() - started
    if whole.returncode != 0:
        raise SystemExit(f"{name}: the tests fail without a mutant:\n{whole.stdout[-3000:]}")
    limit = 30 + SLOW * usual
    # The tests end by themselves where this program is stopped while they go round for ever.
    command += ["-o", f"faulthandler_timeout={limit:.0f}", "-o", "faulthandler_exit_on_timeout=1"]
    os.environ.update(environment)
    os.chdir(copy)  # cosmic-ray changes files and runs tests from here
    database = session(name)
    items = {item.job_id: item for item in database.work_items}
    sample = drawn(items, count)
    results: dict[str, WorkResult] = dict(database.results)
    for number, job in enumerate(sample, 1):
        if job in results or time.monotonic() > end:
            continue
        [mutation] = items[job].mutations
        result = mutate_and_test([mutation], shlex.join(command), limit)
        database.set_result(job, result)
        results[job] = result
        done = "killed" if result.is_killed else "SURVIVED"
        place = f"{mutation.module_path}:{mutation.start_pos[0]}"
        print(f"{name} {number}/{len(sample)} {done} {place} {mutation.operator_name}", flush=True)
    os.chdir(ROOT)
    tried = [job for job in sample if job in results]
    lost = [job for job in tried if results[job].test_outcome is TestOutcome.SURVIVED]
    survivors = [(items[job].mutations[0], results[job].diff or "") for job in lost]
    database.close()
    return Outcome(len(items), len(tried) - len(lost), survivors, len(sample) - len(tried))


def make_copy(copy: Path) -> None:
    """The checkout as it is now, with the compiled kernel, and imported from there."""
    shutil.rmtree(copy, ignore_errors=True)
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(git, cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    import madcat_ter.kernel as kernel

    for folder in kernel.__path__:
        for compiled in Path(folder).glob("*.so"):
            shutil.copyfile(compiled, copy / "engine/madcat_ter/kernel" / compiled.name)
    # The editable installation would lead every import back to the checkout.
    (copy / "sitecustomize.py").write_text(
        "import sys\n"
        "sys.meta_path[:] = [f for f in sys.meta_path if 'ScikitBuild' not in type(f).__name__]\n"
    )


def session(name: str) -> WorkDB:
    """The mutants of a room and what became of them; begun anew where code or tests changed."""
    room = ROOMS[name]
    digest = hashlib.sha256()
    for path in [*room.paths(), *room.test_paths()]:
        digest.update(path.as_posix().encode() + b"\0" + (ROOT / path).read_bytes())
    path = PLACE / name / f"{digest.hexdigest()[:16]}.sqlite"
    if not path.is_file():
        for other in path.parent.glob("*.sqlite*"):
            other.unlink()
        part = path.with_suffix(".sqlite-part")
        database = WorkDB(part, WorkDB.Mode.create)
        init(room.paths(), database, {})
        items = [item for item in database.work_items if shows(item.mutations[0])]
        database.clear()
        database.add_work_items(items)
        database.close()
        part.rename(path)
    return WorkDB(path, WorkDB.Mode.open)


_QUIET: dict[Path, list[tuple[tuple[int, int], tuple[int, int]]]] = {}


def shows(mutation: MutationSpec) -> bool:
    """Whether a change could be seen at all.

    Annotations are never run; ``slots`` and ``frozen`` keep us from mistakes, as ``strict=True``
    and assertions do, and change nothing where none was made.
    """
    if mutation.operator_name.endswith(("_Is", "_IsNot")):
        return False  # of numbers and texts, identity is the same as equality by chance
    path = mutation.module_path
    if path not in _QUIET:
        _QUIET[path] = list(_quiet(ast.parse(path.read_text("utf-8"))))
    start, end = mutation.start_pos, mutation.end_pos
    return not any(first <= start and end <= last for first, last in _QUIET[path])


def _quiet(tree: ast.Module) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for node in ast.walk(tree):
        quiet: list[ast.expr | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            quiet.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            quiet.append(node.returns)
        elif isinstance(node, ast.Assert):
            quiet.append(node.test)
        elif isinstance(node, ast.ClassDef):
            quiet += [key.value for each in node.decorator_list for key in _keywords(each)]
        elif isinstance(node, ast.Call):
            quiet += [key.value for key in node.keywords if key.arg == "strict"]
        for each in quiet:
            if each is not None and each.end_lineno is not None and each.end_col_offset is not None:
                start = (each.lineno, each.col_offset)
                yield start, (each.end_lineno, each.end_col_offset)


def _keywords(decorator: ast.expr) -> list[ast.keyword]:
    return decorator.keywords if isinstance(decorator, ast.Call) else []


def drawn(items: dict[str, WorkItem], count: int) -> list[str]:
    """A sample, the same every time: places first, then one of the mutants of each place.

    A plus sign has twelve mutants and a comparison seven; drawn from all of them alike, the sample
    would tell of little else.
    """
    chance = random.Random(SEED)
    places: dict[tuple[str, tuple[int, int]], list[tuple[str, int, str]]] = {}
    for job, item in items.items():
        [mutation] = item.mutations
        place = (mutation.module_path.as_posix(), mutation.start_pos)
        places.setdefault(place, []).append((mutation.operator_name, mutation.occurrence, job))
    turns = []
    for place in sorted(places):
        mutants = sorted(places[place])
        chance.shuffle(mutants)
        turns += [(turn, chance.random(), job) for turn, (_, _, job) in enumerate(mutants)]
    return [job for _, _, job in sorted(turns)[:count]]


# ------------------------------------------------------------------------------------- the report


def report(outcomes: dict[str, Outcome]) -> None:
    """Keep what was found, beside what earlier runs found in other rooms, and write the page."""
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.is_file() else {}
    for name, one in outcomes.items():
        tried = one.killed + len(one.survivors)
        print(f"{name}: {one.killed} of {tried} killed, {one.share:.0%}", end="; ")
        print(f"{one.possible} possible, {one.left} left for want of time")
        results[name] = {
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "possible": one.possible,
            "tried": tried,
            "killed": one.killed,
            "survivors": sorted(
                " -> ".join((f"{mutation.module_path.as_posix()}: {was}", now))
                for mutation, diff in one.survivors
                for was, now in [_changed(diff)]
            ),
        }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")


def page(results: dict[str, dict[str, Any]]) -> str:
    """The page of the manual."""
    reasons = tomllib.loads(REASONS.read_text("utf-8"))
    lines = [
        "# Mutants",
        "",
        "Written by `python3 run.py mutants`. The code is changed in one place at a time, and the",
        "tests of its room alone are run. A change that no test notices *survives*: a test is",
        f"missing, or the change makes no difference. A room must kill {WANTED:.0%} of its sample.",
        "",
        "| room | possible | tried | killed | share | made |",
        "|---|---|---|---|---|---|",
    ]
    for name, one in sorted(results.items()):
        share = one["killed"] / one["tried"] if one["tried"] else 0
        figures = f"{one['possible']} | {one['tried']} | {one['killed']} | {share:.0%}"
        lines.append(f"| {name} | {figures} | {one['date']} |")
    for name, one in sorted(results.items()):
        lines += ["", f"## What survived in {name}", ""] if one["survivors"] else []
        for survivor in one["survivors"]:
            place, _, change = survivor.partition(": ")
            why = reasons.get(survivor, "no reason is known")
            lines.append(f"* `{place}`: `{change.replace(' -> ', '` became `', 1)}`: {why}")
            if survivor not in reasons:
                print(f"Without a reason: {survivor}")
    return "\n".join(lines) + "\n"


def _changed(diff: str) -> tuple[str, str]:
    rows = [row for row in diff.splitlines() if not row.startswith(("---", "+++"))]
    was = " ".join(row[1:].strip() for row in rows if row.startswith("-"))
    now = " ".join(row[1:].strip() for row in rows if row.startswith("+"))
    return was, now


if __name__ == "__main__":
    sys.exit(main())
