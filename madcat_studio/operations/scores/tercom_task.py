"""What the original's command is asked for, and the error where it would stop."""

from __future__ import annotations

from dataclasses import dataclass, field

from madcat_studio.errors import StudioError
from madcat_studio.reports.tercom_listings import FORMATS
from madcat_ter.options import TerOptions

__all__ = ["TercomStop", "TercomTask"]


class TercomStop(StudioError):
    """The original would stop here with exit status 1, after what it has said on its output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TercomTask:
    """What the command line asks for.

    Attributes:
        reference: the file of ``-r``.
        hypothesis: the file of ``-h``.
        lengths: the file of ``-a``, or None.
        spans: the prefix of ``-S``, or None.
        outputs: which files to write.
        prefix: of their names; None: no file.
        options: how to score.
        spans_move: a word's span of ``-S`` goes with it for good; the original puts it back.
    """

    reference: str
    hypothesis: str
    lengths: str | None = None
    spans: str | None = None
    outputs: tuple[str, ...] = tuple(FORMATS)
    prefix: str | None = None
    options: TerOptions = field(
        default_factory=lambda: TerOptions(case_sensitive=False, normalise=False)
    )
    spans_move: bool = False
