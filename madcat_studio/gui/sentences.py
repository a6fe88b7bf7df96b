"""Knows sentences again that rooms without a window put together: errors, findings, edits' names.

Such a room writes English with values in it. The forms of its sentences come with the program
(``resources/translations/sentences.tsv``, written by ``python3 run.py docs``): by its form a
sentence is known again, and its values are taken out. ``tr_report`` puts them into the form's
translation; a sentence that no form fits stays English.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from madcat_studio.paths import resources

__all__ = ["Counted", "Fit", "counted", "fitting", "translations", "values_of"]

_ANYWHERE, _COUNT = "*", "#"
_VALUE = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
_NUMBER = re.compile(r"(\d[\d,]*) (\S.*)", re.DOTALL)


class Fit(NamedTuple):
    """A form that a sentence has: English with ``{name}`` for each value, and the values."""

    form: str
    values: dict[str, str]


class Counted(NamedTuple):
    """A number with its noun: how it is said of one, of many, and the number."""

    one: str
    many: str
    number: int


def translations() -> Path:
    """The folder of what comes with the program in other languages."""
    return resources() / "translations"


def values_of(form: str, sentence: str) -> dict[str, str] | None:
    """The values of a sentence; None where it does not have this form."""
    found = _pattern(form).fullmatch(sentence)
    return None if found is None else found.groupdict()


@lru_cache(maxsize=2048)
def _pattern(form: str) -> re.Pattern[str]:
    made, seen = "", set[str]()
    for number, part in enumerate(_VALUE.split(form)):
        if number % 2 == 0:
            made += re.escape(part.replace("{{", "{").replace("}}", "}"))
        else:
            made += f"(?P={part})" if part in seen else f"(?P<{part}>.*?)"
            seen.add(part)
    return re.compile(made, re.DOTALL)


class _Forms(NamedTuple):
    """All forms by code, those with most words of their own first; and numbers by their nouns."""

    by_code: dict[str, list[str]]
    counts: dict[str, tuple[str, str]]


@lru_cache(maxsize=1)
def _forms() -> _Forms:
    by_code: dict[str, list[str]] = {}
    counts: dict[str, tuple[str, str]] = {}
    table = translations() / "sentences.tsv"
    for line in table.read_text("utf-8").splitlines():
        code, text, one = line.split("\t")
        if code == _COUNT:
            counts |= {form.partition(" ")[2]: (one, text) for form in (one, text)}
        else:
            form = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
            by_code.setdefault(code, []).append(form)
    for forms in by_code.values():
        forms.sort(key=lambda form: -len(_VALUE.sub("", form)))
    return _Forms(by_code, counts)


@lru_cache(maxsize=2048)
def fitting(sentence: str, code: str = "") -> tuple[Fit, ...]:
    """The forms that a sentence has, that of its error's code first, and the most exact first."""
    by_code = _forms().by_code
    forms = (*by_code.get(code, ()), *by_code.get(_ANYWHERE, ()))
    found = ((form, values_of(form, sentence)) for form in forms)
    return tuple(Fit(form, values) for form, values in found if values is not None)


def counted(value: str) -> Counted | None:
    """A value as a number with its noun; None where it is none that is known."""
    found = _NUMBER.fullmatch(value)
    forms = _forms().counts.get(found[2]) if found else None
    return Counted(*forms, int(found[1].replace(",", ""))) if found and forms else None
