"""Editing what the stand-off file says of a token: the scribe left it out, wrote it wrongly."""

from __future__ import annotations

from dataclasses import dataclass, replace

from madcat_studio.edits.base import Edit, find_segment, find_token, refuse_forbidden
from madcat_studio.errors import InputError
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, TokenError

__all__ = ["SetScribeError"]


@dataclass(frozen=True, slots=True)
class SetScribeError:
    """Say what the scribe did wrong at a token; an empty ``error`` takes it back.

    Attributes:
        section, segment, token: which token.
        error: such as ``missing``, ``extra``, ``typo``.
        written: what stands on the page, "" for nothing.
        intended: what should, "" for nothing.
    """

    section: int
    segment: int
    token: int
    error: str
    written: str = ""
    intended: str = ""

    @property
    def label(self) -> str:
        """What the user did."""
        return "Note a scribe error" if self.error else "Remove a scribe error"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set or remove the error."""
        for text in (self.error, self.written, self.intended):
            refuse_forbidden(text)
        name = self._name(document)
        before = document.scribe_errors.get(name, TokenError(""))
        if self.error:
            document.scribe_errors[name] = TokenError(self.error, self.written, self.intended)
        else:
            document.scribe_errors.pop(name, None)
        back = replace(self, error=before.error, written=before.written, intended=before.intended)
        return Change(segments=frozenset({(self.section, self.segment)})), back

    def _name(self, document: Document) -> tuple[str, str]:
        segment = find_segment(document, self.section, self.segment).id
        token = find_token(document, self.section, self.segment, self.token).id
        if not segment or not token:
            raise InputError(
                "edit.no-id",
                f"the {'token' if segment else 'segment'} has no id for the stand-off file to "
                "refer to",
                remedy="Give it an id in the file first",
            )
        return segment, token
