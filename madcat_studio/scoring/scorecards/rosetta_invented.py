"""How much of an output may be invented: signs that need no model, in the public harness's shares.

Length, repetition, names and echo of the source are signs, not proofs: the harness says itself that
nobody held them against people's judgement. The rate is 0 for nothing odd and 1 at most.
"""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["SHARES", "invented"]

SHARES = {"length": 0.4, "repetition": 0.3, "names": 0.2, "echo": 0.1}
"""Of each sign in the rate."""

_SHORTEST, _LONGEST = 0.3, 3.0
"""Characters of the output over those of the source between which a length is not odd."""
_LONG_FOR_NOTHING = 10
_REPEATED = 3
"""Words of a stretch that is looked for again."""
_ALIKE = 0.85
_NAME = re.compile(r"\b[A-Z][a-zA-Z]{2,}\b")


def invented(source: str, output: str) -> float:
    """The rate of one output; an empty one has invented nothing."""
    source, output = source.strip(), output.strip()
    if not output:
        return 0.0
    signs = {
        "length": _length(source, output),
        "repetition": _repetition(output),
        "names": _names(source, output),
        "echo": _echo(source.lower(), output.lower()),
    }
    return min(1.0, sum(SHARES[name] * value for name, value in signs.items()))


def _length(source: str, output: str) -> float:
    if not source:
        return float(len(output) > _LONG_FOR_NOTHING)
    ratio = len(output) / len(source)
    if ratio > _LONGEST:
        return min(1.0, (ratio - _LONGEST) / _LONGEST)
    return max(0.0, (_SHORTEST - ratio) / _SHORTEST)


def _repetition(output: str) -> float:
    """The share of stretches of words that were there before."""
    words = output.lower().split()
    stretches = [tuple(words[at : at + _REPEATED]) for at in range(len(words) - _REPEATED + 1)]
    if len(stretches) < 2:
        return 0.0
    return 1 - len(set(stretches)) / len(stretches)


def _names(source: str, output: str) -> float:
    """The share of capitalised words that the source does not have, in any case."""
    known = {name.lower() for name in _NAME.findall(source)}
    found = {name.lower() for name in _NAME.findall(output)}
    return len(found - known) / len(found) if found else 0.0


def _echo(source: str, output: str) -> float:
    """1 for the source itself, one half for nearly its letters."""
    if source == output:
        return 1.0
    if not source:
        return 0.0
    shared = (Counter(source) & Counter(output)).total()
    return 0.5 if shared / max(len(source), len(output)) > _ALIKE else 0.0
