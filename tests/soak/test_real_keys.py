"""Every key of the page, pressed on a keyboard of the X server, under the layouts of annotators."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from tests.gui.helpers import NORMAL, copy_sample
from tests.gui.test_keyboards import ALT, CTRL, SHIFT, Press, presses_for
from tests.soak.needs import need

LISTENER = Path(__file__).with_name("key_listener.py")
ROOT = Path(__file__).parents[2]
LAYOUTS = {"us": ["us"], "fr": ["fr"], "de": ["de"], "ara": ["ara"], "dvorak": ["us", "dvorak"]}
PATIENCE = 3.0
NAMES = {
    "PgUp": "Prior", "PgDown": "Next", "Ins": "Insert", "Del": "Delete", "Esc": "Escape",
    "Backspace": "BackSpace", "Space": "space", "Return": "Return", ".": "period", ",": "comma",
    "<": "less", ">": "greater", "?": "question", "+": "plus", "-": "minus", "=": "equal",
    "[": "bracketleft", "]": "bracketright", ";": "semicolon", "/": "slash", "\\": "backslash",
}  # fmt: skip


@contextmanager
def server() -> Iterator[str]:
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as running:
        os.close(writing)
        try:
            with os.fdopen(reading) as told:
                yield f":{told.readline().strip()}"
        finally:
            running.terminate()


def _named(keys: str) -> str:
    """Keys as the X server's tools name them; a letter by the sign that is on it."""
    *held, key = (
        keys.rsplit("+", 1) if keys[-1] != "+" else (*keys[:-1].rstrip("+").split("+"), "+")
    )
    held = [each.lower() for part in held if part for each in part.split("+")]
    return "+".join([*held, NAMES.get(key, key.lower() if len(key) == 1 else key)])


def _pressed(press: Press, keys: str) -> str:
    if not press.code:
        return _named(keys)
    held = [name for flag, name in ((CTRL, "ctrl"), (ALT, "alt"), (SHIFT, "shift"))
            if press.held & flag]  # fmt: skip
    level = ["ISO_Level3_Shift"] if press.native else []
    return "+".join([*held, *level, str(press.code)])


def ways(layout: str, keys: str) -> list[str]:
    """How somebody with this keyboard would press keys that are declared."""
    plain = QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)
    if layout == "dvorak":
        return [_named(plain)]
    return [_pressed(press, plain) for press in presses_for(layout, keys)]


class Desk:
    """Somebody at the keyboard."""

    def __init__(self, display: str, said: IO[str], asked: IO[str]) -> None:
        self.environment = {**os.environ, "DISPLAY": display}
        self.said, self.asked = said, asked

    def run(self, *command: str) -> None:
        subprocess.run(command, env=self.environment, check=True)

    def hear(self) -> list[object]:
        ready, _, _ = select.select([self.said], [], [], PATIENCE)
        return json.loads(self.said.readline()) if ready else ["nothing"]

    def means(self, action: str, keys: str) -> bool:
        """Whether keys, pressed, are this action's."""
        self.asked.write(f"{action}\n")
        self.asked.flush()
        # What came of a key too late is left out.
        assert any(self.hear() == ["ready", action] for _ in range(20)), "the window is gone"
        self.run("xdotool", "key", "--delay", "0", keys)
        return self.hear() == ["ran", action]


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_key_of_the_page_is_heard(
    tmp_path: Path, layout: str, record_property: Callable[[str, object], None]
) -> None:
    need("Xvfb", "xdotool", "setxkbmap")
    home = tmp_path / "home"
    home.mkdir()
    page = copy_sample(NORMAL, tmp_path / "pages")
    with server() as display:
        surroundings = {
            **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            "HOME": str(home),
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "PYTHONPATH": str(ROOT),
        }
        subprocess.run(["setxkbmap", *LAYOUTS[layout]], env=surroundings, check=True)
        with subprocess.Popen(
            [sys.executable, str(LISTENER), str(page)],
            env=surroundings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        ) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            try:
                _, number, actions = json.loads(program.stdout.readline())
                desk = Desk(display, program.stdout, program.stdin)
                desk.run("xdotool", "windowfocus", "--sync", str(number))
                dead = {
                    action: shortcut
                    for action, shortcut in actions.items()
                    if not any(
                        desk.means(action, keys) for each in shortcut for keys in ways(layout, each)
                    )
                }
            finally:
                program.kill()
    record_property("actions with keys", len(actions))
    assert dead == {}


def test_keys_are_named_as_the_server_names_them() -> None:
    """So that what is soaked is what is meant."""
    named = {_named(keys) for keys in ("Ctrl+Shift+PgUp", "Shift+.", "V", "Ctrl++", "F9")}
    assert named == {"ctrl+shift+Prior", "shift+period", "v", "ctrl+plus", "F9"}
    assert ways("ara", "V") == ["55"]
    assert Qt.Key.Key_V == ord("V")
