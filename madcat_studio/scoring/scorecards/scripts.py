"""Which writing system a letter belongs to, for the targets that the page scorecard knows."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["LATIN_TARGETS", "SCRIPTED_TARGETS", "count_in_script", "known_target", "letters"]

_HAN = "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df"
_KANA = "\u3040-\u30ff\uff66-\uff9f"
_ARABIC = "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff"
_THAI = "\u0e00-\u0e7f"
_HANGUL = "\uac00-\ud7af\u1100-\u11ff\u3130-\u318f"
_CYRILLIC = "\u0400-\u04ff"
# Vietnamese needs the additional block; IPA and everything above U+0250 is not an alphabet.
_LATIN = "\u0000-\u024f\u1e00-\u1eff"

SCRIPTED_TARGETS: Mapping[str, re.Pattern[str]] = {
    target: re.compile(f"[{ranges}]")
    for target, ranges in {
        "zh": _HAN,
        "zh-tw": _HAN,
        "ja": _KANA + _HAN,
        "ar": _ARABIC,
        "ur": _ARABIC,
        "th": _THAI,
        "ko": _HANGUL,
        "ru": _CYRILLIC,
        "kk": _CYRILLIC,
    }.items()
}
"""Targets that a script of their own tells apart, with the characters of that script."""

LATIN_TARGETS: Mapping[str, frozenset[str]] = {
    "es": frozenset({"es"}),
    "de": frozenset({"de"}),
    "fr": frozenset({"fr"}),
    "en": frozenset({"en"}),
    "vi": frozenset({"vi"}),
    # Malay and Indonesian are mutually intelligible; short texts cannot be told apart.
    "ms": frozenset({"ms", "id"}),
    "id": frozenset({"ms", "id"}),
    "uz": frozenset({"uz"}),
}
"""Targets in Latin letters, with the detected languages that are accepted for each."""


def known_target(target: str) -> str:
    """A target's code as the tables have it: ``zh-TW`` and ``ZH_tw`` mean ``zh-tw``, ``pt-BR`` is
    ``pt``."""
    folded = target.casefold().replace("_", "-")
    if folded in SCRIPTED_TARGETS or folded in LATIN_TARGETS:
        return folded
    return folded.partition("-")[0]


_LATIN_LETTER = re.compile(f"[{_LATIN}]")


def letters(text: str) -> str:
    """The alphabetic characters of ``text``."""
    return "".join(filter(str.isalpha, text))


def count_in_script(target: str, alphabetic: str) -> int | None:
    """How many of the letters ``alphabetic`` are of the target's script; None if unknown."""
    target = known_target(target)
    pattern = SCRIPTED_TARGETS.get(target)
    if pattern is None:
        if target not in LATIN_TARGETS:
            return None
        pattern = _LATIN_LETTER
    return len(pattern.findall(alphabetic))
