"""Segmenters that this program can fetch: an environment of their own in the user's folder."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from madcat_studio.errors import StudioError, UsageError, WorldError
from madcat_studio.formats.files import make_folder
from madcat_studio.operations.pages.programs import Ended, plain_environment, run_program
from madcat_studio.operations.pages.segmenters import (
    Segmenter,
    add_segmenter,
    list_segmenters,
    python_of,
    segmenters_folder,
    use_segmenter,
)
from madcat_studio.operations.pages.segmenting import last_line, segment_page
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["KNOWN", "Recipe", "install_segmenter"]

_MINUTES = 120
_MOST = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is fetched for a segmenter.

    Attributes:
        packages: for pip.
        gigabytes: of space that it needs on the way.
    """

    packages: tuple[str, ...]
    gigabytes: float


KNOWN = {
    # A new major version renames what the adapter calls.
    "kraken": Recipe(("kraken>=7,<8",), 8.0),
}
"""Segmenters by their names; each has an adapter in resources/segmenters."""

_REASONS: tuple[tuple[str, str, str], ...] = (
    (
        r"No space left on device|Errno 28|not enough space",
        "the disk is full",
        "Make room, or move the user's data folder to a larger disk",
    ),
    (
        r"Requires-Python|requires? a different [Pp]ython|not supported on this platform",
        "it is not to be had for this version of Python",
        "Name another interpreter with --python, such as python3.12",
    ),
    (
        r"NewConnectionError|Failed to establish|name resolution|Read timed out|ReadTimeout|"
        r"ConnectTimeout|Connection(?:Error|Reset| refused| aborted)|Max retries|ProxyError|"
        r"SSLError|HTTP error|\b(?:403|407|5\d\d) (?:Client|Server) Error",
        "the package index cannot be reached",
        "Look at the network and the proxy, then try again; pip's own settings hold here, too",
    ),
    (
        r"No matching distribution|Could not find a version",
        "the package index does not have it for this machine",
        "Name another interpreter with --python, or look at pip's own settings",
    ),
)


def install_segmenter(
    name: str,
    *,
    python: str = "",
    model: str = "",
    progress: Progress = SILENT,
) -> Segmenter:
    """Fetch a segmenter, try it, and use it from now on.

    One that is there already is replaced once the new one works; until then nothing changes.

    Args:
        name: one of :data:`KNOWN`.
        python: the interpreter for its environment; "" for the one that runs this program.
        model: a file that it is to use instead of its own.
        progress: is told what is being fetched, and may end it.

    Raises:
        UsageError: ``segmenter.not-known``; ``segmenter.no-model``.
        WorldError: ``segmenter.cannot-install``, with the reason.
        Cancelled: nothing of it stays.
    """
    recipe = KNOWN.get(name)
    if recipe is None:
        raise UsageError(
            "segmenter.not-known",
            f"{name} cannot be installed; these can: {', '.join(KNOWN)}",
            remedy="Install it yourself, then: madcat-studio segmenter add NAME -- COMMAND",
        )
    interpreter = _interpreter(python)
    folder = segmenters_folder()
    make_folder(folder)
    _look_for_room(folder, recipe)
    before = next((one for one in list_segmenters().all if one.name == name), None)
    fresh = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=folder))
    made = Segmenter(name, adapter=name, environment=fresh.name, model=model)
    try:
        progress.advance(0, None, "environment")
        _step([interpreter, "-m", "venv", "--without-pip", str(fresh)], name, folder, progress)
        _fetch(recipe, fresh, name, folder, progress)
        progress.advance(0, None, "trial")
        _try(made, folder, progress)
        add_segmenter(made, instead=True)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if before is not None and before.environment:
        shutil.rmtree(folder / Path(before.environment).name, ignore_errors=True)
    use_segmenter(name)
    return made


def _interpreter(python: str) -> str:
    found = shutil.which(Path(python).expanduser()) if python else sys.executable
    if not found:
        raise _failed("", f"there is no interpreter {python}", "Check its name")
    return found


