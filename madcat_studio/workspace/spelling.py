"""English spelling, from a Hunspell dictionary. Slow to load: for workers, not for keystrokes."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from madcat_studio.errors import InputError

__all__ = ["Speller", "american_english"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def american_english() -> Path:
    """The dictionary that comes with the spelling library."""
    import spylls.hunspell

    return Path(spylls.hunspell.__file__).parent / "data" / "en" / "en_US.dic"


class Speller:
    """Finds words that a dictionary does not have. May be used from any thread."""

    def __init__(self, dictionary: Path | None = None) -> None:
        """Remember which dictionary; it is loaded with the first word.

        Args:
            dictionary: a Hunspell ``.dic`` file with its ``.aff`` file beside it; by default
                American English.
        """
        self._path = dictionary
        self._lock = threading.Lock()
        self._loaded: Any = None
        self._known: dict[str, bool] = {}

    def misspelled(self, text: str, allowed: Iterable[str] = ()) -> tuple[tuple[int, int], ...]:
        """Places (start, end) of words that the dictionary does not have.

        Words that occur in one of the ``allowed`` texts are right: the reference's names are.
        Words with a letter outside Latin script, and those all in capitals, are not judged.

        Raises:
            InputError: ``spelling.dictionary``: the dictionary cannot be read.
        """
        fine = {word.casefold() for one in allowed for word in _WORD.findall(one)}
        found = []
        for match in _WORD.finditer(text):
            word = match[0]
            if word.casefold() in fine or word.isupper() or any(c > "\u024f" for c in word[:1]):
                continue
            if not self._right(word.replace("’", "'")):
                found.append(match.span())
        return tuple(found)

    def suggestions(self, word: str, most: int = 6) -> tuple[str, ...]:
        """Words that may have been meant. It can take half a second.

        Raises:
            InputError: as :meth:`misspelled`.
        """
        with self._lock:
            return tuple(islice(self._dictionary().suggest(word.replace("’", "'")), most))

    def _right(self, word: str) -> bool:
        with self._lock:
            known = self._known.get(word)
            if known is None:
                known = self._known[word] = bool(self._dictionary().lookup(word))
            return known

    def _dictionary(self) -> Any:
        if self._loaded is None:
            path = self._path or american_english()
            try:
                from spylls.hunspell import Dictionary

                with warnings.catch_warnings():
                    # The library leaves its files to be closed by themselves.
                    warnings.simplefilter("ignore", ResourceWarning)
                    self._loaded = Dictionary.from_files(str(path.with_suffix("")))
            except (OSError, ValueError, LookupError) as error:
                raise InputError(
                    "spelling.dictionary",
                    f"The dictionary cannot be read ({type(error).__name__})",
                    where=path,
                    remedy="Give a Hunspell .dic file with its .aff file beside it, or none",
                ) from error
        return self._loaded
