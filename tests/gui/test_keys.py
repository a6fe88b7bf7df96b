from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from madcat_studio.gui.declarations import Action, MenuName
from madcat_studio.gui.keymap import Keymap, conflicts
from madcat_studio.gui.keysdialog import KeysDialog, show_shortcuts
from madcat_studio.gui.keytips import KeyTip, native
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.shortcutsheet import ShortcutSheet
from madcat_studio.gui.views import VIEWS
from scripts.texts import texts
from tests.gui.helpers import NORMAL, copy_sample

CTRL = Qt.KeyboardModifier.ControlModifier


def _action(identifier: str, title: str, menu: MenuName, keys: tuple[str, ...]) -> Action[Any]:
    return Action(identifier, title, menu, lambda _: None, keys)


SAVE = _action("page.save", "&Save", "file", ("Ctrl+S",))
TURN = _action("page.turn", "Turn", "view", ("T", "Ctrl+T"))
KIT = _action("kit.confirm", "Confirm", "kit", ("Ctrl+Return",))
QUIT = _action("file.quit", "&Quit", "file", ("Ctrl+Q",))
ALL = (SAVE, TURN, KIT, QUIT)


def test_only_what_differs_is_written_and_comes_back(tmp_path: Path, qapp) -> None:
    path = tmp_path / "keys.toml"
    keymap = Keymap(path)
    changed: list[str] = []
    keymap.changed.connect(changed.append)
    keymap.set(SAVE, ("Ctrl+Alt+S",))
    keymap.set(TURN, ())
    keymap.set(QUIT, ("Ctrl+Q",))
    assert path.read_text() == '"page.save" = ["Ctrl+Alt+S"]\n"page.turn" = []\n'
    again = Keymap(path)
    assert [again.keys(each) for each in ALL] == [
        ("Ctrl+Alt+S",), (), ("Ctrl+Return",), ("Ctrl+Q",)
    ]  # fmt: skip
    assert again.is_own(TURN)
    keymap.set(SAVE, ("Ctrl+S",))
    keymap.reset()
    assert path.read_text() == ""
    assert changed == ["page.save", "page.turn", "page.save", "page.turn"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"page.save" = "Ctrl+S"\n', "page.save cannot have"),
        ('"page.save" = ["No such key"]\n', "page.save cannot have"),
        ("not toml", "cannot be read"),
    ],
)
def test_nonsense_is_said_and_the_usual_keys_hold(
    tmp_path: Path, qapp, text: str, said: str
) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(f'{text}"page.turn" = ["X"]\n' if "=" in text else text)
    complaints: list[str] = []
    keymap = Keymap(path, complain=complaints.append)
    assert len(complaints) == 1
    assert said in complaints[0]
    assert keymap.keys(SAVE) == ("Ctrl+S",)
    assert keymap.keys(TURN) == (("X",) if "=" in text else TURN.shortcut)


def test_what_is_not_known_here_is_kept(tmp_path: Path, qapp) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('"later.action" = ["X"]\n')
    Keymap(path).set(SAVE, ("S",))
    assert path.read_text() == '"later.action" = ["X"]\n"page.save" = ["S"]\n'


@pytest.mark.parametrize(
    ("action", "keys", "found"),
    [
        (SAVE, "Ctrl+T", ["Turn"]),
        (SAVE, "Ctrl+Q", ["Quit"]),
        (SAVE, "Ctrl+Return", []),  # kits are never in front together with pages
        (SAVE, "Ctrl+S", []),
        (SAVE, "V", ["V"]),
        (QUIT, "Ctrl+Return", ["Confirm"]),
        (QUIT, "V", ["V"]),
        (KIT, "V", []),
    ],
)
def test_conflicts_are_found_where_both_are(
    action: Action[Any], keys: str, found: list[str]
) -> None:
    assert conflicts(action, (keys,), ALL, ("page", "kit"), {"page": ("V",)}) == found


@pytest.fixture
def dialog(make_window, qtbot):
    window = make_window()
    fixed = {spec.id: spec.fixed() for spec in VIEWS}
    made = KeysDialog(window.commands, [spec.id for spec in VIEWS], fixed, window)
    qtbot.addWidget(made)
    return made


@pytest.mark.long
def test_keys_are_changed_and_hold_at_once(dialog: KeysDialog, make_window) -> None:
    commands = dialog._commands
    dialog.choose("page.fit")
    assert dialog.edit.keySequence() == QKeySequence("Ctrl+0")
    dialog.show()
    QTest.keyClick(
        dialog.edit.focusProxy() or dialog.edit, Qt.Key.Key_F12, Qt.KeyboardModifier.ControlModifier
    )
    assert "free" in dialog.note.text()
    dialog.take.click()
    assert commands.named("page.fit").shortcut() == QKeySequence("Ctrl+F12")
    assert "Ctrl+F12" in commands.named("page.fit").toolTip()
    sheet = ShortcutSheet(commands.declared(), [])
    from PySide6.QtWidgets import QLabel

    assert "Ctrl+F12" in {label.text() for label in sheet.findChildren(QLabel)}
    sheet.deleteLater()
    # Another window begins with them.
    assert make_window().commands.named("page.fit").shortcut() == QKeySequence("Ctrl+F12")
    dialog.default.click()
    assert commands.named("page.fit").shortcut() == QKeySequence("Ctrl+0")
    dialog.none.click()
    assert commands.named("page.fit").shortcut().isEmpty()
    dialog._reset()
    assert commands.named("page.fit").shortcut() == QKeySequence("Ctrl+0")


