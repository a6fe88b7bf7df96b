"""What other programs may rely on: the packages that declare their public modules."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import madcat_studio

PUBLIC = (
    "madcat_ter",
    *(f"madcat_studio.{room}" for room in ("scoring", "formats", "workspace", "operations")),
)
PACKAGE = Path(madcat_studio.__file__).parent


def packages(name: str) -> Iterator[ModuleType]:
    package = importlib.import_module(name)
    yield package
    for one in package.__all__:
        if (Path(package.__path__[0]) / one).is_dir():
            yield from packages(f"{name}.{one}")


@pytest.mark.parametrize("room", PUBLIC)
def test_a_room_names_its_public_modules_and_they_their_names(room: str) -> None:
    for package in packages(room):
        assert package.__all__ == sorted(package.__all__)
        for name in package.__all__:
            module = importlib.import_module(f"{package.__name__}.{name}")
            assert module.__doc__
            assert module.__all__, module.__name__
            for own in module.__all__ if not hasattr(module, "__path__") else ():
                value = getattr(module, own)
                if inspect.isfunction(value) or inspect.isclass(value):
                    assert inspect.getdoc(value), f"{module.__name__}.{own}"


def test_every_operation_is_public() -> None:
    for package in packages("madcat_studio.operations"):
        folder = Path(package.__path__[0])
        there = {path.stem for path in folder.glob("*.py")} - {"__init__"}
        there |= {path.parent.name for path in folder.glob("*/__init__.py")}
        assert set(package.__all__) == there


def test_naming_them_costs_nothing() -> None:
    rooms = ", ".join(PUBLIC)
    heavy = "{'numpy', 'lxml', 'sqlalchemy', 'shapely', 'PySide6', 'matplotlib'}"
    program = f"import sys, {rooms}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
