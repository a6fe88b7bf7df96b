"""Takes a picture of every view, light and dark: ``python3 run.py screenshots``.

A shot is declared: its name, and what a user does until there is something to show. All of them
are taken in one program at 1400 x 900, and those marked ``sharp`` once more on a screen of two
pixels for one. The program works in a home of its own, with a copy of the demo.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from madcat_studio.gui import (
    annotating_shots,
    campaign_shots,
    card_shots,
    kit_shots,
    plan_shots,
    seeing_shots,
    tool_shots,
)
from madcat_studio.paths import resources

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from madcat_studio.gui.mainwindow import MainWindow
    from madcat_studio.gui.page.view import PageView

__all__ = ["SHOTS", "Shot", "Studio", "main"]

SIZE = (1400, 900)
SHARP_SIZE = (1100, 700)
MOST_BYTES = 250_000
TARGET = Path("docs") / "screenshots"


class Shot(NamedTuple):
    """One picture. ``prepare`` may give back a dialog to take instead of the window."""

    name: str
    prepare: Callable[[Studio], QWidget | None]
    sharp: bool = False


class Studio:
    """What a shot can do: open things, wait, reach the views."""

    def __init__(self, window: MainWindow, home: Path) -> None:
        self.window = window
        self.home = home

    def wait(self, ready: Callable[[], bool], seconds: float = 20.0) -> None:
        """Let the program run until something is there."""
        from PySide6.QtCore import QEventLoop, QTimer

        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                raise SystemExit("a view did not get ready for its picture")
            loop = QEventLoop()
            QTimer.singleShot(30, loop.quit)
            loop.exec()

    def settle(self, milliseconds: int = 400) -> None:
        """Let the program run for a while."""
        end = time.monotonic() + milliseconds / 1000
        self.wait(lambda: time.monotonic() > end)

    def pages(self, location: Path | None = None) -> PageView:
        """The page view with a document fitted and nothing chosen; else the demo's folder."""
        from madcat_studio.gui.page.view import PageView

        self.window.open(str(location or self.home / "pages"))
        first = location or min((self.home / "pages").glob("*.madcat.xml"))

        def there() -> bool:
            view = self.window.view("page")
            return (
                isinstance(view, PageView)
                and view.workspace is not None
                and view.workspace.path == first
                and view.canvas.base.pyramid is not None
            )

        self.wait(there)
        view = self.window.view("page")
        assert isinstance(view, PageView)
        self.window.show_view("page")
        view.canvas.fit()
        view.canvas.choose(None)
        view.canvas.link([])
        view.side.tabs.setCurrentIndex(0)
        return view

    def campaign(self, view: str) -> None:
        """The demo campaign in one of its views."""
        if not (self.home / "campaign").is_dir():
            from madcat_studio.operations.demo import make_demo

            make_demo(self.home / "campaign")
        self.window.open(str(self.home / "campaign"), view=view)
        self.settle(2500)


def _welcome(studio: Studio) -> None:
    from madcat_studio.gui import recent

    for path in sorted((studio.home / "pages").glob("*.madcat.xml"))[:3]:
        recent.remember(str(path))
    recent.remember(str(studio.home / "pages"))
    studio.window.show_view("home")


def _page(studio: Studio) -> None:
    view = studio.pages()
    view.choice.segment((0, 1))
    view.side.mark_segment((0, 1))
    view.canvas.fit()


def _word(studio: Studio) -> None:
    from madcat_studio.gui.page.shapes import ShapeKey

    view = studio.pages()
    key = ShapeKey(3, 2)
    view.canvas.choose(key)
    view.choice.outline(key)
    view.canvas.zoom_to(0.5)
    view.canvas.reveal([key])
    if not view.is_checked("page.show-labels"):
        studio.window.commands["page.show-labels"].trigger()


def _problems(studio: Studio) -> None:
    if studio.pages().is_checked("page.show-labels"):
        studio.window.commands["page.show-labels"].trigger()
    view = studio.pages(min((resources() / "demo" / "pages").glob("*.0006_*.madcat.xml")))
    studio.wait(lambda: view.side.problems.model.rowCount() > 0)
    view.side.tabs.setCurrentWidget(view.side.problems)
    view.side.problems.step(1)


def _settings(studio: Studio) -> QWidget:
    from madcat_studio.gui.dialogs import SettingsDialog

    dialog = SettingsDialog(studio.window.settings, studio.window)
    dialog.tabs.setCurrentIndex(dialog.tabs.count() - 1)
    return dialog


def _shortcuts(studio: Studio) -> QWidget:
    from madcat_studio.gui.dialogs import ShortcutSheet
    from madcat_studio.gui.views import VIEWS

    keys = [(spec.title, spec.keys()) for spec in VIEWS if spec.keys()]
    return ShortcutSheet(studio.window.commands.declared(), keys, studio.window)


def _crash(studio: Studio) -> QWidget:
    from madcat_studio.gui.crashdialog import CrashDialog

    report = "MADCAT Studio 0.1.0, crash of 2026-01-31 12:00:00 UTC\nPython 3.11.7 on Linux\n…"
    return CrashDialog("ZeroDivisionError", report, studio.window)


