"""A page of 14 lines at 600 dpi with its translations in place of the writing.

    python benchmarks/bench_rendering.py [--rounds N]

Seconds of processor time for a page of the demo, from reading its document and scan to the PNG, and
to the PDF as well; Qt is started before. The exit status is 1 where the PNG takes more than 3.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from madcat_studio.gui.rendering.alone import fit_alone
from madcat_studio.operations.pages.rendering import Picture, RenderOptions, render_files

TARGET = 3.0
PAGE = ROOT / "resources/demo/reference/DEMO_ARB_20480101.0001_1_SCR0001.madcat.xml"


def seconds(formats: tuple[Picture, ...], folder: Path) -> float:
    """Processor time of one page."""
    options = RenderOptions(formats, overwrite=True)
    begun = time.process_time()
    (made,) = render_files([PAGE], folder, fit_alone(), options)
    took = time.process_time() - begun
    if made.error is not None or not made.is_whole:
        raise SystemExit(f"the page is not whole: {made.error or made.notes}")
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    fit_alone()
    with tempfile.TemporaryDirectory() as name:
        png = [seconds((Picture.PNG,), Path(name)) for _ in range(rounds)]
        both = [seconds((Picture.PNG, Picture.PDF), Path(name)) for _ in range(rounds)]
    found = statistics.median(png)
    print(
        f"14 lines at 600 dpi: {found:.2f} s of processor time to the PNG (target {TARGET:g}), "
        f"{statistics.median(both):.2f} s with the PDF"
    )
    return int(found > TARGET)


if __name__ == "__main__":
    sys.exit(main())
