"""What a recogniser read instead of an Arabic word: lost dots, lost hamzas, look-alikes."""

from __future__ import annotations

from scripts.demo.chance import share

__all__ = ["NOISE", "misread", "read_word"]

NOISE = {"juniper": 0.06, "tamarisk": 0.12}
"""Share of words that each system reads wrongly for no reason of the translation's."""

_HAMZA = str.maketrans("أإآؤئ", "اااوي")
_END = {"ة": "ه", "ى": "ي", "ي": "ى"}
_DOTS = {
    "ب": "تن",
    "ت": "بث",
    "ث": "ت",
    "ج": "حخ",
    "ح": "جخ",
    "خ": "ح",
    "د": "ذ",
    "ذ": "د",
    "ر": "ز",
    "ز": "ر",
    "س": "ش",
    "ش": "س",
    "ص": "ض",
    "ض": "ص",
    "ط": "ظ",
    "ع": "غ",
    "غ": "ع",
    "ف": "ق",
    "ق": "ف",
    "ن": "ب",
}


def read_word(word: str, rate: float, *key: object) -> str:
    """``word`` as it was read: with probability ``rate`` something went wrong."""
    if share("read", *key) >= rate or not any("\u0620" <= letter <= "\u064a" for letter in word):
        return word
    return misread(word, *key)


def misread(word: str, *key: object) -> str:
    """``word`` with one believable misreading; itself where none applies."""
    ways = []
    if word.translate(_HAMZA) != word:
        ways += [word.translate(_HAMZA)] * 2
    if word[-1] in _END:
        ways.append(word[:-1] + _END[word[-1]])
    ways += [
        word[:place] + other + word[place + 1 :]
        for place, letter in enumerate(word)
        for other in _DOTS.get(letter, "")
    ]
    return ways[int(share("way", *key) * len(ways))] if ways else word
