"""Where each token stands in its segment's transcription.

Tokens and transcription are two texts, which need not agree: the words of both are matched in
order, so that those that are the same are found wherever others differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

__all__ = ["token_spans"]

_WORD = re.compile(r"\S+")


def token_spans(
    transcription: str | None, texts: Sequence[str | None]
) -> list[tuple[int, int] | None]:
    """For each token the start and end of its word in the transcription, None for one without.

    Where as many tokens as words differ between two that agree, they are taken in order: a token
    that is misspelt is still the word that it stands for.

    Args:
        transcription: of the segment.
        texts: what its tokens say.
    """
    found: list[tuple[int, int] | None] = [None] * len(texts)
    words = list(_WORD.finditer(transcription or ""))
    said = [(text or "").strip() for text in texts]
    matcher = SequenceMatcher(None, said, [word.group() for word in words], autojunk=False)
    for kind, a, over_a, b, over_b in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and over_a - a == over_b - b):
            for token, word in zip(range(a, over_a), words[b:over_b], strict=True):
                found[token] = word.span()
    return found
