"""From the wheels to the window: what docs/installing.md says to type with pip, as it stands there.

``python3 run.py soak -k wheel_to_window``. The wheels are built here, unless
``MADCAT_STUDIO_WHEELS`` names a folder that holds them. Everything is typed once before in another
folder, so that pip finds all in its cache. Time is the processor's: how long it takes where
nothing else runs.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.soak.needs import need
from tests.soak.test_bundle import keep, picture, screen

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 40
COLOURS = 64
"""The window's first picture has more of them; a bare screen has one."""


def _typed() -> list[str]:
    """The lines of the manual, the window's last."""
    page = (ROOT / "docs" / "installing.md").read_text("utf-8")
    [block] = re.findall(r"^## With pip$.*?^```$\n(.*?)^```$", page, re.M | re.S)
    return block.splitlines()


def _work() -> float:
    """Processor time of all programs that ended so far, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment(home: Path) -> dict[str, str]:
    """What a user has: without what this machine's tests and desktop set."""
    ours = ("XDG_", "QT_", "PYTHON", "MADCAT_")
    given = {key: text for key, text in os.environ.items() if not key.startswith(ours)}
    cache = subprocess.run(
        [sys.executable, "-m", "pip", "cache", "dir"], check=True, capture_output=True, text=True
    )
    return given | {"HOME": str(home), "PIP_CACHE_DIR": cache.stdout.strip()}


def _installed(folder: Path, wheels: Path, environment: dict[str, str]) -> None:
    """Type all but the last line."""
    folder.mkdir()
    (folder / "dist").symlink_to(wheels)
    for line in _typed()[:-1]:
        done = subprocess.run(
            ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def _seen(folder: Path, environment: dict[str, str]) -> None:
    """Type the last line; until the window is drawn."""
    with screen() as shown:
        there = environment | {"DISPLAY": shown, "QT_QPA_PLATFORM": "xcb"}
        begun = time.monotonic()
        line = ["sh", "-c", f"exec {_typed()[-1]}"]
        with subprocess.Popen(line, cwd=folder, env=there) as running:
            try:
                while len((seen := picture(shown)).getcolors(1 << 20) or ()) <= COLOURS:
                    assert running.poll() is None, "the window did not come"
                    assert time.monotonic() - begun < 300, "the window did not come"
                    time.sleep(0.1)
            finally:
                running.terminate()
        keep(seen, "wheel-to-window")


@pytest.mark.soak
def test_soak_wheel_to_window(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    need("Xvfb")
    if built := os.environ.get("MADCAT_STUDIO_WHEELS"):
        wheels = Path(built)
    else:
        wheels = tmp_path / "wheels"
        build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels)]
        subprocess.run([*build, str(ROOT / "engine"), str(ROOT)], check=True)
    home = tmp_path / "home"
    home.mkdir()
    environment = _environment(home)
    _installed(tmp_path / "before", wheels, environment)
    begun = _work()
    _installed(tmp_path / "now", wheels, environment)
    installed = _work()
    _seen(tmp_path / "now", environment)
    seen = _work()
    record_property("installed, processor time (s)", round(installed - begun, 1))
    record_property("to the window, processor time (s)", round(seen - installed, 1))
    record_property("wheel to window, processor time (s)", round(seen - begun))
    assert seen - begun < MOST_SECONDS
