"""The board of a large campaign: read, and seen in the window. Offscreen.

    python benchmarks/bench_board.py [SEGMENTS]

A campaign of SEGMENTS segments in kits (100,000) is made in a temporary folder. Then, in this
process and the best of several runs, by processor time and by the clock:

* opening the campaign and reading its board;
* opening it in a window that has shown another campaign's board: until the first kits are painted,
  and until all are there;
* their peer: the same tables read by bare ``sqlite3`` into tuples, without making anything of them;
* asking whether anybody wrote (:class:`madcat_studio.store.Watch`).

Reading may take 3 times what its bare rows take, the window 2 times until the first kits and 5
until all are there, the question 1 ms. The exit status is 1 where a bound is broken.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from made_board import NOW, make

READING, FIRST, WHOLE = 3.0, 2.0, 5.0
"""The most times that the bare rows take."""

MOST_TO_ASK = 0.001
TIMES = 7
REST_MS = 1_000


def best(run: Callable[[], object]) -> tuple[float, float]:
    """Least processor time and least time by the clock."""
    found = []
    for _ in range(TIMES):
        clock, processor = time.perf_counter(), time.process_time()
        run()
        found.append((time.process_time() - processor, time.perf_counter() - clock))
    return min(one for one, _ in found), min(other for _, other in found)


def bare(file: Path) -> None:
    """The rows that the board is made of, as tuples."""
    connection = sqlite3.connect(file)
    for table in ("kits", "assignments", "roles", "claims", "handovers", "releases", "takebacks"):
        connection.execute(f"SELECT * FROM {table}").fetchall()
    connection.close()


def in_window(large: Path, small: Path, rows: int) -> tuple[float, float]:
    """As :func:`best`: from the order to open the board to the painting in which it has rows."""
    from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    from madcat_studio.gui.app import make_application, make_window

    class Painted(QObject):
        """Ends the wait when the board was painted that is waited for."""

        def __init__(self, loop: QEventLoop, name: str, rows: int) -> None:
            super().__init__()
            self.loop, self.name, self.rows = loop, name, rows

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            there = self.name in view.title() and view.model.rowCount() >= self.rows
            if event.type() == QEvent.Type.Paint and there:
                QTimer.singleShot(0, self.loop.quit)
            return False

    def opened(folder: Path, name: str, rows: int) -> None:
        loop = QEventLoop()
        painted = Painted(loop, name, rows)
        view.table.viewport().installEventFilter(painted)
        window.open(str(folder), view="board")
        loop.exec()
        view.table.viewport().removeEventFilter(painted)

    application = QApplication.instance() or make_application()
    window = make_window(application)
    window.resize(1400, 900)
    window.open(str(small), view="board")
    view = window.view("board")
    found = []
    for _ in range(TIMES):
        opened(small, "Small", 1)
        rest = QEventLoop()
        QTimer.singleShot(REST_MS, rest.quit)
        rest.exec()  # what follows on a board that is there is not the next one's
        clock, processor = time.perf_counter(), time.process_time()
        opened(large, "Large", rows)
        found.append((time.process_time() - processor, time.perf_counter() - clock))
    window.close()
    application.processEvents()
    return min(one for one, _ in found), min(other for _, other in found)


def main(segments: int) -> int:
    from madcat_studio.operations.campaign.board import read_board
    from madcat_studio.store.watch import Watch

    with tempfile.TemporaryDirectory() as place:
        folder, small = Path(place) / "large", Path(place) / "small"
        os.environ |= {"QT_QPA_PLATFORM": "offscreen", "HOME": place}
        make(folder, segments)
        make(small, 480, "Small")
        board = read_board(str(folder), now=NOW)
        print(f"{segments} segments, {len(board.rows)} rows, {len(board.passes)} passes")
        peer, _ = best(lambda: bare(folder / "campaign.sqlite"))
        print(f"bare rows: {peer * 1000:.0f} ms of processor time")
        good = True
        for what, (own, clock), most in (
            ("opening and reading", best(lambda: read_board(str(folder), now=NOW)), READING),
            ("the window, until kits are painted", in_window(folder, small, 1), FIRST),
            ("the window, until all are there", in_window(folder, small, len(board.rows)), WHOLE),
        ):
            print(
                f"{what}: {own * 1000:.0f} ms of processor time ({clock * 1000:.0f} by the clock), "
                f"{own / peer:.1f} times the bare rows (at most {most:.0f})"
            )
            good = good and own <= most * peer
        with Watch(folder) as watch:
            ask, _ = best(lambda: [watch.changed() for _ in range(1000)])
        print(f"asking whether anything changed: {ask * 1000:.1f} µs")
    return int(not good or ask / 1000 > MOST_TO_ASK)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
