from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from madcat_studio.errors import FormatError
from madcat_studio.gui import recent
from madcat_studio.gui.crashdialog import CrashDialog
from madcat_studio.gui.dialogs import SettingsDialog
from madcat_studio.gui.fitting import fitted
from madcat_studio.gui.messages import Level
from madcat_studio.gui.settings import ARABIC_SIZE, THEME, settings_file
from madcat_studio.gui.shortcutsheet import SheetView, ShortcutSheet
from madcat_studio.gui.views import VIEWS, LocationKind, kind_of
from tests.gui.campaigns import make_campaign
from tests.gui.helpers import NORMAL, SMALL, copy_sample


def test_the_first_page_leads_on(make_window, tmp_path: Path, monkeypatch, qtbot) -> None:
    path = copy_sample(SMALL, tmp_path)
    window = make_window()
    assert window.welcome.isVisible()
    assert window.focusWidget() is window.welcome.first_button()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    button = next(b for b in window.findChildren(QPushButton) if b.text() == "Open a page")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.current_view() is not None)
    assert recent.recent() == [str(path)]
    window.commands.named("view.home").trigger()
    assert window.welcome.isVisible()
    assert window.windowTitle() == "MADCAT Studio[*]"


@pytest.mark.long
def test_what_was_opened_last_opens_by_one_click(make_window, tmp_path: Path, qtbot) -> None:
    paths = [copy_sample(name, tmp_path, image=False) for name in (NORMAL, SMALL)]
    for path in (*paths, tmp_path / "gone.madcat.xml"):
        recent.remember(str(path))
    window = make_window()
    rows = [button for button, _ in window.welcome._rows]
    assert [row.toolTip() for row in rows] == [str(paths[1]), str(paths[0])]
    rows[1].click()
    qtbot.waitUntil(lambda: window.current_view() is not None)
    assert window.current_view().workspace.path == paths[0]


@pytest.mark.long
def test_a_file_can_be_dropped(make_window, tmp_path: Path, qtbot) -> None:
    path = copy_sample(SMALL, tmp_path)
    window = make_window()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(50, 50),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.current_view() is not None)


def test_a_message_says_what_where_and_what_to_do(make_window) -> None:
    window = make_window()
    window.show_error(
        FormatError("room.reason", "the file is cut short", where="a.xml", remedy="Copy it again")
    )
    bar = window.message_bar
    assert bar.text.text() == "The file is cut short. Copy it again."
    assert bar.message.level is Level.ERROR
    bar._more.click()
    assert bar.text.text().endswith("a.xml\nroom.reason")
    bar.close_button.click()
    assert bar.isHidden()


def test_the_system_refusing_is_a_message(make_window) -> None:
    window = make_window()
    window.show_error(PermissionError(13, "Permission denied", "/campaign"))
    assert window.message_bar.text.text() == "Permission denied."
    window.commands.named("view.dismiss").trigger()
    assert window.message_bar.isHidden()


@pytest.mark.usefixtures("caplog", "crash_dialogs")
def test_a_fault_shows_a_report_to_copy(make_window, qtbot) -> None:
    window = make_window()
    seen = []

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, CrashDialog)
        seen.append(dialog.report.toPlainText())
        dialog._copy()
        dialog.reject()

    QTimer.singleShot(100, answer)
    sys.excepthook(ZeroDivisionError, ZeroDivisionError("division by zero"), None)
    assert "ZeroDivisionError: division by zero" in seen[0]
    assert "PySide6" in seen[0]
    assert QGuiApplication.clipboard().text() == seen[0]
    assert window.isVisible()


@pytest.mark.usefixtures("caplog", "crash_dialogs")
def test_leaving_after_a_fault_asks_nothing(make_window, qtbot) -> None:
    window = make_window()
    QTimer.singleShot(100, lambda: QApplication.activeModalWidget().accept())
    sys.excepthook(KeyError, KeyError("x"), None)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert "Failures" not in repr(sys.excepthook)


