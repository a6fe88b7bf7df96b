"""How far the marking of a document is: what is only not marked yet is no problem."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.model.document import Document
from madcat_studio.model.links import TokenIndex

__all__ = ["Marked", "last_linked", "marked"]


@dataclass(frozen=True, slots=True)
class Marked:
    """Tokens that have a word, or a status that says why not, of all that there are."""

    done: int
    of: int


def marked(document: Document) -> Marked | None:
    """How far it is; None where nothing is to be marked, or nothing is left to."""
    if not document.pages:
        return None
    tokens = [token for segment in document.segments() for token in segment.tokens]
    done = sum(bool(token.ref_id or (token.status or "").strip()) for token in tokens)
    return Marked(done, len(tokens)) if done < len(tokens) else None


def last_linked(document: Document) -> TokenIndex | None:
    """The last token in the order of the text that has a word; None where none has.

    Pages are marked along the text: what follows is not marked yet, what comes before was skipped.
    """
    found = None
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            for t, token in enumerate(segment.tokens):
                if token.ref_id:
                    found = s, g, t
    return found
