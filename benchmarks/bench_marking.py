"""How much an annotator does for a word, and how long the program takes for its proposals.

    python benchmarks/bench_marking.py [--json FILE]

Every page of the demo is marked anew from its transcript by somebody who knows where the words
are: lines, words and links are taken out, and then each proposal is accepted with one key if it
holds the ink of the right word and nothing else; else its ends are moved with up to two keys; else
the word is drawn by hand, a quadrilateral with five actions (four clicks and a key), which is the
peer. So a page on which nothing is proposed right costs five a word. The share of words that were
right at the first shot, and the share drawn by hand, are judged beside it. The demo's pages are
easy; what hands and papers do is measured by bench_proposals. Times are for a page of 5100 x 6600
at 600 dpi, against the time that decoding the scan alone takes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from PIL import Image

from madcat_studio.edits import CompositeEdit, LinkToken, RemoveLine, SetTokenStatus
from madcat_studio.images.ink import read_ink
from madcat_studio.model.document import Polygon
from madcat_studio.model.links import link
from madcat_studio.pages.marking import token_at, tokens_of
from madcat_studio.pages.writing import writing_of
from madcat_studio.workspace.marking import Marking
from madcat_studio.workspace.page import PageWorkspace

DEMO = Path(__file__).parent.parent / "resources" / "demo"
BY_HAND = 5
MOST = 1.25
"""Actions a word, over all pages."""
FIRST_SHOT = 0.97
"""The share of words whose proposal is right as it comes."""


def truth_of(workspace: PageWorkspace) -> dict[tuple[int, int, int], Polygon]:
    """The outline of each token on the first page."""
    pages = workspace.document.pages
    return {
        token: pages[0].lines[line].words[word].polygon
        for token, (page, line, word) in link(workspace.document).word_of.items()
        if page == 0
    }


def strip(workspace: PageWorkspace) -> None:
    """Take every line, word and link out."""
    document = workspace.document
    edits = [LinkToken(*place, "") for place in tokens_of(document)]
    edits += [
        SetTokenStatus(*place, "")
        for place in tokens_of(document)
        if token_at(document, place).status
    ]
    edits += [
        RemoveLine(page, line)
        for page, each in enumerate(document.pages)
        for line in reversed(range(len(each.lines)))
    ]
    workspace.execute(CompositeEdit(tuple(edits), "Begin anew"))


def mark_page(path: Path, folder: Path) -> dict[str, float]:
    """Mark one page; how often each thing was done."""
    workspace = PageWorkspace.open(path, folder=folder)
    truth = truth_of(workspace)
    strip(workspace)
    marking = Marking(workspace, 0)
    began = time.perf_counter()
    ink = read_ink(path.with_name(path.name.replace(".madcat.xml", ".tif")))
    read = time.perf_counter() - began
    writing = writing_of(ink)
    found = time.perf_counter() - began
    marking.found_writing(writing)
    proposed = time.perf_counter() - began
    counts = dict.fromkeys(("words", "accepted", "adjusted", "drawn", "missing", "actions"), 0.0)
    slowest = 0.0
    order = list(truth)
    inside = writing.within([truth[token] for token in order])
    right = {
        token: [part for part, owner in enumerate(inside) if owner == number]
        for number, token in enumerate(order)
    }
    while (current := marking.current) is not None:
        step = time.perf_counter()
        if current not in truth:
            if len(workspace.document.pages) > 1:
                break  # the rest is on the next page
            marking.missing()
            counts["missing"] += 1
            counts["actions"] += 1
            continue
        counts["words"] += 1
        keys = adjust(marking, right[current])
        if keys is None:
            marking.draw(truth[current])
            counts["drawn"] += 1
            counts["actions"] += BY_HAND
        else:
            marking.accept()
            counts["adjusted" if keys else "accepted"] += 1
            counts["actions"] += keys + 1
        slowest = max(slowest, time.perf_counter() - step)
    workspace.close(discard=True)
    return {**counts, "read": read, "found": found, "proposed": proposed, "slowest": slowest}


def adjust(marking: Marking, wanted: list[int]) -> int | None:
    """Keys that bring the proposal to the wanted parts, None where two are not enough."""
    if not wanted or len(wanted) != wanted[-1] - wanted[0] + 1:
        return None
    parts = marking.parts
    if not parts:
        return None
    left, right = wanted[-1] - parts[-1], parts[0] - wanted[0]
    if abs(left) + abs(right) > 2:
        return None
    for side, steps in ((-1, left), (1, right)):
        for _ in range(abs(steps)):
            if not marking.reach(side, 1 if steps > 0 else -1):
                return None
    return abs(left) + abs(right) if list(marking.parts) == wanted else None


def main() -> int:
    """Measure, print, and say by the exit status whether the target is met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    pages = sorted((DEMO / "reference").glob("*.madcat.xml"))
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in pages:
            results[path.name.removesuffix(".madcat.xml")] = mark_page(path, Path(folder))
    print(f"{'page':<34}words accepted adjusted drawn missing actions/word")
    for name, one in results.items():
        print(
            f"{name:<34}{one['words']:5.0f}{one['accepted']:9.0f}{one['adjusted']:9.0f}"
            f"{one['drawn']:6.0f}{one['missing']:8.0f}{one['actions'] / one['words']:13.2f}"
        )
    total = sum(one["actions"] for one in results.values())
    words = sum(one["words"] for one in results.values())
    per_word = total / words
    first = sum(one["accepted"] for one in results.values()) / words
    drawn = sum(one["drawn"] for one in results.values()) / words
    print(f"{first:.3f} of the words are right at the first shot, {drawn:.3f} are drawn by hand")
    print(f"{total:.0f} actions for {words:.0f} words: {per_word:.3f} a word (by hand {BY_HAND})")
    scan = pages[0].with_name(pages[0].name.replace(".madcat.xml", ".tif"))
    decode = statistics.median(_decode(scan) for _ in range(5))
    proposed = statistics.median(one["proposed"] for one in results.values())
    print(
        f"proposals for a page of 600 dpi: {proposed:.2f} s in a worker "
        f"({proposed / decode:.1f} x decoding it, {decode:.2f} s); the slowest step "
        f"{max(one['slowest'] for one in results.values()) * 1000:.0f} ms"
    )
    if options.json:
        options.json.write_text(json.dumps({"pages": results, "per_word": per_word}, indent=1))
    return int(per_word > MOST or first < FIRST_SHOT)


def _decode(path: Path) -> float:
    began = time.perf_counter()
    with Image.open(path) as image:
        image.convert("L").load()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
