"""A page to be marked: the writing on its scan, and segments whose text is not its tokens'."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from madcat_studio.images.ink import Ink, read_ink
from madcat_studio.model.document import Page
from madcat_studio.pages.marking import unlike_transcriptions
from madcat_studio.pages.reading import STEPS, find_writing
from madcat_studio.pages.writing import Writing
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["read_writing", "unlike_transcriptions"]


def read_writing(
    path: Path,
    frame: int,
    page: Page,
    texts: Sequence[str] = (),
    *,
    open_end: bool = False,
    leftwards: bool | None = None,
    progress: Progress = SILENT,
) -> Writing:
    """Find the writing on a page's scan, in the order in which its transcript is read.

    Args:
        path, frame: the scan.
        page: where it has lines with outlines, these are the lines.
        texts: the words that may stand on it.
        open_end: whether the last of them may stand on another page.
        leftwards: whether it is read from right to left; None: as these words are.
        progress: is told how far the work is, and may end it.

    Raises:
        StudioError: the scan cannot be read.
        Cancelled: nobody waits for it any more.
    """

    def step(number: int) -> None:
        if progress.cancelled():
            raise Cancelled
        progress.advance(number, STEPS)

    def ink_of(quarter: int | None) -> Ink:
        return read_ink(path, frame, dpi=page.dpi, quarter=quarter)

    return find_writing(ink_of, texts, page, open_end=open_end, leftwards=leftwards, step=step)
