"""Whether peers read what we write: kraken, ocrd and pagexml-tools, by counts of lines.

    python benchmarks/bench_peers.py PYTHON [--keep FOLDER]

PYTHON is one that has them (``python3 -m venv peers; peers/bin/pip install kraken ocrd
pagexml-tools``). Every sample of the tests is converted to each revision of PAGE XML and version
of ALTO, and each PAGE XML and ALTO file is saved in place after an edit; then each peer reads all
files of a format that it knows. The exit status is 1 where a peer counts another number of lines.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from madcat_studio.edits import SetTranscription
from madcat_studio.errors import StudioError
from madcat_studio.formats.alto_writer import VERSIONS as ALTO
from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.ledger import count
from madcat_studio.formats.page_xml_writer import VERSIONS as PAGE
from madcat_studio.formats.source import Source
from madcat_studio.operations.pages.convert import convert_file, read_layout
from madcat_studio.workspace.page import PageWorkspace

DATA = Path(__file__).parent.parent / "tests" / "data"
SAMPLES = [
    path
    for folder in ("documents", "real", "madcat")
    for path in sorted((DATA / folder).iterdir())
    if path.suffix in (".xml", ".html", ".hocr") and "transys" not in path.name
]


def lines_of(path: Path) -> int:
    """How many lines a file has, counted in the file itself."""
    return count(Source(path.read_bytes(), str(path)))["lines"]


def converted(folder: Path) -> dict[str, int]:
    """Every sample in every revision: names of files, and how many lines they should have."""
    found: dict[str, int] = {}
    for number, path in enumerate(SAMPLES):
        for version in PAGE:
            out = folder / f"{number:02}.{version}.page.xml"
            written = convert_file(path, out, version=version).outputs
            found |= {each.name: lines_of(each) for each in written}
        for version in ALTO:
            out = folder / f"{number:02}.{version}.alto.xml"
            convert_file(path, out, version=version)
            found[out.name] = lines_of(out)
    return found


def saved(folder: Path) -> dict[str, int]:
    """Every PAGE XML and ALTO sample after an edit that was saved in place."""
    found: dict[str, int] = {}
    for number, path in enumerate(SAMPLES):
        kind = recognise(Source(path.read_bytes(), str(path)))
        if kind not in (FileFormat.PAGE, FileFormat.ALTO):
            continue
        shutil.copy(path, folder / f"{number:02}.before.{kind.value}.xml")
        copy = folder / f"{number:02}.saved.{kind.value}.xml"
        shutil.copy(path, copy)
        workspace = PageWorkspace.open(copy, folder=folder / "journals")
        for n, segment in enumerate(workspace.document.segments()):
            if segment.transcription and not segment.tokens:
                workspace.execute(SetTranscription(0, n, segment.transcription + "."))
                break
        try:
            workspace.save()
        except StudioError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
        workspace.close(discard=True)
        found[copy.name] = lines_of(path)
    return found


def why_beyond(peer: str, path: Path) -> str:
    """Why a peer does not read a file, whoever wrote it; "" for one that it is to read.

    kraken and pagexml-tools know no regions within others (but the latter cells of tables), and
    PAGE 2010 writes outlines otherwise; kraken reads lines with baselines of points only, which
    ALTO 2 and 3 have not, and which a file that is saved, or brought to another revision, gets no
    more of than it had.
    """
    if peer == "ocrd":
        return ""
    data = path.read_bytes()
    if b"pagecontent/2010" in data:
        return "PAGE 2010, which writes outlines and baselines otherwise"
    pages = read_layout(Source(data, str(path))).layout.pages
    within = any(region.parent is not None for page in pages for region in page.regions)
    if within and (peer == "kraken" or b"<TableCell" not in data):
        return "regions within others"
    if peer != "kraken":
        return ""
    if b"alto/ns-v2#" in data or b"ns-v3#" in data:
        return "ALTO 2 and 3, whose baselines are one level and no points"
    lines = [line for page in pages for region in page.regions for line in region.lines]
    kept = ".page." in path.name and b"<PcGts" in SAMPLES[int(path.name[:2])].read_bytes()
    kept = kept or ".saved." in path.name or ".before." in path.name
    if kept and any(len(line.baseline) < 2 for line in lines):
        return "lines without baselines in a file that is kept as it is but for what must change"
    return ""


def main() -> int:
    """Write all files, let the peers read them, compare; the exit status."""
    parser = argparse.ArgumentParser(description="Let peers read what we write.")
    parser.add_argument("python", help="a Python that has kraken, ocrd and pagexml-tools")
    parser.add_argument("--keep", type=Path, help="a folder for the files, which stay there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder: Path = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        wanted = converted(folder) | saved(folder)
        driver = Path(__file__).parent / "peers_driver.py"
        output = subprocess.run(
            [options.python, str(driver), str(folder)], capture_output=True, text=True, check=True
        ).stdout
        return report([json.loads(line) for line in output.splitlines()], wanted, folder)


def report(told: list[dict[str, Any]], wanted: dict[str, int], folder: Path) -> int:
    """Print what each peer counted; a file saved in place is to give what it gave before."""
    failed: list[str] = []
    for peer in dict.fromkeys(each["peer"] for each in told):
        mine = [each for each in told if each["peer"] == peer]
        if "missing" in mine[0]:
            print(f"{peer}: not installed ({mine[0]['missing']})")
            continue
        counts = {each["file"]: each.get("lines", each.get("error")) for each in mine}
        reasons = {name: why_beyond(peer, folder / name) for name in counts}
        beyond = {name for name, reason in reasons.items() if reason}
        right = 0
        for name in counts.keys() - beyond:
            before = counts.get(name.replace(".saved.", ".before."))
            expected = before if ".saved." in name else wanted.get(name, counts[name])
            right += counts[name] == expected
            if counts[name] != expected:
                failed.append(f"{peer}: {name}: {counts[name]} instead of {expected}")
        print(
            f"{peer} {mine[0]['version']}: {right} of {len(counts) - len(beyond)} files with the "
            "full count of lines"
        )
        for reason, times in Counter(reasons[name] for name in beyond).most_common():
            print(f"    {times:>4} more are not for it: {reason}")
        read = sorted(name for name in beyond if counts[name] == wanted.get(name))
        print(f"    {len(read):>4} of these it reads all the same")
    print("\n".join(sorted(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