def _look_for_room(folder: Path, recipe: Recipe) -> None:
    free = shutil.disk_usage(folder).free / 1e9
    if free < recipe.gigabytes:
        raise _failed(
            "",
            f"the disk is full: {free:.1f} GB are free and {recipe.gigabytes:g} GB are needed",
            "Make room, or move the user's data folder to a larger disk",
            where=folder,
        )


def _fetch(recipe: Recipe, environment: Path, name: str, folder: Path, progress: Progress) -> None:
    if importlib.util.find_spec("pip") is None:
        raise _failed(
            name,
            "pip is not there to fetch it with",
            "Install pip beside this program, such as with: python3 -m ensurepip",
        )
    count = 0

    def heard(line: str) -> None:
        nonlocal count
        said = re.match(
            r"\s*(Collecting|Downloading|Installing collected packages)\b:?\s*(.*)", line
        )
        if said is not None:
            count += 1
            what = said[2].rpartition("/")[2].partition("(from")[0].strip()
            progress.advance(count, None, f"{said[1].split()[0].lower()} {what}"[:100])

    pip = [sys.executable, "-m", "pip", "--python", str(python_of(environment)), "install"]
    quiet = ["--no-input", "--progress-bar", "off", "--disable-pip-version-check"]
    quiet += ["--retries", "2"]  # of these it tells why they were needed
    # Both streams go where progress is heard.
    joined = [sys.executable, "-c", _JOINED, *pip, *quiet, *recipe.packages]
    _step(joined, name, folder, progress, heard)


_FETCHED = re.compile(r"\s*(Collecting|Downloading|Installing collected packages)\b:?\s*(.*)")
_JOINED = "import os, sys; os.dup2(2, 1); os.execv(sys.argv[1], sys.argv[1:])"


def _step(
    command: Sequence[str],
    name: str,
    folder: Path,
    progress: Progress,
    heard: Callable[[str], None] = lambda _: None,
) -> None:
    try:
        ended = run_program(
            command,
            folder=folder,
            seconds=_MINUTES * 60,
            most=_MOST,
            environment=plain_environment() | {"PYTHONUNBUFFERED": "1"},
            progress=progress,
            heard=heard,
        )
    except OSError as error:
        raise _failed(name, f"{command[0]}: {error.strerror or error}", "") from error
    if ended.status or ended.late:
        raise _reason(name, ended)


def _reason(name: str, ended: Ended) -> WorldError:
    if ended.late:
        return _failed(name, f"it was not done after {_MINUTES} minutes", "Check the network")
    told = ended.told + ended.output.decode("utf-8", "replace")
    faults = [line for line in told.splitlines() if line.startswith("ERROR")]
    last = last_line("\n".join(faults) or told)
    for pattern, why, remedy in _REASONS:
        if re.search(pattern, told):
            return _failed(name, f"{why} ({last})", remedy)
    return _failed(name, last or f"status {ended.status}", "Check pip's settings")


def _try(made: Segmenter, folder: Path, progress: Progress) -> None:
    """See that it answers: on a small page with three strokes."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        page = Path(scratch) / "trial.png"
        image = Image.new("L", (600, 300), 240)
        draw = ImageDraw.Draw(image)
        for row in range(3):
            draw.line([(60, 60 + 90 * row), (540, 60 + 90 * row)], fill=30, width=14)
        image.save(page)
        try:
            segment_page(made, page, progress=progress)
        except Cancelled:
            raise
        except StudioError as error:
            raise _failed(
                made.name, f"it is there and does not work: {error.reason}", error.remedy
            ) from error


def _failed(name: str, why: str, remedy: str, where: Path | str = "") -> WorldError:
    what = f"the segmenter {name} cannot be installed" if name else "nothing can be installed"
    return WorldError("segmenter.cannot-install", f"{what}: {why}", where=where, remedy=remedy)
