"""The run card's compliance index: placeholders, quotes and casing survive; and their repair.

0.6 variables + 0.2 quotes + 0.2 casing. It is a gate: it never enters the composite.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from madcat_studio.scoring.scorecards.scripts import SCRIPTED_TARGETS, letters

__all__ = [
    "QUOTES",
    "WEIGHTS",
    "Compliance",
    "ComplianceSummary",
    "check",
    "repair",
    "summarise",
]

WEIGHTS = (0.6, 0.2, 0.2)
"""Of variables, quotes and casing."""

QUOTES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "ar": (("«", "»"), ("“", "”")),
    "de": (("„", "“"), ("»", "«")),
    "en": (("“", "”"), ("‘", "’"), ('"', '"')),
    "es": (("«", "»"), ("“", "”")),
    "fr": (("«", "»"), ("“", "”")),
    "ja": (("「", "」"), ("『", "』")),
    "kk": (("«", "»"),),
    "ko": (("“", "”"), ("‘", "’")),
    "ru": (("«", "»"), ("„", "“")),
    "zh": (("“", "”"), ("《", "》")),
    "zh-tw": (("「", "」"), ("『", "』"), ("《", "》")),
}
"""For each language its pairs of quotes; a repair writes the first. Others are not judged."""

# {name}, {{name}}, ${name}, %s, %1$s, %(name)s, <tag>, </tag>
_VARIABLE = re.compile(r"\$?\{\{?[^{}\s]+\}?\}|%\(\w+\)[sdif]|%(?:\d+\$)?[sdif](?!\w)|</?\w[^<>]*>")
# The same with what systems do to them: blanks inside, wide braces, another case.
_LOOSE = re.compile(r"\$?[{｛]\s*[{｛]?[^{}｛｝]*[}｝]?\s*[}｝]|%\s*\(\s*\w+\s*\)\s*[sdif]")

_DOUBLE = '"“”„«»「」『』《》'
_CASELESS = frozenset({"ar", "ja", "ko", "th", "ur", "zh", "zh-tw"})


@dataclass(frozen=True, slots=True)
class Compliance:
    """One entry.

    Attributes:
        variables: kept placeholders / all of source and output, 1 without any.
        quotes: the share of quote marks that are the target's, 1 without any.
        casing: for a caseless target the share of letters that are not Latin, else 1.
        violations: what is wrong, counted: placeholders, marks, words.
    """

    variables: float
    quotes: float
    casing: float
    violations: int

    @property
    def index(self) -> float:
        """The weighted sum."""
        return WEIGHTS[0] * self.variables + WEIGHTS[1] * self.quotes + WEIGHTS[2] * self.casing


def check(source: str, output: str, target: str) -> Compliance:
    """Judge one output. Latin words and names that the source has in the same form are allowed
    only as placeholders: a caseless target has no other Latin letters."""
    wanted = Counter(_VARIABLE.findall(source))
    found = Counter(_VARIABLE.findall(output))
    common = (wanted & found).total()
    either = (wanted | found).total()
    bare = _VARIABLE.sub(" ", output)

    marks, bad_marks = _quote_marks(bare, target)
    leaked = 0
    casing = 1.0
    if target in _CASELESS:
        alphabetic = letters(bare)
        latin = sum("a" <= letter.lower() <= "z" for letter in alphabetic)
        casing = 1 - latin / len(alphabetic) if alphabetic else 1.0
        leaked = len(re.findall(r"[A-Za-z]+", bare))
    return Compliance(
        common / either if either else 1.0,
        1 - bad_marks / marks if marks else 1.0,
        casing,
        either - common + bad_marks + leaked,
    )


def _quote_marks(text: str, target: str) -> tuple[int, int]:
    """How many double quote marks there are, and how many are not the target's."""
    pairs = QUOTES.get(target)
    if pairs is None:
        return 0, 0
    allowed = {mark for pair in pairs for mark in pair}
    found = [mark for mark in text if mark in _DOUBLE]
    return len(found), sum(mark not in allowed for mark in found)


def repair(source: str, output: str, target: str) -> str:
    """The output with damaged placeholders and foreign quotes put right; words are not touched.

    A damaged placeholder is restored where its name is still recognisable, or where as many are
    damaged as are wanting: then in their order. Quotes are replaced in pairs.
    """
    wanted = Counter(_VARIABLE.findall(source))
    missing = wanted - Counter(_VARIABLE.findall(output))
    if missing:
        output = _restore(output, missing, wanted)
    pairs = QUOTES.get(target)
    if pairs:
        output = _requote(output, pairs)
    return output


def _restore(output: str, missing: Counter[str], wanted: Counter[str]) -> str:
    damaged = [one for one in _LOOSE.finditer(output) if one.group() not in wanted]
    if not damaged:
        return output
    names = {_bare_name(variable): variable for variable in missing.elements()}
    in_order = list(missing.elements()) if len(damaged) == missing.total() else []
    pieces: list[str] = []
    end = 0
    for position, one in enumerate(damaged):
        replacement = names.get(_bare_name(one.group()))
        if replacement is None and in_order:
            replacement = in_order[position]
        pieces += [output[end : one.start()], replacement or one.group()]
        end = one.end()
    return "".join(pieces) + output[end:]


def _bare_name(variable: str) -> str:
    return "".join(filter(str.isalnum, variable)).casefold()


def _requote(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    allowed = {mark for pair in pairs for mark in pair}
    # Placeholders may hold quotes of their own (<a href="…">): those are code.
    spans = [one.span() for one in _VARIABLE.finditer(text)]
    places = [
        place
        for place, mark in enumerate(text)
        if mark in _DOUBLE
        and mark not in allowed
        and not any(start <= place < end for start, end in spans)
    ]
    if len(places) % 2:
        return text  # which mark opens cannot be told
    letters_of = list(text)
    for position, place in enumerate(places):
        letters_of[place] = pairs[0][position % 2]
    return "".join(letters_of)


@dataclass(frozen=True, slots=True)
class ComplianceSummary:
    """Over a run: mean index of the raw and the repaired outputs.

    Attributes:
        effectiveness: violations that the repair removed / violations; None without any.
    """

    raw: float
    repaired: float
    violations: int
    left: int
    effectiveness: float | None


def summarise(pairs: Iterable[tuple[str, str]], target: str) -> ComplianceSummary | None:
    """The summary of (source, output) pairs; None without any."""
    entries = list(pairs)
    raw = [check(source, output, target) for source, output in entries]
    if not raw:
        return None
    repaired = [check(source, repair(source, output, target), target) for source, output in entries]
    violations = sum(one.violations for one in raw)
    left = sum(one.violations for one in repaired)
    return ComplianceSummary(
        sum(one.index for one in raw) / len(raw),
        sum(one.index for one in repaired) / len(repaired),
        violations,
        left,
        (violations - left) / violations if violations else None,
    )


assert set(SCRIPTED_TARGETS) >= _CASELESS
