"""Characters that XML 1.0, and with it every file that we write, cannot hold."""

from __future__ import annotations

import re

__all__ = ["FORBIDDEN", "clean_line", "remove_forbidden"]

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
