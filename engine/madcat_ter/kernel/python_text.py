"""The text module's twin in Python: texts or words in, word ids out as flat arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from madcat_ter.text import TRIMMED, normalise_and_split

__all__ = [
    "Ids",
    "intern",
    "java_double",
    "prepare",
    "split",
    "ter_lines",
    "trans_lines",
    "trans_pairs",
]

Ids = tuple[
    npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int64]
]
"""Ids of all outputs, where each output ends; the same of the references."""


def split(text: str, normalise: bool, no_punctuation: bool) -> list[str]:
    """The words of one text, folded already, by tercom's rules."""
    return normalise_and_split(text.strip(TRIMMED), normalise, no_punctuation)


def prepare(
    outputs: list[str],
    references: list[str],
    normalise: bool,
    no_punctuation: bool,
    poll: Callable[[], object] | None = None,
) -> Ids:
    """Split all texts (folded already) and number their words, pair by pair.

    ``poll`` is called now and then; what it raises ends the work.
    """

    def words_of(text: str) -> list[str]:
        if poll is not None:
            poll()
        return split(text, normalise, no_punctuation)

    return intern(list(map(words_of, outputs)), list(map(words_of, references)))


def intern(outputs: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Ids:
    """Number the words of each pair: the reference's in order of appearance, from 0.

    Words that only the output has share the next number, for only matches count.
    """
    if len(outputs) != len(references):
        raise ValueError("there must be as many references as outputs")
    output_ids: list[int] = []
    output_ends: list[int] = []
    reference_ids: list[int] = []
    reference_ends: list[int] = []
    for output, reference in zip(outputs, references, strict=True):
        if isinstance(output, str) or isinstance(reference, str):
            raise TypeError("words must be a list, not a single text")
        ids: dict[str, int] = {}
        reference_ids += [ids.setdefault(word, len(ids)) for word in reference]
        output_ids += [ids.get(word, len(ids)) for word in output]
        output_ends.append(len(output_ids))
        reference_ends.append(len(reference_ids))
    return (
        np.array(output_ids, np.int32),
        np.array(output_ends, np.int64),
        np.array(reference_ids, np.int32),
        np.array(reference_ends, np.int64),
    )


def trans_lines(data: bytes) -> tuple[list[str], list[str]] | None:
    """Ids and texts of tercom's Trans lines; None leaves them to the careful reader.

    Python has no reader that is faster than that one.
    """
    del data
    return None


def trans_pairs(
    outputs: bytes,
    references: bytes,
    normalise: bool,
    no_punctuation: bool,
    poll: Callable[[], object] | None = None,
) -> tuple[list[str], Ids, int] | None:
    """Two files of Trans lines straight to word ids, where nothing about them is unusual.

    The ids are the same on both sides, each once and without a colon. Gives the names, the ids and
    how many pairs have text on both sides. None, as always here, leaves the files to the careful
    reader.
    """
    del outputs, references, normalise, no_punctuation, poll
    return None


def ter_lines(ids: list[str], edits: list[float], words: list[float]) -> str:
    """The lines of a ``.ter`` file: id, edits, words and tercom's rate, as Java writes doubles."""
    lines = []
    for name, edit, word in zip(ids, edits, words, strict=True):
        rate = edit / word if word > 0 else float(edit > 0)
        lines.append(f"{name} {java_double(edit)} {java_double(word)} {java_double(rate)}\n")
    return "".join(lines)


def java_double(value: float) -> str:
    """A double as Java's ``Double.toString`` writes it: ``3.0``, ``9.5E-4``, ``NaN``."""
    if 1e-3 <= value < 1e7:
        return repr(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = repr(value)
        return format(Decimal(text), "f") if "e" in text else text
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    figures = "".join(map(str, digits))
    return f"{'-' if sign else ''}{figures[0]}.{figures[1:] or '0'}E{exponent + len(figures) - 1}"
