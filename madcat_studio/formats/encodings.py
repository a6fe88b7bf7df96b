"""Which encoding an XML file is in, and its text. The same rules serve all XML formats."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

from madcat_studio.errors import FormatError

__all__ = ["Decoded", "decode_xml"]

_BOMS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BARE = (("<?".encode("utf-16-le"), "utf-16-le"), ("<?".encode("utf-16-be"), "utf-16-be"))
_DECLARED = re.compile(rb"""^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._:-]*)["']""")
_DECLARED_TEXT = re.compile(r"""^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._:-]*)["']""")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file.

    Attributes:
        text: everything after the byte-order mark.
        encoding: Python's name of the encoding, without a mark (``utf-16-le``, ``cp1256``).
        bom: the byte-order mark, or b"".
        declared: the name in the XML declaration as written, or None.
        disagrees: whether the declaration names another encoding than the bytes show.
    """

    text: str
    encoding: str
    bom: bytes
    declared: str | None
    disagrees: bool


def decode_xml(data: bytes, name: str) -> Decoded:
    """Decode an XML file by its byte-order mark, else its declaration, else as UTF-8.

    Raises:
        FormatError: ``xml.unknown-encoding``, ``xml.wrong-encoding`` (with the byte offset).
    """
    bom = b""
    encoding = ""
    for mark, codec in _BOMS:
        if data.startswith(mark):
            bom, encoding = mark, codec
            break
    else:
        for start, codec in _BARE:
            if data.startswith(start):
                encoding = codec
    declared: str | None = None
    if not encoding:
        match = _DECLARED.match(data[:400])
        declared = match.group(1).decode("ascii") if match else None
        # A declaration that can be read byte by byte shows that the file is not UTF-16 or -32.
        wide = declared is not None and re.match(r"(?i)(utf-?(16|32)|ucs-?[24])", declared)
        encoding = "utf-8" if declared is None or wide else _codec(declared, name)
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise _wrong_encoding(data, name, encoding, len(bom) + error.start, declared) from None
    if declared is None and (in_text := _DECLARED_TEXT.match(text[:400])):
        declared = in_text.group(1)
    disagrees = declared is not None and not _same(declared, encoding)
    return Decoded(text, encoding, bom, declared, disagrees)


def _codec(declared: str, name: str) -> str:
    known = _known(declared)
    if known is None:
        raise FormatError(
            "xml.unknown-encoding",
            f"the file declares an unknown encoding, “{declared}”",
            where=f"{name}:1",
            remedy="Convert the file to UTF-8",
        )
    return known


@lru_cache
def _known(declared: str) -> str | None:
    """Python's name of an encoding that makes bytes of texts, None where there is none."""
    try:
        info = codecs.lookup(declared)
        "a".encode(info.name)
    except (LookupError, UnicodeError):
        return None
    return info.name


@lru_cache
def _same(declared: str, encoding: str) -> bool:
    try:
        known = codecs.lookup(declared).name
    except LookupError:
        return False
    family = encoding.removesuffix("-le").removesuffix("-be")
    return known in (encoding, family)


def _wrong_encoding(
    data: bytes, name: str, encoding: str, offset: int, declared: str | None
) -> FormatError:
    line = data.count(b"\n", 0, offset) + 1
    said = f"the declared {declared}" if declared else f"{encoding.upper()}, and none is declared"
    return FormatError(
        "xml.wrong-encoding",
        f"byte {offset} (0x{data[offset]:02X}) does not belong to {said}",
        where=f"{name}:{line}",
        remedy="Declare the file's encoding in its first line, such as "
        '<?xml version="1.0" encoding="windows-1256"?>, or convert it to UTF-8',
    )
