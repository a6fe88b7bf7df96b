"""Finds the sentences that rooms without a window put together: errors, findings, names of edits.

Such a room knows no translation; it writes English, with values in it. The window knows the English
again by the sentence's form, which is read from the code here: what is put in while running becomes
``{name}``. ``python3 run.py docs`` writes them into ``resources/translations/sentences.tsv``, which
:mod:`madcat_studio.gui.sentences` reads; each is a text for translators like any other.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = [
    "ANYWHERE",
    "COUNT",
    "Errors",
    "Sentence",
    "passes_on",
    "sentences",
    "table",
    "trees",
    "unread",
]

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "madcat_studio"
ENGINE = ROOT / "engine" / "madcat_ter"

ANYWHERE = "*"
"""Instead of a code: a sentence that is no error's."""

COUNT = "#"
"""Instead of a code: a number with its noun, such as ``{count} page|{count} pages``."""

_ROOTS = {"StudioError", "MadcatError"}
"""The class of all errors, as the studio calls it and as the engine does."""

_MOST = 24
"""A sentence with more alternatives than that in it is left as it stands: in English."""


@dataclass(frozen=True, order=True)
class Sentence:
    """The form of a sentence.

    Attributes:
        code: of the error; :data:`ANYWHERE` or :data:`COUNT`.
        text: the English form; what counts says it of many.
        one: what it says of one, where it counts.
        place: where it stands in the code.
    """

    code: str
    text: str
    one: str = ""
    place: str = ""


# What takes a sentence, besides errors: which of its arguments, by place and by name.
_TAKES: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "Problem": ((3, 4, 5), ("what", "done", "remedy")),
    "KitProblem": ((2,), ("what",)),
    "found": ((3, 4), ("what", "remedy")),
    "tell": ((1, 2), ("what", "done", "remedy")),
    "at": ((1,), ()),  # an advice on a text
    "CompositeEdit": ((1,), ()),
    "_step": ((2,), ("told",)),  # on the way of a campaign
    "Table": ((1, 4), ("title", "note")),
    "Chart": ((1, 2), ("title", "note")),
    "Column": ((1, 3), ("title", "note")),
    "distributions_chart": ((), ("title", "note")),
    "_cumulative": ((1, 2), ()),  # what stands in a drawing
    "set_xlabel": ((0,), ()),
    "set_ylabel": ((0,), ()),
    "axhline": ((), ("label",)),
    "plot": ((), ("label",)),
}
_TITLED = frozenset({"Table", "Chart", "Column"})
"""Of those, what calls itself something."""
_NAMING = frozenset({"CompositeEdit", "_named", "_move"})
"""What takes the name of an edit in the window, which is English in the journals."""
_WORDS = frozenset(
    {"Breakdown", "By", "DataSet", "Denominator", "Factor", "Outcome", "OutlineKind"}
)
"""Enumerations whose values stand in sentences as words."""
_COUNTS = frozenset({"counted", "_count"})
_TELLS = re.compile(
    r"_?(sentences?|phrase|told|weakness(?:es)?|answer|summary|needed|few_\w+|describe_\w+"
    r"|preliminary(_of)?|remedy|reason|told_of_interval)"
)
"""Functions that return a sentence, a part of one, or a list of them."""
_CORE = frozenset(
    {"checks", "coach", "edits", "formats", "model", "operations", "pages", "planning", "reports",
     "scoring", "store", "workspace"}
)  # fmt: skip


@dataclass
class _Value:
    """What is put in while running: its name, and the code by which it is told from others."""

    name: str
    code: str


_Parts = tuple["str | _Value", ...]


