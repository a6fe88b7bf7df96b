"""The files of a user's wishes: one change at a time, nothing else of them lost."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile, Qt

from madcat_studio.gui import settings
from madcat_studio.gui.coordinator.proposaldialog import remembered_rules
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.guide import Guide, Step
from madcat_studio.gui.keymap import Keymap
from madcat_studio.gui.settings import (
    ARABIC_SIZE,
    COACH,
    SETTINGS,
    THEME,
    WHEEL,
    Setting,
    Settings,
)
from madcat_studio.gui.shortcutsheet import ShortcutSheet
from tests.gui.helpers import NORMAL, copy_sample


@pytest.fixture
def path(tmp_path: Path, qapp) -> Path:
    return tmp_path / "config" / "settings.toml"


def _held(path: Path, text: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def test_two_windows_keep_the_wishes_of_both(path: Path) -> None:
    one, other = Settings(path), Settings(path)
    one.set(THEME, "dark")
    other.set(ARABIC_SIZE, 31)
    one.set(THEME, "light")
    assert tomllib.loads(path.read_text()) == {
        "appearance": {"theme": "light"},
        "text": {"arabic-size": 31},
    }
    other.reset()
    assert path.read_text() == "", "both are back to what is declared"


def test_two_windows_keep_the_keys_of_both(tmp_path: Path, qapp) -> None:
    path = tmp_path / "keys.toml"
    save, turn = (
        Action(name, name, "file", lambda _: None, ("X",)) for name in ("page.save", "page.turn")
    )
    one, other = Keymap(path), Keymap(path)
    one.set(save, ("S",))
    other.set(turn, ())
    assert tomllib.loads(path.read_text()) == {"page.save": ["S"], "page.turn": []}


WINDOW = """
import sys
from pathlib import Path
from madcat_studio.gui.tomlfile import TomlFile
path, number = Path(sys.argv[1]), sys.argv[2]
file = TomlFile(path, "settings", "the defaults", sys.exit)
print("ready", flush=True)
sys.stdin.readline()
for step in range(6):
    file.change({("table", f"v{number}-{step}"): step})
"""


@pytest.mark.long
def test_changes_of_several_programs_at_once_are_all_there(path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WINDOW, str(path), str(number)],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    for one in started:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    told = [one.communicate("go\n", timeout=30) for one in started]
    assert [one.returncode for one in started] == [0, 0, 0], told
    assert len(tomllib.loads(path.read_text())["table"]) == 18


NEWER = """\
# a word of its user
[appearance]
theme = "sepia"  # of a newer version
accents = ["red", "blue"]

[future.deep]
when = 2048-01-01T00:00:00Z
parts = [{ a = 1 }, { b = [1.5] }]

