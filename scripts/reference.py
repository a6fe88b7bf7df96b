"""Makes the pages of the library's reference from what the packages declare to be public.

A page for each package lists its modules; ``docs/generate.py`` writes it, and it is kept. A page
for each module, which autodoc fills, is written when the manual is built: outside of the manual it
would be empty.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

__all__ = ["module_pages", "own_all_nodes", "package_pages", "public", "write_module_pages"]

ROOT = Path(__file__).resolve().parents[1]
STUDIO = ROOT / "madcat_studio"
ENGINE = ROOT / "engine" / "madcat_ter"
API = ROOT / "docs" / "api"
PACKAGES = (ENGINE, *(STUDIO / name for name in ("scoring", "formats", "workspace", "operations")))


def public(package: Path) -> list[str]:
    """The modules that a package declares to be public, in its ``__all__``."""
    for node in ast.parse((package / "__init__.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def package_pages() -> dict[Path, str]:
    """``docs/api/NAME.md`` of each package: what its modules are for, and the way to each."""
    return {API / f"{package.name}.md": "\n".join(_package_page(package)) for package in PACKAGES}


def module_pages() -> dict[Path, str]:
    """A page for each public module, which is for Sphinx to fill."""
    pages = {}
    for package in PACKAGES:
        for module in _modules(package):
            name = _dotted(module)
            lines = [f"# `{name}`", "", "```{eval-rst}", f".. automodule:: {name}"]
            pages[API / f"{_page(package, module)}.md"] = "\n".join(
                [*lines, "   :members:", "```", ""]
            )
    return pages


def write_module_pages() -> None:
    """Write what is not there or was changed, and take away what no module belongs to."""
    wanted = module_pages()
    for old in {path for package in PACKAGES for path in (API / package.name).glob("**/*.md")}:
        if old not in wanted:
            old.unlink()
    for path, text in wanted.items():
        if not path.is_file() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def own_all_nodes(_app: Sphinx, page: nodes.document) -> None:
    """Make what autodoc wrote within a page a part of that page.

    MyST reads it as a document of its own, which knows the whole manual, and Sphinx would keep all
    that beside each page: 100 MB.
    """
    for node in page.findall():
        node.document = page


def _modules(package: Path) -> Iterator[Path]:
    """The public modules of a package and of the packages in it, in their order."""
    for name in public(package):
        inner = package / name
        if inner.is_dir():
            yield from _modules(inner)
        else:
            yield inner.with_suffix(".py")


def _package_page(package: Path) -> Iterator[str]:
    yield from _section(package, 1)
    yield from ("```{toctree}", ":hidden:", "")
    for module in _modules(package):
        short = ".".join(module.with_suffix("").relative_to(package).parts)
        yield f"{short} <{_page(package, module)}>"
    yield from ("```", "")


def _section(package: Path, depth: int) -> Iterator[str]:
    yield from (f"{'#' * depth} `{_dotted(package)}`", "", _told(package / "__init__.py"), "")
    names = public(package)
    modules = [package / f"{name}.py" for name in names if not (package / name).is_dir()]
    if modules:
        yield from ("| module | what it is for |", "|---|---|")
        for module in modules:
            yield f"| {{py:mod}}`~{_dotted(module)}` | {_first_sentence(_told(module))} |"
        yield ""
    for name in names:
        if (package / name).is_dir():
            yield from _section(package / name, depth + 1)


def _page(package: Path, module: Path) -> str:
    return module.with_suffix("").relative_to(package.parent).as_posix()


def _dotted(path: Path) -> str:
    top = ENGINE.parent if path.is_relative_to(ENGINE) else ROOT
    return ".".join(path.with_suffix("").relative_to(top).parts)


def _told(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""


def _first_sentence(told: str) -> str:
    """The first line of a module's text as Markdown has it, in a cell."""
    line = re.sub(r":[\w:]+:`~?([^`]+)`", r"`\1`", told.partition("\n")[0])
    return line.replace("|", "\\|")
