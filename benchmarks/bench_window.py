"""The whole window against labelme's whole window: opening, the next page, memory, moving about.

    python benchmarks/bench_window.py [--labelme PYTHON] [--rounds N]

Both open the same noisy grey page of 5100 x 6600 with 200 and with 10,000 outlines, each in a
process of its own, by turns, after the empty window has come to rest. labelme is the newest of the
registry, in a virtual environment made for this run, or the one of a Python that is named. The
exit status is 1 where a target is missed: the first page in at most 0.7 of labelme's processor
time, both from the call and from the start of the program; later pages in 0.15 s; the highest
memory at most half of labelme's; each step at most 16 ms of the window's thread with everything
shown that can be.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent)]

from benchmarks.bench_page import HEIGHT, WIDTH, document_page, make_pages, polygons

FIRST, LATER, MEMORY, STEP = 0.7, 0.15, 0.5, 16.0
HERE = Path(__file__).parent


def labelme_python(folder: Path) -> str:
    """A Python with the newest labelme."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "labelme"], check=True)
    return python


def make_folder(folder: Path, scan: Path, count: int) -> None:
    """Three pages, for either program."""
    from madcat_studio.formats.madcat_writer import new_bytes
    from madcat_studio.model.document import Document

    shapes = [
        {
            "label": "word",
            "points": [list(map(float, point)) for point in outline],
            "group_id": None,
            "description": "",
            "shape_type": "polygon",
            "flags": {},
            "mask": None,
        }
        for line, words in polygons(count)
        for outline in (line, *words)
    ]
    folder.mkdir()
    for name in ("a", "b", "c"):
        image = f"{name}.tif"
        shutil.copy(scan, folder / image)
        page = document_page(count)
        (folder / f"{name}.madcat.xml").write_bytes(
            new_bytes(Document(name, src=image, nbpages=1, pages=[page]))
        )
        found = {
            "version": "5.0.0",
            "flags": {},
            "shapes": shapes,
            "imagePath": image,
            "imageData": None,
            "imageHeight": HEIGHT,
            "imageWidth": WIDTH,
        }
        (folder / f"{name}.json").write_text(json.dumps(found))


def run(python: str, driver: str, arguments: list[str]) -> dict:
    """One process with a home of its own, its modules compiled as those of installed programs."""
    cache = Path(tempfile.gettempdir()) / "madcat-bench-pyc"
    plain = {name: value for name, value in os.environ.items() if "BYTECODE" not in name}
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [python, str(HERE / driver), *arguments],
            capture_output=True,
            text=True,
            timeout=600,
            env={**plain, "HOME": home, "PYTHONPYCACHEPREFIX": str(cache)},
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"{driver} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labelme", metavar="PYTHON", help="a Python that has labelme")
    parser.add_argument("--rounds", type=int, default=3, help="the medians count")
    arguments = parser.parse_args()
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        python = arguments.labelme or labelme_python(folder / "venv")
        scan = make_pages(folder)["grey"]
        for count in (200, 10_000):
            pages = folder / str(count)
            make_folder(pages, scan, count)
            annotations = [str(pages / f"{name}.json") for name in "abc"]
            # What is not compiled yet is compiled now.
            run(sys.executable, "window_driver.py", [str(pages)])
            run(python, "labelme_driver.py", annotations[:1])
            both = [
                (
                    run(sys.executable, "window_driver.py", [str(pages)]),
                    run(python, "labelme_driver.py", annotations),
                )
                for _ in range(arguments.rounds)
            ]
            missed += report(count, both)
    print("\nall targets met" if not missed else "\nmissed: " + "; ".join(missed))
    return 1 if missed else 0


def report(count: int, both: list[tuple[dict, dict]]) -> list[str]:
    """Print the medians; the targets that are missed."""
    missed = []

    def middle(of: int, what) -> float:
        return statistics.median(what(pair[of]) for pair in both)

    def beside(name: str, what, most: float | None, unit: str) -> None:
        ours, theirs = middle(0, what), middle(1, what)
        print(f"  {name:42} {ours:8.2f} {unit}  labelme {theirs:8.2f}  {ours / theirs:.2f}")
        if most is not None and ours > most * theirs:
            missed.append(f"{count} outlines: {name} {ours / theirs:.2f} of labelme's")

    print(f"{count} outlines (labelme {both[0][1]['version']}), medians of {len(both)}:")
    beside("first page, processor time", lambda run: run["opened"][0][0], FIRST, "s  ")
    whole = "from the program's start to the page"
    beside(whole, lambda run: run["start"] + run["opened"][0][0], FIRST, "s  ")
    beside("the same by the clock, from the call", lambda run: run["opened"][0][1], None, "s  ")
    beside("highest memory", lambda run: run["peak"], MEMORY, "MiB")
    beside("memory at rest, three pages later", lambda run: run["rss"][-1], None, "MiB")
    quiet = middle(0, lambda run: run["quiet"][0])
    print(f"  {'until the rules are asked, next page read':42} {quiet:8.2f} s")
    for index in (0, 1):
        name = ("processor time", "by the clock")[index]
        later, theirs = (
            statistics.median(max(page[index] for page in pair[of]["opened"][1:]) for pair in both)
            for of in (0, 1)
        )
        print(f"  {'later pages, ' + name:42} {later:8.3f} s    labelme {theirs:8.2f}")
        if not index and later > LATER:
            missed.append(f"{count} outlines: a later page takes {later:.2f} s")
    for name in both[0][0]["steps"]:
        step = statistics.median(pair[0]["steps"][name] for pair in both)
        print(f"  {name + ', everything shown':42} {step:8.1f} ms")
        if step > STEP:
            missed.append(f"{count} outlines: {name} takes {step:.1f} ms")
    theirs = middle(1, lambda run: run["repaint"])
    print(f"  labelme's repaint{'':25} {theirs:8.1f} ms")
    return missed


if __name__ == "__main__":
    sys.exit(main())
