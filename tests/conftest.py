"""What every test stands on: no home of the user's, no display, no quiet warnings."""

from __future__ import annotations

import gc
import importlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.soak import results

pytest_plugins = ["tests.shares"]

# Set before anything reads them: Qt, matplotlib and fontconfig look once and remember.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_HOME_OF_RUN = tempfile.TemporaryDirectory(prefix="madcat-studio-tests-")
os.environ["HOME"] = _HOME_OF_RUN.name
os.environ["MPLCONFIGDIR"] = str(Path(__file__).parent.parent / ".pytest_cache" / "matplotlib")
for _variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
    os.environ.pop(_variable, None)

# Compiled modules are kept, whatever the surroundings say: making them anew takes each worker of a
# run 20 s of processor time, and the tests start many processes.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The same examples on every machine and every day; `run.py soak` looks for new ones.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.register_profile("soak", max_examples=2000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def _why_no_window() -> str:
    """Why the window cannot be tested here, or "": Qt or a library that it needs is missing."""
    try:
        importlib.import_module("madcat_studio.gui")  # before modules that Qt would read
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        return f"there is no window here: {error}"
    return ""


WHY_NO_WINDOW = _why_no_window()
_WINDOW_TESTS = Path(__file__).parent / "gui"

# A missing thing is a reason to skip, unless the environment says that it must be there.
_REQUIRED = {
    "postgresql": "MADCAT_STUDIO_REQUIRE_POSTGRESQL",
    "kernel": "MADCAT_TER_REQUIRE_KERNEL",
}

# Warnings in good order, by the logger and how they begin, each with the reason.
_EXPECTED_WARNINGS = (
    ("madcat_ter.kernel", ""),  # says once that there is no compiler on this machine
    # Said where the first drawing takes more than five seconds: the machine is busy.
    ("matplotlib.font_manager", "Matplotlib is building the font cache"),
)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    kept = "Keep what each test gave in docs/results/soak.json."
    parser.addoption("--keep-results", action="store_true", help=kept)
    if not pluginmanager.hasplugin("pytest-qt"):
        # Where there is no window, its settings in pyproject.toml are still known words.
        for name in ("qt_log_level_fail", "qt_log_ignore"):
            parser.addini(name, "Unused without pytest-qt.")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("keep_results"):
        config.pluginmanager.register(results)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """What is collected stays to the end: looking through it for garbage took a tenth of the run.

    Nor is it looked for every 700 objects, which a window makes many times over.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


class _NoWindow(pytest.Module):
    def collect(self) -> list[pytest.Item]:
        pytest.skip(WHY_NO_WINDOW, allow_module_level=True)


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    if WHY_NO_WINDOW and module_path.is_relative_to(_WINDOW_TESTS):
        return _NoWindow.from_parent(parent, path=module_path)
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    window = f"{_WINDOW_TESTS}{os.sep}"
    for item in items:
        if str(item.path).startswith(window):
            item.add_marker(pytest.mark.window)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    # Rights are another matter: root in a container may make no networks and mount no disks.
    rights = item.get_closest_marker("rights") is not None
    if report.skipped and item.get_closest_marker("soak"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which a long run may not be: {report.longrepr}"
    elif report.skipped and not hasattr(report, "wasxfail") and not rights:
        for marker, variable in _REQUIRED.items():
            if item.get_closest_marker(marker) and os.environ.get(variable) == "1":
                report.outcome = "failed"
                report.longrepr = f"skipped, which {variable}=1 forbids: {report.longrepr}"
    return report


@pytest.fixture(autouse=True, scope="session")
def _kits_in_the_order_of_the_plan() -> Iterator[None]:
    """What draws the order in which editors see the pages of a kit is tested by itself.

    For the whole session: campaigns that tests copy are made once.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("madcat_studio.store.plans.draw_order", lambda pages: list(range(len(pages))))
        yield


@pytest.fixture(autouse=True)
def home() -> Iterator[Path]:
    """A home of its own for each test; settings, journals and logs land there."""
    # Not pytest's tmp_path, which looks through the folders of all tests before it.
    path = Path(tempfile.mkdtemp(dir=_HOME_OF_RUN.name))
    # Nor the test's own `monkeypatch`, which it may undo before its end.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(path))
        for variable, part in (
            ("XDG_CONFIG_HOME", ".config"),
            ("XDG_DATA_HOME", ".local/share"),
            ("XDG_STATE_HOME", ".local/state"),
            ("XDG_CACHE_HOME", ".cache"),
        ):
            patch.setenv(variable, str(path / part))
        yield path


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        said = record.getMessage()
        for name, beginning in _EXPECTED_WARNINGS:
            if record.name.startswith(name) and said.startswith(beginning):
                return
        self.messages.append(f"{record.levelname} {record.name}: {said}")


def _stop_log(logger: logging.Logger) -> None:
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


@pytest.fixture(autouse=True)
def _no_quiet_warnings(request: pytest.FixtureRequest) -> Iterator[None]:
    """A logged warning fails a test, unless the test asks for `caplog` and looks at it itself."""
    ours = logging.getLogger("madcat_studio")
    # A fixture of a whole module may have started the log, in the home of another test.
    _stop_log(ours)
    level = ours.level
    collector = _Collector()
    logging.getLogger().addHandler(collector)
    yield
    logging.getLogger().removeHandler(collector)
    _stop_log(ours)
    ours.setLevel(level)
    if "caplog" not in request.fixturenames:
        assert not collector.messages, "logged without the test expecting it"


@pytest.fixture(autouse=True, scope="session")
def written_layouts_follow_their_schema() -> Iterator[None]:
    """Hold every PAGE XML and ALTO file that any test writes against the published schema."""
    from madcat_studio.formats import alto_writer, page_xml_writer
    from madcat_studio.formats.schema import violations
    from madcat_studio.formats.source import Source

    with pytest.MonkeyPatch.context() as patch:
        for writer, name in ((page_xml_writer._Writer, "page"), (alto_writer._Writer, "file")):
            write = getattr(writer, name)

            def checked(*given: object, write: Callable[..., bytes] = write) -> bytes:
                data = write(*given)
                assert violations(Source(data, "what was written")) == []
                return data

            patch.setattr(writer, name, checked)
        yield
