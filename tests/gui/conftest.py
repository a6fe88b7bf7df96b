"""What every window test must leave behind: nothing that still runs."""

from __future__ import annotations

import gc
import hashlib
import shutil
from collections.abc import Callable, Iterator
from itertools import compress
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _settings_in_home(home: Path) -> None:
    from PySide6.QtCore import QSettings

    # Qt reads the XDG variables once in a process, so it is told again for each test.
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(home / ".config"))


@pytest.fixture(scope="session")
def _texts() -> set[str]:
    from scripts.texts import told_elsewhere
    from tests.gui.helpers import found_texts

    found = (told_elsewhere() | found_texts()).values()
    return {english for text in found for english in (text.source, text.one) if english}


@pytest.fixture(autouse=True)
def _shown_texts_can_be_translated(
    _texts: set[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """What the window translates while a test runs is among the texts that translators get."""
    from madcat_studio.gui import translation

    translated = translation._translated
    missing: list[str] = []

    def _watched(text: str, count: int = -1) -> str:
        if text not in _texts:
            missing.append(text)
        return translated(text, count)

    monkeypatch.setattr(translation, "_translated", _watched)
    yield
    assert not missing, "these texts are shown, and no translator gets them"


_MANY = 50_000


def _still_running(things: list[object]) -> list[str]:
    from PySide6.QtCore import QAbstractAnimation, QThread, QTimer

    watched = (QThread, QTimer, QAbstractAnimation)
    # Of many thousand things a handful are looked at: found without a step of Python for each.
    kinds = list(map(type, things))
    few = {kind for kind in set(kinds) if issubclass(kind, watched)}
    running: list[str] = []
    for thing in compress(things, map(few.__contains__, kinds)):
        try:
            if isinstance(thing, QThread) and thing.isRunning():
                running.append(f"thread {thing.objectName() or thing!r}")
            elif isinstance(thing, QTimer) and thing.isActive():
                running.append(f"timer of {thing.interval()} ms, child of {thing.parent()!r}")
            elif (
                isinstance(thing, QAbstractAnimation)
                and thing.state() == QAbstractAnimation.State.Running
            ):
                running.append(f"animation {thing!r}")
        except RuntimeError:
            continue  # the C++ side is gone already
    return running


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    """Threads, jobs, timers and animations that outlive their test disturb another one."""
    from PySide6.QtCore import QThreadPool

    yield
    ended = QThreadPool.globalInstance().waitForDone(_PATIENCE)
    assert ended, "a job of the thread pool still runs"
    things = gc.get_objects()
    assert not _still_running(things)
    many = len(things) > _MANY
    del things  # else it would hold all garbage
    if many:
        # What was loaded so far stays until the end: it need not be looked through each time.
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _no_widgets_for_other_threads() -> Iterator[None]:
    """Widgets in cycles go here: the search for garbage in another thread would end the program.

    What is still held, and may be let go later, is never looked through again.
    """
    yield
    gc.collect()
    gc.freeze()


_decoded: dict[tuple[bytes, int, int], list[object]] = {}


@pytest.fixture(autouse=True)
def _a_sample_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of tests open the same few scans, each of 33 million pixels."""
    from madcat_studio.gui.page import loader, scan

    read = loader.read_scan

    def read_scan(
        path: Path,
        frame: int,
        emit: Callable[[Any], None],
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        if not path.is_file() or path.stat().st_size > 200_000:
            read(path, frame, emit, cancelled)
            return
        key = hashlib.sha256(path.read_bytes()).digest(), frame, scan._LARGE
        if key not in _decoded:
            parts: list[object] = []
            read(path, frame, parts.append, cancelled)
            if not cancelled():
                _decoded[key] = parts
                while len(_decoded) > 4:
                    del _decoded[next(iter(_decoded))]
        else:
            parts = _decoded[key]
        for part in parts:
            if not cancelled():
                emit(part)

    for module in (loader, scan):
        monkeypatch.setattr(module, "read_scan", read_scan)


@pytest.fixture
def crash_dialogs() -> None:
    """For tests of the crash dialog itself."""


@pytest.fixture(autouse=True)
def _faults(request: pytest.FixtureRequest) -> Iterator[list[BaseException]]:
    """A fault of the program fails its test at once, where a user would get the crash dialog."""
    from PySide6.QtWidgets import QApplication

    from madcat_studio.gui.failures import Failures

    found: list[BaseException] = []

    def crash(_: Failures, error: BaseException) -> None:
        found.append(error)
        for _ in range(5):  # nobody would answer them any more
            asking = QApplication.activeModalWidget()
            if asking is not None:
                asking.close()

    # Not of the test's `monkeypatch`: after an `undo()` it would get the dialog, and hang.
    with pytest.MonkeyPatch.context() as patch:
        if "crash_dialogs" not in request.fixturenames:
            patch.setattr(Failures, "_crash", crash)
        yield found
    if found:
        raise found[0]


_PATIENCE = 120_000
"""Milliseconds until a wait is given up. What is waited for is the event; the clock only ends what
would hang, and a busy machine takes many times as long as an idle one."""


@pytest.fixture
def qtbot(qtbot, _faults: list[BaseException]):
    """Waits for what happens, and no longer once the program has a fault."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QWidget

    # Qt takes the Shift of a test's last click for held until another key or button says otherwise.
    QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)
    wait = qtbot.waitUntil

    def wait_until(ready: Callable[[], bool | None], timeout: int = 0) -> None:
        def checked() -> bool | None:
            if _faults:
                raise _faults.pop()
            return ready()

        wait(checked, timeout=max(timeout, _PATIENCE))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(qtbot, "waitUntil", wait_until)
        yield qtbot


@pytest.fixture
def make_window(qtbot, qapp, home: Path):
    """Makes windows as the program does, and closes them after the test without a question."""
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication

    from madcat_studio.gui.app import make_window

    made = []

    def make(location: Path | str | None = None, *, demo: bool = False):
        assert isinstance(qapp, QApplication)
        where = None if location is None else str(location)
        window = make_window(qapp, location=where, demo=demo)
        made.append(window)
        window.resize(1400, 900)
        qtbot.waitExposed(window)
        return window

    yield make
    for window in made:
        window.leave()
        window.close()
        window.deleteLater()
    made.clear()
    qapp.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def user(make_window, qtbot):
    """Somebody who opens documents and looks at pages."""
    from tests.gui.helpers import PageUser

    def start(location: Path | None = None) -> PageUser:
        someone = PageUser(make_window(location), qtbot.waitUntil)
        if location is not None and location.is_file():
            someone.opened(location)
        return someone

    return start


@pytest.fixture
def spoken(qapp) -> Iterator[Callable[[str], None]]:
    """Shows the window in a language, for one test."""
    from PySide6.QtCore import Qt, QTranslator

    from madcat_studio.gui.translation import speak

    before = set(qapp.findChildren(QTranslator))
    yield lambda language: speak(qapp, language)
    for one in set(qapp.findChildren(QTranslator)) - before:
        qapp.removeTranslator(one)
        one.deleteLater()
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    speak(qapp, "en")


@pytest.fixture(scope="session")
def _edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One team has handed everything over, the other one kit's first pass. To be copied."""
    from madcat_studio.model.campaign import Pass
    from tests.gui.campaigns import CHANGES, finish, make_campaign

    where = make_campaign(tmp_path_factory.mktemp("edited") / "campaign")
    finish(where, "red", Pass.FIRST, "red1", {})
    finish(where, "red", Pass.REVIEW, "red2", CHANGES)
    finish(where, "blue", Pass.FIRST, "blue1", {"s2": "He did not name a builder."})
    return where


@pytest.fixture
def campaign(_edited: Path, tmp_path: Path) -> Path:
    return shutil.copytree(_edited, tmp_path / "حملة")
