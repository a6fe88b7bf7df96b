"""From a text to the words that are compared: one named step after the other.

The order of the steps is fixed, and each is applied exactly once:

1. the Unicode and Arabic switches (NFKC, diacritics, tatweel, alef, yeh, teh marbuta, digits);
2. trimming, as tercom trims the lines that it reads;
3. lower case, where case does not count. A text that is empty here has no words;
4. ``-N``, tercom's normalisation;
5. ``-P``, tercom's removal of punctuation;
6. splitting at ASCII blanks, by the rules of Java's ``split``.

Steps 2 to 6 are those of tercom 0.7.25. Step 4 is not idempotent: ``foo's.`` becomes ``foo's .``,
and applied again ``foo 's .``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from madcat_ter.errors import InputError
from madcat_ter.options import TextOptions

__all__ = [
    "FOREIGN_BLANKS",
    "TRIMMED",
    "check_text",
    "check_texts",
    "fold",
    "normalise",
    "normalise_and_split",
    "remove_punctuation",
    "split",
    "words",
]

BLANKS = " \t\n\v\f\r"
"""What tercom splits at: the blanks of Java's ``\\s``. A no-break space is none of them."""

FOREIGN_BLANKS = frozenset("\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000") | {
    chr(point) for point in range(0x2000, 0x200B)
}
"""Characters that look like blanks and do not split words (a report warns of them)."""

TRIMMED = "".join(map(chr, range(0x21)))
"""What is trimmed from the ends: everything up to the blank, control characters included."""

_SYMBOLS = re.compile(r"([{-~\[-` -&(-+:-@/])")
_AFTER_OTHER = re.compile(r"([^0-9])([.,])")
_BEFORE_OTHER = re.compile(r"([.,])([^0-9])")
_AFTER_DIGIT = re.compile(r"([0-9])(-)")
_RUN_OF_BLANKS = re.compile(f"[{BLANKS}]+")
_PUNCTUATION = str.maketrans("", "", '.,?:;!"()')
_SURROGATE = re.compile("[\ud800-\udfff]")


def check_text(text: str, what: str = "the text") -> str:
    """Return ``text`` if it can be scored.

    Raises:
        InputError: it is not a string, or holds NUL or a lone surrogate.
    """
    if not isinstance(text, str):
        raise InputError(
            "scoring.not-text",
            f"{what} is a {type(text).__name__}, not a text",
            remedy="Pass a str; decode bytes first",
        )
    if "\0" in text:
        raise InputError(
            "scoring.nul",
            f"{what} holds a NUL character at position {text.index(chr(0))}",
            remedy="The file is probably UTF-16 or not text; convert it to UTF-8",
        )
    if not text.isascii() and (found := _SURROGATE.search(text)):
        raise InputError(
            "scoring.lone-surrogate",
            f"{what} holds half a character (U+{ord(found[0]):04X}) at position {found.start()}",
            remedy="The text was decoded wrongly; read it again as UTF-8",
        )
    return text


def check_texts(texts: Sequence[str], what: str) -> Sequence[str]:
    """Return ``texts`` if it is a sequence of texts and not a single one.

    Raises:
        InputError: a bare string, which would be compared character by character, or a member
            that :func:`check_text` refuses.
    """
    if isinstance(texts, str | bytes):
        raise InputError(
            "scoring.bare-string",
            f"{what} must be a list of texts, not a single {type(texts).__name__}",
            remedy="Put it into a list: [text]",
        )
    try:
        together = "".join(texts)
    except TypeError:
        together = "\0"
    if "\0" in together or (not together.isascii() and _SURROGATE.search(together)):
        for text in texts:  # find out which it is
            check_text(text, f"a member of {what}")
    return texts


def fold(text: str, options: TextOptions) -> str:
    """Steps 1 to 3: the Unicode and Arabic switches, trimming, case."""
    if options.nfkc:
        text = unicodedata.normalize("NFKC", text)
    text = options.translate(text).strip(TRIMMED)
    return text if options.case_sensitive else text.lower()


def normalise(text: str) -> str:
    """Step 4, tercom's ``-N``: split punctuation off. Apply it exactly once."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    text = text.replace("&quot;", '"').replace("&amp;", "&")
    text = text.replace("&lt;", "<").replace("&gt;", ">")
    text = _SYMBOLS.sub(r" \1 ", f" {text} ").replace("'s ", " 's ")
    text = _AFTER_OTHER.sub(r"\1 \2 ", text)
    text = _BEFORE_OTHER.sub(r" \1 \2", text)
    text = _AFTER_DIGIT.sub(r"\1 \2 ", text)
    return _RUN_OF_BLANKS.sub(" ", text).strip(" ")


def remove_punctuation(text: str) -> str:
    """Step 5, tercom's ``-P``. The ends are not trimmed, so a blank can come first."""
    return _RUN_OF_BLANKS.sub(" ", text.translate(_PUNCTUATION))


def split(text: str) -> list[str]:
    """Step 6, Java's ``split("\\s+")``: at runs of ASCII blanks only.

    Empty words at the end are dropped, one at the beginning is kept, and the empty text is one
    empty word. (``". ."`` under ``-P`` becomes one blank, which has no words.)
    """
    if not text:
        return [""]
    parts = _RUN_OF_BLANKS.split(text)
    while parts and not parts[-1]:
        parts.pop()
    return parts


def words(text: str, options: TextOptions) -> list[str]:
    """All steps: the words of ``text`` that are compared.

    >>> words("foo's.", TextOptions())
    ["foo's", '.']
    """
    text = fold(text, options)
    return normalise_and_split(text, options.normalise, options.no_punctuation)


def normalise_and_split(text: str, with_normalisation: bool, no_punctuation: bool) -> list[str]:
    """Steps 4 to 6 as they are switched on, of a text that was folded; no words if it is empty."""
    if not text:
        return []
    if with_normalisation:
        text = normalise(text)
    if no_punctuation:
        text = remove_punctuation(text)
    return split(text)