def test_settings_hold_at_once_and_only_differences_are_saved(make_window) -> None:
    window = make_window()
    dialog = SettingsDialog(window.settings, window)
    theme, size = dialog.fields[THEME.key], dialog.fields[ARABIC_SIZE.key]
    theme.setCurrentIndex(theme.findData("dark"))
    assert window.theme.dark
    size.setValue(28)
    assert settings_file().read_text() == (
        '[appearance]\ntheme = "dark"\n\n[text]\narabic-size = 28\n'
    )
    size.setValue(ARABIC_SIZE.default)
    theme.setCurrentIndex(theme.findData("light"))
    assert settings_file().read_text() == '[appearance]\ntheme = "light"\n'
    assert not window.theme.dark


def test_a_setting_that_makes_no_sense_is_said_and_others_are_kept(make_window) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(
        '[appearance]\ntheme = "purple"\n[text]\narabic-size = 30\n[future]\nthing = 1\n'
    )
    window = make_window()
    assert "appearance.theme cannot be 'purple'" in window.message_bar.text.text()
    assert window.settings.get(ARABIC_SIZE) == 30
    window.settings.set(THEME, "dark")
    assert "[future]\nthing = 1" in settings_file().read_text()


def test_unreadable_settings_leave_the_defaults(make_window) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("not [toml")
    window = make_window()
    assert window.settings.get(THEME) == "system"
    assert "settings cannot be read" in window.message_bar.text.text()


def test_the_window_comes_back_where_it_was(make_window) -> None:
    window = make_window()
    window.resize(1111, 777)
    window.close()
    assert make_window.__name__ == "make"
    from madcat_studio.gui.settings import window_state

    assert window_state().value("geometry") is not None


@pytest.mark.long
def test_every_action_is_on_the_shortcut_sheet(make_window) -> None:
    window = make_window()
    views = [SheetView(spec.id, spec.title, spec.keys()) for spec in VIEWS]
    sheet = ShortcutSheet(window.commands.declared(), views, "", window)
    from PySide6.QtWidgets import QLabel

    texts = {label.text() for label in sheet.findChildren(QLabel)}
    for action in window.commands.declared():
        if action.shortcut and action.menu:
            assert action.title.replace("&", "").rstrip("…") in texts
    assert window.commands.named("help.shortcuts").shortcuts()[0] == QKeySequence("?")


def test_no_two_actions_of_one_place_share_a_shortcut(make_window) -> None:
    window = make_window()
    views = {spec.id for spec in VIEWS}
    for view in views:
        used: dict[str, str] = {}
        for action in window.commands.declared():
            owner = action.id.partition(".")[0]
            if owner in views - {view}:
                continue
            for keys in action.shortcut:
                assert keys not in used, f"{keys}: {action.id} and {used[keys]}"
                used[keys] = action.id


