"""A whole set-up by keyboard, from the menu's key to an accepted plan, through the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from madcat_studio.gui.coordinator.choosedialog import ChooseDialog
from madcat_studio.gui.coordinator.proposaldialog import ProposeDialog
from madcat_studio.gui.coordinator.setupdialog import SetupDialog
from madcat_studio.paths import resources
from madcat_studio.store import open_campaign

DEMO = resources() / "demo"
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key, to whoever has the focus."""
    target = QApplication.focusWidget() or QApplication.activeWindow()
    assert target is not None
    QTest.keyClick(target, key, modifier)


def write(text: str) -> None:
    """Text, to whoever has the focus."""
    target = QApplication.focusWidget()
    assert target is not None
    QTest.keyClicks(target, text)


def paste(text: str) -> None:
    """Text that no key of the test's keyboard has, over what is chosen."""
    QApplication.clipboard().setText(text)
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_V, CTRL)


def in_dialog(
    kind: type[QDialog], script: Callable[[QDialog], None], failures: list[BaseException]
) -> None:
    """Run a script as soon as a dialog waits for somebody; whatever happens, it does not hang."""

    def run(tries: int = 300) -> None:
        front = QApplication.activeModalWidget()
        focus = QApplication.focusWidget()
        if not isinstance(front, QDialog) or focus is None or focus.window() is not front:
            if tries:
                if front is not None:
                    front.activateWindow()  # as a window manager does
                QTimer.singleShot(20, lambda: run(tries - 1))
            else:
                failures.append(AssertionError(f"no {kind.__name__} came"))
                if isinstance(front, QDialog):
                    front.reject()
            return
        try:
            assert isinstance(front, kind)
            script(front)
        except BaseException as error:
            failures.append(error)
            front.reject()

    QTimer.singleShot(0, run)


@pytest.mark.long
def test_a_campaign_is_set_up_planned_and_accepted_by_keyboard(
    make_window, qtbot, tmp_path: Path
) -> None:
    window = make_window(None)

    def come_back() -> None:
        # What a window manager does when a dialog closes; there is none here.
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)

    come_back()
    where = tmp_path / "حملة" / "pilot"
    failures: list[BaseException] = []

    def set_up(dialog: QDialog) -> None:
        assert isinstance(dialog, SetupDialog)
        qtbot.waitUntil(lambda: dialog.files.references.field.hasFocus())
        write(str(DEMO / "reference"))
        for name in ("juniper_1", "tamarisk_1"):
            press(Qt.Key.Key_O, ALT)
            write(str(DEMO / "systems" / name))
            press(Qt.Key.Key_Return)
        assert [name for name, _ in dialog.files.systems.systems()] == ["juniper", "tamarisk"]
        press(Qt.Key.Key_A, ALT)
        write("Pilot")
        press(Qt.Key.Key_L, ALT)
        paste(str(where))
        press(Qt.Key.Key_Return)
        assert dialog.step == 1
        write(str(DEMO / "corpus.tsv"))
        press(Qt.Key.Key_T, ALT)
        write(str(DEMO / "teams.tsv"))
        press(Qt.Key.Key_Return)
        assert dialog.step == 2
        for key, name in (
            (Qt.Key.Key_O, "editing.coach"),
            (Qt.Key.Key_L, "editing.record_times_only"),
        ):
            box = dialog.editing.switches[name]
            was = box.isChecked()
            press(key, ALT)
            qtbot.waitUntil(lambda box=box, was=was: box.isChecked() is not was)
        press(Qt.Key.Key_S, ALT)
        press(Qt.Key.Key_A, CTRL)
        write("British English")
        press(Qt.Key.Key_Return)
        assert dialog.step == 3
        qtbot.waitUntil(lambda: dialog.next.isEnabled())
        assert not where.exists()  # everything was examined, and nothing written
        assert "none of them stops you" in dialog.findings.sentence.text()
        press(Qt.Key.Key_Return)
        assert dialog.step == 4
        assert not where.exists()
        press(Qt.Key.Key_Return)

    in_dialog(SetupDialog, set_up, failures)
    press(Qt.Key.Key_N, CTRL | SHIFT)  # comes back when the dialog is done
    assert not failures, failures
    view = window.view("plan")
    qtbot.waitUntil(lambda: view.kits.state is not None)
    assert view.title() == "Pilot – plan"
    assert not view.kits.state.draft.kits
    come_back()

    in_dialog(ProposeDialog, lambda _: press(Qt.Key.Key_Return), failures)
    press(Qt.Key.Key_P, CTRL)
    assert not failures, failures
    qtbot.waitUntil(lambda: bool(view.kits.state.draft.kits))
    assert view.is_modified()
    come_back()

    # To a manuscript of the first kit, and its exchange for the first of another kit.
    tree, before = view.kits.tree, view.kits.state.draft
    press(Qt.Key.Key_Home)
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Down)
    moved = tree.chosen().unit.key
    kits = [before.kit_of(moved).name]

    in_dialog(ChooseDialog, lambda _: press(Qt.Key.Key_Return), failures)
    press(Qt.Key.Key_X)
    assert not failures, failures
    come_back()
    effect = view.kits.effect
    qtbot.waitUntil(lambda: effect.isVisible())
    assert view.kits.state.draft is before  # only shown
    press(Qt.Key.Key_Return)  # makes it, or leaves it where a rule refuses it
    assert effect.isHidden()
    kits.append(view.kits.state.draft.kit_of(moved).name)
    if kits[0] != kits[1]:
        press(Qt.Key.Key_Z, CTRL)
        assert view.kits.state.draft.kits == before.kits
    press(Qt.Key.Key_S, CTRL)
    qtbot.waitUntil(lambda: not view.is_modified())
    with open_campaign(where) as campaign:
        assert campaign.options() == {
            "editing.coach": False,
            "editing.show_source": False,
            "editing.show_page": False,
            "editing.show_translated": False,
            "editing.show_figures": False,
            "editing.allow_return": False,
            "editing.record_times_only": True,
            "editing.spelling": "en_GB",
        }
        planned = {kit.name: set(kit.items) for kit in campaign.plans.kits()}
        assert len(campaign.plans.assignments()) == 2 * len(planned)
    assert planned.keys() == {kit.name for kit in before.kits}
    qtbot.waitUntil(lambda: not view.job.busy and not view._reader.busy)