class _Module:
    """What is to be known of a module to read its sentences."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes: list[ast.AST] = []
        self._constants = _assignments(tree.body)
        self._functions: dict[int, ast.FunctionDef] = {}  # of names, by their identity
        self._calls: dict[str, list[ast.Call]] = {}
        self._assigned: dict[int, dict[str, list[ast.expr]]] = {}
        self._visit(tree, None)

    def _visit(self, node: ast.AST, function: ast.FunctionDef | None) -> None:
        self.nodes.append(node)
        if isinstance(node, ast.FunctionDef):
            function = node
        elif isinstance(node, ast.Call):
            self._calls.setdefault(_called(node), []).append(node)
        elif isinstance(node, ast.Name) and function is not None:
            self._functions[id(node)] = function
        for child in ast.iter_child_nodes(node):
            self._visit(child, function)

    def values_of(self, name: ast.Name) -> list[ast.expr]:
        """What a name may stand for: it was put there above, or it is handed in."""
        function = self._functions.get(id(name))
        if function is None:
            return self._constants.get(name.id, [])
        if id(function) not in self._assigned:
            self._assigned[id(function)] = _assignments(ast.walk(function))
        found = [*self._assigned[id(function)].get(name.id, ())]
        names = [argument.arg for argument in function.args.args]
        if name.id in names or name.id in {one.arg for one in function.args.kwonlyargs}:
            found += self._handed_in(function.name, name.id, names)
        return found or self._constants.get(name.id, [])

    def values_in(self, table: ast.Name) -> list[str]:
        """The texts in a constant table of this module."""
        return [
            value.value
            for one in self._constants.get(table.id, ())
            if isinstance(one, ast.Dict)
            for value in one.values
            if isinstance(value, ast.Constant) and isinstance(value.value, str)
        ]

    def _handed_in(self, function: str, name: str, names: Sequence[str]) -> Iterator[ast.expr]:
        own = [one for one in names if one not in ("self", "cls")]
        for one in self._calls.get(function, ()):
            if name in own and own.index(name) < len(one.args):
                yield one.args[own.index(name)]
            yield from (word.value for word in one.keywords if word.arg == name)


def _assignments(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """What is put under each name."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    for name, what in _assigned(target, value):
                        found.setdefault(name, []).append(what)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found.setdefault(name, []).append(value)
    return found


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for each, what in zip(targets, values, strict=True):
                yield from _assigned(each, what)


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


class _Reader:
    """Reads the forms of one module's sentences."""

    def __init__(self, module: _Module) -> None:
        self._module = module

    def forms(self, node: ast.expr) -> list[str]:
        """What a sentence may say, each way once; nothing where it has no words of its own."""
        made = {form for parts in self._told(node, 3) if (form := _form(parts)) is not None}
        return sorted(made)

    def _told(self, node: ast.expr, deep: int) -> list[_Parts]:
        """The same in parts. A name is looked up where it stands for the whole of it."""
        match node:
            case ast.Name() if deep:
                values = self._module.values_of(node)
                return [parts for value in values for parts in self._told(value, deep - 1)]
            case ast.Subscript(value=ast.Name() as table) if deep:
                return [(text,) for text in self._module.values_in(table)]
            case ast.IfExp(body=body, orelse=other):
                return self._told(body, deep) + self._told(other, deep)
            case ast.Constant(value=str(text)):
                return [(text,)]
            case ast.JoinedStr(values=values):
                return self._joined([self._part(value, deep) for value in values])
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                both = [self._inner(left, deep), self._inner(right, deep)]
                return self._joined(both)
        return []

    def _joined(self, each: list[list[_Parts]]) -> list[_Parts]:
        ways = 1
        for one in each:
            ways *= len(one)
        if ways > _MOST:
            return []
        return [tuple(itertools.chain(*chosen)) for chosen in itertools.product(*each)]

    def _part(self, node: ast.expr, deep: int) -> list[_Parts]:
        if not isinstance(node, ast.FormattedValue):
            return self._inner(node, deep)
        told = self._inner(node.value, deep)
        if node.format_spec is not None and all(
            len(one) == 1 and isinstance(one[0], _Value) for one in told
        ):  # a date and its time are one value, written in two ways
            return [(_Value(_name(node.value), ast.unparse(node)),)]
        return told

    def _inner(self, node: ast.expr, deep: int) -> list[_Parts]:
        """A part of a sentence: words where they are known, else a value."""
        match node:
            case ast.Constant(value=str(text)):
                return [(text,)]
            case ast.IfExp(body=body, orelse=other):
                return self._inner(body, deep) + self._inner(other, deep)
            case ast.BoolOp(op=ast.Or(), values=[first, ast.Constant(value=str(text))]):
                return [*self._inner(first, deep), (text,)]
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mult()):
                return [("",), (text,)]
            case ast.JoinedStr() | ast.BinOp(op=ast.Add()):
                return self._told(node, deep) or [(_value(node),)]
            case ast.Name() if deep:
                values = self._module.values_of(node)
                words = [self._told(value, deep - 1) for value in values if _is_words(value)]
                if words and len(words) == len(values):
                    return [parts for one in words for parts in one]
        return [(_value(node),)]


