"""Scans without what their files say besides the picture: names, notes, places, thumbnails.

A scanned page's TIFF, PNG or JPEG may name the scribe, the source or whoever scanned it. What is
needed to show the picture stays as it is, byte for byte: pixels, colours, resolution.

Layouts: TIFF 6.0 and BigTIFF (directories of tags), PNG (chunks), JPEG (ITU-T T.81, segments).
"""

from __future__ import annotations

import bisect
import itertools
import re
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["without_metadata"]


def without_metadata(content: bytes) -> bytes:
    """The bytes of an image file without metadata.

    Doing so again changes nothing. A file that is no TIFF, PNG or JPEG, or is a damaged one, is
    given back as it is.

    Args:
        content: of the whole file.
    """
    try:
        if content[:4] in _TIFF_MARKS:
            return _Tiff(content).stripped()
        if content.startswith(_PNG_MARK):
            return _PNG_MARK + b"".join(_png_chunks(content))
        if content.startswith(b"\xff\xd8\xff"):
            return b"\xff\xd8" + b"".join(_jpeg_segments(content))
    except (struct.error, ValueError, IndexError):
        pass
    return content


# -- TIFF ---------------------------------------------------------------------------------------

_TIFF_MARKS: Final = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")

# What a reader needs for the picture, by the numbers of TIFF 6.0 and its supplements; 34675 is the
# colour profile. Names, dates, programs, notes and whatever is private is not among them.
_TAGS: Final = frozenset(
    number
    for first, last in [
        *((254, 259), (262, 266), (273, 274), (277, 284), (286, 293), (296, 297), (301, 301)),
        *((317, 328), (332, 332), (334, 334), (336, 336), (338, 344), (347, 347)),
        *((512, 521), (529, 532), (34675, 34675)),
    ]
    for number in range(first, last + 1)
)
_DIRECTORIES: Final = frozenset([330, 34665, 34853, 40965])
"""Tags that point to further directories: smaller pictures, EXIF, places."""
_DATA: Final = {273: 279, 324: 325, 513: 514}
"""Where the picture's data begins -> how long it is."""
_SIZES: Final = (0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8)
"""Bytes of a value, by the number of its type."""
_INTEGERS: Final = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
_MOST_DIRECTORIES: Final = 10_000

_Span = tuple[int, int]


class _Tag(NamedTuple):
    number: int
    entry: bytes
    value: _Span
    integers: tuple[int, ...]


class _Tiff:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._order = "<" if content[:1] == b"I" else ">"
        self._big = content[2:4] in (b"+\0", b"\0+")
        self._kept: list[_Span] = []
        self._gone: list[_Span] = []
        self._new: list[tuple[int, bytes]] = []
        self._seen: set[int] = set()
        self._others: list[int] = []

    def stripped(self) -> bytes:
        at = self._word(8) if self._big else self._word(4)
        while at:
            at = self._directory(at, keep=True)
        while self._others:
            self._directory(self._others.pop(), keep=False)
        result = bytearray(self._content)
        kept = sorted(self._kept)
        starts = [start for start, _ in kept]
        ends = list(itertools.accumulate((end for _, end in kept), max))
        for start, end in self._gone:
            # Nothing that the picture needs is touched, whatever a damaged file says.
            before = bisect.bisect_left(starts, end)
            if not before or ends[before - 1] <= start:
                result[start:end] = bytes(end - start)
        for start, entries in self._new:
            result[start : start + len(entries)] = entries
        return bytes(result)

    def _read(self, form: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(self._order + form, self._content, at)

    def _word(self, at: int) -> int:
        return self._read("Q" if self._big else "I", at)[0]

    def _directory(self, at: int, *, keep: bool) -> int:
        """Take a directory in; the place of the next one, 0 for none."""
        if at in self._seen or len(self._seen) >= _MOST_DIRECTORIES:
            return 0
        self._seen.add(at)
        head, one, last = (8, 20, 8) if self._big else (2, 12, 4)
        [count] = self._read("Q" if self._big else "H", at)
        end = at + head + count * one
        after = self._word(end)
        tags = [self._tag(at + head + number * one) for number in range(count)]
        kept = [tag for tag in tags if keep and tag.number in _TAGS]
        for tag in tags:
            if tag.number in _DIRECTORIES:
                self._others += tag.integers
            if tag not in kept:
                self._gone.append(tag.value)
        self._kept += [tag.value for tag in kept]
        self._kept += self._data(kept)
        if not keep:
            self._gone += [(at, end + last), *self._data(tags)]
            return 0
        self._kept.append((at, end + last))
        entries = self._content[end : end + last]
        number = struct.pack(self._order + ("Q" if self._big else "H"), len(kept))
        directory = number + b"".join(tag.entry for tag in kept) + entries
        self._new.append((at, directory.ljust(end + last - at, b"\0")))
        return after

    def _tag(self, at: int) -> _Tag:
        number, kind = self._read("HH", at)
        count = self._word(at + 4)
        inline, one = (8, 20) if self._big else (4, 12)
        size = count * (_SIZES[kind] if kind < len(_SIZES) else 0)
        place = at + one - inline
        start = place if size <= inline else self._word(place)
        if start + size > len(self._content):
            raise ValueError("a value lies beyond the end")
        form = _INTEGERS.get(kind)
        values = self._read(f"{count}{form}", start) if form else ()
        return _Tag(number, self._content[at : at + one], (start, start + size), values)

    def _data(self, tags: list[_Tag]) -> Iterator[_Span]:
        known = {tag.number: tag.integers for tag in tags}
        for begin, length in _DATA.items():
            for start, size in zip(known.get(begin, ()), known.get(length, ()), strict=False):
                yield start, start + size


# -- PNG ----------------------------------------------------------------------------------------

_PNG_MARK: Final = b"\x89PNG\r\n\x1a\n"
_CHUNKS: Final = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs hIST acTL fcTL fdAT".split()
)


def _png_chunks(content: bytes) -> Iterator[bytes]:
    at = len(_PNG_MARK)
    while True:
        [size] = struct.unpack_from(">I", content, at)
        kind, end = content[at + 4 : at + 8], at + 12 + size
        if end > len(content):
            raise ValueError("a chunk lies beyond the end")
        if kind in _CHUNKS:
            yield content[at:end]
        if kind == b"IEND":
            return  # what comes behind it is no part of the picture
        at = end


# -- JPEG ---------------------------------------------------------------------------------------

_END, _SCAN, _COMMENT = 0xD9, 0xDA, 0xFE
_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""The next marker after coded data, in which 0xFF is followed by 0 or is a restart."""
_APPLICATIONS: Final = range(0xE0, 0xF0)
_NEEDED: Final = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}


def _jpeg_segments(content: bytes) -> Iterator[bytes]:
    at = 2
    while True:
        while content[at : at + 2] == b"\xff\xff":
            at += 1  # markers may be padded
        if content[at] != 0xFF:
            raise ValueError("no marker")
        marker = content[at + 1]
        if marker == _END:
            yield content[at : at + 2]
            return
        [size] = struct.unpack_from(">H", content, at + 2)
        end = at + 2 + size
        if end > len(content):
            raise ValueError("a segment lies beyond the end")
        if marker == _SCAN:
            found = _MARKER.search(content, end)
            if found is None:  # cut off, and shown as far as it goes
                yield content[at:]
                return
            end = found.start()
        if marker != _COMMENT and (
            marker not in _APPLICATIONS
            or (marker in _NEEDED and content.startswith(_NEEDED[marker], at + 4))
        ):
            yield content[at:end]
        at = end
