"""The tables of docs/formats.md: what each format gives each other one, recounted from the files.

Run by ``python3 run.py docs``; with ``--check`` nothing is written.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat
from madcat_studio.formats.ledger import KINDS
from madcat_studio.operations.pages.convert import Converted, convert_file

__all__ = ["with_tables"]

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
TARGETS = {
    kind: {FileFormat.PAGE: "PAGE 2019", FileFormat.ALTO: "ALTO 4"}.get(kind, TRAITS[kind].name)
    for kind in WRITTEN
}
NAMES = {kind: traits.name for kind, traits in TRAITS.items()}
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"
_SHORT = 44


def samples() -> list[Path]:
    """Every file of the tests that can be converted to all formats."""
    return [
        path
        for folder in ("real", "documents", "madcat")
        for path in sorted((DATA / folder).iterdir())
        if path.suffix in (".xml", ".hocr", ".html", ".json") and ".transys." not in path.name
    ]


def conversions() -> dict[Path, dict[FileFormat, Converted]]:
    """Each sample in each format. PAGE XML is brought to 2019, ALTO to 4."""
    found: dict[Path, dict[FileFormat, Converted]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for path in samples():
            row = found[path] = {}
            for target in TARGETS:
                version = {FileFormat.PAGE: "2019", FileFormat.ALTO: "4"}.get(target)
                out = Path(temporary) / f"out{TRAITS[target].written}"
                row[target] = convert_file(
                    path, out, target=target, version=version, overwrite=True
                )
    return found


def with_tables(text: str) -> str:
    """A page with its tables as they are now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    found = conversions()
    return "".join([before, BEGIN, *_by_format(found), "\n", *_by_file(found), END, after])


def _by_format(found: dict[Path, dict[FileFormat, Converted]]) -> list[str]:
    """All samples of a format together: what went in and came out, by kinds."""
    sums: dict[tuple[FileFormat, FileFormat], Counter[str]] = defaultdict(Counter)
    files: Counter[FileFormat] = Counter()
    for row in found.values():
        files[next(iter(row.values())).source_format] += 1
        for target, result in row.items():
            into = sums[result.source_format, target]
            for each in result.ledger:
                into[f"{each.kind} in"] += each.came
                into[f"{each.kind} out"] += each.went
                into[f"{each.kind} left"] += each.left
    lines = ["| from | to | " + " | ".join(KINDS) + " |\n", "|---" * (len(KINDS) + 2) + "|\n"]
    for source in (kind for kind in NAMES if files[kind]):
        for target, name in TARGETS.items():
            counts = sums[source, target]
            cells = [_cell(counts, kind) for kind in KINDS]
            many = f"{NAMES[source]} ({files[source]} file{'s' * (files[source] > 1)})"
            lines.append(f"| {many} | {name} | " + " | ".join(cells) + " |\n")
    return lines


def _cell(counts: Counter[str], kind: str) -> str:
    came, went, left = (counts[f"{kind} {what}"] for what in ("in", "out", "left"))
    said = f"{came}" if came == went else f"{came} → {went}"
    return f"{said}, **{left} left**" if left else said


def _by_file(found: dict[Path, dict[FileFormat, Converted]]) -> list[str]:
    """Each sample: what was left of it in each format."""
    lines = [
        "| file | " + " | ".join(TARGETS.values()) + " |\n",
        "|---" * (len(TARGETS) + 1) + "|\n",
    ]
    for path, row in found.items():
        name = path.name if len(path.name) <= _SHORT else f"{path.name[:20]}…{path.name[-23:]}"
        cells = [_left(result) for result in row.values()]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |\n")
    return lines


def _left(result: Converted) -> str:
    left = [
        f"{row.left} {row.kind if row.left > 1 else row.kind.removesuffix('s')}"
        for row in result.ledger
        if row.left
    ]
    codes = ("convert-lost", "convert-not-taken-over")
    other = len({problem.what for problem in result.problems if problem.code in codes})
    said = ", ".join(left) or "nothing"
    return f"{said}; {other} other kind{'s' * (other != 1)}" if other else said


def main(arguments: list[str]) -> int:
    """Write the tables; with ``--check`` the exit status is 1 where they are out of date."""
    page = Path(__file__).resolve().parent / "formats.md"
    before = page.read_text("utf-8")
    after = with_tables(before)
    if before == after:
        return 0
    if "--check" in arguments:
        print("docs/formats.md is out of date; run: python3 run.py docs", file=sys.stderr)
        return 1
    page.write_text(after, encoding="utf-8")
    print("wrote docs/formats.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
