"""Finds every text that the window shows, for translators: ``python3 run.py texts [LANGUAGE ...]``.

Qt's own ``lupdate`` takes a text's context from the class around it, and knows neither ``mark`` nor
our plurals; the window has one context for all. So the texts are found here, by reading the code,
and handed to ``lupdate`` in a form that it knows: it keeps what is translated already.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from madcat_studio.gui.translation import CONTEXT

__all__ = [
    "DRAFT",
    "SENTENCES",
    "TRANSLATIONS",
    "Text",
    "all_texts",
    "compile_drafts",
    "compile_translations",
    "drafts",
    "fill",
    "main",
    "texts",
    "told_elsewhere",
    "update",
]

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "madcat_studio"
TRANSLATIONS = ROOT / "resources" / "translations"
DRAFT = TRANSLATIONS / "draft.tsv"
SENTENCES = TRANSLATIONS / "sentences.tsv"


BETWEEN_FORMS = " | "

Draft = Mapping[str, tuple[str, ...]]
"""English -> its translation; of a text that counts, every plural form of the language."""

_CALLS = re.compile(r"\b(?:tr|tr_count|mark|Column|[Tt]able|Chart|Way|_way|add)\s*\(")


@dataclass
class Text:
    """One text: what it says of one, where it counts, and the places that show it."""

    source: str
    one: str | None = None
    places: list[str] = field(default_factory=list)


def texts(package: Path = PACKAGE) -> dict[str, Text]:
    """Every text that is translated, by its English words.

    Those are the texts in calls of ``tr``, ``tr_count`` and ``mark``, and what the tables and
    charts of reports call themselves.
    """
    found: dict[str, Text] = {}
    for path in sorted(package.rglob("*.py")):
        code = path.read_text("utf-8")
        if not _CALLS.search(code):
            continue  # most modules show nothing, and parsing them takes seconds
        for node in ast.walk(ast.parse(code)):
            if not isinstance(node, ast.Call):
                continue
            for source, one in _in_call(node):
                if not source:
                    continue  # a column without a title
                text = found.setdefault(source, Text(source))
                text.one = text.one or one
                text.places.append(f"{path.relative_to(package)}:{node.lineno}")
    return found


def told_elsewhere(table: Path = SENTENCES) -> dict[str, Text]:
    """The forms of sentences of rooms without a window, as ``python3 run.py docs`` wrote them."""
    found: dict[str, Text] = {}
    for line in table.read_text("utf-8").splitlines():
        code, source, one = map(_unescaped, line.split("\t"))
        text = found.setdefault(source, Text(source, one or None))
        text.places.append(code)
    return found


def all_texts() -> dict[str, Text]:
    """What the window shows of its own, and what it says of other rooms."""
    return told_elsewhere() | texts()


def _in_call(call: ast.Call) -> Iterator[tuple[str, str | None]]:
    """The texts that a call shows, each with what it says of one where it counts."""
    words = [_string(node) for node in call.args]
    match getattr(call.func, "id", ""), words:
        case "tr_count", [str(one), str(many), *_]:
            yield many, one
        case "tr" | "mark", [str(source), *_]:
            yield source, None
        case "_way", [_, str(title), str(heading), *_]:
            yield from ((title, None), (heading, None))
        case "Way", [_, _, _, str(heading), *_]:
            yield heading, None
        case "add", [str(figure), _, _]:  # of a plan, before and after a change
            yield figure, None
        case "table", [_, str(title), str(below), *_]:  # of systems, in a campaign's report
            yield from ((title, None), (below, None))
        case "Column" | "Table" | "Chart", [_, str(title), *_]:
            yield title, None
            notes = (_string(word.value) for word in call.keywords if word.arg == "note")
            for note in (*words[3:], *notes):
                if note is not None:
                    yield note, None


def _string(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def update(languages: Sequence[str], folder: Path, found: dict[str, Text]) -> list[Path]:
    """Bring the ``.ts`` files of these languages up to date, and begin those not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"madcat_studio_{language}.ts" for language in languages]
    with tempfile.TemporaryDirectory() as place:
        source = Path(place, "texts.cpp")
        source.write_text("".join(map(_for_lupdate, found.values())), encoding="utf-8")
        for file, language in zip(files, languages, strict=True):
            told = ["-locations", "none", "-no-obsolete", "-target-language", language]
            _tool("lupdate", *told, str(source), "-ts", str(file))
    return files


