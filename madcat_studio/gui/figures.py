"""Numbers and days as a language writes them: which parts of a text they are, and how they look.

The rest of the window hands over what is written in English, such as ``1,234.5 %``; what is written
into files stays so.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QDate, QLocale, QTime

__all__ = ["day", "in_form", "in_value", "minute", "written"]

_NUMBER = r"[-\u2212+]?(?:\d{1,3}(?:,\d{3})+|0|[1-9]\d*)(?:\.\d+)?"
_FIGURE = re.compile(rf"{_NUMBER}(?:[\u202f\u00a0 ]?%)?")
_SEVERAL = rf"{_FIGURE.pattern}(?:(?:\u2013|/|, | \u00d7 ){_FIGURE.pattern})*"
_FIGURES = re.compile(rf"(?:p [=<] )?(?:{_SEVERAL}|(?:{_FIGURE.pattern} )?\[{_SEVERAL}\])")
"""One number, a range, a share, a size, a p value, a rate with its interval."""
_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d))?")
_LONE = re.compile(
    r"\u2068[^\u2069]*\u2069"  # a date, an option: held together as it is written
    r"|\{\w*\}"
    r"|(?<![A-Za-z0-9_./:+#(=\"\-])(?<![A-Za-z_] )"
    r"-?\d[\d,]*(?:\.\d+)?(?![\w/\-]|[.:][\w.]| ?[A-Za-z]{2})"
)
"""A number in a translation that belongs to no name: not to F9, UTF-8 or PAGE 2019."""

_QUOTED = frozenset({
    "address", "base", "campaign_name", "code", "command", "data", "declared", "digest",
    "document", "editor", "encoding", "error", "file", "full_name", "genre", "hypothesis", "id",
    "identifier", "ids", "key", "key2", "key3", "kit", "login", "manuscript", "message", "msg",
    "name", "name2", "names", "names2", "package", "page", "parent", "passage", "path", "ref_id",
    "repr", "said", "scribe", "segment", "sha256", "spelt", "src", "strange", "strerror",
    "system", "tag", "target", "team", "text", "track", "unknown", "value", "value2", "version",
    "versions", "word", "written", "written2"
})  # fmt: skip
"""What holds a name, or what stands in a file: kept as it is, even where it is a number."""


def written(locale: QLocale, text: str) -> str:
    """A number that is written out in English, as the language writes it."""
    zero = ord(locale.zeroDigit())
    shown = {ord("0") + digit: chr(zero + digit) for digit in range(10)}
    shown |= {ord(","): locale.groupSeparator(), ord("."): locale.decimalPoint()}
    return text.translate(shown)


def in_value(locale: QLocale, name: str, value: str) -> str | None:
    """A value of a sentence as the language writes it; None where it is no number and no day.

    Args:
        locale: of the language.
        name: what the value is called in the sentence.
        value: in English.
    """
    if name in _QUOTED:
        return None
    if (found := _MOMENT.fullmatch(value)) is not None:
        year, month, of_month = map(int, found.groups()[:3])
        told = day(locale, QDate(year, month, of_month))
        if found[4] is None:
            return told
        return f"{told} {minute(locale, QTime(int(found[4]), int(found[5])))}"
    if not _FIGURES.fullmatch(value):
        return None
    told = _FIGURE.sub(lambda one: written(locale, one[0]), value)
    return told.replace(", ", _between(locale)) if locale.decimalPoint() == "," else told


def _between(locale: QLocale) -> str:
    """What parts two numbers where a comma is within them."""
    return "\u00a0; " if locale.language() == QLocale.Language.French else "; "


def in_form(locale: QLocale, form: str) -> str:
    """A translation with its own numbers in the language's digits."""
    if locale.zeroDigit() == "0":
        return form  # the translator wrote them so
    return _LONE.sub(
        lambda one: one[0] if one[0][0] in "\u2068{" else written(locale, one[0]), form
    )


def day(locale: QLocale, of: QDate) -> str:
    """A day as the language writes it."""
    return locale.toString(of, QLocale.FormatType.ShortFormat)


def minute(locale: QLocale, of: QTime) -> str:
    """A time of day as the language writes it."""
    return locale.toString(of, QLocale.FormatType.ShortFormat)
