"""Printing what ``convert`` did: one file with all that became of it, or many with their sums."""

from __future__ import annotations

import json
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from madcat_studio.model.characters import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from madcat_studio.formats.ledger import Row
    from madcat_studio.model.problem import Problem
    from madcat_studio.operations.pages.convert import Converted
    from madcat_studio.operations.pages.convert_many import ConvertedFile

__all__ = ["Teller", "print_one", "teller"]


_EACH = frozenset({"convert-id-changed", "text-levels-differ"})
"""Notes that quote the thing they are about: they are of one kind whatever they quote."""
_QUOTED = re.compile("“[^”]*”")


def _kind(problem: Problem) -> tuple[str, str, str]:
    """What problems of one kind have in common."""
    if problem.code not in _EACH:
        return problem.code, problem.what, problem.done
    return problem.code, _QUOTED.sub("“”", problem.what), _QUOTED.sub("“”", problem.done)


class _Notes:
    """One note a kind, the first, with their number: a page has many lines that lack the same."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str], tuple[Problem, int]] = {}

    def add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            key = problem.code, problem.what, problem.done
            first, times = self._found.get(key, (problem, 0))
            self._found[key] = first, times + 1

    def __iter__(self) -> Iterator[tuple[Problem, int]]:
        return iter(self._found.values())

    def plain(self) -> list[dict[str, Any]]:
        return [
            {
                "code": problem.code,
                "severity": problem.severity.value,
                "what": problem.what,
                "done": problem.done,
                "times": times,
                "where": str(problem.where),
            }
            for problem, times in self
        ]

    def print(self, console: Any) -> None:
        from rich.markup import escape

        alike: dict[tuple[str, str, str], tuple[Problem, int]] = {}
        for problem, times in self:
            first, before = alike.get(_kind(problem), (problem, 0))
            alike[_kind(problem)] = first, before + times
        for problem, times in alike.values():
            done = f" ({problem.done})" if problem.done else ""
            many = f" [{times} times]" if times > 1 else ""
            console.print(
                f"{problem.severity.value:<8} {escape(str(problem.where))}: {escape(problem.what)}"
                f"{escape(done)}{escape(many)}"
            )


def print_one(result: Converted, output: str) -> None:
    """Print what became of one file, as ``table`` or ``json``."""
    notes = _Notes()
    notes.add(result.problems)
    if output == "json":
        plain = {
            "outputs": [str(path) for path in result.outputs],
            "format": result.source_format.value,
            "ledger": _ledger(result.ledger),
            "notes": notes.plain(),
            "loss": result.is_loss,
        }
        print(json.dumps(plain, ensure_ascii=False, indent=2))
        return
    console = _console()
    notes.print(console)
    console.print(_table(result.ledger))
    names = ", ".join(one_line(str(path)) for path in result.outputs)
    console.print(f"{result.source_format.value} converted to {names}", markup=False)


_COUNT = re.compile(r" \((\d+) times?\)")


class _Sums:
    """One note a kind of many files: how often, in how many of them, and where first."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str], tuple[Problem, int, int]] = {}

    def add(self, problems: Iterable[Problem]) -> None:
        seen = set()
        for problem in problems:
            told = _COUNT.search(problem.what)
            code, what, done = _kind(problem)
            key = code, _COUNT.sub("", what), done
            first, times, files = self._found.get(key, (problem, 0, 0))
            times += int(told[1]) if told else 1
            self._found[key] = first, times, files + (key not in seen)
            seen.add(key)

    def print(self, console: Any) -> None:
        from rich.markup import escape

        for first, times, files in self._found.values():
            what, done = _COUNT.sub("", first.what), first.done
            many = f" [{times} times in {files} files]" if files > 1 else ""
            many = f" [{times} times]" if files == 1 < times else many
            console.print(
                f"{first.severity.value:<8} {escape(what)}{escape(f' ({done})' if done else '')}"
                f"{escape(many)}; {'first ' if files > 1 else ''}in {escape(str(first.where))}"
            )


