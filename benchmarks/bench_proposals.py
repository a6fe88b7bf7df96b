"""What the program proposes for words on pages of many hands and papers, the first time.

    python benchmarks/bench_proposals.py [KIND ...] [--seeds N] [--first N] [--pages FOLDER]

Pages of each kind (:mod:`made_hands`) are made with as many seeds as said. A proposal is right if
it is for the right word and shares at least nine tenths of its ink with that word, counted over
the ink that either has. Nothing is corrected in between: that is the first shot. Beside it stand
two baselines: lines by the rows of the page and words by its widest gaps, and the boxes of
Tesseract where that is installed.

An action is a key or a click. A page is marked by taking all sure proposals with one key, each
doubtful one that is right with one, and drawing what is wrong with five (four corners and a key),
one more where it was taken as sure and must be found again.

With --pictures the proposals are drawn over each page: sure ones in green, doubtful ones in violet,
wrong ones filled. With --pages the pages of a folder are judged as well: NAME.tif and NAME.json
with the words in order and their true outlines. The exit status is 1 where a kind is below what it
must reach, a page costs more than four seconds of processor time, or more than 600 MiB are used.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage

from benchmarks import made_hands
from benchmarks.ink_truth import RIGHT, Outline, TruePage, shares

LEAST = {
    "columns": 0.95,
    "latin": 0.95,
    "slant": 0.95,
    "squared": 0.90,
    "stains": 0.90,
    "fanned": 0.95,
    "touching": 0.70,
    "turned": 0.85,
    "curved": 0.85,
    "scripts": 0.85,
    "crossed": 0.85,
    "inserted": 0.85,
}
"""The share of first shots that must be right; for the other kinds it is USUAL."""
USUAL = 0.97
BY_HAND = 5
MOST_SECONDS = 4.0
MOST_MIB = 600
Image.MAX_IMAGE_PIXELS = None


@dataclass
class Tally:
    """What came of the pages of one kind."""

    words: int = 0
    right: int = 0
    sure: int = 0
    sure_right: int = 0
    pages: int = 0
    seconds: float = 0.0
    baselines: dict[str, list[int]] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """Of first shots that are right."""
        return self.right / max(self.words, 1)

    @property
    def drawn(self) -> float:
        """The share that must be drawn by hand."""
        return 1 - self.share

    @property
    def actions(self) -> float:
        """For each word."""
        wrong_sure = self.sure - self.sure_right
        doubtful = self.words - self.sure
        doubtful_right = self.right - self.sure_right
        count = self.pages + (BY_HAND + 1) * wrong_sure
        count += doubtful_right + BY_HAND * (doubtful - doubtful_right)
        return count / max(self.words, 1)


CHILD = """
import json, resource, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from madcat_studio.model.document import Page
from madcat_studio.operations.pages.marking import read_writing
from madcat_studio.pages.proposals import propose
import scipy.ndimage
texts = json.loads(sys.stdin.read())
begun = resource.getrusage(resource.RUSAGE_SELF)
writing = read_writing(Path(sys.argv[2]), 0, Page("p"), texts)
found = [(p.polygon, p.sure) for p in propose(writing, texts)]
used = resource.getrusage(resource.RUSAGE_SELF)
seconds = used.ru_utime + used.ru_stime - begun.ru_utime - begun.ru_stime
print(json.dumps([found, seconds, used.ru_maxrss / 1024]))
"""


def proposed(page: TruePage) -> tuple[list[Outline], list[bool], float, float]:
    """Outlines, whether each is sure, seconds and MiB, as a process of its own has them."""
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, str(Path(__file__).parent.parent), str(page.scan)],
        input=json.dumps(page.texts), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found, seconds, mib = json.loads(ran.stdout)
    outlines = [[(x, y) for x, y in polygon] for polygon, _ in found]
    return outlines, [sure for _, sure in found], seconds, mib


# Baselines


def by_gaps(page: TruePage) -> list[Outline]:
    """Lines where rows have ink, words between the widest gaps of all lines."""
    with Image.open(page.scan) as image:
        factor = max(1, image.width // 1700)
        grey = np.asarray(image.convert("L").reduce(factor), dtype=np.float64)
    dark = grey < (np.quantile(grey, 0.005) + np.median(grey)) / 2
    rows = ndimage.gaussian_filter1d(dark.sum(axis=1).astype(float), 3)
    lines = runs(rows > 0.25 * rows.mean(), 6)
    from_left = not _right_to_left(page.texts)
    gaps, pieces = [], []
    for number, (top, bottom) in enumerate(lines):
        columns = runs(dark[top:bottom].any(axis=0), 1)
        columns = columns if from_left else columns[::-1]
        for place, (left, right) in enumerate(columns):
            if place:
                before = columns[place - 1]
                gaps.append((max(left - before[1], before[0] - right), len(pieces)))
            pieces.append((number, left, right, top, bottom))
    cuts = {at for _, at in sorted(gaps, reverse=True)[: max(0, len(page.texts) - len(lines))]}
    words: list[list[tuple[int, int, int, int, int]]] = []
    for at, piece in enumerate(pieces):
        if not words or at in cuts or words[-1][-1][0] != piece[0]:
            words.append([])
        words[-1].append(piece)
    found: list[Outline] = []
    for word in words[: len(page.texts)]:
        left, right = min(p[1] for p in word), max(p[2] for p in word)
        top, bottom = word[0][3], word[0][4]
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        found.append([(x * factor, y * factor) for x, y in corners])
    return found + [()] * (len(page.texts) - len(found))


def runs(there: np.ndarray, least: int) -> list[tuple[int, int]]:
    """Where something is, from and to, if it is as long as said."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], there.astype(np.int8), [0]])))
    return [(a, b) for a, b in edges.reshape(-1, 2).tolist() if b - a >= least]


