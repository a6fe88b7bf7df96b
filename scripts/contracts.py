"""A contract between rooms that import-linter does not bring: values may pass, functions not.

Named in pyproject.toml. It reads the modules; none is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

__all__ = ["ValuesOnly"]


class ValuesOnly(Contract):
    """From some rooms others take classes and constants, and neither functions nor modules.

    Who imports a function calls it, past the room that ought to be asked. A value has to be
    known to everybody who gets one.
    """

    importers = fields.ListField(subfield=fields.ModuleField())
    imported = fields.ListField(subfield=fields.ModuleField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at each import from one of ``importers`` out of one of ``imported``."""
        _tree.cache_clear()
        wrong = [
            f"{module}:{line} imports {name} from {source}"
            for importer in self.importers
            for module in sorted({importer.name, *graph.find_descendants(importer.name)})
            for line, source, name in _taken(module, [room.name for room in self.imported])
        ]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each import with its place."""
        for line in check.metadata["wrong"]:
            output.print_error(line, bold=False)
            output.new_line()


@cache
def _tree(module: str) -> ast.Module | None:
    """A module's text, without running it; None for what is no module of ours."""
    top, _, rest = module.partition(".")
    spec = find_spec(top)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    path = Path(spec.submodule_search_locations[0]).joinpath(*rest.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if rest and file.is_file():
            return ast.parse(file.read_text("utf-8"))
    return None


def _taken(module: str, rooms: list[str]) -> Iterator[tuple[int, str, str]]:
    """What a module takes out of the rooms that is neither a class nor a constant."""
    tree = _tree(module)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            for one in node.names:
                if any(_within(one.name, room) for room in rooms):
                    yield node.lineno, one.name, "all of it"
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                if any(_within(whole, room) for room in rooms) and not _is_value(
                    node.module, one.name
                ):
                    yield node.lineno, node.module, one.name


def _within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def _is_value(module: str, name: str) -> bool:
    """Whether a name is a class or a constant where it is made."""
    tree = _tree(module)
    for node in tree.body if tree is not None else ():
        match node:
            case ast.ClassDef(name=made) if made == name:
                return True
            case ast.Assign(targets=[ast.Name(id=made)]) if made == name:
                return True
            case ast.AnnAssign(target=ast.Name(id=made)) if made == name:
                return True
            case ast.ImportFrom(module=str(source), names=names) if name in {
                one.asname or one.name for one in names
            }:
                return _is_value(source, name)
    return False