@pytest.mark.long
def test_keys_that_are_taken_are_told_and_not_given(dialog: KeysDialog) -> None:
    dialog.choose("page.fit")
    for keys, owner in (("Ctrl+Z", "Undo"), ("Ctrl+Q", "Quit"), ("V", "Next vertex")):
        dialog.edit.setKeySequence(QKeySequence(keys))
        assert f"used by “{owner}”" in dialog.note.text()
        assert not dialog.take.isEnabled()
    # Where its own were given away, they do not come back over the other.
    dialog._set(())
    dialog.choose("page.fit-width")
    dialog._set(("Ctrl+0",))
    dialog.choose("page.fit")
    dialog.default.click()
    assert "Page width" in dialog.note.text()
    assert dialog._commands.named("page.fit").shortcut().isEmpty()


def test_actions_are_found_by_name_and_key(dialog: KeysDialog) -> None:
    def shown() -> list[str]:
        rows = [dialog.tree.topLevelItem(n) for n in range(dialog.tree.topLevelItemCount())]
        return [row.data(0, Qt.ItemDataRole.UserRole) for row in rows if not row.isHidden()]

    assert len(shown()) > 60
    dialog.filter.setText("full screen")
    assert shown() == ["view.full-screen"]
    dialog.filter.setText("F11")
    assert shown() == ["view.full-screen"]


@pytest.mark.long
def test_the_sheet_leads_to_the_dialog_and_back(make_window, monkeypatch) -> None:
    window = make_window()
    shown: list[str] = []

    def run(asked: ShortcutSheet | KeysDialog) -> int:
        shown.append(type(asked).__name__)
        if shown == ["ShortcutSheet"]:
            asked.change.emit()
        return 0

    monkeypatch.setattr(ShortcutSheet, "exec", run)
    monkeypatch.setattr(KeysDialog, "exec", run)
    show_shortcuts(window.commands, window)
    assert shown == ["ShortcutSheet", "KeysDialog", "ShortcutSheet"]
    QApplication.processEvents()


@pytest.mark.long
def test_keys_of_the_page_itself_can_be_others(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    canvas, commands = someone.view.canvas, someone.window.commands
    press = partial(QTest.keyClick, canvas)
    press(Qt.Key.Key_Period)
    first = canvas.selection.key
    commands.keymap.set(commands.declaration("page.next-word"), ["K"])
    commands.keymap.set(commands.declaration("page.nudge-left"), ["Ctrl+Alt+H"])
    press(Qt.Key.Key_Period)
    assert canvas.selection.key == first
    press(Qt.Key.Key_K)
    assert canvas.selection.key == ShapeKey(0, 1) != first
    before = canvas.shapes.box(ShapeKey(0, 1))
    press(Qt.Key.Key_Left, CTRL)
    assert canvas.shapes.box(ShapeKey(0, 1)) == before
    press(Qt.Key.Key_H, CTRL | Qt.KeyboardModifier.AltModifier)
    assert canvas.shapes.box(ShapeKey(0, 1))[0] == before[0] - 1
    commands.keymap.reset()
    press(Qt.Key.Key_Left, CTRL)
    assert canvas.shapes.box(ShapeKey(0, 1))[0] == before[0] - 2
    assert "page.next-word" not in [made.objectName() for made in someone.window.actions()]


def test_a_tip_names_the_key_that_an_action_has_now(tmp_path: Path, qtbot) -> None:
    keymap = Keymap(tmp_path / "keys.toml")
    button = QPushButton()
    qtbot.addWidget(button)
    KeyTip(button, lambda: native(keymap.keys(KIT)), keymap)
    assert button.toolTip() == "Ctrl+Return"
    button.setToolTip("Confirm it")
    assert button.toolTip() == "Confirm it (Ctrl+Return)"
    keymap.set(KIT, ("F3", "F4"))
    assert button.toolTip() == "Confirm it (F3)"
    keymap.set(KIT, ())
    assert button.toolTip() == "Confirm it"
    button.setToolTip("")
    assert button.toolTip() == ""
    keymap.reset()
    assert button.toolTip() == "Ctrl+Return"
    assert native(("Ctrl+Return", "Ctrl+Enter")) == "Ctrl+Enter"


def test_no_text_names_a_key_that_its_user_may_change(make_window) -> None:
    """Such a key is asked for where it is shown; those that work within a view are fixed."""
    changeable = {key for action in make_window().commands.declared() for key in action.shortcut}
    named = re.compile(r"(?:(?:Ctrl|Alt|Shift)\+)+\w+|\bF\d{1,2}\b")
    found = {
        source: text.places
        for source, text in texts().items()
        if changeable.intersection(named.findall(source))
    }
    assert not found
