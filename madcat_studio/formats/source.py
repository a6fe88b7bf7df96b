"""What a document was read from: the original bytes, and where each element stands in them."""

from __future__ import annotations

import hashlib
import xml.parsers.expat
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from madcat_studio.formats.encodings import Decoded, decode_xml
from madcat_studio.model.completing import PageImage
from madcat_studio.model.document import Document
from madcat_studio.model.problem import Problem

__all__ = ["ReadDocument", "Source"]


_LASTING = {"_reading", "decoded", "lines", "sha256"}
"""What was found out about the bytes, wherever they are saved to."""


@dataclass(frozen=True)
class Source:
    """The bytes that a document was read from.

    Attributes:
        data: the file's bytes, unchanged.
        name: the file as the user named it, for messages.
        path: where it is on the disk, None if it came from elsewhere.
        saved_sha256: of the file as it was last saved, None before the first save. ``data`` stays
            what was opened, so that undoing everything gives those bytes again even then.
        image: what an image says of itself, by its name and frame: for formats that measure in
            other units, or do not say what others ask for.
    """

    data: bytes = field(repr=False)
    name: str
    path: Path | None = None
    saved_sha256: str | None = None
    image: Callable[[str, int], PageImage | None] | None = field(
        default=None, repr=False, compare=False
    )

    def page_image(self, name: str, frame: int) -> PageImage | None:
        """What an image says of one of its frames, None where it is not to be found."""
        return self.image(name, frame) if self.image is not None else None

    def image_size(self, name: str, frame: int) -> tuple[int, int] | None:
        """Width and height of an image."""
        found = self.page_image(name, frame)
        return None if found is None else (found.width, found.height)

    @cached_property
    def sha256(self) -> str:
        """The digest of ``data``, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def disk_sha256(self) -> str:
        """The digest that the file on the disk has unless somebody else changed it."""
        return self.saved_sha256 or self.sha256

    @cached_property
    def decoded(self) -> Decoded:
        """The text of the file, with its encoding."""
        return decode_xml(self.data, self.name)

    @property
    def encoding(self) -> str:
        """Python's name of the encoding."""
        return self.decoded.encoding

    def keep_tree(self, root: object) -> None:
        """Keep the parsed tree for the one who asks next; parsing is half of reading."""
        self.__dict__["_tree"] = root

    def take_tree(self) -> object | None:
        """The tree that was kept, once; None if there is none."""
        found: object | None = self.__dict__.pop("_tree", None)
        return found

    def keep_reading(self, document: Document) -> None:
        """Keep what ``data`` says, so that saving need not read it again.

        Args:
            document: a reading of ``data`` that nobody will ever edit.
        """
        self.__dict__["_reading"] = document

    def reading(self) -> Document | None:
        """The reading that was kept, None if there is none."""
        found: Document | None = self.__dict__.get("_reading")
        return found

    def saved_as(self, path: Path, sha256: str) -> Source:
        """The same bytes for the file that they are saved to next time."""
        made = Source(self.data, str(path), path, sha256, self.image)
        made.__dict__.update(
            {known: self.__dict__[known] for known in _LASTING & set(self.__dict__)}
        )
        return made

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The 1-based line of each element, by ordinal (document order)."""
        found: list[int] = []
        parser = xml.parsers.expat.ParserCreate("utf-8")

        def start(_name: str, _attributes: object) -> None:
            found.append(parser.CurrentLineNumber)

        parser.StartElementHandler = start
        parser.Parse(self.decoded.text.encode("utf-8"), True)
        return tuple(found)

    def keep_lines(self, lines: tuple[int, ...]) -> None:
        """Keep the lines of elements, where the file is no XML that could be asked for them."""
        self.__dict__["lines"] = lines

    def line_of(self, origin: int | None) -> int | None:
        """The line of the element with this ordinal, None for an object that is not in the file."""
        return None if origin is None else self.lines[origin]


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as it was read.

    Attributes:
        document: the model; edits change it in place.
        source: the bytes it came from; saving patches them.
        problems: what reading noticed, in the file's order. ``checks`` finds more.
    """

    document: Document
    source: Source
    problems: tuple[Problem, ...]
