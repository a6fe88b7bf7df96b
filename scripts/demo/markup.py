"""Reads the marks inside a system's text (texts/passages.toml explains them)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from madcat_studio.errors import FormatError

__all__ = ["Span", "parse", "render"]

_MARK = re.compile(r"\{([^{}]*)\}")
_MANUSCRIPTS = re.compile(r"#(\d+):")


@dataclass(frozen=True, slots=True)
class Span:
    """One error of a system.

    Attributes:
        wrong: what the system wrote.
        right: what editors write instead; any of them will do.
        harmless: whether some editors leave it.
        certain: whether it occurs in every manuscript.
        manuscripts: the manuscripts in which it occurs; None: in all.
        misread: the Arabic word and what the recogniser read, or None.
    """

    wrong: str
    right: tuple[str, ...]
    harmless: bool = False
    certain: bool = False
    manuscripts: frozenset[int] | None = None
    misread: tuple[str, str] | None = None


def parse(text: str) -> list[str | Span]:
    """``text`` as plain pieces and spans; raises FormatError where a mark is not understood."""
    parts: list[str | Span] = []
    end = 0
    for match in _MARK.finditer(text):
        parts.append(text[end : match.start()])
        parts.append(_span(match.group(1)))
        end = match.end()
    parts.append(text[end:])
    if any(isinstance(part, str) and ("{" in part or "}" in part) for part in parts):
        raise FormatError("demo.mark", "a brace is not closed", where=text[:60])
    return parts


def _span(mark: str) -> Span:
    harmless, certain = mark.startswith("~"), mark.startswith("!")
    body = mark[1:] if harmless or certain else mark
    manuscripts = None
    chosen = _MANUSCRIPTS.match(body)
    if chosen:
        manuscripts = frozenset(int(digit) for digit in chosen.group(1))
        body = body[chosen.end() :]
    fields = body.split("|")
    if len(fields) not in (2, 3) or (len(fields) == 3) != (manuscripts is not None):
        raise FormatError("demo.mark", "a mark needs what is wrong and what is right", where=mark)
    misread = None
    if len(fields) == 3:
        word, read = fields[2].split(">")
        misread = (word, read)
    return Span(fields[0], tuple(fields[1].split("/")), harmless, certain, manuscripts, misread)


def render(parts: list[str | Span], choose: Callable[[int, Span], str]) -> str:
    """Plain text: each span becomes what ``choose`` gives for its number and itself."""
    number = 0
    pieces = []
    for part in parts:
        if isinstance(part, Span):
            pieces.append(choose(number, part))
            number += 1
        else:
            pieces.append(part)
    text = re.sub(r"\s+", " ", "".join(pieces)).strip()
    return re.sub(r" ([,.;?])", r"\1", text)
