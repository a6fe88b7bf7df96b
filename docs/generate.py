"""Write the pages of docs/ that are made: rooms, error codes, results, the library's reference.

The sentences that the window knows again, to say them in its language, are written with them.

Run by ``python3 run.py docs``; with ``--check`` nothing is written, and the exit status is 1 where
a page is out of date.
"""

from __future__ import annotations

import ast
import gc
import json
import re
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))  # where this is run as a file

from scripts import reference, sentences  # noqa: E402

PACKAGE = DOCS.parent / "madcat_studio"
ENGINE = DOCS.parent / "engine" / "madcat_ter"
SENTENCES = DOCS.parent / "resources" / "translations" / "sentences.tsv"

# ---------------------------------------------------------------------------------- error codes


_FORM = re.compile(r"[a-z][a-z0-9-]*\.[a-z…][a-z0-9…-]*")


@dataclass(frozen=True, order=True)
class Code:
    """One message for a user, as the code that raises it says."""

    code: str
    reason: str
    remedy: str
    place: str


@cache
def codes(*packages: Path) -> tuple[list[Code], list[str]]:
    """Every StudioError that is made in the packages (ours), by reading them, and what is wrong.

    A code stands for one reason to fail; it may be worded for the place where it is noticed. Wrong
    is a code that is not written out as ``topic.reason``: nobody could look for it.
    """
    tops = packages or (PACKAGE, ENGINE)
    nodes = {
        path: [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.Call)]
        for path, tree in sentences.trees(*tops).items()
    }
    errors = sentences.Errors.of(node for found in nodes.values() for node in found)
    found: dict[tuple[str, str], Code] = {}
    wrong: list[str] = []
    for path, in_module in nodes.items():
        for call in errors.calls(in_module):
            if sentences.passes_on(call):
                continue
            top = next(top for top in tops if path.is_relative_to(top))
            place = f"{path.relative_to(top)}:{call.lineno}"
            code = _message(call, place)
            if code is None:
                wrong.append(f"{place}: an error begins with its code, topic.reason, written out")
            else:
                found.setdefault((code.code, code.reason), code)
    return sorted(found.values()), wrong


def _message(call: ast.Call, place: str) -> Code | None:
    match call.args:
        case [ast.Constant() | ast.JoinedStr() as code, reason, *_]:
            name = _sentence(code)
            remedy = [_sentence(word.value) for word in call.keywords if word.arg == "remedy"]
            if _FORM.fullmatch(name):
                return Code(name, _sentence(reason), "".join(remedy), place)
    return None


def _sentence(node: ast.expr) -> str:
    """A text as it stands in the code; what is put in while running shows as ``…``."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return re.sub("…+", "…", "".join(_sentence(part) for part in parts))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return re.sub("…+", "…", _sentence(left) + _sentence(right))
        case ast.IfExp(body=body, orelse=other):
            return f"{_sentence(body)} / {_sentence(other)}"
        case _:
            return "…"


def error_page() -> str:
    """docs/errors.md."""
    lines = [
        "# Messages and their codes",
        "",
        "Each message ends in a code. What is put in while the program runs shows here as …; the",
        "file or the place stands before the message. Written by `python3 run.py docs`.",
    ]
    room = ""
    for code in codes()[0]:
        if (head := code.code.partition(".")[0]) != room:
            room = head
            lines += ["", f"## {room}", "", "| code | message | what to do |", "|---|---|---|"]
        cells = (text.replace("|", "\\|") for text in (code.reason, code.remedy))
        lines.append(f"| `{code.code}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------- drawing of the rooms

ROW, GAP, WIDTH, LEFT = 46, 16, 760, 20


def rooms() -> tuple[list[list[str]], dict[str, list[str]]]:
    """The layers, top to bottom, and by room the libraries that only it may know."""
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    libraries: dict[str, list[str]] = {}
    for contract in contracts:
        for importer in contract.get("allowed_importers", []):
            room = importer.split(".")[1]
            libraries.setdefault(room, []).extend(contract["protected_modules"])
    # The engine is a package of its own, which all rooms may use.
    return [
        *([room.strip() for room in layer.split("|")] for layer in layers),
        [ENGINE.name],
    ], libraries


def drawing() -> str:
    """docs/rooms.svg: one row a layer; a room may use any room in a row below its own."""
    layers, libraries = rooms()
    height = len(layers) * (ROW + GAP) + GAP
    shapes: list[str] = []
    for row, layer in enumerate(layers):
        top = GAP + row * (ROW + GAP)
        width = (WIDTH - GAP * (len(layer) - 1)) / len(layer)
        for column, room in enumerate(layer):
            left = LEFT + column * (width + GAP)
            middle = left + width / 2
            known = ", ".join(libraries.get(room, []))
            shapes.append(
                f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{ROW}" rx="6"/>'
                f'<text x="{middle:.0f}" y="{top + (20 if known else 28)}">{escape(room)}</text>'
            )
            if known:
                shapes.append(
                    f'<text class="library" x="{middle:.0f}" y="{top + 37}">{escape(known)}</text>'
                )
    style = (
        "rect{fill:#eef3f8;stroke:#33566f;stroke-width:1.2}"
        "text{font:15px sans-serif;text-anchor:middle;fill:#12222e}"
        ".library{font-size:11px;fill:#54707f}"
    )
    size = f"{WIDTH + 2 * LEFT} {height}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img">',
            "<title>The rooms of madcat_studio in layers</title>",
            f"<style>{style}</style>",
            '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>',
            *shapes,
            "</svg>\n",
        ]
    )


# ---------------------------------------------------------------------- results of long runs


def results_page(results: dict[str, dict[str, Any]]) -> str:
    """docs/results.md."""
    lines = [
        "# Results of long runs",
        "",
        "What each run of [the long tests](soak.md) gave when it was last made. Written by",
        "`python3 run.py docs` from `docs/results/soak.json`, which `python3 run.py soak` writes.",
        "",
        "| run | result | figures | took | made |",
        "|---|---|---|---|---|",
    ]
    for name, told in results.items():
        file, _, test = name.partition("::")
        room = "/".join(Path(file).parts[1:-1])
        words = test.removeprefix("test_").removeprefix("soak_").replace("_", " ")
        figures = "; ".join(f"{what}: {value}" for what, value in told["figures"].items())
        minutes, seconds = divmod(told["seconds"], 60)
        took = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
        cells = (
            f"{room}: {words}",
            told["outcome"],
            figures,
            took,
            f"{told['date']}, {told['machine']}",
        )
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------- the door


def pages() -> dict[Path, str]:
    """Every generated page and its text."""
    results = json.loads((DOCS / "results" / "soak.json").read_text("utf-8"))
    return {
        DOCS / "errors.md": error_page(),
        DOCS / "rooms.svg": drawing(),
        DOCS / "results.md": results_page(results),
        SENTENCES: sentences.table(),
        **reference.package_pages(),
    }


def main(arguments: list[str]) -> int:
    """Write what is out of date, or with ``--check`` name it."""
    stale = [
        path
        for path, text in pages().items()
        if not path.is_file() or path.read_text("utf-8") != text
    ]
    for path in stale:
        if "--check" in arguments:
            name = path.relative_to(DOCS.parent)
            print(f"{name} is out of date; run: python3 run.py docs", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(pages()[path], encoding="utf-8")
            print(f"wrote {path.relative_to(DOCS.parent)}")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    # Syntax trees stay until the end: to look through them again and again takes half the time.
    gc.disable()
    sys.exit(main(sys.argv[1:]))