def _is_words(node: ast.expr) -> bool:
    """Whether a value is a text that stands in the code."""
    match node:
        case ast.IfExp(body=body, orelse=other):
            return _is_words(body) and _is_words(other)
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
    return False


def _value(node: ast.expr) -> _Value:
    return _Value(_name(node), ast.unparse(node))


def _name(node: ast.expr) -> str:
    """A name that tells a translator what is put in."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_").lower()
        case ast.Call(args=[_, ast.Constant(value=str(noun)), *_]) if _called(node) in _COUNTS:
            return re.sub(r"\W+", "_", noun) + "s"
        case ast.Call(func=ast.Name(id="len"), args=[one]):
            return f"{_name(one)}_count"
        case ast.Call(args=[one, *_]):
            return _name(one)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name.strip("_").lower()
        case ast.Call(func=ast.Attribute(value=one)) | ast.Subscript(value=one):
            return _name(one)
        case ast.BinOp(left=left) | ast.BoolOp(values=[left, *_]):
            return _name(left)
        case ast.GeneratorExp(elt=one) | ast.ListComp(elt=one) | ast.Starred(value=one):
            return _name(one)
    return "value"


_LETTERS = re.compile(r"[A-Za-z]{2}")


def _form(parts: _Parts) -> str | None:
    """The sentence with ``{name}`` for its values, the same value by the same name."""
    names: dict[str, str] = {}
    made = ""
    for part in parts:
        if isinstance(part, str):
            made += part.replace("{", "{{").replace("}", "}}")
            continue
        if part.code not in names:
            name, number = part.name or "value", 2
            while name in names.values():
                name, number = f"{part.name}{number}", number + 1
            names[part.code] = name
        made += f"{{{names[part.code]}}}"
    words = re.sub(r"\{\w+\}", "", made)
    return made if _LETTERS.search(words) and "\t" not in made else None


@dataclass
class Errors:
    """How errors are made in some packages.

    Attributes:
        kinds: the names of their classes, the root's and of all below it.
        own_made: those of them with a constructor of their own.
    """

    kinds: set[str]
    own_made: set[str]

    @classmethod
    def of(cls, nodes: Iterable[ast.AST]) -> Errors:
        """Those of all classes among the nodes."""
        classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
        bases = {node.name: {ast.unparse(base) for base in node.bases} for node in classes}
        kinds = set(_ROOTS)
        while more := {name for name, above in bases.items() if above & kinds} - kinds:
            kinds |= more
        own_made = {
            node.name
            for node in classes
            if node.name in kinds - _ROOTS
            and any(
                isinstance(part, ast.FunctionDef) and part.name == "__init__" for part in node.body
            )
        }
        return cls(kinds - own_made, own_made)

    def calls(self, nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
        """The calls that make an error; the code comes first, then the reason."""
        for node in nodes:
            if isinstance(node, ast.ClassDef) and node.name in self.own_made:
                yield from (
                    call
                    for call in ast.walk(node)
                    if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__"
                )
            elif isinstance(node, ast.Call) and _called(node) in self.kinds:
                yield node


def passes_on(call: ast.Call) -> bool:
    """Whether an error is made with the code of another."""
    return bool(call.args) and getattr(call.args[0], "attr", "") == "code"


@cache
def trees(*packages: Path) -> dict[Path, ast.Module]:
    """The code of all modules of some packages."""
    return {
        path: ast.parse(path.read_text("utf-8"))
        for top in packages
        for path in sorted(top.rglob("*.py"))
    }


def sentences(*packages: Path) -> list[Sentence]:
    """The forms of all sentences in some packages (ours), by code."""
    tops = packages or (PACKAGE, ENGINE)
    modules = {path: _Module(tree) for path, tree in trees(*tops).items()}
    errors = Errors.of(node for module in modules.values() for node in module.nodes)
    found: dict[tuple[str, str], Sentence] = {}
    for path, module in modules.items():
        top = next(top for top in tops if path.is_relative_to(top))
        core = top != PACKAGE or path.relative_to(top).parts[0] in _CORE
        reader = _Reader(module)
        taken = [*_of_errors(errors.calls(module.nodes))]
        taken += _of_others(module.nodes) if core else _of_edits(module.nodes)
        for word in _words(module.nodes):
            found.setdefault((ANYWHERE, word), Sentence(ANYWHERE, word, place=str(path.name)))
        for code, node in taken:
            for form in reader.forms(node):
                place = f"{path.relative_to(top)}:{node.lineno}"
                found.setdefault((code, form), Sentence(code, form, place=place))
        for one, many, call in _counts(module.nodes):
            place = f"{path.relative_to(top)}:{call.lineno}"
            found.setdefault((COUNT, many), Sentence(COUNT, many, one, place))
    return sorted(found.values())


def unread() -> list[str]:
    """What tables and drawings of reports call themselves, where its form is not to be read."""
    found = []
    for path, tree in trees(PACKAGE).items():
        if path.relative_to(PACKAGE).parts[0] not in _CORE:
            continue
        module = _Module(tree)
        reader = _Reader(module)
        for node in module.nodes:
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in _TITLED:
                continue
            found += [
                f"{path.name}: {ast.unparse(told)}"
                for told in _taken(node)
                if not reader.forms(told) and not isinstance(told, ast.Constant)
            ]
    return sorted(set(found))


def _of_errors(calls: Iterable[ast.Call]) -> Iterator[tuple[str, ast.expr]]:
    for call in calls:
        if len(call.args) < 2:
            continue
        first = call.args[0]
        written = isinstance(first, ast.Constant) and isinstance(first.value, str)
        code = first.value if written else ANYWHERE
        yield code, call.args[1]
        yield from ((code, word.value) for word in call.keywords if word.arg == "remedy")


def _of_others(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    for node in nodes:
        match node:
            case ast.Call() if _called(node) in _TAKES:
                yield from ((ANYWHERE, told) for told in _taken(node))
            case ast.Call(args=[ast.Tuple(elts=each)]) if _called(node) == "Outcome":
                yield from ((ANYWHERE, one) for one in each)
            case ast.FunctionDef(name=name) if name == "label" or _TELLS.fullmatch(name):
                for one in ast.walk(node):
                    yield from ((ANYWHERE, told) for told in _given(one))
            case ast.Assign(targets=[ast.Name(id="done")], value=ast.List(elts=each)):
                yield from ((ANYWHERE, one) for one in each)
            case ast.Call(func=ast.Attribute(attr="append", value=ast.Name(id="done"))):
                yield from ((ANYWHERE, one) for one in node.args)


def _taken(call: ast.Call) -> Iterator[ast.expr]:
    places, names = _TAKES[_called(call)]
    yield from (call.args[at] for at in places if at < len(call.args))
    yield from (word.value for word in call.keywords if word.arg in names)


def _of_edits(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    for node in nodes:
        if isinstance(node, ast.Call) and _called(node) in _NAMING and len(node.args) > 1:
            yield ANYWHERE, node.args[1]


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.ClassDef) and node.name in _WORDS:
            for one in node.body:
                match one:
                    case ast.Assign(value=ast.Constant(value=str(word))):
                        yield word


def _given(node: ast.AST) -> Iterator[ast.expr]:
    """The sentences that a statement returns or collects."""
    match node:
        case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
            yield value
        case ast.Call(func=ast.Attribute(attr="append"), args=[value]):
            yield value
        case ast.Assign(value=ast.List(elts=each)) | ast.Return(value=ast.List(elts=each)):
            yield from each


def _counts(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str, ast.Call]]:
    for node in nodes:
        if isinstance(node, ast.Call) and _called(node) in _COUNTS:
            match node.args:
                case [_, ast.Constant(value=str(noun)), ast.Constant(value=str(plural))]:
                    yield f"{{count}} {noun}", f"{{count}} {plural}", node
                case [_, ast.Constant(value=str(noun))]:
                    yield f"{{count}} {noun}", f"{{count}} {noun}s", node


def table() -> str:
    """``resources/translations/sentences.tsv``: code, form, form of one."""
    rows = ("\t".join((one.code, _escaped(one.text), one.one)) for one in sentences())
    return "".join(f"{row}\n" for row in rows)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")
