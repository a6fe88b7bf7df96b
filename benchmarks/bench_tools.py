"""The tools on a page: what a move of the mouse and one edit cost, with few words and with many.

    python benchmarks/bench_tools.py [--quick] [--json FILE]

Each figure is a median in milliseconds of the thread's own time, with its painting; the page is
that of bench_page.py, offscreen at 1400 x 900 and 100 %. A move may take a frame of 16 ms with
every tool; an edit of one word is compared between 200 and 10,000 words on the page.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import bench_page

FRAME_MS = 16.0
TOOLS = (
    *("select", "edit", "polygon", "rectangle", "freehand", "cut", "give", "order"),
    *("brush", "erase"),
)


def make_document(folder: Path, count: int) -> Path:
    """The benchmark's page as a file, each word linked to a token."""
    from madcat_studio.formats.madcat_writer import new_bytes
    from madcat_studio.model.document import Document, Section, Segment, Token

    page = bench_page.document_page(count)
    segments = [
        Segment(
            f"s{n}",
            [line.id or ""],
            [Token(f"{word.id}k", word.id, "", "كلمة") for word in line.words],
            "كلمة",
            "word",
        )
        for n, line in enumerate(page.lines)
    ]
    document = Document(
        "bench", "bench.tif", "newswire", 1, "SCR", "2.0", [page], [Section("sec", "", segments)]
    )
    path = folder / f"bench{count}.madcat.xml"
    path.write_bytes(new_bytes(document))
    return path


def measure(path: Path, times: int) -> dict[str, float]:
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QMouseEvent

    from madcat_studio.edits import LinkToken, MovePolygon, Outline
    from madcat_studio.edits.splitting import split_word
    from madcat_studio.gui.app import make_application, make_window
    from madcat_studio.gui.page.shapes import ShapeKey

    app = make_application()
    window = make_window(app)
    window.resize(*bench_page.VIEW)
    window.show()
    window.open(str(path))
    view = None
    while view is None or view.workspace is None:
        app.processEvents()
        view = window.view("page")
    canvas, viewport = view.canvas, view.canvas.viewport()
    count = len(view.workspace.document.pages[0].lines)
    key = ShapeKey(count // 2, 5)
    canvas.camera.zoom_to(1.0)
    canvas.selection.select([key])
    canvas.outlines.reveal([key])
    canvas.settle_now()
    for _ in range(20):
        app.processEvents()
    left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    none = Qt.MouseButton.NoButton

    def mouse(kind: QEvent.Type, point: QPointF, held: bool) -> None:
        event = QMouseEvent(
            kind,
            point,
            QPointF(viewport.mapToGlobal(point.toPoint())),
            none if kind == QEvent.Type.MouseMove else left,
            left if held else none,
            plain,
        )
        app.sendEvent(viewport, event)

    def moves(held: bool) -> float:
        def step(n: int) -> None:
            place = middle + QPointF(n * 37 % 300 - 150, n * 53 % 200 - 100)
            mouse(QEvent.Type.MouseMove, place, held)

        return bench_page.median_ms(step, times)[2]

    result: dict[str, float] = {}
    box = canvas.shapes.box(key)
    middle = canvas.camera.to_view(QPointF((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    for snapping in (False, True):
        canvas.tools.snap.on = snapping
        for tool in TOOLS:
            window.commands.named(f"page.tool-{tool}").trigger()
            canvas.selection.select([key])
            app.processEvents()
            name = f"{tool}{', snapping' if snapping else ''}"
            result[f"hover: {name}"] = moves(False)
            mouse(QEvent.Type.MouseButtonPress, middle, True)
            result[f"drag: {name}"] = moves(True)
            canvas.tools.cancel()
            canvas.tools.cancel()
    window.commands.named("page.tool-select").trigger()
    canvas.tools.snap.on = False

    workspace, outline = view.workspace, Outline(0, key.line, key.word)
    canvas.selection.select([key])
    result["edit: move a word"] = bench_page.median_ms(
        lambda n: workspace.execute(MovePolygon(outline, 1 if n % 2 else -1, 0)), times
    )[2]
    result["edit: unlink and link a token"] = bench_page.median_ms(
        lambda n: workspace.execute(LinkToken(0, key.line, 5, "" if n % 2 else f"t{key.line}-5")),
        times,
    )[2]
    across = (((box[0] + box[2]) / 2, box[1] - 9), ((box[0] + box[2]) / 2 + 3, box[3] + 9))

    def split(number: int) -> None:
        if number % 2:
            workspace.undo()
        else:
            workspace.execute(split_word(workspace.document, 0, key.line, 5, across))

    result["edit: split a word, undo"] = bench_page.median_ms(split, max(4, times // 3))[2]
    result["choose all words"] = bench_page.median_ms(
        lambda n: (
            window.commands.named("page.select-all").trigger()
            if n % 2
            else canvas.selection.select([key])
        ),
        6,
    )[2]
    window.leave()
    window.close()
    app.processEvents()
    return result


def in_process(count: int, *, quick: bool) -> dict[str, float]:
    """The figures of one page, from a process and a home of its own."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(count), *(["--quick"] if quick else [])],
            env={**os.environ, "HOME": home, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    times = 10 if options.quick else 40
    if options.one is not None:
        with tempfile.TemporaryDirectory() as folder:
            path = make_document(Path(folder), options.one)
            print(json.dumps(measure(path, times)))
        return 0
    found = {count: in_process(count, quick=options.quick) for count in (200, 10_000)}
    missed = 0
    print(f"{'ms':40} {'200':>8} {'10,000':>8}")
    for name, few in found[200].items():
        many = found[10_000][name]
        late = name.partition(":")[0] in ("hover", "drag") and many > FRAME_MS
        missed += late
        print(f"{name:40} {few:8.1f} {many:8.1f}{'   over a frame' if late else ''}")
    if options.json:
        options.json.write_text(json.dumps(found))
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
