"""Opens pages in the program's own window and measures it, as labelme_driver.py does labelme's.

    .venv/bin/python benchmarks/window_driver.py FOLDER

Opens the first page of a folder of three, waits until nothing is done any more, and goes to the
next, and the next; then shows everything that can be shown, and moves about. Prints one line of
JSON.
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
sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent)]

VIEW = (1400, 900)
_CALM = 1.2
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
        """Until the process does nothing any more; its loop sleeps, as the program's own does."""
        from PySide6.QtCore import QEventLoop, QTimer

        watch = QTimer()
        watch.start(250)
        used, since = time.process_time(), time.perf_counter()
        end = since + 60
        while time.perf_counter() < end:
            self.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            if time.process_time() - used > 0.02:
                used, since = time.process_time(), time.perf_counter()
            elif time.perf_counter() - since > _CALM:
                return


def steps(driver: Driver, times: int = 25) -> dict[str, float]:
    """Own milliseconds of the median step in the whole window, with everything shown."""
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QMouseEvent

    from benchmarks.bench_page import show_everything

    canvas, camera = driver.view.canvas, driver.view.canvas.camera
    show_everything(canvas)
    driver.rest()

    def hover(number: int) -> None:
        place = QPointF(100 + number * 37 % 600, 100 + number * 53 % 400)
        nothing = Qt.MouseButton.NoButton
        driver.application.sendEvent(
            canvas.viewport(),
            QMouseEvent(
                QEvent.Type.MouseMove,
                place,
                QPointF(canvas.viewport().mapToGlobal(place.toPoint())),
                nothing,
                nothing,
                Qt.KeyboardModifier.NoModifier,
            ),
        )

    def pan(number: int) -> None:
        camera.scroll_by(*((17, 11) if number // 8 % 2 else (-17, -11)))

    def median(step: Callable[[int], object]) -> float:
        took = []
        for number in range(times):
            own = time.thread_time()
            step(number)
            driver.application.processEvents()
            took.append((time.thread_time() - own) * 1e3)
        return statistics.median(took)

    found = {}
    for name, scale in (("fit", None), ("25 %", 0.25), ("100 %", 1.0)):
        camera.fit()
        if scale is not None:
            camera.zoom_to(scale)
            camera.settle_now()
            driver.application.processEvents()
            found[f"pan at {name}"] = median(pan)
        found[f"zoom at {name}"] = median(lambda n: camera.zoom_by(1.25 if n % 2 else 0.8))
        camera.settle_now()
        driver.application.processEvents()
        found[f"pointer at {name}"] = median(hover)
    return found


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
    result |= {"opened": opened, "quiet": quiet, "rss": resident, "peak": mib("VmHWM")}
    print(json.dumps(result | {"steps": steps(driver)}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
