"""Writing PAGE XML, ALTO and MADCAT: how the time grows with the words of a page.

    python benchmarks/bench_formats.py

Pages of 1,000 to 8,000 words without ids are written in each format, and saved in place after a
word of each line was edited. Linear is 8.0 for eight times the words; the exit status is 1 where
something takes more than 8.5 times. The search for garbage is off while they are timed: it grows
with all that a program holds, and is no part of the work. Each figure is the least processor time
of several runs.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable

from madcat_studio.formats.alto_writer import write_alto
from madcat_studio.formats.documents import read_document, write
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.page_xml_writer import write_page_xml
from madcat_studio.formats.source import Source
from madcat_studio.model.conversion import document_of
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import Layout, LayoutLine, LayoutPage, LayoutRegion, LayoutWord

SIZES = (1000, 2000, 4000, 8000)
MOST = 8.5
_A_LINE = 10
_RUNS = 5


def box(left: int, top: int, width: int, height: int) -> Polygon:
    """An outline."""
    right, bottom = left + width, top + height
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def page(words: int) -> Layout:
    """A page of so many words, ten a line, none with an id."""
    lines = []
    for n in range(words // _A_LINE):
        row = [
            LayoutWord(None, box(100 * k, 30 * n, 90, 28), f"word{n}-{k}") for k in range(_A_LINE)
        ]
        text = " ".join(word.text or "" for word in row)
        lines.append(LayoutLine(None, box(0, 30 * n, 1000, 28), ((0, 30 * n + 20),), text, row))
    whole = LayoutRegion(None, polygon=box(0, 0, 1000, 30 * len(lines)), lines=lines)
    return Layout([LayoutPage("p", "a.tif", 1000, 30 * len(lines), 300, [whole])])


def saving(data: bytes) -> Callable[[], object]:
    """Saving a file in place after an edit in each line."""
    read = read_document(Source(data, "x"))
    read.source.keep_reading(read_document(Source(data, "x")).document)
    for segment in read.document.segments():
        segment.tokens[0].source = "edited"
        segment.transcription = " ".join(token.source or "" for token in segment.tokens)
    return lambda: write(read.document, read.source)


def works(words: int) -> dict[str, Callable[[], object]]:
    """What is timed, by its name."""
    layout = page(words)
    document, _ = document_of(layout, "B", "x")
    (page_xml, *_), _ = write_page_xml(layout, "x")
    alto, _ = write_alto(layout, "x")
    return {
        "PAGE XML": lambda: write_page_xml(layout, "x"),
        "ALTO": lambda: write_alto(layout, "x"),
        "MADCAT": lambda: new_bytes(document),
        "PAGE XML, in place": saving(page_xml),
        "ALTO, in place": saving(alto),
        "MADCAT, in place": saving(new_bytes(document)),
    }


def least(work: Callable[[], object]) -> float:
    """Seconds of processor time."""
    found = []
    gc.collect()
    gc.disable()
    for _ in range(_RUNS):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    gc.enable()
    return min(found)


def main() -> int:
    """Print milliseconds and ratios; the exit status."""
    times: dict[str, list[float]] = {}
    for size in SIZES:
        for name, work in works(size).items():
            times.setdefault(name, []).append(least(work))
    print(f"{'ms for words':<20}" + "".join(f"{size:>8}" for size in SIZES) + "   times")
    worst = 0.0
    for name, row in times.items():
        ratio = row[-1] / row[0]
        worst = max(worst, ratio)
        print(f"{name:<20}" + "".join(f"{each * 1e3:>8.0f}" for each in row) + f"{ratio:>8.1f}")
    return 1 if worst > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