def _for_lupdate(text: Text) -> str:
    """A text as C++, with its places as a comment for the translator."""
    places = ", ".join(text.places[:3]) + (" ..." if len(text.places) > 3 else "")
    form = f"Of one: {text.one} ({places})" if text.one is not None else places
    count = ", nullptr, 2" if text.one is not None else ""
    call = f"QCoreApplication::translate({_quoted(CONTEXT)}, {_quoted(text.source)}{count});"
    return f"//: {' '.join(form.split())}\n{call}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def drafts(table: Path = DRAFT) -> dict[str, Draft]:
    """The first drafts of translations, by language. They wait for a translator.

    A row holds the English text and its translations. In a cell ``\\n`` is a line break, and the
    plural forms of a text that counts, in the order of Qt's, are parted by `` | ``.
    """
    head, *rows = (line.split("\t") for line in table.read_text("utf-8").splitlines())
    return {
        language: {
            _unescaped(row[0]): tuple(map(_unescaped, row[column].split(BETWEEN_FORMS)))
            for row in rows
        }
        for column, language in enumerate(head)
        if column
    }


def _unescaped(cell: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], cell)


def fill(file: Path, draft: Draft) -> None:
    """Put drafts where a ``.ts`` file has nothing yet. They stay marked as unfinished."""
    tree = ElementTree.parse(file)
    for message in tree.iter("message"):
        forms = draft.get(message.findtext("source") or "")
        translation = message.find("translation")
        if not forms or translation is None or not translation.get("type"):
            continue
        places = translation.findall("numerusform") or [translation]
        if len(places) == len(forms) and not any(place.text for place in places):
            for place, form in zip(places, forms, strict=True):
                place.text = form
    tree.write(file, encoding="utf-8", xml_declaration=True)


def compile_drafts(folder: Path) -> list[Path]:
    """Make the ``.qm`` files of the drafts alone, which come with the program."""
    made = []
    with tempfile.TemporaryDirectory() as place:
        for language, draft in drafts().items():
            found = {
                english: Text(english, english if len(forms) > 1 else None)
                for english, forms in draft.items()
            }
            [file] = update([language], Path(place), found)
            fill(file, draft)
            made.append(folder / f"{file.stem}.qm")
            _tool("lrelease", "-silent", str(file), "-qm", str(made[-1]))
    return made


def compile_translations(files: Sequence[Path]) -> None:
    """Make the ``.qm`` files that the window loads, beside their ``.ts`` files."""
    for file in files:
        _tool("lrelease", "-silent", str(file), "-qm", str(file.with_suffix(".qm")))


def _tool(name: str, *arguments: str) -> None:
    """Run a tool of Qt that comes with PySide6."""
    import PySide6

    folder = Path(PySide6.__file__).parent
    program = next(path for path in (folder / name, folder / f"{name}.exe") if path.is_file())
    subprocess.run([str(program), *arguments], check=True, stdout=subprocess.DEVNULL)


def main(arguments: Sequence[str] = ()) -> int:
    """Update the files of all languages that are there and of those named; the exit status."""
    parser = argparse.ArgumentParser(description="Collect the texts of the window for translators.")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="to begin, such as ar")
    parser.add_argument("--folder", type=Path, default=TRANSLATIONS, help="of the .ts files")
    options = parser.parse_args(list(arguments))
    folder: Path = options.folder
    there = {file.stem.removeprefix("madcat_studio_") for file in folder.glob("*.ts")}
    languages = sorted({*there, *options.languages})
    found = all_texts()
    counting = sum(text.one is not None for text in found.values())
    print(f"{len(found)} texts, {counting} of them with plural forms")
    files = update(languages, folder, found)
    draft = drafts()
    for file, language in zip(files, languages, strict=True):
        fill(file, draft.get(language, {}))
    if folder == TRANSLATIONS and not files:
        compile_drafts(folder)
    compile_translations(files)
    for file in files:
        left = file.read_text("utf-8").count('<translation type="unfinished"')
        print(f"{file}: {left} to translate")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
