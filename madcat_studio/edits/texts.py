"""Edits of segments and tokens: texts, links, order."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit, find_segment, find_token, refuse_forbidden
from madcat_studio.edits.structure import insert_at
from madcat_studio.edits.values import TokenValue
from madcat_studio.errors import InputError
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document

__all__ = [
    "AddToken",
    "LinkToken",
    "MoveToken",
    "RemoveToken",
    "SetTokenStatus",
    "SetTokenText",
    "SetTranscription",
    "SetTranslation",
    "SetZoneRefs",
]


def _segment(section: int, segment: int, *, structure: bool = False) -> Change:
    return Change(segments=frozenset({(section, segment)}), structure=structure)


@dataclass(frozen=True, slots=True)
class SetTokenText:
    """Change what a token says; None removes its text, "" leaves it empty."""

    section: int
    segment: int
    token: int
    text: str | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the text of a token"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the text."""
        refuse_forbidden(self.text)
        token = find_token(document, self.section, self.segment, self.token)
        back = SetTokenText(self.section, self.segment, self.token, token.source)
        token.source = self.text
        return _segment(self.section, self.segment), back


@dataclass(frozen=True, slots=True)
class SetTokenStatus:
    """Change a token's status, which is free text."""

    section: int
    segment: int
    token: int
    status: str | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the status of a token"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the status."""
        refuse_forbidden(self.status)
        token = find_token(document, self.section, self.segment, self.token)
        back = SetTokenStatus(self.section, self.segment, self.token, token.status)
        token.status = self.status
        return _segment(self.section, self.segment), back


@dataclass(frozen=True, slots=True)
class LinkToken:
    """Link a token to the word with the id ``ref_id``; None or "" for a word that is missing."""

    section: int
    segment: int
    token: int
    ref_id: str | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Link a token to a word" if self.ref_id else "Unlink a token"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the link."""
        refuse_forbidden(self.ref_id)
        token = find_token(document, self.section, self.segment, self.token)
        back = LinkToken(self.section, self.segment, self.token, token.ref_id)
        token.ref_id = self.ref_id
        return _segment(self.section, self.segment), back


@dataclass(frozen=True, slots=True)
class SetTranscription:
    """Change a segment's transcription; None removes it."""

    section: int
    segment: int
    text: str | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change a transcription"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the transcription."""
        refuse_forbidden(self.text)
        found = find_segment(document, self.section, self.segment)
        back = SetTranscription(self.section, self.segment, found.transcription)
        found.transcription = self.text
        return _segment(self.section, self.segment), back


@dataclass(frozen=True, slots=True)
class SetTranslation:
    """Change a segment's translation; None removes it."""

    section: int
    segment: int
    text: str | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change a translation"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the translation."""
        refuse_forbidden(self.text)
        found = find_segment(document, self.section, self.segment)
        back = SetTranslation(self.section, self.segment, found.translation)
        found.translation = self.text
        return _segment(self.section, self.segment), back


@dataclass(frozen=True, slots=True)
class SetZoneRefs:
    """Change which lines a segment names, by their ids."""

    section: int
    segment: int
    zone_refs: tuple[str, ...]

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the lines of a segment"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the references."""
        for text in self.zone_refs:
            refuse_forbidden(text)
        found = find_segment(document, self.section, self.segment)
        back = SetZoneRefs(self.section, self.segment, tuple(found.zone_refs))
        found.zone_refs = list(self.zone_refs)
        return _segment(self.section, self.segment), back


@dataclass(frozen=True, slots=True)
class AddToken:
    """Add a token to a segment, before the one at ``index``."""

    section: int
    segment: int
    index: int
    token: TokenValue

    @property
    def label(self) -> str:
        """What the user did."""
        return "Add a token"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Add the token."""
        for text in (self.token.id, self.token.ref_id, self.token.status, self.token.source):
            refuse_forbidden(text)
        tokens = find_segment(document, self.section, self.segment).tokens
        insert_at(tokens, self.index, self.token.make(), "tokens")
        back = RemoveToken(self.section, self.segment, self.index)
        return _segment(self.section, self.segment, structure=True), back


@dataclass(frozen=True, slots=True)
class RemoveToken:
    """Remove a token from a segment."""

    section: int
    segment: int
    index: int

    @property
    def label(self) -> str:
        """What the user did."""
        return "Remove a token"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Remove the token."""
        token = find_token(document, self.section, self.segment, self.index)
        del find_segment(document, self.section, self.segment).tokens[self.index]
        back = AddToken(self.section, self.segment, self.index, TokenValue.of(token))
        return _segment(self.section, self.segment, structure=True), back


@dataclass(frozen=True, slots=True)
class MoveToken:
    """Move a token within its segment; ``to_index`` counts without the token."""

    section: int
    segment: int
    index: int
    to_index: int

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the order of tokens"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Move the token."""
        token = find_token(document, self.section, self.segment, self.index)
        tokens = find_segment(document, self.section, self.segment).tokens
        del tokens[self.index]
        try:
            insert_at(tokens, self.to_index, token, "tokens")
        except InputError:
            tokens.insert(self.index, token)
            raise
        back = MoveToken(self.section, self.segment, self.to_index, self.index)
        return _segment(self.section, self.segment, structure=True), back
