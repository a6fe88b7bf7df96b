"""Characters that XML 1.0, and with it every file that we write, cannot hold."""

from __future__ import annotations

import re

__all__ = ["FORBIDDEN", "clean_line", "marked", "remove_forbidden"]

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Matches one character outside production 2 (Char) of XML 1.0."""

_BREAKS = re.compile("\r\n|[\t\n\x0b\x0c\r\x85\u2028\u2029]")


def remove_forbidden(text: str) -> tuple[str, tuple[str, ...]]:
    r"""``text`` without those characters, and what was removed as ``U+000B`` and the like.

    Every way by which text enters (typing, pasting, importing) goes through here.
    """
    removed = tuple(f"U+{ord(character):04X}" for character in FORBIDDEN.findall(text))
    return (FORBIDDEN.sub("", text), removed) if removed else (text, ())


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


def _picture(hit: re.Match[str]) -> str:
    code = ord(hit[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"
