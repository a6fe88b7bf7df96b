"""Numbers as Java reads them from a text."""

from __future__ import annotations

import re

__all__ = ["java_float", "java_int"]

# What is trimmed from the ends: everything up to the blank, control characters included.
_TRIMMED = "".join(map(chr, range(0x21)))
# Java's Double.parseDouble, blanks at the ends taken off already.
_DECIMAL = re.compile(
    r"[+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)"
)
_HEXADECIMAL = re.compile(
    r"[+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFdD]?"
)
# Java's Integer.parseInt: digits of any script, as far as one unit of UTF-16 holds them.
_WHOLE = re.compile(r"[+-]?\d+")


def java_float(text: str) -> float | None:
    """A number as Java's ``Double.parseDouble`` reads it; None where it reads none."""
    number = text.strip(_TRIMMED)
    if _DECIMAL.fullmatch(number):
        return float(number if number.endswith(("NaN", "Infinity")) else number.rstrip("fFdD"))
    if _HEXADECIMAL.fullmatch(number):
        try:
            return float.fromhex(number.rstrip("fFdD"))
        except OverflowError:  # Java calls it infinite
            return float("inf")
    return None


def java_int(text: str) -> int | None:
    """A whole number as Java reads it, of 32 bits; None where it reads none."""
    if not _WHOLE.fullmatch(text) or max(text) > "\uffff":
        return None
    number = int(text)
    return number if -(2**31) <= number < 2**31 else None
