"""Actions: each declared one has verbs that work on its owner, and an unknown one cannot exist."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from madcat_studio.gui.coreactions import CORE_ACTIONS
from madcat_studio.gui.declarations import MENUS, Action, Declarations
from madcat_studio.gui.doors import Doors
from madcat_studio.gui.settings import SETTINGS
from madcat_studio.gui.views import VIEWS
from tests.gui.helpers import NORMAL, copy_sample
from tests.gui.running import Runner, nobody_answers

PACKAGE = Path(__file__).parents[2] / "madcat_studio"


def every_action() -> list[Action]:
    return [*CORE_ACTIONS, *(action for spec in VIEWS for action in spec.actions())]


def test_an_id_is_declared_once_and_its_part_is_a_view_or_the_windows_own() -> None:
    identifiers = [action.id for action in every_action()]
    assert len(identifiers) > 150
    assert len(set(identifiers)) == len(identifiers)
    for spec in VIEWS:
        assert {action.part for action in spec.actions()} == {spec.id}
    assert {action.part for action in CORE_ACTIONS} == {"file", "edit", "view", "help"}
    assert {action.menu for action in every_action()} == set(MENUS)


@pytest.mark.long
def test_an_id_is_spelled_only_where_the_action_is_declared() -> None:
    """Whatever else names an action holds its declaration, which mypy and Python know."""
    identifiers = {action.id for action in every_action()} - {one.key for one in SETTINGS}
    sources = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    spelled = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.value}"
        for path, text in sources.items()
        if any(identifier in text for identifier in identifiers)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and node.value in identifiers
    ]
    assert spelled == []


@pytest.mark.long
def test_declarations_load_no_view() -> None:
    """The sheet of keys asks for all of them, and a start for the window's own."""
    asked = """
import sys
from madcat_studio.gui.coreactions import CORE_ACTIONS
from madcat_studio.gui.views import VIEWS
views = {spec.factory.partition(":")[0] for spec in VIEWS}
views |= {"madcat_studio.gui.mainwindow", "madcat_studio.gui.page.view"}
assert sum(len(tuple(spec.actions())) for spec in VIEWS) > 150
print(*sorted(views & set(sys.modules)), *({"numpy", "lxml", "sqlalchemy"} & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


@pytest.mark.long
def test_the_page_view_loads_what_every_page_needs_and_no_more() -> None:
    """What one kind of file needs costs megabytes in each window, hour after hour."""
    asked = """
import sys
import madcat_studio.gui.page.view
rare = {"pypdfium2", "pypdfium2_raw", "lxml.html", "scipy", "sqlalchemy", "matplotlib", "shapely"}
print(*sorted(rare & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_an_unknown_action_cannot_exist(make_window) -> None:
    window = make_window()
    part: Declarations[object] = Declarations("page")
    stray = part("fly", "&Fly", "page", run=lambda _: None)
    with pytest.raises(ValueError, match=r"two actions are called page\.fly"):
        part("fly", "&Fly", "page", run=lambda _: None)
    with pytest.raises(KeyError, match=r"page\.fly"):
        window.commands[stray]
    with pytest.raises(KeyError, match=r"page\.fly"):
        window.run(stray)
    with pytest.raises(KeyError, match=r"page\.svae"):
        window.commands.named("page.svae")
    with pytest.raises(ValueError, match=r"two actions are called file"):
        window.commands.add(CORE_ACTIONS, lambda: None)


def test_what_an_action_needs_holds_beside_its_own_condition() -> None:
    part: Declarations[dict[str, bool]] = Declarations("page")
    asked = part.when(lambda owner: owner["open"])
    plain = asked("a", "A", "page", run=lambda _: None)
    both = asked("b", "B", "page", run=lambda _: None, enabled=lambda owner: owner["chosen"])
    free = part("c", "C", "page", run=lambda _: None)
    assert tuple(part) == (plain, both, free)
    for is_open in (False, True):
        assert plain.enabled({"open": is_open}) is is_open
        assert free.enabled({}) is True
        for chosen in (False, True):
            owner = {"open": is_open, "chosen": chosen}
            assert both.enabled(owner) is (is_open and chosen)


@pytest.mark.parametrize("view", ["home", *(spec.id for spec in VIEWS)])
def test_every_action_answers_where_nothing_is_open(make_window, view: str) -> None:
    """Its verbs are asked of the owner that the window finds for it."""
    window = make_window()
    window.commands.declared()
    window.show_view(view)
    owners = {"file": window.verbs, "edit": window.verbs, "view": window.verbs}
    owners["help"] = window.verbs
    asked = 0
    for action in every_action():
        owner = owners.get(action.part) or window.view(action.part)
        if owner is None or action.local:
            continue
        asked += 1
        assert action.enabled(owner) in (True, False)
        assert action.checked is None or action.checked(owner) in (True, False)
        assert action.label(owner) is None or action.label(owner)
        made = window.commands[action]
        in_front = action.part in (view, *owners)
        assert made.isVisible() is in_front
        assert made.isEnabled() is (in_front and action.enabled(owner))
        assert made.isCheckable() is (action.checked is not None)
        assert made.isChecked() is (
            in_front and action.checked is not None and action.checked(owner)
        )
    in_view = sum(action.part == view and not action.local for action in every_action())
    assert asked == len(CORE_ACTIONS) + in_view


@pytest.mark.long
def test_an_action_whose_owner_is_not_in_front_does_nothing(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path, image=False))
    save, ran = someone.window.commands.named("page.fill"), []
    someone.window.commands.ran.connect(lambda: ran.append(True))
    before = save.isChecked()
    someone.window.show_view("home")
    save.setEnabled(True)
    save.trigger()
    assert ran == []
    someone.window.show_view("page")
    assert save.isChecked() is before
    save.trigger()
    assert ran == [True]
    assert save.isChecked() is not before


@pytest.mark.long
def test_every_action_of_the_window_runs(make_window, monkeypatch, qtbot) -> None:
    nobody_answers(monkeypatch)
    monkeypatch.setattr("madcat_studio.gui.demo.demo_campaign", lambda *_: Path("nowhere"))
    window = make_window()
    runner = Runner(window, "file", "edit", "view", "help")
    runner.run_what_can_be(last=("file.quit",))
    assert window.findChild(Doors) is not None  # asked, and closed without an answer
    assert runner.left == ["file.rooms", "file.passphrase", "file.quit"]
    window.campaign = "somewhere"
    window.rooms.seen("somewhere", "open")
    runner.run("file.passphrase")
    window.rooms.seen("somewhere", "unlocked")
    runner.run("file.rooms")
    assert runner.left == ["file.quit"]
    runner.run("view.full-screen", "view.theme", "view.home")
    assert window.isVisible()
    window.commands.named("file.quit").trigger()
    assert not window.isVisible()
