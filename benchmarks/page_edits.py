"""What a structural edit costs in the program's own window, with all that can be shown.

Pages of 200 and of 10,000 words whose lines lie as far apart, so that as many are in view: an
edit, its painting and its undoing may take longer on the large page, but not in proportion to it.
Called by bench_page.py; milliseconds of the thread's own time, of the slowest panel.
"""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path

MOST = 2.0
"""How many times as long an edit may take on a page of fifty times as many words."""
SIZES = (200, 10_000)
PER_LINE, PITCH = 16, 140


def make_document(folder: Path, count: int) -> Path:
    from madcat_studio.formats.madcat_writer import new_bytes
    from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word

    rows = -(-count // PER_LINE)
    lines = []
    for row in range(rows):
        y, words = 200 + row * PITCH, []
        for column in range(min(PER_LINE, count - row * PER_LINE)):
            x = 4900 - column * 290
            outline = ((x, y), (x - 250, y + 3), (x - 253, y + 100), (x + 2, y + 96))
            words.append(Word(f"t{row * PER_LINE + column}", outline))
        outline = ((4910, y - 6), (240, y - 6), (240, y + 108), (4910, y + 108))
        lines.append(Line(f"z{row}", polygon=outline, words=words))
    page = Page("p1", 5100, 400 + rows * PITCH, 600, 8, lines)
    segments = [
        Segment(
            f"s{n}",
            [line.id or ""],
            [Token(f"s{n}-{k}", word.id, "", "كلمة") for k, word in enumerate(line.words)],
            "كلمة " * len(line.words),
            "word " * len(line.words),
        )
        for n, line in enumerate(lines)
    ]
    document = Document(
        "edits", "none.tif", "newswire", 1, "SCR", "2.0", [page], [Section("c", "", segments)]
    )
    path = folder / f"edits{count}.madcat.xml"
    path.write_bytes(new_bytes(document))
    return path


def measure_edits(path: Path, count: int, times: int) -> dict[str, float]:
    from madcat_studio.edits import LinkToken, merge_words
    from madcat_studio.edits.arranging import move_words, remove_words
    from madcat_studio.edits.splitting import split_word
    from madcat_studio.gui import settings
    from madcat_studio.gui.app import make_application, make_window
    from madcat_studio.gui.page.shapes import ShapeKey

    # A home of its own, or the window would bring back what the one before it showed.
    home = path.parent / f"edits-{count}-{os.getpid()}"
    home.mkdir(parents=True)
    os.environ["HOME"] = str(home)
    location = make_document(home, count)
    app = make_application()
    window = make_window(app)
    window.resize(1400, 900)
    window.show()
    for name in ("LABELS", "FILL", "ORDER", "LOUPE", "MINIMAP"):
        window.settings.set(getattr(settings, f"SEE_{name}"), True)
    window.settings.set(settings.SEE_COLOURS, "status")
    window.open(str(location))
    view = None
    while view is None or view.workspace is None:
        app.processEvents()
        view = window.view("page")
    canvas, workspace = view.canvas, view.workspace
    key = ShapeKey(len(workspace.document.pages[0].lines) // 2, 5)
    window.commands.named("page.tool-edit").trigger()
    window.commands.named("page.snap").trigger()
    canvas.camera.zoom_to(0.5)
    canvas.selection.select([key])
    canvas.outlines.reveal([key])
    canvas.settle_now()
    left, top, right, bottom = canvas.shapes.box(key)
    middle = (left + right) / 2
    across = ((middle, top - 9), (middle + 3, bottom + 9))
    within = ((left + 9, top + 9), (right - 9, top + 9), (right - 9, bottom - 9))
    tools = next(feature for feature in view.features if hasattr(feature, "edits"))

    def draw_and_link() -> None:
        tools.edits.draw(within)
        drawn = canvas.selection.key
        word = workspace.document.pages[0].lines[drawn.line].words[drawn.word]
        workspace.execute(LinkToken(0, key.line, 3, word.id), merge=True)

    def document():
        return workspace.document, workspace.index

    def run(make) -> None:
        whole, index = document()
        workspace.execute(make(whole, index))

    edits = {
        "split": lambda: run(lambda d, i: split_word(d, 0, key.line, 5, across, index=i)),
        "merge": lambda: run(
            lambda d, i: merge_words(d, 0, key.line, [5, 6], keep=(0, key.line, 5), index=i)
        ),
        "draw and link": draw_and_link,
        "delete": lambda: run(
            lambda d, i: remove_words(d, 0, [(key.line, 5)], unlink=True, index=i)
        ),
        "to another line": lambda: run(
            lambda d, i: move_words(d, 0, [(key.line, 5)], key.line + 1)
        ),
    }
    calm = time.monotonic() + 2
    while time.monotonic() < calm:
        app.processEvents()
    tabs = view.side.tabs
    worst: dict[str, float] = {}

    def timed(step) -> float:
        begin = time.thread_time()
        step()
        app.processEvents()
        return (time.thread_time() - begin) * 1e3

    for tab in range(4):
        tabs.setCurrentIndex(tab)
        app.processEvents()
        for name, edit in edits.items():
            done, undone = [], []
            for _ in range(times):
                canvas.selection.select([key])
                app.processEvents()
                done.append(timed(edit))
                undone.append(timed(workspace.undo))
            for what, took in ((name, done), (f"{name}, undone", undone)):
                worst[what] = max(worst.get(what, 0.0), statistics.median(took))
    workspace.execute(LinkToken(0, key.line, 5, ""))
    worst["save"] = timed(workspace.save)
    window.leave()
    window.close()
    app.processEvents()
    return worst


def report_edits(measured, missed: list[str]) -> None:
    """``measured``: by size, the figures of each round."""
    few, many = (
        {name: statistics.median(run[name] for run in measured[size]) for name in measured[size][0]}
        for size in SIZES
    )
    print("\nstructural edits, with everything shown, ms of own time in the slowest panel:")
    print(f"  {'':26}{'200':>8}{'10,000':>9}{'ratio':>8}")
    for name, took in few.items():
        ratio = many[name] / took
        print(f"  {name:26}{took:8.1f}{many[name]:9.1f}{ratio:8.2f}")
        if name != "save" and ratio > MOST:
            missed.append(f"{name} takes {ratio:.1f} times as long on a page of 10,000 words")
