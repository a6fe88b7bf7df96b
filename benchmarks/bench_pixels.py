"""From a key to the pixels that it changes: the kit beside a bare QPlainTextEdit.

    .venv/bin/python benchmarks/bench_pixels.py

An X server of its own (Xvfb) runs; the window is shown there by Qt's usual plugin, with the
alignment below the text and the page's lines above it. Keys are pressed by the server itself, as a
keyboard's would be, and the server says when the pixels of the line at the caret were drawn: what
is measured is all that lies between, in the program and in the server. Letters go in turn into the
kit and into a bare QPlainTextEdit of the same font, size and text, in the same run, so that a busy
machine slows both. That a letter came is looked up in the picture; one that does not come within
two seconds fails. The exit status is 1 where the kit's median is more than twice the bare box's.
"""

from __future__ import annotations

import io
import json
import os
import random
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MOST = 2.0
KEYS = 15
ROUNDS = 10
LETTERS = "abcdefgh"
WORDS = (60, 300)
"""Of the first segments of bench_typing's campaign."""

PATIENCE = 2.0
QUIET = 0.06
LATEST = 0.5
"""Seconds that the alignment below may come after the letter."""

SCREEN = (1920, 1600)


# -- the program, in a process of its own --------------------------------------------------------


def show(where: str) -> None:
    """Show the window, and then do what each line of the standard input asks."""
    from bench_typing import edited
    from PySide6.QtCore import QPoint, QRect, QSocketNotifier
    from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

    from madcat_studio.gui.app import make_application, make_window
    from madcat_studio.gui.editor.view import KitView

    application = make_application()
    application.setCursorFlashTime(0)  # a caret that comes and goes is no letter
    window = make_window(application, location=where)
    window.setGeometry(0, 0, 1900, 1580)  # the alignment of 300 words is in sight

    def until(ready: Callable[[], bool]) -> None:
        while not ready():
            QApplication.processEvents()

    until(lambda: isinstance(window.current_view(), KitView))
    view = window.current_view()
    assert isinstance(view, KitView)
    desk, page = view.desk_page, view.kit_page
    desk.who.setCurrentIndex(desk.who.findData("a"))
    desk.who.activated.emit(desk.who.currentIndex())
    until(lambda: bool(desk.buttons))
    desk.buttons[0].click()
    until(lambda: page.workspace is not None)
    window.message_bar.dismiss()
    until(lambda: page.pane.strip.isVisible() and page.pane.strip.height() > 0)
    bare = QPlainTextEdit()
    bare.setUndoRedoEnabled(False)
    bare.setFont(page.box.font())

    def settled() -> bool:
        workspace = page.workspace
        assert workspace is not None
        text = workspace.own(workspace.current).text
        return page.pane.changes.alignment.text == text and not page._scorer.busy

    def place(widget: QWidget, area: QRect) -> list[int]:
        corner = widget.mapTo(widget.window(), QPoint(area.x(), area.y()))
        return [corner.x(), corner.y(), area.width(), area.height()]

    def ready(box: QPlainTextEdit, whole: QWidget) -> None:
        caret = box.cursorRect()
        # The word may grow into the next line.
        line = QRect(0, caret.y(), box.viewport().width(), 2 * caret.height())
        line &= box.viewport().visibleRegion().boundingRect()  # there is no picture of the rest
        below = page.pane.changes
        seen = below.visibleRegion().boundingRect()
        told = {
            "window": int(whole.winId()),
            "line": place(box.viewport(), line),
            "below": place(below, seen) if whole is window and not seen.isEmpty() else None,
        }
        print(json.dumps(told), flush=True)

    def asked() -> None:
        words = sys.stdin.readline().split()
        if not words:
            window.leave()
            window.close()
            bare.close()
            application.quit()
            return
        row = int(words[1])
        page._on_row(row)
        assert page.workspace is not None
        text = edited(page.workspace.segments[row].output, row + 7)
        page.do(lambda kit: kit.replace_all({row: text}))
        until(settled)
        if words[0] == "kit":
            bare.hide()
            box, whole = page.box, window
        else:
            bare.setPlainText(text)
            bare.resize(page.box.size())
            bare.move(40, 40)
            bare.show()
            box, whole = bare, bare
        box.moveCursor(box.textCursor().MoveOperation.Start)
        for _ in range(len(text.split()) // 2):
            box.moveCursor(box.textCursor().MoveOperation.NextWord)
        whole.raise_()
        whole.activateWindow()
        box.setFocus()
        until(box.hasFocus)
        end = time.monotonic() + 0.5
        until(lambda: time.monotonic() > end)
        ready(box, whole)

    line = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    line.activated.connect(asked)
    print("shown", flush=True)
    application.exec()


def make(where: Path) -> None:
    """The campaign of bench_typing, its page with a scan and lines on it."""
    import bench_typing
    from PIL import Image, ImageDraw

    from madcat_studio.model.outlines import SegmentLines, spell_lines
    from madcat_studio.store import open_campaign

    bench_typing.make(where)
    scan = Image.new("L", (2480, 3508), 245)
    draw = ImageDraw.Draw(scan)
    choice = random.Random(1)
    for top in range(200, 3300, 90):
        for _ in range(60):
            x, y = choice.randint(200, 2200), top + choice.randint(0, 50)
            draw.line((x, y, x + 30, y + choice.randint(-20, 20)), fill=30, width=4)
    stream = io.BytesIO()
    scan.save(stream, "TIFF")
    with open_campaign(where) as campaign:
        campaign.set_options({"editing.show_page": True, "editing.show_figures": True})
        contents = campaign.contents
        [document] = contents.documents()
        contents.add_document(document, contents.blob(document.sha256), (), stream.getvalue())
        with campaign._database.writing() as connection:
            for number in range(20):
                top = 200 + 90 * number
                box = ((200, top), (2230, top), (2230, top + 180), (200, top + 180))
                connection.exec_driver_sql(
                    "INSERT OR REPLACE INTO outlines (segment_id, lines)"
                    " SELECT id, ? FROM segments WHERE name = ?",
                    (spell_lines(SegmentLines(0, (box,))), f"s{number}"),
                )


# -- the hands and the eyes ----------------------------------------------------------------------


class Typist:
    """Presses keys by the server's own hand, and sees what is drawn."""

    def __init__(self, name: str) -> None:
        from Xlib import XK, display
        from Xlib.ext import xtest

        self._display = display.Display(name)
        self._test, self._keysym = xtest, XK.string_to_keysym
        self._display.damage_query_version()

    def look_at(self, told: dict[str, Any]) -> None:
        """Attend to one window from now on."""
        from Xlib.ext import damage

        self._window = self._display.create_resource_object("window", told["window"])
        self._line, self._below = told["line"], told["below"]
        self._damage = self._window.damage_create(damage.DamageReportRawRectangles)
        self._display.sync()
        self._events(0.3)

    def look_away(self) -> None:
        """Attend to it no more."""
        self._display.damage_destroy(self._damage)
        self._display.sync()
        self._events(0.1)

    def _events(self, seconds: float) -> None:
        """Let what is drawn pass, until nothing was for so long."""
        for _ in self._coming(seconds):
            pass

    def _coming(self, quiet: float) -> Iterator[tuple[float, tuple[int, int, int, int]]]:
        """What is drawn, and when, until nothing was for so long."""
        while True:
            if not self._display.pending_events():
                found, _, _ = select.select([self._display.fileno()], [], [], quiet)
                if not found:
                    return
                if not self._display.pending_events():
                    continue
            event = self._display.next_event()
            area = getattr(event, "area", None)
            if area is not None:
                yield time.perf_counter(), (area.x, area.y, area.width, area.height)

    def picture(self) -> bytes:
        """The line at the caret and the next, as they are now."""
        from Xlib import X

        data: bytes = self._window.get_image(*self._line, X.ZPixmap, 0xFFFFFFFF).data
        return data

    def press(self, letter: str) -> tuple[float, float | None]:
        """ms until the letter was there, and until the alignment below was drawn."""
        from Xlib import X

        before = self.picture()
        code = self._display.keysym_to_keycode(self._keysym(letter))
        start = time.perf_counter()
        self._test.fake_input(self._display, X.KeyPress, code)
        self._test.fake_input(self._display, X.KeyRelease, code)
        self._display.flush()
        came = drawn = None
        for when, area in self._coming(PATIENCE):
            if _meet(area, self._line) and self.picture() != before:
                came = when
                break
        if came is None:
            raise SystemExit(f"the letter {letter} did not come within {PATIENCE:g} s")
        if self._below is not None:
            for when, area in self._coming(LATEST):
                if _meet(area, self._below):
                    drawn = when
                    break
        self._events(QUIET)
        return 1000 * (came - start), None if drawn is None else 1000 * (drawn - start)


def _meet(one: tuple[int, ...], other: list[int]) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


@contextmanager
def server() -> Iterator[str]:
    """An X server without a screen of its own: its name."""
    reading, writing = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as running:
        os.close(writing)
        try:
            with os.fdopen(reading) as told:
                yield f":{told.readline().strip()}"
        finally:
            running.terminate()


def main() -> int:
    """Measure and print."""
    from shutil import which

    from madcat_ter import kernel

    if which("Xvfb") is None:
        print("Not measured: there is no Xvfb (Debian: apt-get install xvfb)")
        return 0
    with tempfile.TemporaryDirectory(prefix="bench-pixels-") as home, server() as name:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
        environment |= {"HOME": home, "DISPLAY": name, "QT_QPA_PLATFORM": "xcb"}
        os.environ["HOME"] = home
        make(Path(home) / "campaign")
        command = [sys.executable, __file__, "--show", str(Path(home) / "campaign")]
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            if program.stdout.readline() != "shown\n":
                raise SystemExit("the window did not come")
            typist = Typist(name)
            print(f"kernel {kernel.NAME}, {ROUNDS * KEYS} keys each; ms, median (95th percentile)")
            missed = False
            for row, length in enumerate(WORDS):
                taken: dict[str, list[float]] = {"bare": [], "kit": []}
                below: list[float] = []
                for turn in range(ROUNDS):
                    for what, own in taken.items():
                        program.stdin.write(f"{what} {row}\n")
                        program.stdin.flush()
                        typist.look_at(json.loads(program.stdout.readline()))
                        for number in range(KEYS):
                            seen, drawn = typist.press(LETTERS[(turn + number) % len(LETTERS)])
                            own.append(seen)
                            below += [drawn] if drawn is not None else []
                        typist.look_away()
                missed |= _tell(length, taken, below)
            program.stdin.close()
    return int(missed)


def _tell(length: int, taken: dict[str, list[float]], below: list[float]) -> bool:
    medians = {what: statistics.median(own) for what, own in taken.items()}
    late = {what: sorted(own)[int(len(own) * 0.95)] for what, own in taken.items()}
    ratio = medians["kit"] / medians["bare"]
    aligned = f"{statistics.median(below):.2f}" if below else "never"
    print(
        f"{length:4} words   bare box {medians['bare']:5.2f} ({late['bare']:.2f})   kit "
        f"{medians['kit']:5.2f} ({late['kit']:.2f}): {ratio:.2f} times (at most {MOST:g}); the "
        f"alignment below drawn after {aligned}"
    )
    return ratio > MOST or not below


if __name__ == "__main__":
    if "--show" in sys.argv:
        show(sys.argv[-1])
    else:
        sys.exit(main())