def _right_to_left(texts: list[str]) -> bool:
    from madcat_studio.pages.direction import right_to_left

    return right_to_left(texts)


def by_tesseract(page: TruePage) -> list[Outline] | None:
    """The boxes of its words in its own order; None where it cannot be run."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    languages = tesseract_languages(page.texts)
    command = [program, str(page.scan), "-", "-l", "+".join(languages), "tsv"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        return None
    rows = csv.DictReader(ran.stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    found: list[Outline] = []
    for row in rows:
        if row["level"] == "5":
            x, y, w, h = (int(row[key]) for key in ("left", "top", "width", "height"))
            found.append([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    found = found[: len(page.texts)]
    return found + [()] * (len(page.texts) - len(found))


def tesseract_languages(texts: list[str]) -> list[str]:
    """Its names for the scripts of a text, that with most letters first."""
    from madcat_studio.pages.direction import scripts_mixed

    names = ["ara", "eng"] if _right_to_left(texts) else ["eng", "ara"]
    return names if scripts_mixed(texts) else names[:1]


def tesseract_here() -> str:
    """Its version, or why its column stays empty."""
    program = shutil.which("tesseract")
    if program is None:
        return "tesseract is not installed here: its column stays empty (apt: tesseract-ocr-ara)"
    ask = {"capture_output": True, "text": True, "check": False}
    listed = subprocess.run([program, "--list-langs"], **ask).stdout.split()
    lacking = {"ara", "eng"} - set(listed)
    if lacking:
        return f"tesseract lacks {', '.join(sorted(lacking))} here: its column has gaps"
    return subprocess.run([program, "--version"], **ask).stdout.partition("\n")[0]


def judge(page: TruePage, tally: Tally, pictures: Path | None = None) -> tuple[float, float]:
    """Count a page, draw it if a folder for that is given; its seconds and MiB."""
    outlines, sure, seconds, mib = proposed(page)
    right = [share >= RIGHT for share in shares(page, outlines)]
    if pictures is not None:
        picture(page, outlines, sure, right).save(pictures / f"{page.scan.stem}.png")
    tally.pages += 1
    tally.words += len(page.texts)
    tally.right += sum(right)
    tally.sure += sum(sure)
    tally.sure_right += sum(a and b for a, b in zip(sure, right, strict=True))
    tally.seconds += seconds
    for name, way in (("gaps", by_gaps), ("tesseract", by_tesseract)):
        other = way(page)
        if other is not None:
            count = sum(share >= RIGHT for share in shares(page, other))
            tally.baselines.setdefault(name, []).append(count)
    return seconds, mib


def picture(
    page: TruePage, outlines: list[Outline], sure: list[bool], right: list[bool]
) -> Image.Image:
    """A page with its proposals over it."""
    with Image.open(page.scan) as image:
        factor = max(1, round(max(image.size) / 1650))
        sheet = image.convert("RGB").reduce(factor)
    draw = ImageDraw.Draw(sheet, "RGBA")
    for outline, certain, good in zip(outlines, sure, right, strict=True):
        if len(outline) >= 3:
            colour = (0, 121, 107) if certain else (124, 31, 214)
            corners = [(x / factor, y / factor) for x, y in outline]
            fill = None if good else (220, 40, 40, 90)
            draw.polygon(corners, outline=colour, fill=fill, width=2)
    return sheet


def made(name: str, seed: int, folder: Path) -> TruePage:
    """A page of a kind, written to a folder."""
    page = made_hands.make(name, seed)
    scan = folder / f"{name}{seed}.tif"
    page.image.save(scan, dpi=(page.dpi, page.dpi))
    labels = np.where(page.labels > 0, page.labels, 0).astype(np.int32)
    return TruePage(page.texts, scan, page.labels != 0, labels=labels)


def row(name: str, tally: Tally, least: float | None) -> str:
    """A line of the table."""
    counts = [tally.baselines.get(each) for each in ("gaps", "tesseract")]
    others = " ".join(f"{'-':>9}" if c is None else f"{sum(c) / tally.words:9.2f}" for c in counts)
    wrong = 1 - tally.sure_right / tally.sure if tally.sure else 0.0
    said = "" if least is None else f"{least:7.2f}{'' if tally.share >= least else '  BELOW'}"
    return (
        f"{name:<16}{tally.words:6}{tally.share:8.3f}{tally.drawn:8.3f}{tally.actions:9.2f}"
        f"{tally.sure / tally.words:7.2f}{wrong:8.3f} {others}"
        f"{tally.seconds / tally.pages:7.2f}{said}"
    )


def main() -> int:
    """Measure, print, and say by the exit status whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(made_hands.KINDS))
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--pages", type=Path, help="a folder of pages with truth")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the proposals")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    unknown = set(options.kinds) - set(made_hands.KINDS)
    if unknown:
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    seeds = range(options.first, options.first + options.seeds)
    print(tesseract_here())
    print(f"seeds {seeds.start} to {seeds.stop - 1}, {len(seeds)} pages of each kind at 300 dpi")
    print(
        f"{'kind':<16}{'words':>6}{'right':>8}{'drawn':>8}{'actions':>9}{'sure':>7}{'wrong':>8} "
        f"{'gaps':>9} {'tesseract':>9}{'s':>7}{'least':>7}"
    )
    shown = options.pictures
    if shown is not None:
        shown.mkdir(parents=True, exist_ok=True)
    below = []
    results = {}
    slowest, largest = 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.kinds or made_hands.KINDS:
            tally = Tally()
            for seed in seeds:
                seconds, mib = judge(made(name, seed, Path(folder)), tally, shown)
                slowest, largest = max(slowest, seconds), max(largest, mib)
            least = LEAST.get(name, USUAL)
            if tally.share < least:
                below.append(name)
            results[name] = {"right": tally.share, "actions": tally.actions}
            print(row(name, tally, least), flush=True)
    for scan in sorted(options.pages.glob("*.tif")) if options.pages else ():
        tally = Tally()
        seconds, mib = judge(TruePage.handed(scan), tally, shown)
        slowest, largest = max(slowest, seconds), max(largest, mib)
        results[scan.stem] = {"right": tally.share, "actions": tally.actions}
        print(row(scan.stem, tally, None), flush=True)
    print("wrong: the share of the sure ones that are not right; s: processor time a page")
    print(f"at most {slowest:.2f} s of processor time and {largest:.0f} MiB for a page")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return int(bool(below) or slowest > MOST_SECONDS or largest > MOST_MIB)


if __name__ == "__main__":
    sys.exit(main())
