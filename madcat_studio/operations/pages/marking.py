"""A page to be marked: the writing on its scan, and segments whose text is not its tokens'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.formats.segmenter import FoundLine
from madcat_studio.images.ink import Ink, read_ink
from madcat_studio.model.document import Page
from madcat_studio.operations.pages.segmenters import Segmenter
from madcat_studio.operations.pages.segmenting import page_with, segment_page
from madcat_studio.pages.direction import right_to_left
from madcat_studio.pages.marking import unlike_transcriptions
from madcat_studio.pages.reading import STEPS, find_writing, sure_words
from madcat_studio.pages.writing import Writing
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["Compared", "compare_writing", "read_writing", "unlike_transcriptions"]


@dataclass(frozen=True, slots=True)
class Compared:
    """The writing of a page as the ink has it, and as a segmenter's lines have it.

    Attributes:
        own: as the ink has it.
        other: along the segmenter's lines; None where it found none.
        own_sure, other_sure: words whose proposals are sure, of each.
        lines: those that the segmenter found.
    """

    own: Writing
    other: Writing | None
    own_sure: int
    other_sure: int
    lines: tuple[FoundLine, ...]

    @property
    def better(self) -> Writing:
        """The one with more sure words; the ink's where both have as many."""
        if self.other is not None and self.other_sure > self.own_sure:
            return self.other
        return self.own


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


def compare_writing(
    own: Writing,
    segmenter: Segmenter,
    path: Path,
    frame: int,
    page: Page,
    texts: Sequence[str],
    *,
    open_end: bool = False,
    progress: Progress = SILENT,
) -> Compared:
    """Have a segmenter look for the lines of a page, and find its words along them.

    Args:
        own: what :func:`read_writing` found.
        segmenter: whose lines.
        path, frame: the scan.
        page: its lines do not matter.
        texts: the words that may stand on it.
        open_end: whether the last of them may stand on another page.
        progress: is told how far the segmenter is, and may end it.

    Raises:
        StudioError: the segmenter cannot be used.
        Cancelled: nobody waits for it any more.
    """
    leftwards = right_to_left(texts)
    lines = segment_page(
        segmenter, path, frame, dpi=page.dpi, right_to_left=leftwards, progress=progress
    )
    mine = sure_words(own, texts, open_end=open_end)
    if not lines:
        return Compared(own, None, mine, 0, ())
    followed = page_with(replace(page, lines=[]), lines)
    other = read_writing(path, frame, followed, texts, open_end=open_end)
    return Compared(own, other, mine, sure_words(other, texts, open_end=open_end), tuple(lines))
