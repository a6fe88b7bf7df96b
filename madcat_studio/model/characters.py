"""Kinds of characters: which no XML 1.0 file can hold, which are Arabic, which way a text runs."""

from __future__ import annotations

import re
import unicodedata

__all__ = [
    "ARABIC",
    "ARABIC_RANGES",
    "FORBIDDEN",
    "clean_line",
    "is_right_to_left",
    "marked",
    "one_line",
    "remove_forbidden",
    "runs_right_to_left",
]

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Matches one character outside production 2 (Char) of XML 1.0."""

ARABIC_RANGES = (
    *((0x0600, 0x06FF), (0x0750, 0x077F), (0x0870, 0x08FF), (0xFB50, 0xFDFF)),
    (0xFE70, 0xFEFE),  # without the byte-order mark at the end of that block
    *((0x10E60, 0x10E7F), (0x10EC0, 0x10EFF), (0x1EE00, 0x1EEFF)),
)
"""Unicode's blocks of Arabic, first and last."""

ARABIC = re.compile(f"[{''.join(f'{chr(one)}-{chr(last)}' for one, last in ARABIC_RANGES)}]")
"""Matches one character of Arabic script: a letter, a mark, a digit of its own, a comma."""

_BREAKS = re.compile("\r\n|[\t\n\x0b\x0c\r\x85\u2028\u2029]")


def remove_forbidden(text: str) -> tuple[str, tuple[str, ...]]:
    r"""``text`` without those characters, and what was removed as ``U+000B`` and the like.

    Every way by which text enters (typing, pasting, importing) goes through here.
    """
    if text.isprintable() or FORBIDDEN.search(text) is None:
        return text, ()  # nearly always; what can be printed is never forbidden
    removed = tuple(f"U+{ord(character):04X}" for character in FORBIDDEN.findall(text))
    return FORBIDDEN.sub("", text), removed


def clean_line(text: str) -> tuple[str, tuple[str, ...]]:
    """``text`` as one line for a segment: line breaks and tabs become blanks.

    Returns:
        The line, and what :func:`remove_forbidden` removed.
    """
    return remove_forbidden(_BREAKS.sub(" ", text))


_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def marked(text: str) -> str:
    """``text`` with a mark for each character that could steer a terminal; for people to read.

    Tabs and line feeds stay. The first 32 and DEL get their control pictures (␛), the others of
    Unicode's control characters, which have none, a replacement character.
    """
    return _STEERING.sub(_picture, text)


def one_line(text: str) -> str:
    """A name as one line to print: what steers a terminal, and line breaks, become marks."""
    return marked(text.replace("\n", "\u240a").replace("\t", "\u2409"))


def _picture(hit: re.Match[str]) -> str:
    code = ord(hit[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def is_right_to_left(text: str, *, default: bool = False) -> bool:
    """Whether a text is read from right to left, by its first letter that has a direction."""
    kinds = (unicodedata.bidirectional(letter) for letter in text)
    strong = next((kind for kind in kinds if kind in ("L", "R", "AL")), None)
    return default if strong is None else strong != "L"


def runs_right_to_left(text: str | None, *, default: bool) -> bool:
    """Whether a text is read from right to left, as all its letters are; else ``default``.

    So an Arabic sentence that begins with a Latin name keeps its side, and a Latin one has its own.
    """
    kinds = {unicodedata.bidirectional(letter) for letter in text or ""}
    right, left = bool(kinds & {"R", "AL"}), "L" in kinds
    return default if right == left else right
