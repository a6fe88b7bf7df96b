"""A segmenter at work: a page's scan in, its lines out, in a process of its own."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.formats.segmenter import MOST_BYTES, FoundLine, answer_lines, request_bytes
from madcat_studio.images.crops import plain_image
from madcat_studio.images.reading import open_image
from madcat_studio.model.document import Line, Page
from madcat_studio.operations.pages.programs import Ended, run_program
from madcat_studio.operations.pages.segmenters import Segmenter, command_of
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["last_line", "page_with", "segment_page"]

_PROGRESS = re.compile(r"progress (\d{1,9})/(\d{1,9})\s*")


def segment_page(
    segmenter: Segmenter,
    image: Path,
    frame: int = 0,
    *,
    dpi: float | None = None,
    right_to_left: bool = True,
    progress: Progress = SILENT,
) -> list[FoundLine]:
    """The lines that a segmenter finds on a scan, in its order.

    Args:
        segmenter: which.
        image, frame: the scan.
        dpi: of it, where it is known.
        right_to_left: in which direction its lines are read.
        progress: is told how far it says to be, and may end it.

    Raises:
        StudioError: the scan cannot be read; ``segmenter.…``: it cannot be started, ends with a
            fault, takes too long, or answers in another way than it should.
        Cancelled: nobody waits for it any more.
    """
    if progress.cancelled():
        raise Cancelled
    with tempfile.TemporaryDirectory(prefix="madcat-segmenter-") as folder:
        page = Path(folder) / "page.png"
        with open_image(image, frame) as opened:
            plain = plain_image(opened)
            size = plain.size
            # What the file says of its resolution and turning is not for the segmenter: points
            # are those of the pixels as they are stored.
            plain.info = {}
            plain.save(page, compress_level=1)
        question = request_bytes(
            page, size, dpi=dpi, right_to_left=right_to_left, model=segmenter.model
        )
        ended = _run(segmenter, question, Path(folder), _hearing(progress), progress)
    _look(segmenter, ended)
    return answer_lines(ended.output, size, segmenter.name)


def page_with(page: Page, lines: list[FoundLine]) -> Page:
    """A page with these lines and no others, without words; the page itself stays as it is."""
    found = [Line(None, "line", line.polygon, []) for line in lines]
    return replace(page, lines=found)


def _hearing(progress: Progress) -> Callable[[str], None]:
    def heard(line: str) -> None:
        said = _PROGRESS.fullmatch(line)
        if said is not None:
            done, total = map(int, said.groups())
            progress.advance(min(done, total), total)

    return heard


def _run(
    segmenter: Segmenter,
    question: bytes,
    folder: Path,
    heard: Callable[[str], None],
    progress: Progress,
) -> Ended:
    command = command_of(segmenter)
    try:
        return run_program(
            command,
            question=question,
            folder=folder,
            seconds=segmenter.seconds,
            most=MOST_BYTES,
            progress=progress,
            heard=heard,
        )
    except OSError as error:
        raise WorldError(
            "segmenter.cannot-start",
            f"the segmenter {segmenter.name} cannot be started ({error.strerror or error})",
            where=command[0],
            remedy=f"Install it again with: madcat-studio segmenter install {segmenter.adapter}"
            if segmenter.installed
            else "Set its command again with: madcat-studio segmenter add",
        ) from error


def _look(segmenter: Segmenter, ended: Ended) -> None:
    name = segmenter.name
    if ended.late:
        raise WorldError(
            "segmenter.too-long",
            (
                f"the segmenter {name} was not done after {segmenter.seconds:g} seconds and "
                "was stopped"
            ),
            remedy="Give it more time with --timeout when it is added, or try a smaller scan",
        )
    if ended.flood:
        raise FormatError(
            "segmenter.too-much",
            f"the segmenter {name} printed more than {MOST_BYTES >> 20} MiB and was stopped",
            remedy="It must print the lines of the page and nothing else",
        )
    if ended.status:
        told = last_line(ended.told)
        how = f"a signal ({-ended.status})" if ended.status < 0 else f"status {ended.status}"
        raise WorldError(
            "segmenter.died",
            f"the segmenter {name} ended with {how}" + (f": {told}" if told else ""),
            remedy="Try it alone with: madcat-studio segmenter try IMAGE; it may have run out "
            "of memory, or have a model that does not fit",
        )


def last_line(text: str) -> str:
    """The last thing that a program told, short enough for a message."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
