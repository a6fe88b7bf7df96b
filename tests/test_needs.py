"""A long run that lacks something fails, and names the package that has it; see `soak/needs.py`."""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from tests.soak import needs
from tests.soak.needs import DEBIAN, need, need_modules, need_of_system_python, need_root

TESTS = Path(__file__).parent
pytest_plugins = ["pytester"]

OUR_RULES = "from tests.conftest import pytest_runtest_makereport"


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any program."""
    monkeypatch.setattr(needs.shutil, "which", lambda name, path: _in(tmp_path, name))
    return tmp_path


def _in(folder: Path, name: str) -> str | None:
    path = folder / Path(name).name
    return str(path) if path.is_file() else None


@pytest.mark.parametrize("program", DEBIAN)
def test_what_is_missing_is_named_with_its_package(program: str, nothing: Path) -> None:
    with pytest.raises(pytest.fail.Exception) as told:
        need(program)
    assert str(told.value) == f"this needs {program}: apt-get install {DEBIAN[program]}"
    there = nothing / Path(program).name
    there.touch()
    assert need(program) == str(there)


def test_all_that_is_missing_is_named_at_once(nothing: Path) -> None:
    (nothing / "Xvfb").touch()
    with pytest.raises(pytest.fail.Exception) as told:
        need("Xvfb", "xdotool", "c++", "g++")
    assert str(told.value) == "this needs xdotool and c++ and g++: apt-get install xdotool g++"


def test_modules_are_named_with_the_extra_that_brings_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "playwright" else found(name)
    )
    need_modules("axe", "json")
    with pytest.raises(pytest.fail.Exception, match=r"playwright: pip install .*studio\[axe\]"):
        need_modules("axe", "json", "playwright")


def test_modules_of_debians_python_are_named_with_their_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(needs.shutil, "which", lambda name, path: sys.executable)
    monkeypatch.setitem(DEBIAN, "json", "python3")
    assert need_of_system_python("json") == sys.executable
    monkeypatch.setitem(DEBIAN, "no_such_module", "python3-no-such")
    with pytest.raises(pytest.fail.Exception, match="no_such_module: apt-get install python3-no"):
        need_of_system_python("no_such_module")


def test_somebody_without_rights_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(pytest.fail.Exception, match="this needs root"):
        need_root()


def test_a_long_run_is_never_left_out(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers =\n    soak\n    rights\n    postgresql\n    kernel\n")
    pytester.makeconftest(OUR_RULES)
    pytester.makepyfile("""
        import pytest

        @pytest.fixture
        def server():
            pytest.skip("no server is installed (Debian: apt-get install one)")

        @pytest.mark.soak
        def test_long(server): pass

        @pytest.mark.soak
        @pytest.mark.rights
        def test_rights(server): pass

        def test_short(server): pass
    """)
    done = pytester.runpytest_inprocess("-p", "no:randomly")
    done.assert_outcomes(errors=2, skipped=1)
    done.stdout.fnmatch_lines(["*a long run may not be*apt-get install one*"])


def test_no_long_run_looks_for_programs_by_itself() -> None:
    # Each asks `need`, or the next one forgets to name the package.
    found = []
    for path in (*TESTS.glob("soak/test_*.py"), TESTS / "gui" / "rendering" / "test_legible.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = isinstance(node, ast.Call) and ast.unparse(node.func)
            if called in {"shutil.which", "pytest.skip", "pytest.importorskip"}:
                found.append(f"{path.name}: {called}")
    assert found == []
