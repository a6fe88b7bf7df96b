"""What a judge model's reply says: two scores between delimiters, in a form that is not JSON.

The prompt asks for ``||V^=^V||``, ``"harmonization_score" : [n]``, ``"alignment_score" : [n]``,
``"reasoning" : …``, ``||V^=^V||``. The prompt's own example has raw line breaks and no braces, so
the keys are looked for one by one. A reply that does not hold is an error of a named kind; a score
is never guessed, rescaled or set to 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["ALIGNMENT", "DELIMITER", "HARMONISATION", "JudgeReply", "read_reply"]

DELIMITER = "||V^=^V||"
HARMONISATION = "harmonization_score"
ALIGNMENT = "alignment_score"
REASONING = "reasoning"

HIGHEST = 10.0

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """A reply that was read.

    Attributes:
        harmonisation: naturalness, 0..10; None with an error.
        alignment: 0..10; None with an error.
        reasoning: the judge's words, blanks collapsed.
        warnings: ``several_blocks``, ``extra_values_<key>``, ``missing_reasoning``.
        error: None, or the kind of what is wrong: ``empty_response``, ``missing_delimiter``,
            ``unterminated_block``, ``unbalanced_delimiters``, ``empty_block``, and with a key
            ``missing_…``, ``empty_…``, ``bad_list_…``, ``not_a_number_…``, ``conflicting_…``,
            ``out_of_range_…``.
    """

    harmonisation: float | None = None
    alignment: float | None = None
    reasoning: str = ""
    warnings: tuple[str, ...] = ()
    error: str | None = None


class _Wrong(Exception):
    """The kind of what is wrong with a reply."""


def read_reply(text: str) -> JudgeReply:
    """Read the content of a judge's reply; never raises."""
    warnings: list[str] = []
    try:
        block = _block(text, warnings)
        reasoning_at = _key(REASONING).search(block)
        searched = block
        if reasoning_at is not None:
            before = block[: reasoning_at.start()]
            # The judge may speak of its scores; a reasoning that comes first holds them.
            if all(_key(key).search(before) for key in (HARMONISATION, ALIGNMENT)):
                searched = before
        harmonisation = _score(searched, HARMONISATION, warnings)
        alignment = _score(searched, ALIGNMENT, warnings)
    except _Wrong as wrong:
        return JudgeReply(warnings=tuple(warnings), error=str(wrong))
    reasoning = ""
    if reasoning_at is None:
        warnings.append("missing_reasoning")
    else:
        reasoning = _plain(block[reasoning_at.end() :])
    return JudgeReply(harmonisation, alignment, reasoning, tuple(warnings))


def _block(text: str, warnings: list[str]) -> str:
    if not text.strip():
        raise _Wrong("empty_response")
    parts = text.split(DELIMITER)
    if len(parts) == 1:
        raise _Wrong("missing_delimiter")
    if len(parts) == 2:
        raise _Wrong("unterminated_block")
    if len(parts) % 2 == 0:
        raise _Wrong("unbalanced_delimiters")
    blocks = parts[1::2]
    if len(blocks) > 1:
        # Judges repeat the prompt's example first.
        warnings.append("several_blocks")
    if not blocks[-1].strip():
        raise _Wrong("empty_block")
    return blocks[-1]


def _key(name: str) -> re.Pattern[str]:
    return re.compile(rf'(?<![\w])"?{name}"?\s*:\s*')


def _score(block: str, key: str, warnings: list[str]) -> float:
    found = list(_key(key).finditer(block))
    if not found:
        raise _Wrong(f"missing_{key}")
    extra = False
    values: list[float] = []
    for one in found:
        written, more = _written(block[one.end() :], key)
        extra = extra or more
        if not _NUMBER.fullmatch(written):
            raise _Wrong(f"not_a_number_{key}")
        values.append(float(written))
    if len(set(values)) > 1:
        raise _Wrong(f"conflicting_{key}")
    if not 0 <= values[0] <= HIGHEST:
        raise _Wrong(f"out_of_range_{key}")
    if extra:
        warnings.append(f"extra_values_{key}")
    return values[0]


def _written(rest: str, key: str) -> tuple[str, bool]:
    """The value as it is written at the start of ``rest``, and whether more follow in its list."""
    if not rest.startswith("["):
        scalar = re.match(r'\s*(?:"([^"\n]*)"|([^,}\n\r"]*))', rest)
        value = ((scalar.group(1) or scalar.group(2) or "") if scalar else "").strip()
        # Several pairs on one line are set apart by commas alone.
        if not value:
            raise _Wrong(f"empty_{key}")
        return value, False
    inside, closed, _ = rest[1:].partition("]")
    if not closed or "[" in inside or ":" in inside:
        raise _Wrong(f"bad_list_{key}")
    if not inside.strip():
        raise _Wrong(f"empty_{key}")
    values = [value.strip().strip('"').strip() for value in inside.split(",")]
    if not all(values):
        raise _Wrong(f"bad_list_{key}")
    return values[0], len(values) > 1


def _plain(text: str) -> str:
    """Reasoning without its frame: a closing brace, and quotes around the whole."""
    text = " ".join(text.split())
    if text.endswith("}"):
        text = text[:-1].rstrip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        text = text[1:-1].strip()
    return text
