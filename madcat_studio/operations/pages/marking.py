"""A page to be marked: the writing on its scan, and segments whose text is not its tokens'."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.images.ink import read_ink
from madcat_studio.model.document import Page
from madcat_studio.pages.marking import unlike_transcriptions
from madcat_studio.pages.writing import Writing, writing_of

__all__ = ["read_writing", "unlike_transcriptions"]


def read_writing(path: Path, frame: int, page: Page) -> Writing:
    """Find the writing on a page's scan.

    Raises:
        StudioError: the scan cannot be read.
    """
    return writing_of(read_ink(path, frame, dpi=page.dpi), page)