@pytest.mark.long
def test_everything_that_takes_the_focus_has_a_name(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    nameless = [
        (widget, widget.parent())
        for widget in someone.window.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not (
            widget.accessibleName()
            or getattr(widget, "text", lambda: "")()
            or widget.toolTip()
            or widget.objectName().startswith("qt_")
        )
        and type(widget).__name__ not in ("QTabBar", "QTabWidget", "QSplitter", "QScrollArea")
    ]
    assert nameless == []


def test_locations_are_told_apart(tmp_path: Path) -> None:
    from madcat_studio.store.database import DATABASE_NAME

    page = copy_sample(SMALL, tmp_path / "pages", image=False)
    campaign = tmp_path / "campaign"
    campaign.mkdir()
    (campaign / DATABASE_NAME).touch()
    assert kind_of(str(page)) is LocationKind.PAGE
    assert kind_of(str(page.parent)) is LocationKind.FOLDER
    assert kind_of(str(campaign)) is LocationKind.CAMPAIGN
    assert kind_of(str(campaign / DATABASE_NAME)) is LocationKind.CAMPAIGN
    assert kind_of("postgresql://server/name") is LocationKind.CAMPAIGN


def test_every_icon_that_is_named_is_there_and_takes_the_themes_colour() -> None:
    from madcat_studio.gui.coreactions import CORE_ACTIONS
    from madcat_studio.paths import resources

    names = {spec.icon for spec in VIEWS} | {action.icon for action in CORE_ACTIONS}
    names |= {action.icon for spec in VIEWS for action in spec.actions()}
    for name in sorted(names - {""}):
        text = (resources() / "icons" / f"{name}.svg").read_text()
        assert "currentColor" in text


def test_visible_texts_go_through_translation() -> None:
    """Whatever is put on a widget as a plain literal would never be translated."""
    package = Path(__file__).parents[2] / "madcat_studio" / "gui"
    call = re.compile(
        r"(?:setText|setToolTip|setWindowTitle|setAccessibleName|QLabel|QPushButton|addAction|"
        r"addTab|setPlaceholderText)\(\s*f?\"([^\"]*[A-Za-z]{3}[^\"]*)\""
    )
    plain = {
        (path.name, text)
        for path in package.rglob("*.py")
        for text in call.findall(path.read_text(encoding="utf-8"))
        if "{" not in text
    }
    assert {text for _, text in plain} <= {"MADCAT Studio"}


DRIVER = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
plain = QApplication.exec

def run(*_):
    def look():
        windows = [w for w in QApplication.topLevelWidgets() if w.objectName() != "" or True]
        window = next(w for w in windows if type(w).__name__ == "MainWindow")
        view = window.current_view()
        print("title", window.windowTitle())
        window.close()
    QTimer.singleShot(4000, look)
    return plain()

QApplication.exec = staticmethod(run)
sys.argv = ["madcat-studio", *sys.argv[1:]]
from madcat_studio.__main__ import main
main()
"""


@pytest.mark.long
@pytest.mark.parametrize("named", [True, False])
def test_the_real_entry_opens_the_window(named: bool, tmp_path: Path) -> None:
    path = copy_sample(SMALL, tmp_path)
    arguments = ["open", str(path)] if named else []
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    title = f"{SMALL}[*] – MADCAT Studio" if named else "MADCAT Studio[*]"
    assert f"title {title}" in done.stdout


def test_a_room_without_a_page_has_doors(make_window, monkeypatch) -> None:
    window = make_window()
    window.show_view("page")
    view = window.view("page")
    assert view.empty.isVisible()
    assert not view.splitter.isVisible()
    run: list[str] = []
    for name in ("open_page", "open_folder", "open_demo"):
        monkeypatch.setattr(window.verbs, name, lambda name=name: run.append(name))
    for button in view.empty.findChildren(QPushButton):
        button.click()
    assert run == ["open_page", "open_folder", "open_demo"]


@pytest.mark.long
@pytest.mark.parametrize("named", ["folder", "file"])
def test_the_pages_of_a_campaign_are_there_with_it(
    make_window, qtbot, tmp_path: Path, named: str
) -> None:
    campaign = make_campaign(tmp_path / "campaign")
    (campaign / "pages").mkdir()
    page = copy_sample(SMALL, campaign / "pages")
    window = make_window(campaign / "campaign.sqlite" if named == "file" else campaign)
    qtbot.waitUntil(lambda: bool(window.campaign))
    window.show_view("page")
    view = window.view("page")
    qtbot.waitUntil(lambda: view.workspace is not None)
    assert view.workspace.path == page
    assert view.splitter.isVisible()
    assert not view.empty.isVisible()


def test_without_a_display_the_help_is_shown(monkeypatch, capsys) -> None:
    from madcat_studio import __main__ as entry

    for variable in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "argv", ["madcat-studio"])
    with pytest.raises(SystemExit) as left:
        entry.main()
    assert left.value.code == 2
    shown = capsys.readouterr()
    assert "no display here" in shown.err
    assert "Commands" in shown.out
    monkeypatch.setattr(sys, "argv", ["madcat-studio", "open", "."])
    with pytest.raises(SystemExit) as left:
        entry.main()
    assert left.value.code == 2
    assert "[window.no-display]" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("arguments", [[], ["open", "."]])
@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"QT_QPA_PLATFORM": "bogus"}, "bogus"),
        ({"DISPLAY": ":99"}, ":99"),
        # With Wayland's libraries Qt fails at the display, without them at the plugin.
        ({"QT_QPA_PLATFORM": "wayland", "WAYLAND_DISPLAY": "none"}, "wayland|wl_display"),
    ],
)
def test_a_display_that_cannot_be_used_is_told_in_one_message(
    arguments: list[str], told: dict[str, str], why: str, tmp_path: Path
) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    }
    done = subprocess.run(
        [sys.executable, "-m", "madcat_studio", *arguments],
        env={**environment, "XDG_RUNTIME_DIR": str(tmp_path), **told},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "[window.cannot-show]" in done.stderr
    assert re.search(why, done.stderr)
    assert "DISPLAY" in done.stderr


def test_what_makes_qt_give_up_reaches_the_terminal(capsys, caplog) -> None:
    from PySide6.QtCore import QMessageLogContext, QtMsgType

    from madcat_studio.gui.app import _log_qt

    _log_qt(QtMsgType.QtWarningMsg, QMessageLogContext(), "only odd")
    _log_qt(QtMsgType.QtFatalMsg, QMessageLogContext(), "no way on")
    assert capsys.readouterr().err == "madcat-studio: no way on\n"


def test_the_theme_follows_the_system_unless_it_is_set(make_window, monkeypatch) -> None:
    from PySide6.QtGui import QStyleHints

    window = make_window()
    assert window.settings.get(THEME) == "system"
    assert not window.theme.dark
    monkeypatch.setattr(QStyleHints, "colorScheme", lambda _: Qt.ColorScheme.Dark)
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert window.theme.dark
    window.settings.set(THEME, "light")
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not window.theme.dark


def test_another_window_that_is_open_is_not_taken_for_a_crash(tmp_path: Path) -> None:
    from madcat_studio.gui.session import Session

    page = copy_sample(SMALL, tmp_path)
    one, other, third = (Session(tmp_path / "sessions") for _ in range(3))
    one.keep([str(page), str(tmp_path / "gone.madcat.xml")])
    assert other.interrupted() == []
    one.abandon()
    assert other.interrupted() == [str(page)]
    assert third.interrupted() == [], "given out once"
    other.keep([str(page)])
    other.end()
    assert third.interrupted() == []


@pytest.mark.parametrize(
    ("window", "wanted"),
    [
        (QRect(10, 20, 600, 400), QRect(10, 20, 600, 400)),
        (QRect(0, 0, 1400, 900), QRect(0, 0, 853, 480)),
        (QRect(300, 200, 600, 400), QRect(253, 80, 600, 400)),
        (QRect(-50, -20, 2000, 100), QRect(0, 0, 853, 100)),
    ],
)
def test_a_window_is_put_within_its_screen(window: QRect, wanted: QRect) -> None:
    assert fitted(window, QRect(0, 0, 853, 480)) == wanted


@pytest.mark.long
def test_on_a_small_screen_with_large_letters_all_of_the_window_is_seen(home: Path) -> None:
    """1280x720 at scale 1.5, as a process of its own: Qt looks for its screens once."""
    screen = {"name": "small", "x": 0, "y": 0, "width": 1280, "height": 720}
    screen |= {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    (home / "screens.json").write_text(json.dumps({"screens": [screen]}), "utf-8")
    program = """
from PySide6.QtCore import QCoreApplication
from madcat_studio.gui.app import make_application, make_window
app = make_application()
window = make_window(app)
window.show()
app.processEvents()
room, there = window.screen().availableGeometry(), window.frameGeometry()
rail = [button.geometry() for button in window.rail.buttons.values()]
apart = all(one.bottom() < other.top() for one, other in zip(rail, rail[1:]))
print(room.width(), room.contains(there), apart, rail[-1].bottom() < window.rail.height())
window.leave()
"""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": f"offscreen:configfile={home / 'screens.json'}",
        "QT_SCALE_FACTOR": "1.5",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert done.stdout.split() == ["853", "True", "True", "True"], done.stderr