[page]
wheel = "move"
"""


def test_what_a_newer_version_wrote_stays_as_it_is(path: Path) -> None:
    _held(path, NEWER)
    said: list[str] = []
    settings = Settings(path, complain=said.append)
    assert len(said) == 1
    assert "appearance.theme cannot be 'sepia'" in said[0]
    settings.set(ARABIC_SIZE, 31)
    settings.set(WHEEL, "zoom")  # as declared
    wanted = tomllib.loads(NEWER)
    del wanted["page"]
    wanted["text"] = {"arabic-size": 31}
    assert tomllib.loads(path.read_text()) == wanted
    assert "# a word of its user" in path.read_text()


def test_a_mark_before_the_text_is_no_damage(path: Path) -> None:
    _held(path, b"\xef\xbb\xbf[appearance]\ntheme = 'dark'\n")
    said: list[str] = []
    settings = Settings(path, complain=said.append)
    assert settings.get(THEME) == "dark"
    settings.set(ARABIC_SIZE, 31)
    assert said == []
    assert Settings(path).get(THEME) == "dark"


@pytest.mark.parametrize("damaged", [b"[appearance\ntheme = ", b"\xff\xfe\x00", b"a = 1\na = 2\n"])
def test_a_damaged_file_is_kept_beside_the_new_one(path: Path, damaged: bytes) -> None:
    for number in ("", "-2"):
        _held(path, damaged)
        said: list[str] = []
        settings = Settings(path, complain=said.append)
        assert path.read_bytes() == damaged, "reading changes nothing"
        settings.set(THEME, "dark")
        assert len(said) == 2
        assert f"settings.toml.damaged{number}" in said[1]
        assert path.with_name(f"settings.toml.damaged{number}").read_bytes() == damaged
        assert tomllib.loads(path.read_text()) == {"appearance": {"theme": "dark"}}


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_is_neither_waited_for_nor_replaced(path: Path, kind: str) -> None:
    path.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    before = path.lstat()
    said: list[str] = []
    settings = Settings(path, complain=said.append)
    settings.set(THEME, "dark")
    assert settings.get(THEME) == "dark", "it holds while the window is open"
    assert len(said) == 2
    assert all("not an ordinary file" in one for one in said)
    assert path.lstat().st_ino == before.st_ino
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_table_that_is_another_kind_of_value_is_not_replaced(path: Path) -> None:
    _held(path, "appearance = 3\n")
    said: list[str] = []
    Settings(path, complain=said.append).set(THEME, "dark")
    assert path.read_text() == "appearance = 3\n"
    assert "cannot be saved" in said[0]


def test_a_link_to_settings_elsewhere_stays_a_link(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles.toml"
    elsewhere.write_text("[appearance]\ntheme = 'dark'\n")
    path.parent.mkdir()
    path.symlink_to(elsewhere)
    Settings(path).set(ARABIC_SIZE, 31)
    assert path.is_symlink()
    assert tomllib.loads(elsewhere.read_text())["text"] == {"arabic-size": 31}


def test_a_folder_that_cannot_be_made_is_named(path: Path) -> None:
    path.parent.touch()
    said: list[str] = []
    Settings(path, complain=said.append).set(THEME, "dark")
    assert said
    assert str(path.parent) in said[-1]


def test_a_lock_that_is_not_given_back_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("madcat_studio.gui.tomlfile._WAIT_MS", 20)
    _held(path, "")
    lock = QLockFile(str(path.with_name("settings.toml.lock")))
    assert lock.tryLock(0)
    said: list[str] = []
    Settings(path, complain=said.append).set(THEME, "dark")
    lock.unlock()
    assert path.read_text() == ""
    assert "another window holds it" in said[0]


def test_every_wish_that_is_declared_is_kept(path: Path) -> None:
    """One that is missing in the list of all has no row in the dialog, and is forgotten."""
    declared = {one.key for one in vars(settings).values() if isinstance(one, Setting)}
    assert declared == {one.key for one in SETTINGS}
    Settings(path).set(COACH, False)
    assert Settings(path).get(COACH) is False


@pytest.mark.long
@pytest.mark.parametrize("damage", ["xyz", ["1", "2", "3"], {"a": 1}, None])
def test_whatever_was_kept_of_a_window_it_opens(user, tmp_path: Path, damage: object) -> None:
    page = copy_sample(NORMAL, tmp_path, image=False)

    def used() -> None:
        someone = user(page)
        someone.opened(page)
        someone.press(Qt.Key.Key_BracketRight, Qt.KeyboardModifier.ControlModifier)
        sheet = ShortcutSheet(someone.window.commands.declared(), [], "", someone.window)
        sheet.show()
        sheet.close()
        guide = Guide("page", [Step("one", lambda: None)] * 2, someone.window, lambda: None)
        guide.go_on()
        guide.close()
        remembered_rules()
        someone.window.close()

    used()
    kept = settings.window_state()
    kept.setValue("plan/target", 600)
    keys = kept.allKeys()
    assert {"turns", "geometry", "guide/page", "keys/sheet-place"} <= set(keys)
    for key in keys:
        kept.setValue(key, damage)
    kept.setValue("turns", {str(page): damage})
    used()


def test_a_file_in_another_encoding_is_told_in_words_and_kept(path: Path) -> None:
    path.parent.mkdir()
    damaged = 'theme = "d\xe9j\xe0"'.encode("latin-1")
    path.write_bytes(damaged)
    said: list[str] = []
    settings = Settings(path, complain=said.append)
    assert settings.get(THEME) == "system"
    settings.set(THEME, "dark")
    assert len(said) == 2
    assert all("(its text is not in UTF-8)" in one for one in said)
    assert path.with_name("settings.toml.damaged").read_bytes() == damaged
    assert tomllib.loads(path.read_text("utf-8")) == {"appearance": {"theme": "dark"}}
