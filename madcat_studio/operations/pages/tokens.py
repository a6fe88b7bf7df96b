"""Where a segment's tokens stand in its transcription."""

from __future__ import annotations

from madcat_studio.model.document import Segment
from madcat_studio.pages.token_text import token_spans

__all__ = ["spans_of_tokens"]


def spans_of_tokens(segment: Segment) -> list[tuple[int, int] | None]:
    """Start and end of each token in the transcription; None for one that is not there."""
    return token_spans(segment.transcription, [token.source for token in segment.tokens])
