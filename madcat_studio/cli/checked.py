"""Printing what ``check`` found, file by file: nothing is kept but counts."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from madcat_studio.model.characters import one_line
from madcat_studio.model.problem import Where

if TYPE_CHECKING:
    from madcat_studio.model.problem import Problem, Severity
    from madcat_studio.operations.pages.checking import CheckedFile

__all__ = ["Printer", "printer"]

_RANK = {"note": 0, "warning": 1, "error": 2}
_SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


class Printer(ABC):
    """Prints results one by one; counts what it saw."""

    def __init__(self, stream: IO[str], least: Severity) -> None:
        self.stream = stream
        self.least = _RANK[least.value]
        self.files = 0
        self.unreadable = 0
        self.mended = 0
        self.severities: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()

    def file(self, result: CheckedFile) -> None:
        """Print the result of one file."""
        self.files += 1
        self.unreadable += result.error is not None
        self.mended += len(result.mended)
        shown = [p for p in result.problems if _RANK[p.severity.value] >= self.least]
        self.severities.update(p.severity.value for p in result.problems)
        self.codes.update(p.code for p in result.problems)
        self.show(result, shown)

    def found(self, least: Severity) -> bool:
        """Whether anything was found that matters so much, shown or not."""
        return any(_RANK[name] >= _RANK[least.value] for name in self.severities)

    @abstractmethod
    def start(self) -> None:
        """Print what comes first."""

    @abstractmethod
    def show(self, result: CheckedFile, problems: list[Problem]) -> None:
        """Print one file."""

    @abstractmethod
    def end(self) -> None:
        """Print what comes last."""

    def summary(self) -> dict[str, Any]:
        """The counts."""
        return {
            "files": self.files,
            "unreadable": self.unreadable,
            "mended": self.mended,
            "severities": {name: self.severities[name] for name in ("error", "warning", "note")},
            "problems": dict(sorted(self.codes.items())),
        }


class _Table(Printer):
    def start(self) -> None:
        from madcat_studio.reports import terminal

        self.console = terminal.console(file=self.stream, highlight=False, soft_wrap=True)

    def show(self, result: CheckedFile, problems: list[Problem]) -> None:
        from rich.markup import escape

        if result.error is not None:
            self.console.print(f"[bold red]unreadable[/]  {escape(str(result.error))}")
        if result.repaired is not None:
            copy, done = result.repaired
            self.console.print(
                f"[green]repaired[/]    {escape(one_line(str(copy)))}: {escape(done)}"
            )
        for problem in result.mended:
            self.console.print(
                f"[green]mended[/]      {escape(str(problem.where))}: {escape(problem.what)}"
            )
        marked = result.marked
        if marked is not None and not self.least:
            self.console.print(
                f"[dim]progress[/]    {escape(one_line(str(result.path)))}: "
                f"{marked.done} of {_count(marked.of, 'word')} marked"
            )
        colours = {"error": "red", "warning": "yellow", "note": "dim"}
        for problem in problems:
            word = problem.severity.value
            remedy = f". {problem.remedy}" if problem.remedy else ""
            done = f" ({problem.done})" if problem.done not in ("", "kept as it is") else ""
            self.console.print(
                f"[{colours[word]}]{word:<10}[/]  {escape(str(problem.where))}: "
                f"{escape(problem.what)}{escape(done)}{escape(remedy)} "
                f"[dim]\\[{escape(problem.code)}][/]"
            )

    def end(self) -> None:
        counts = self.severities
        self.console.print(
            f"{_count(self.files, 'file')}: {_count(counts['error'], 'error')}, "
            f"{_count(counts['warning'], 'warning')}, {_count(counts['note'], 'note')}, "
            f"{self.mended} mended, {self.unreadable} unreadable"
        )
        if self.files > 1:
            for code, number in self.codes.most_common():
                self.console.print(f"  {number:>7}  {code}")


class _Json(Printer):
    def start(self) -> None:
        self.stream.write('{"files": [')

    def show(self, result: CheckedFile, problems: list[Problem]) -> None:
        self.stream.write("," * (self.files > 1) + "\n")
        json.dump(
            {
                "path": str(result.path),
                "error": _plain_error(result),
                "problems": [_plain(problem) for problem in problems],
                "repaired": None if result.repaired is None else str(result.repaired[0]),
                "mended": [_plain(problem) for problem in result.mended],
                "marked": None if result.marked is None else asdict(result.marked),
            },
            self.stream,
            ensure_ascii=False,
        )

    def end(self) -> None:
        self.stream.write('\n], "summary": ')
        json.dump(self.summary(), self.stream, ensure_ascii=False)
        self.stream.write("}\n")


class _Sarif(Printer):
    """SARIF 2.1.0; the rules follow the results, which may stand in any order."""

    def start(self) -> None:
        self.first = True
        self.stream.write(f'{{"version": "2.1.0", "$schema": "{_SARIF_SCHEMA}", "runs": [\n')
        self.stream.write('{"columnKind": "unicodeCodePoints", "results": [')

    def show(self, result: CheckedFile, problems: list[Problem]) -> None:
        if result.error is not None:
            self.codes[result.error.code] += 1
            text = f"{result.error.reason}. {result.error.remedy}."
            self.result(result.error.code, "error", text, Where(str(result.path)))
        for problem in problems:
            text = f"{problem.where.element}: {problem.what}."
            text += f" {problem.remedy}." if problem.remedy else ""
            level = problem.severity.value
            self.result(problem.code, level, text, replace(problem.where, file=str(result.path)))

    def result(self, code: str, level: str, text: str, where: Where) -> None:
        """Write one result."""
        uri = _uri(Path(where.file))
        place: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": uri}}}
        numbers = {"startLine": where.line, "startColumn": where.column}
        if where.line is not None:
            known = {name: number for name, number in numbers.items() if number is not None}
            place["physicalLocation"]["region"] = known
        if where.element:
            place["logicalLocations"] = [{"fullyQualifiedName": where.element}]
        self.stream.write("\n" if self.first else ",\n")
        self.first = False
        json.dump(
            {"ruleId": code, "level": level, "message": {"text": text}, "locations": [place]},
            self.stream,
            ensure_ascii=False,
        )

    def end(self) -> None:
        from madcat_studio import __version__

        rules = [{"id": code} for code in sorted(self.codes)]
        driver = {"name": "madcat-studio", "version": __version__, "rules": rules}
        self.stream.write('\n], "tool": ')
        json.dump({"driver": driver}, self.stream)
        self.stream.write("}]}\n")


def _uri(path: Path) -> str:
    from urllib.parse import quote

    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _plain(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "line": problem.where.line,
        "column": problem.where.column,
        "element": problem.where.element,
        "what": problem.what,
        "done": problem.done,
        "remedy": problem.remedy,
    }


def _plain_error(result: CheckedFile) -> dict[str, str] | None:
    error = result.error
    if error is None:
        return None
    return {
        "code": error.code,
        "where": error.where,
        "reason": error.reason,
        "remedy": error.remedy,
    }


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


@contextmanager
def printer(output: str, to: Path | None, least: Severity) -> Iterator[Printer]:
    """A printer for ``table``, ``json`` or ``sarif``, to the screen or to a file.

    The file appears when everything was printed; stopped work leaves none.
    """
    kinds: dict[str, type[Printer]] = {"table": _Table, "json": _Json, "sarif": _Sarif}
    if to is None:
        tell = kinds[output](sys.stdout, least)
        tell.start()
        yield tell
        tell.end()
        return
    beside = to.with_name(f".{to.name}.part")
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            tell = kinds[output](stream, least)
            tell.start()
            yield tell
            tell.end()
        beside.replace(to)
    finally:
        beside.unlink(missing_ok=True)
