"""How much one class holds, and how many modules hang on one: caps without exemptions.

Whoever comes over a cap parts the class or the module by its reasons to change; the caps are not
raised for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (ROOT / "madcat_studio", ROOT / "engine" / "madcat_ter")

MOST_METHODS = 40
"""Of a class, its own."""
MOST_MEMBERS = 75
"""Methods and attributes of a class, with all that it inherits from classes of ours."""
MOST_STOREYS = 4
"""Classes of ours over one another, the class itself included."""
MOST_IMPORTS = 30
"""Modules of ours that one module imports."""
MOST_COUPLING = 500
"""Modules that import one, times those that it imports: of a hub, either is small."""


@dataclass
class Class:
    """What the source says of a class."""

    where: str
    bases: list[str]
    methods: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


def classes_of(where: str, source: str) -> dict[str, Class]:
    """The classes of a module by their names, those within classes and functions included."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef):
            continue
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        names = [ast.unparse(base).rpartition(".")[2] for base in bases]
        one = found[node.name] = Class(where, names)
        for part in node.body:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                one.methods.add(part.name)
            elif isinstance(part, ast.Assign | ast.AnnAssign):
                targets = part.targets if isinstance(part, ast.Assign) else [part.target]
                one.attributes |= {each.id for each in targets if isinstance(each, ast.Name)}
        one.attributes |= {
            each.attr
            for each in ast.walk(node)
            if isinstance(each, ast.Attribute)
            and isinstance(each.ctx, ast.Store)
            and isinstance(each.value, ast.Name)
            and each.value.id == "self"
        }
    return found


def lines_of_bases(name: str, classes: Mapping[str, Class]) -> Iterable[list[str]]:
    """The classes of ours from one up to each of its roots."""
    above = [base for base in classes[name].bases if base in classes and base != name]
    if not above:
        yield [name]
    for base in above:
        for line in lines_of_bases(base, classes):
            yield [name, *line]


def members(name: str, classes: Mapping[str, Class]) -> set[str]:
    """Methods and attributes, with those that are inherited from classes of ours."""
    line = {each for line in lines_of_bases(name, classes) for each in line}
    return set().union(*(classes[each].methods | classes[each].attributes for each in line))


@cache
def ours() -> dict[str, Class]:
    """All classes of both packages; of several with one name the one with the most members."""
    found: dict[str, Class] = {}
    for path in sorted(path for package in PACKAGES for path in package.rglob("*.py")):
        where = str(path.relative_to(ROOT))
        for name, one in classes_of(where, path.read_text("utf-8")).items():
            other = found.get(name)
            size = len(one.methods | one.attributes)
            if other is None or size > len(other.methods | other.attributes):
                found[name] = one
    return found


def over(cap: int, sizes: Mapping[str, int]) -> dict[str, int]:
    return {name: size for name, size in sizes.items() if size > cap}


@pytest.mark.long
def test_a_class_has_few_methods_of_its_own() -> None:
    assert over(MOST_METHODS, {name: len(one.methods) for name, one in ours().items()}) == {}


@pytest.mark.long
def test_a_class_has_few_members_with_all_that_it_inherits() -> None:
    """A class that is parted into storeys of inheritance stays one class."""
    assert over(MOST_MEMBERS, {name: len(members(name, ours())) for name in ours()}) == {}


@pytest.mark.long
def test_classes_do_not_stand_on_many_others() -> None:
    heights = {name: max(map(len, lines_of_bases(name, ours()))) for name in ours()}
    assert over(MOST_STOREYS, heights) == {}


def test_members_are_counted_wherever_they_are_said() -> None:
    source = """
class Base(QObject):
    changed = Signal()
    limit: int = 3
    def __init__(self):
        self.one, self.two = 1, 2
    def act(self): self.two += 1
class Over(Generic[T], module.Base[int]):
    def act(self):
        self.three: int = 3
        other.four = 4
    async def wait(self): ...
"""
    found = classes_of("x.py", source)
    assert found["Base"].methods == {"__init__", "act"}
    assert found["Base"].attributes == {"changed", "limit", "one", "two"}
    assert found["Over"].methods == {"act", "wait"}
    assert found["Over"].attributes == {"three"}
    assert list(lines_of_bases("Over", found)) == [["Over", "Base"]]
    assert len(members("Over", found)) == 8


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("madcat_studio", "madcat_ter", cache_dir=None)


def test_a_module_imports_few_others(graph: grimp.ImportGraph) -> None:
    sizes = {each: len(graph.find_modules_directly_imported_by(each)) for each in graph.modules}
    assert over(MOST_IMPORTS, sizes) == {}


@pytest.mark.long
def test_what_many_modules_import_imports_few(graph: grimp.ImportGraph) -> None:
    sizes = {
        each: len(graph.find_modules_that_directly_import(each))
        * len(graph.find_modules_directly_imported_by(each))
        for each in graph.modules
    }
    assert over(MOST_COUPLING, sizes) == {}


def test_no_modules_import_each_other_in_a_circle(graph: grimp.ImportGraph) -> None:
    """Imports for the type checker count, and those within functions: they are ties as well."""
    assert len(graph.modules) > 500
    demand_an_order(graph)


def test_no_scripts_import_each_other_in_a_circle() -> None:
    scripts = grimp.build_graph("scripts", cache_dir=None)
    assert len(scripts.modules) > 20
    demand_an_order(scripts)


def demand_an_order(graph: grimp.ImportGraph) -> None:
    # A package whose compiled part is imported from it seems to import itself.
    imports = {
        name: graph.find_modules_directly_imported_by(name) - {name} for name in graph.modules
    }
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as circle:
        pytest.fail(" → ".join(circle.args[1]))