SHOTS: tuple[Shot, ...] = (
    Shot("welcome", _welcome),
    Shot("page", _page, sharp=True),
    Shot("word", _word),
    Shot("problems", _problems),
    Shot("see-order", seeing_shots.order),
    Shot("see-colours", seeing_shots.seeing),
    Shot("see-turned", seeing_shots.turned),
    Shot("history", seeing_shots.history),
    Shot("tool-choose", tool_shots.choose),
    Shot("tool-edit", tool_shots.edit),
    Shot("tool-draw", tool_shots.draw),
    Shot("tool-cut", tool_shots.cut),
    Shot("tool-order", tool_shots.order_tool),
    Shot("order-list", tool_shots.order_list),
    Shot("tool-lock", tool_shots.lock),
    Shot("tool-link", tool_shots.link),
    Shot("offer-order", tool_shots.sort),
    Shot("offer-lines", tool_shots.derive),
    Shot("marking", annotating_shots.marking),
    Shot("tokens", annotating_shots.tokens),
    Shot("compare", annotating_shots.compare),
    Shot("queue", annotating_shots.queue),
    Shot("desk", campaign_shots.desk),
    Shot("kit", campaign_shots.kit),
    Shot("review", campaign_shots.review),
    Shot("changes", kit_shots.changes),
    Shot("find", kit_shots.find),
    Shot("flag", kit_shots.flag),
    Shot("hand-over", campaign_shots.hand_over),
    Shot("advice", kit_shots.advice),
    Shot("set-up", plan_shots.set_up),
    Shot("set-up-findings", plan_shots.set_up_findings),
    Shot("set-up-summary", plan_shots.set_up_summary),
    Shot("plan", plan_shots.plan),
    Shot("plan-effect", plan_shots.plan_effect),
    Shot("people", plan_shots.people),
    Shot("guidelines", plan_shots.guidelines),
    Shot("board", campaign_shots.board),
    Shot("overlap", plan_shots.overlap),
    Shot("agreement", plan_shots.agreement),
    Shot("audit-trail", plan_shots.audit_trail),
    Shot("select", plan_shots.select),
    Shot("give-out", campaign_shots.give_out),
    Shot("report", campaign_shots.report),
    Shot("segments", campaign_shots.segments),
    Shot("report-pictures", campaign_shots.report_pictures),
    Shot("segment", campaign_shots.segment),
    Shot("scorecard", card_shots.scorecard),
    Shot("card-regions", card_shots.card_regions),
    Shot("new-card", card_shots.new_card),
    Shot("evaluation", card_shots.evaluation),
    Shot("new-evaluation", card_shots.new_evaluation),
    Shot("settings", _settings),
    Shot("shortcuts", _shortcuts),
    Shot("keys", seeing_shots.keys),
    Shot("crash", _crash),
)


def main(arguments: Sequence[str] = ()) -> int:
    """Take the pictures with these names, all without any; the exit status."""
    parser = argparse.ArgumentParser(description="Take a picture of every view.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which; all without any")
    parser.add_argument("--to", type=Path, default=TARGET, metavar="FOLDER")
    parser.add_argument("--sharp", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(list(arguments))
    names: list[str] = options.names
    unknown = set(names) - {shot.name for shot in SHOTS}
    if unknown:
        print(f"there is no picture called {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    sharp = [shot.name for shot in SHOTS if shot.sharp and (not names or shot.name in names)]
    if sharp and not options.sharp:
        environment = {**os.environ, "QT_SCALE_FACTOR": "2", "QT_QPA_PLATFORM": "offscreen"}
        module = "madcat_studio.gui.screenshots"
        command = [sys.executable, "-m", module, "--sharp", "--to", str(options.to), *sharp]
        status = subprocess.run(command, env=environment, check=False).returncode
        if status:
            return status
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="madcat-studio-") as home:
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ.pop(variable, None)
        os.environ["HOME"] = home
        return _take(names, options.to, Path(home), sharp=options.sharp)


def _take(wanted: Sequence[str], target: Path, home: Path, *, sharp: bool) -> int:
    from madcat_studio.gui.app import make_application, make_window
    from madcat_studio.gui.settings import THEME

    shutil.copytree(resources() / "demo" / "reference", home / "pages")
    application = make_application()
    window = make_window(application)
    window.resize(*(SHARP_SIZE if sharp else SIZE))
    studio = Studio(window, home)
    target.mkdir(parents=True, exist_ok=True)
    status = 0
    for shot in SHOTS:
        if wanted and shot.name not in wanted:
            continue
        for theme in ("light", "dark"):
            window.settings.set(THEME, theme)
            dialog = shot.prepare(studio)
            window.message_bar.dismiss()
            shown = dialog if dialog is not None else window
            shown.show()
            studio.settle()
            name = f"{shot.name}-{theme}{'@2x' if sharp else ''}.png"
            size = _save(shown, target / name)
            print(f"{target / name}: {size / 1000:.0f} KB")
            status |= size > MOST_BYTES
            if dialog is not None:
                dialog.close()
                dialog.deleteLater()
    window.leave()
    window.close()
    return status


def _save(widget: QWidget, path: Path) -> int:
    """Write a widget as a PNG of few colours, and return its size."""
    from PIL import Image
    from PySide6.QtCore import QBuffer, QIODevice

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    widget.grab().save(buffer, "PNG")
    picture = Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGB")
    picture.save(path, optimize=True)
    for colours in (256, 128, 64, 32, 20):
        if path.stat().st_size <= MOST_BYTES:
            break
        few = picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
