"""What all edits share: the shape of an edit, and finding objects by their indices.

An edit is a frozen value. ``apply`` changes a document in place; it tells what changed, and gives
the edit that takes it back exactly. Edits address objects by index, so they make sense only in the
order in which they were made. They know nothing of XML and nothing of Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from madcat_studio.errors import InputError
from madcat_studio.model.change import Change
from madcat_studio.model.characters import FORBIDDEN
from madcat_studio.model.document import Document, Line, Page, Segment, Token, Word

__all__ = [
    "Edit",
    "Outline",
    "find_line",
    "find_open_line",
    "find_page",
    "find_segment",
    "find_token",
    "find_word",
    "refuse_forbidden",
]

_T = TypeVar("_T")


class Edit(Protocol):
    """One change that a user makes and can take back."""

    @property
    def label(self) -> str:
        """What the user did, for the undo menu: ``Move a vertex``."""
        ...

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Change the document.

        Returns:
            What changed, and the edit that undoes this one.

        Raises:
            InputError: ``edit.no-such-object`` and other ``edit.`` codes; nothing is changed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Outline:
    """Which polygon: a line's, or a word's where ``word`` is given. Indices from 0."""

    page: int
    line: int
    word: int | None = None

    def find(self, document: Document) -> Line | Word:
        """The object that has the polygon."""
        if self.word is None:
            return find_line(document, self.page, self.line)
        return find_word(document, self.page, self.line, self.word)

    def find_open(self, document: Document) -> Line | Word:
        """The same, to be changed.

        Raises:
            InputError: ``edit.locked-line``.
        """
        find_open_line(document, self.page, self.line)
        return self.find(document)

    @property
    def change(self) -> Change:
        """That this polygon changed."""
        if self.word is None:
            return Change(lines=frozenset({(self.page, self.line)}))
        return Change(words=frozenset({(self.page, self.line, self.word)}))

    @property
    def kind(self) -> str:
        """``line`` or ``word``, for labels."""
        return "line" if self.word is None else "word"


def _at(items: list[_T], index: int, what: str) -> _T:
    if not 0 <= index < len(items):
        raise InputError(
            "edit.no-such-object",
            f"there is no {what} {index + 1}; there are {len(items)}",
            remedy="The document has changed in the meantime; look again",
        )
    return items[index]


def find_page(document: Document, page: int) -> Page:
    """The page at this index."""
    return _at(document.pages, page, "page")


def find_line(document: Document, page: int, line: int) -> Line:
    """The line at these indices."""
    return _at(find_page(document, page).lines, line, "line")


def find_open_line(document: Document, page: int, line: int) -> Line:
    """The line at these indices, to be changed.

    Raises:
        InputError: ``edit.locked-line``: it is finished.
    """
    found = find_line(document, page, line)
    if found.locked:
        raise InputError(
            "edit.locked-line",
            f"the line {found.id or f'#{line + 1}'} is locked",
            remedy="Unlock it first, if it is not finished",
        )
    return found


def find_word(document: Document, page: int, line: int, word: int) -> Word:
    """The word at these indices."""
    return _at(find_line(document, page, line).words, word, "word")


def find_segment(document: Document, section: int, segment: int) -> Segment:
    """The segment at these indices."""
    return _at(_at(document.sections, section, "section").segments, segment, "segment")


def find_token(document: Document, section: int, segment: int, token: int) -> Token:
    """The token at these indices."""
    return _at(find_segment(document, section, segment).tokens, token, "token")


def refuse_forbidden(text: str | None) -> None:
    """Refuse what XML cannot hold; ``model.characters.remove_forbidden`` mends it.

    Raises:
        InputError: ``edit.forbidden-character``.
    """
    found = FORBIDDEN.search(text or "")
    if found:
        raise InputError(
            "edit.forbidden-character",
            f"the text has the character U+{ord(found.group()):04X}, which XML cannot hold",
            remedy="Remove the character",
        )
