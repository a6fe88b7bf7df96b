"""The coach for whoever shows a text: plain values in and out, for any thread."""

from __future__ import annotations

from madcat_studio.coach.advise import coach
from madcat_studio.coach.values import Coaching
from madcat_studio.progress import SILENT, Progress
from madcat_ter.options import TerOptions

__all__ = ["coach_text"]


def coach_text(
    output: str, text: str, reference: str, options: TerOptions, *, progress: Progress = SILENT
) -> Coaching:
    """Which edits could be spared in a text that was made of a system's output.

    Raises:
        InputError: a text is too long to be scored, or holds what cannot be.
        Cancelled: ``progress`` said so.
    """
    return coach(output, text, reference, options, progress=progress)
