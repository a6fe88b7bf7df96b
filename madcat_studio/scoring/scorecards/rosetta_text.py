"""Metrics that the run card's document plans and that need no model: words of the wrong language,
prescribed terms, and the same source translated the same way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from madcat_studio.scoring.scorecards.gate import LEAST_SHARE
from madcat_studio.scoring.scorecards.scripts import count_in_script, letters

__all__ = [
    "Glossary",
    "SourceLanguage",
    "code_switching",
    "consistency",
    "read_glossary",
    "words_of",
]

# Vowel signs and accents that are characters of their own: re does not take them for letters.
_MARKS = "\u0300-\u036f\u064b-\u065f\u0670\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
_WORD = re.compile(rf"[^\W\d_](?:[\w'’{_MARKS}-]*[\w{_MARKS}])?")


def words_of(text: str) -> list[str]:
    """The words of ``text``: they begin with a letter; inner hyphens and apostrophes are kept."""
    return _WORD.findall(text)


@dataclass(frozen=True, slots=True)
class SourceLanguage:
    """How words of the source language are told from those of the target.

    Attributes:
        source: the source language's code; empty if unknown.
        target: the target language's code.
        words: words of the source language, lower case; may be empty.
    """

    source: str = ""
    target: str = ""
    words: frozenset[str] = frozenset()

    @property
    def usable(self) -> bool:
        """Whether scripts differ or a word list is there: otherwise nothing can be told."""
        return bool(self.words) or self._scripts_differ

    @property
    def _scripts_differ(self) -> bool:
        sample = {"zh": "字", "zh-tw": "字", "ja": "か", "ar": "ب", "ur": "ب", "th": "ก"}
        sample |= {"ko": "가", "ru": "ж", "kk": "ж"}
        if not self.target or not self.source:
            return False
        inside = count_in_script(self.target, sample.get(self.source, "a"))
        known = count_in_script(self.source, "a") is not None
        return known and inside == 0

    def is_source(self, word: str) -> bool:
        """Whether ``word`` is of the source language: by its script, or by the word list."""
        if self._scripts_differ:
            alphabetic = letters(word)
            own = count_in_script(self.source, alphabetic) or 0
            if own > LEAST_SHARE * len(alphabetic):
                return True
        return word.lower() in self.words


def code_switching(output: str, reference: str, language: SourceLanguage) -> float | None:
    """The share of the output's words that are in the source language.

    Words that the reference has too are the translation's own (names, units) and do not count as
    switched. None without a word.
    """
    found = words_of(output)
    if not found:
        return None
    own = {word.lower() for word in words_of(reference)}
    switched = sum(word.lower() not in own and language.is_source(word) for word in found)
    return switched / len(found)


@dataclass(frozen=True)
class Glossary:
    """Prescribed translations. ``terms``: source term -> its allowed renderings."""

    terms: Mapping[str, tuple[str, ...]]
    _patterns: dict[str, re.Pattern[str]] = field(default_factory=dict, repr=False, compare=False)

    def prescribed(self, source: str) -> list[str]:
        """The terms that occur in ``source``, as whole words, in any case."""
        return [term for term in self.terms if self._occurs(term, source)]

    def rendering(self, term: str, output: str) -> str | None:
        """The allowed rendering of ``term`` that ``output`` has; None if it has none."""
        for rendering in self.terms[term]:
            if self._occurs(rendering, output):
                return rendering
        return None

    def adherence(self, source: str, output: str) -> float | None:
        """The share of the prescribed terms that are rendered as prescribed; None without any."""
        terms = self.prescribed(source)
        if not terms:
            return None
        return sum(self.rendering(term, output) is not None for term in terms) / len(terms)

    def _occurs(self, term: str, text: str) -> bool:
        pattern = self._patterns.get(term)
        if pattern is None:
            # A border is wanted only where the term itself ends in a letter of a script that
            # sets words apart; Chinese, Japanese and Thai do not.
            before = r"(?<!\w)" if _spaced(term[:1]) else ""
            after = r"(?!\w)" if _spaced(term[-1:]) else ""
            pattern = re.compile(before + re.escape(term) + after, re.IGNORECASE)
            self._patterns[term] = pattern
        return pattern.search(text) is not None


_UNSPACED = ("zh", "ja", "th")


def _spaced(character: str) -> bool:
    return character.isalnum() and not any(
        count_in_script(language, character) for language in _UNSPACED
    )


def consistency(pairs: Iterable[tuple[str, str]], glossary: Glossary | None = None) -> float | None:
    """How often repeated source material is translated the most usual way.

    Repeated are equal sources (blanks collapsed), and, with a glossary, terms that occur in
    several sources and were rendered as allowed. The score is the sum of the most frequent
    translations over the sum of all occurrences; None where nothing is repeated.
    """
    rendered: dict[str, Counter[str]] = {}
    for source, output in pairs:
        key = " ".join(source.split())
        if key:
            rendered.setdefault(f"\0{key}", Counter())[" ".join(output.split())] += 1
        if glossary is not None:
            for term in glossary.prescribed(source):
                rendering = glossary.rendering(term, output)
                if rendering is not None:
                    rendered.setdefault(term, Counter())[rendering] += 1
    repeated = [counts for counts in rendered.values() if counts.total() > 1]
    if not repeated:
        return None
    usual = sum(max(counts.values()) for counts in repeated)
    return usual / sum(counts.total() for counts in repeated)


def read_glossary(rows: Sequence[tuple[str, str]]) -> Glossary:
    """A glossary from (source term, rendering) rows; several rows of one term allow several."""
    terms: dict[str, list[str]] = {}
    for term, rendering in rows:
        term, rendering = term.strip(), rendering.strip()
        if term and rendering and rendering not in terms.setdefault(term, []):
            terms[term].append(rendering)
    return Glossary({term: tuple(renderings) for term, renderings in terms.items() if renderings})
