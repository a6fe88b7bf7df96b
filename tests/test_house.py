"""The project's own rules that no general tool knows."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from madcat_studio import __version__

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "madcat_studio"
ENGINE = ROOT / "engine" / "madcat_ter"
MODULES = {str(path.relative_to(PACKAGE)): path for path in sorted(PACKAGE.rglob("*.py"))}
MODULES |= {str(path.relative_to(ENGINE.parent)): path for path in sorted(ENGINE.rglob("*.py"))}


def _load(path: Path) -> ModuleType:
    """A script that is not in the package, as a module."""
    spec = importlib.util.spec_from_file_location(f"house_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _tracked() -> list[Path]:
    try:
        git = ["git", "ls-files", "-z"]
        listed = subprocess.run(git, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is not a clone with git")
    names = listed.stdout.decode().split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


@pytest.fixture(scope="module")
def heads() -> dict[str, ast.Module]:
    """What stands at the top of each module; without the bodies, which weigh much together."""
    found = {}
    for name, path in MODULES.items():
        tree = found[name] = ast.parse(path.read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                node.body.clear()
    return found


def test_every_module_says_what_it_is_for(heads: dict[str, ast.Module]) -> None:
    assert [name for name, tree in heads.items() if not ast.get_docstring(tree)] == []


@pytest.mark.long
def test_what_is_public_stands_in_all(heads: dict[str, ast.Module]) -> None:
    hidden = []
    for name, tree in heads.items():
        exported = _exported(tree)
        if exported is None or name.startswith("cli/"):  # Typer knows the commands of cli
            continue
        defined = (n.name for n in tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef))
        hidden += [
            f"{name}: {each}"
            for each in defined
            if not each.startswith("_") and each not in exported
        ]
    assert hidden == []


def _exported(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return None


@pytest.mark.long
def test_no_file_knows_the_machine_it_was_written_on() -> None:
    foreign = re.compile(rb"(?<![\w.])/(?:work|root|home/[a-z]+)/[\w.]+")
    for path in _tracked():
        data = path.read_bytes()
        if b"\0" in data[:4096] or path == Path(__file__):
            continue
        found = foreign.search(data)
        assert found is None, f"{path.relative_to(ROOT)} names {found.group().decode()}"


def test_nothing_large_is_tracked() -> None:
    for path in _tracked():
        assert path.stat().st_size <= 4 << 20, f"{path.relative_to(ROOT)} has over 4 MB"


def test_changelog_tells_of_this_version() -> None:
    assert re.search(rf"^## {re.escape(__version__)}\b", (ROOT / "CHANGELOG.md").read_text(), re.M)


def test_version_is_said_once_and_the_same() -> None:
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()


# ------------------------------------------------------------------------------------- README


def _commands(text: str, start: str) -> list[list[str]]:
    """The words after ``start`` of each command in the code blocks of a page."""
    blocks = "\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S))
    return [line.split()[len(start.split()) :] for line in blocks.splitlines() if start in line]


def _pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", _pages(), ids=lambda path: path.name)
def test_words_of_run_that_pages_tell_exist(page: Path) -> None:
    words = _load(ROOT / "run.py").WORDS
    for said in re.findall(r"run\.py ([a-z]+)", page.read_text("utf-8")):
        assert said in words


@pytest.mark.parametrize("page", _pages(), ids=lambda path: path.name)
def test_commands_that_pages_tell_exist(page: Path) -> None:
    from madcat_studio.cli.app import commands

    for words in _commands(page.read_text("utf-8"), "madcat-studio "):
        command = commands()
        if "--" in words:
            words = words[: words.index("--")]  # what follows is for another program
        for word in words:
            if not hasattr(command, "commands"):
                break
            if word.startswith("-"):
                continue
            assert word in command.commands, f"madcat-studio {' '.join(words)}"
            command = command.commands[word]
        for option in (word.partition("=")[0] for word in words if word.startswith("--")):
            known = {name for parameter in command.params for name in parameter.opts}
            assert option in known | {"--help"}, f"madcat-studio {' '.join(words)}"


# --------------------------------------------------------------------------------------- docs


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    return _load(ROOT / "docs" / "generate.py")


@pytest.mark.long
def test_generated_pages_are_up_to_date(generate: ModuleType) -> None:
    pages = generate.pages()
    stale = [path.name for path, text in pages.items() if path.read_text("utf-8") != text]
    assert stale == [], "run: python3 run.py docs"


@pytest.mark.long
def test_the_tables_of_formats_are_up_to_date() -> None:
    tables = _load(ROOT / "docs" / "format_tables.py")
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    assert tables.with_tables(text) == text, "run: python3 run.py docs"


@pytest.mark.long
def test_codes_are_written_out(generate: ModuleType) -> None:
    assert generate.codes()[1] == []


def test_codes_are_found_in_every_shape(generate: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "claims.py").write_text(
        "class KitError(ConflictError): ...\n"
        "class ConflictError(StudioError): ...\n"
        "raise KitError('kit.taken', f'kit {name} is ' + 'taken', remedy='Wait' if x else 'Ask')\n"
        "raise errors.StudioError('kit.taken', 'worded for this place')\n"
        "raise KitError(f'kit.no-{what}', 'missing')\n"
        "raise KitError(error.code, 'passed on from another')\n"
        "raise ValueError('not.ours', 'a fault')\n"
        "class Refused(StudioError):\n"
        "    def __init__(self, many):\n"
        "        super().__init__('kit.refused', f'{many}')\n"
        "raise Refused(many)\n"
    )
    (tmp_path / "order.py").write_text(
        "raise KitError(code, 'not written out')\nraise KitError('nodot', 'no topic')\n"
    )
    found, wrong = generate.codes(tmp_path)
    assert [(code.code, code.reason, code.remedy) for code in found] == [
        ("kit.no-…", "missing", ""),
        ("kit.refused", "…", ""),
        ("kit.taken", "kit … is taken", "Wait / Ask"),
        ("kit.taken", "worded for this place", ""),
    ]
    assert [line.split(": ")[0] for line in wrong] == ["order.py:1", "order.py:2"]


def test_drawing_shows_every_room(generate: ModuleType) -> None:
    text = generate.drawing()
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    for room in rooms - {"__init__", "__pycache__", "py"}:
        assert f">{room}</text>" in text or room in {"resources", "schemas"}


def test_the_walks_of_the_architecture_lead_to_what_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    walks = page.partition("## Two walks")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in walks.splitlines() if line.startswith("| `")]
    assert len(rows) >= 20
    for where, what in rows:
        module = where.strip(" `")
        told = re.findall(r"`([^`]+)`", what)
        for other in [name for name in told if name.endswith(".py")]:
            assert other in MODULES, other
        own = re.split(r"`[^`]+\.py`", what)[0]
        names = [name for name in re.findall(r"`([A-Za-z_]+)`", own) if name not in ("ter", "wer")]
        text = MODULES[module].read_text("utf-8")
        assert any(re.search(rf"(def|class) {name}\b", text) for name in names), module


@pytest.mark.long
def test_operations_are_thin() -> None:
    """An operation calls the rooms below step by step; what is longer hides a step in itself."""
    thick = {}
    for name, path in MODULES.items():
        if not name.startswith("operations/"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                if body and (lines := body[-1].end_lineno - body[0].lineno + 1) > 60:
                    thick[f"{name}: {node.name}"] = lines
    assert thick == {}
