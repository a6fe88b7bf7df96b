"""Garbage goes while nothing happens in the window, and not before; no sources are kept."""

from __future__ import annotations

import gc
import linecache
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from madcat_studio.gui import memory


class Ring:
    """Garbage that only a search finds."""

    def __init__(self) -> None:
        self.me = self


def make_garbage() -> weakref.ref[Ring]:
    for _ in range(memory._SOME + 100):
        Ring()
    return weakref.ref(Ring())


@pytest.fixture
def calm(qtbot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "_LOOK_MS", 5)
    parent = QObject()
    made = memory.Calm(parent)
    yield made
    if made._timer.isActive():
        made.close()
    assert gc.isenabled()


def test_garbage_waits_while_the_window_is_used(qtbot, calm, monkeypatch) -> None:
    monkeypatch.setattr(memory, "_QUIET", -1)
    left, looks = make_garbage(), []
    calm._timer.timeout.connect(lambda: looks.append(left() is not None))
    qtbot.waitUntil(lambda: len(looks) > 5)
    assert all(looks)
    assert not gc.isenabled()


def test_garbage_goes_when_nothing_happens(qtbot, calm, monkeypatch) -> None:
    monkeypatch.setattr(memory, "_QUIET", 1_000)
    left = make_garbage()
    qtbot.waitUntil(lambda: left() is None)


def test_garbage_waits_for_a_job_even_then(qtbot, calm, monkeypatch) -> None:
    monkeypatch.setattr(memory, "_QUIET", 1_000)
    job = object()
    memory.hold(job)
    left, looks = make_garbage(), []
    calm._timer.timeout.connect(lambda: looks.append(left() is not None))
    qtbot.waitUntil(lambda: len(looks) > 5)
    assert all(looks)
    memory.let_go(job)
    assert not gc.isenabled()  # the window is still open
    qtbot.waitUntil(lambda: left() is None)


def test_very_much_is_not_waited_with(qtbot, calm, monkeypatch) -> None:
    monkeypatch.setattr(memory, "_QUIET", -1)
    monkeypatch.setattr(memory, "_TOO_MANY", 1_000)
    left = make_garbage()
    qtbot.waitUntil(lambda: left() is None)


def test_a_window_that_closes_leaves_garbage_to_python(calm) -> None:
    assert not gc.isenabled()
    calm.close()
    assert gc.isenabled()


def test_what_is_made_without_a_search_keeps_what_was_set_before() -> None:
    with memory.without_search():
        assert not gc.isenabled()
        with memory.without_search():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_is_imported_is_not_read_for_other_names_of_qts_methods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt's own `import` does, and Python keeps all that it read."""
    module = tmp_path / "imported_late.py"
    module.write_text("HERE = True\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert __import__(module.stem).HERE
    assert str(module) not in linecache.cache
