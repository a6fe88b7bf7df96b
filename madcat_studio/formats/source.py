"""What a document was read from: the original bytes, and where each element stands in them."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from madcat_studio.formats.encodings import Decoded, decode_xml
from madcat_studio.model.completing import PageImage
from madcat_studio.model.document import Document
from madcat_studio.model.problem import Problem

__all__ = ["ReadDocument", "Source"]


_LASTING = {"_line_starts", "_lines", "_reading", "_starts", "decoded", "sha256"}
"""What was found out about the bytes, wherever they are saved to."""

_NO_ELEMENT = re.compile(
    r"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<![A-Z](?:[^"'>\[]|"[^"]*"|'[^']*')*""", re.DOTALL
)
"""What begins as a start tag does, or may hold what looks like one, in well-formed XML."""
_START = re.compile(r"<[^/]")
_LINE_END = re.compile(r"\r\n?|\n")


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
    def _starts(self) -> tuple[int, ...]:
        """Where the start tag of each element stands in the text, by ordinal."""
        text = self.decoded.text
        if "<!" in text or "<?" in text:
            text = _NO_ELEMENT.sub(lambda found: " " * len(found[0]), text)
        return tuple([match.start() for match in _START.finditer(text)])

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        """Where the lines of the text begin."""
        text = self.decoded.text
        if text.count("\r") == text.count("\r\n"):
            lengths = [len(line) + 1 for line in text.split("\n")]
            return tuple(accumulate(lengths, initial=0))
        return (0, *(match.end() for match in _LINE_END.finditer(text)))

    def keep_lines(self, lines: tuple[int, ...]) -> None:
        """Keep the lines of elements, where the file is no XML that they could be looked for in."""
        self.__dict__["_lines"] = lines

    def line_of(self, origin: int | None) -> int | None:
        """The line of the element with this ordinal, None for an object that is not in the file."""
        return self.place_of(origin)[0]

    def place_of(self, origin: int | None) -> tuple[int | None, int | None]:
        """Line and column of the element with this ordinal, as far as they are known."""
        if origin is None:
            return None, None
        kept: tuple[int, ...] | None = self.__dict__.get("_lines")
        if kept is not None:
            return kept[origin], None
        start = self._starts[origin]
        line = bisect_right(self._line_starts, start)
        return line, start - self._line_starts[line - 1] + 1


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
