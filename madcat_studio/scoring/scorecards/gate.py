"""The language gate: text that is plainly not in the target language scores nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from madcat_studio.scoring.scorecards import langid
from madcat_studio.scoring.scorecards.scripts import (
    LATIN_TARGETS,
    SCRIPTED_TARGETS,
    count_in_script,
    known_target,
    letters,
)

__all__ = ["MIN_LETTERS", "GateRules", "Verdict", "check", "target_of"]

MIN_LETTERS = 4
"""Texts with fewer letters pass unchecked."""

LEAST_SHARE = 0.5
"""The least share of letters in the target's script."""


@dataclass(frozen=True, slots=True)
class GateRules:
    """Where the published code and the document part, and what a user may choose.

    Attributes:
        blanks_count: whether blanks inside the text count as letters for "too short".
        unsupported_pass: whether text passes for a target that the detector has no profile for.
        every_profile: whether text for a target that the document does not list is checked by the
            detector's profile of it, and codes are read in any case (``en-zh-TW``).
        min_letters_latin: the fewest letters that the detector is asked about, for targets in
            Latin letters. It rejects correct short text; a higher number rejects less.
    """

    blanks_count: bool = False
    unsupported_pass: bool = True
    every_profile: bool = True
    min_letters_latin: int = MIN_LETTERS


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a text may score, and which rule said so.

    Attributes:
        accepted: False forces the region's text score to 0.
        reason: ``empty``, ``unknown-target`` (nothing tells it from others: accepted), ``short``,
            ``script:<in>/<of>``, ``no-letters``,
            ``no-profile``, ``langdetect:<code>``, ``no-features`` (the detector failed: accepted)
            or ``not-run`` (the detector is not installed: accepted).
    """

    accepted: bool
    reason: str


def target_of(pair: str) -> str:
    """The target of a pair: what stands after its first hyphen (``en-zh-tw`` gives ``zh-tw``)."""
    return pair.partition("-")[2]


def check(
    items: Sequence[tuple[str, str]],
    rules: GateRules,
    detect: Callable[[Sequence[str]], Sequence[str | None]] | None = None,
) -> list[Verdict]:
    """The verdict for each (text, target); the detector is asked once for each distinct text.

    Args:
        items: predicted texts with their targets.
        rules: the profile's and the user's choices.
        detect: the detector; None: langdetect, or no detector at all if it is not installed.
    """
    if detect is None and langid.available():
        detect = langid.detect
    verdicts = [_without_detector(text, target, rules) for text, target in items]
    asked = [position for position, verdict in enumerate(verdicts) if verdict is None]
    found: dict[str, str | None] = {}
    if asked and detect is not None:
        texts = list(dict.fromkeys(items[position][0] for position in asked))
        found = dict(zip(texts, detect(texts), strict=True))
    answers: list[Verdict] = []
    for (text, target), verdict in zip(items, verdicts, strict=True):
        if verdict is not None:
            answers.append(verdict)
        elif detect is None:
            answers.append(Verdict(True, "not-run"))
        else:
            code = found[text]
            if code is None:
                answers.append(Verdict(True, "no-features"))
            else:
                answers.append(Verdict(code in _accepted(target, rules), f"langdetect:{code}"))
    return answers


def _accepted(target: str, rules: GateRules) -> frozenset[str]:
    """The detector's codes that are right for a target; none for one that is not known."""
    if not rules.every_profile:
        return LATIN_TARGETS.get(target, frozenset())
    target = known_target(target)
    if target in LATIN_TARGETS:
        return LATIN_TARGETS[target]
    return frozenset({target}) & langid.languages() if langid.available() else frozenset()


def _without_detector(text: str, target: str, rules: GateRules) -> Verdict | None:
    """The verdict where a rule before the detector decides; None where it has to be asked."""
    if not text.strip():
        return Verdict(True, "empty")
    accepted = _accepted(target, rules)
    if rules.every_profile:
        target = known_target(target)
    scripted = target in SCRIPTED_TARGETS
    if not scripted and not accepted:
        return Verdict(True, "unknown-target")
    alphabetic = letters(text)
    counted = len(alphabetic)
    if rules.blanks_count:
        counted += sum(map(str.isspace, text.strip()))
    least = MIN_LETTERS if scripted else rules.min_letters_latin
    if counted < least:
        return Verdict(True, "short")
    if scripted:
        if not alphabetic:
            return Verdict(True, "no-letters")
        inside = count_in_script(target, alphabetic) or 0
        share = f"script:{inside}/{len(alphabetic)}"
        return Verdict(inside >= LEAST_SHARE * len(alphabetic), share)
    if rules.unsupported_pass and langid.available() and not (accepted & langid.languages()):
        return Verdict(True, "no-profile")
    return None
