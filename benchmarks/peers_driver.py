"""Counts what peers read in PAGE XML and ALTO files; run by a Python that has them.

    PYTHON benchmarks/peers_driver.py FOLDER [TIMES]

Prints one JSON object a file and peer: the number of lines, or what went wrong; with TIMES also how
long a reading takes over a bare lxml parse of the same file, the median of so many pairs. A peer
that is not installed is named with its reason.
"""

from __future__ import annotations

import importlib.metadata
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _kraken() -> Callable[[Path], int]:
    from kraken.lib.xml import XMLPage  # type: ignore[import-not-found,unused-ignore]

    return lambda path: len(XMLPage(path).to_container().lines)


def _ocrd() -> Callable[[Path], int]:
    from ocrd_models.ocrd_page import parse  # type: ignore[import-not-found,unused-ignore]

    def count(path: Path) -> int:
        page: Any = parse(str(path), silence=True).get_Page()
        return len(page.get_AllTextLines())

    return count


def _pagexml() -> Callable[[Path], int]:
    from pagexml.parser import (  # type: ignore[import-not-found,unused-ignore]
        parse_pagexml_file,
    )

    return lambda path: len(parse_pagexml_file(str(path)).get_lines())


PEERS = {
    "kraken": (_kraken, (".page.xml", ".alto.xml")),
    "ocrd": (_ocrd, (".page.xml",)),
    "pagexml-tools": (_pagexml, (".page.xml",)),
}


def ratio(count: Callable[[Path], int], path: Path, times: int) -> float:
    """How long a reading takes over a bare parse, in processor time."""
    from lxml import etree

    ratios = []
    for _ in range(times):
        start = time.thread_time()
        etree.parse(path)
        middle = time.thread_time()
        count(path)
        ratios.append((time.thread_time() - middle) / (middle - start))
    return statistics.median(ratios)


def main(folder: Path, times: int = 0) -> None:
    """Read every file with every peer that reads its format."""
    warnings.simplefilter("ignore")
    out, sys.stdout = sys.stdout, sys.stderr  # peers print what they like
    for peer, (load, endings) in PEERS.items():
        try:
            count = load()
            version = importlib.metadata.version(peer)
        except Exception as error:
            missing = {"peer": peer, "missing": f"{type(error).__name__}: {error}"}
            print(json.dumps(missing), file=out)
            continue
        for path in sorted(folder.iterdir()):
            if not path.name.endswith(endings):
                continue
            told: dict[str, object] = {"peer": peer, "version": version, "file": path.name}
            try:
                told["lines"] = count(path)
                if times:
                    told["ratio"] = ratio(count, path, times)
            except Exception as error:
                told["error"] = f"{type(error).__name__}: {error}".replace(str(path), "it")
            print(json.dumps(told), file=out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