class Teller(ABC):
    """Tells of many files one by one, and of all together at the end; keeps sums only."""

    def __init__(self) -> None:
        self.files = self.written = self.failed = self.losses = 0
        self.sums: dict[str, tuple[int, int, int]] = {}

    def file(self, result: ConvertedFile) -> None:
        """Tell what became of one file."""
        self.files += 1
        self.failed += result.error is not None
        if result.converted is not None:
            self.written += len(result.converted.outputs)
            self.losses += result.converted.is_loss
            for row in result.converted.ledger:
                came, went, left = self.sums.get(row.kind, (0, 0, 0))
                self.sums[row.kind] = came + row.came, went + row.went, left + row.left
        self.show(result)

    @abstractmethod
    def start(self) -> None:
        """Print what comes first."""

    @abstractmethod
    def show(self, result: ConvertedFile) -> None:
        """Print one file."""

    @abstractmethod
    def end(self, folder: Path, total: int) -> None:
        """Print the sums."""


class _Table(Teller):
    def start(self) -> None:
        self.notes = _Sums()

    def show(self, result: ConvertedFile) -> None:
        if result.error is not None:
            print(f"madcat-studio: {result.error}", file=sys.stderr)
        if result.converted is not None:
            self.notes.add(result.converted.problems)

    def end(self, folder: Path, total: int) -> None:
        console = _console()
        self.notes.print(console)
        if self.sums:
            console.print(_table((kind, *counts) for kind, counts in self.sums.items()))
        done = self.files - self.failed
        told = [f"{done} of {total} files converted into {one_line(str(folder))}"]
        if self.written != done:
            told.append(f"{self.written} written")
        told.append(f"{self.losses} with something left behind")
        if self.failed:
            told.append(f"{self.failed} failed")
        if self.files < total:
            told.append(f"stopped, {total - self.files} not begun")
        console.print("; ".join(told), markup=False)


class _Json(Teller):
    def start(self) -> None:
        sys.stdout.write('{"files": [')

    def show(self, result: ConvertedFile) -> None:
        plain: dict[str, Any] = {"path": str(result.path), "error": None}
        if result.error is not None:
            error = result.error
            plain["error"] = {
                "code": error.code,
                "where": error.where,
                "reason": error.reason,
                "remedy": error.remedy,
            }
        if result.converted is not None:
            notes = _Notes()
            notes.add(result.converted.problems)
            plain |= {
                "outputs": [str(path) for path in result.converted.outputs],
                "format": result.converted.source_format.value,
                "ledger": _ledger(result.converted.ledger),
                "notes": notes.plain(),
                "loss": result.converted.is_loss,
            }
        text = json.dumps(plain, ensure_ascii=False)
        sys.stdout.write(("," if self.files > 1 else "") + "\n" + text)

    def end(self, folder: Path, total: int) -> None:
        summary = {
            "folder": str(folder),
            "files": total,
            "converted": self.files - self.failed,
            "written": self.written,
            "failed": self.failed,
            "with_loss": self.losses,
            "stopped": self.files < total,
            "ledger": {
                kind: {"in": came, "out": went, "left": left}
                for kind, (came, went, left) in self.sums.items()
            },
        }
        sys.stdout.write('\n], "summary": ' + json.dumps(summary, ensure_ascii=False) + "}\n")


@contextmanager
def teller(output: str, folder: Path, total: int) -> Iterator[Teller]:
    """Tells of many files as ``table`` or ``json``; of stopped work it tells what was done."""
    tell = _Json() if output == "json" else _Table()
    tell.start()
    try:
        yield tell
    finally:
        tell.end(folder, total)


def _ledger(rows: Iterable[Row]) -> dict[str, dict[str, int]]:
    return {row.kind: {"in": row.came, "out": row.went, "left": row.left} for row in rows}


def _console() -> Any:
    from madcat_studio.reports import terminal

    return terminal.console(highlight=False, soft_wrap=True)


def _table(rows: Iterable[Row | tuple[str, int, int, int]]) -> Any:
    from rich.table import Table

    table = Table("", box=None)
    for column in ("in", "out", "left"):
        table.add_column(column, justify="right")
    for row in rows:
        kind, *counts = row if isinstance(row, tuple) else (row.kind, row.came, row.went, row.left)
        table.add_row(kind, *map(str, counts))
    return table
