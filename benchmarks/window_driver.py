"""Opens pages in the program's own window and measures it, as labelme_driver.py does labelme's.

    .venv/bin/python benchmarks/window_driver.py FOLDER [--steps N]

Opens the first page of a folder of three, waits until nothing is done any more, and goes to the
next, and the next. Prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parent.parent))

VIEW = (1400, 900)
_CALM = 0.4
"""Seconds without work after which a window is at rest."""


def mib(name: str) -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0]) / 1024


class Driver:
    """One window, opened as a user opens it."""

    def __init__(self) -> None:
        from madcat_studio.gui.app import make_application, make_window

        self.application = make_application()
        self.window = make_window(self.application)
        self.window.resize(*VIEW)
        for _ in range(20):
            self.application.processEvents()

    @property
    def view(self):
        return self.window.view("page")

    def opening(self, begin: Callable[[], None], name: str) -> tuple[float, float]:
        """Processor's and clock's seconds until a page is painted with its scan and outlines."""
        from PySide6.QtCore import QEventLoop, QTimer

        watch = QTimer()  # wakes the loop below, should nothing else do
        watch.start(200)
        before = None if self.view is None else self.view.canvas.base.pyramid
        own, clock = time.process_time(), time.perf_counter()
        begin()

        def there() -> bool:
            view = self.view
            if view is None or view.workspace is None or view.workspace.path.name != name:
                return False
            pyramid = view.canvas.base.pyramid
            return pyramid is not None and pyramid is not before

        end = clock + 60
        while not there():
            if time.perf_counter() > end:
                raise SystemExit(f"{name} was not opened in a minute")
            # Waits as the program's own loop does; polling would take the processor from the job.
            self.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        self.application.processEvents()
        self.view.canvas.viewport().repaint()
        return time.process_time() - own, time.perf_counter() - clock

    def rest(self) -> None:
        """Until the process does nothing any more."""
        used, since = time.process_time(), time.perf_counter()
        end = since + 60
        while time.perf_counter() < end:
            self.application.processEvents()
            time.sleep(0.01)
            if time.process_time() - used > 0.02:
                used, since = time.process_time(), time.perf_counter()
            elif time.perf_counter() - since > 2 * _CALM:
                return


def main() -> None:
    folder = Path(sys.argv[1])
    names = sorted(path.name for path in folder.glob("*.madcat.xml"))
    driver = Driver()
    driver.rest()  # as a user looks at the first page before opening another
    result = {"start": time.process_time(), "empty": mib("VmRSS")}
    opened, resident, quiet = [], [], []
    for number, name in enumerate(names):
        own = time.process_time()
        begin = (
            (lambda: driver.window.open(str(folder)))
            if not number
            else (lambda: driver.view.turn_page(1))
        )
        opened.append(driver.opening(begin, name))
        driver.rest()
        quiet.append(time.process_time() - own)
        resident.append(mib("VmRSS"))
    repaints = []
    canvas = driver.view.canvas
    for _ in range(5):
        own = time.thread_time()
        canvas.base.invalidate_scan()
        canvas.viewport().repaint()
        repaints.append((time.thread_time() - own) * 1e3)
    result |= {"opened": opened, "quiet": quiet, "rss": resident, "peak": mib("VmHWM")}
    print(json.dumps(result | {"repaint": statistics.median(repaints)}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
