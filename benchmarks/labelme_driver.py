"""Opens pages in labelme's window and measures it; run by a Python that has labelme 6.

    PYTHON benchmarks/labelme_driver.py ANNOTATION...

Prints one line of JSON: for each page the seconds of processor time and by the clock from the call
to the painted page, the milliseconds of one repaint, MiB of the empty window, of the first page and
at the most. It knows nothing of this project.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def mib(name: str) -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0]) / 1024


def main() -> None:
    from labelme import __version__
    from labelme.app import MainWindow
    from PyQt5.QtWidgets import QApplication

    application = QApplication([])
    window = MainWindow()
    window.resize(1400, 900)
    window.show()
    for _ in range(20):
        application.processEvents()
    canvas = window._canvas_widgets.canvas
    result = {"version": __version__, "start": time.process_time(), "empty": mib("VmRSS")}
    opened, resident = [], []
    for annotation in sys.argv[1:]:
        own, clock = time.process_time(), time.perf_counter()
        window._load_file(annotation)
        application.processEvents()
        canvas.repaint()
        opened.append((time.process_time() - own, time.perf_counter() - clock))
        resident.append(mib("VmRSS"))
    repaints = []
    for _ in range(3):
        own = time.thread_time()
        canvas.repaint()
        repaints.append((time.thread_time() - own) * 1e3)
    result |= {"opened": opened, "rss": resident, "peak": mib("VmHWM")}
    print(json.dumps(result | {"repaint": statistics.median(repaints)}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
