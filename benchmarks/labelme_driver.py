"""Opens an annotated page in labelme and measures it; run by a Python that has labelme 6.

    PYTHON benchmarks/labelme_driver.py ANNOTATION.json

Prints one line of JSON: seconds from the call to the painted page, milliseconds of one repaint,
resident MiB. It knows nothing of this project.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> None:
    from labelme.app import MainWindow
    from PyQt5.QtWidgets import QApplication

    application = QApplication([])
    window = MainWindow()
    window.resize(1400, 900)
    window.show()
    application.processEvents()
    canvas = window._canvas_widgets.canvas
    begin = time.perf_counter()
    window._load_file(sys.argv[1])
    application.processEvents()
    canvas.repaint()
    opened = time.perf_counter() - begin
    repaints = []
    for _ in range(3):
        begin = time.perf_counter()
        canvas.repaint()
        repaints.append((time.perf_counter() - begin) * 1e3)
    status = Path("/proc/self/status").read_text()
    rss = int(status.split("VmRSS:")[1].split()[0]) / 1024
    print(json.dumps({"open": opened, "repaint": statistics.median(repaints), "rss": rss}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
