"""Groups of commands for pages, in the order of the help page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.cli import queue, segmenter, submission

if TYPE_CHECKING:
    import typer

__all__ = ["GROUPS"]

GROUPS: tuple[tuple[str, typer.Typer], ...] = (
    ("queue", queue.app),
    ("segmenter", segmenter.app),
    ("submission", submission.app),
)
