"""Spelling, from a Hunspell dictionary. Slow to load: for workers, not for keystrokes."""

from __future__ import annotations

import gc
import re
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from madcat_studio.errors import InputError
from madcat_studio.workspace.dictionaries import AMERICAN, find_dictionary

__all__ = ["Speller"]

# Also a letter with its marks behind it, as another machine writes é.
_LETTER = r"(?:[^\W\d_][\u0300-\u036f]*)"
_WORD = re.compile(rf"{_LETTER}+(?:['’ʼ]{_LETTER}+)*")
_APOSTROPHES = str.maketrans("’ʼ", "''")


def _plain(word: str) -> str:
    """A word in the one form that dictionaries have of several that look alike."""
    return unicodedata.normalize("NFC", word).translate(_APOSTROPHES)


def _forms(word: str) -> tuple[str, str]:
    """A word for comparing, and that of which it says that something is its own."""
    folded = _plain(word).casefold()
    return folded, folded.removesuffix("'s").removesuffix("'")


class Speller:
    """Finds words that a dictionary does not have. May be used from any thread."""

    def __init__(self, dictionary: Path | str = AMERICAN, own: Path | None = None) -> None:
        """Remember which dictionary; it is looked for and loaded with the first word.

        Args:
            dictionary: a Hunspell ``.dic`` file with its ``.aff`` file beside it, or the name of
                one that is here somewhere.
            own: as for :func:`~madcat_studio.workspace.dictionaries.find_dictionary`.
        """
        self._chosen, self._own = dictionary, own
        self._lock = threading.Lock()
        self._loaded: Any = None
        self._known: dict[str, bool] = {}

    def misspelled(self, text: str, allowed: Iterable[str] = ()) -> tuple[tuple[int, int], ...]:
        """Places (start, end) of words that the dictionary does not have.

        Words that occur in one of the ``allowed`` texts are right, in whatever case and with
        whatever apostrophe, also with a genitive's: the reference's names are. Words with a letter
        outside Latin script, and those all in capitals, are not judged.

        Raises:
            InputError: ``spelling.missing``, ``spelling.dictionary``: there is none, or it cannot
                be read.
        """
        fine = {form for one in allowed for word in _WORD.findall(one) for form in _forms(word)}
        found = []
        for match in _WORD.finditer(text):
            word = match[0]
            if word.isupper() or any(c > "\u024f" for c in word[:1]):
                continue
            if fine.isdisjoint(_forms(word)) and not self._right(_plain(word)):
                found.append(match.span())
        return tuple(found)

    def suggestions(self, word: str, most: int = 6) -> tuple[str, ...]:
        """Words that may have been meant. It can take half a second.

        Raises:
            InputError: as :meth:`misspelled`.
        """
        with self._lock, self._guard():
            return tuple(islice(self._dictionary().suggest(_plain(word)), most))

    def _right(self, word: str) -> bool:
        with self._lock, self._guard():
            known = self._known.get(word)
            if known is None:
                known = self._known[word] = bool(self._dictionary().lookup(word))
            return known

    def _dictionary(self) -> Any:
        if self._loaded is None:
            if isinstance(self._chosen, str):
                self._chosen = find_dictionary(self._chosen, self._own)
            path = self._chosen.with_suffix(".dic")
            self._loaded = _load(path, path.stat().st_mtime_ns)
        return self._loaded

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn what an odd dictionary does to the library into one message."""
        try:
            yield
        except InputError:
            raise
        except OSError as error:
            raise _unreadable(self._chosen, error.strerror or str(error)) from error
        except Exception as error:
            raise _unreadable(self._chosen, "it is none of Hunspell's") from error


@lru_cache(maxsize=2)
def _load(path: Path, _changed: int) -> Any:
    """A dictionary, read once in a program as long as its file stays as it is."""
    from spylls.hunspell import Dictionary

    why = "there is no word in it"
    with warnings.catch_warnings():
        # The library leaves its files to be closed by themselves; what it raised is let go of
        # here for the same reason.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            loaded = Dictionary.from_files(str(path.with_suffix("")))
            if loaded.dic.words:
                return loaded
        except OSError as error:
            why = error.strerror or str(error)
        except Exception:  # it checks little, and fails as it happens
            why = "it is none of Hunspell's"
        gc.collect()
    raise _unreadable(path, why)


def _unreadable(path: Path | str, why: str) -> InputError:
    return InputError(
        "spelling.dictionary",
        f"The dictionary cannot be used: {why[:1].lower() + why[1:]}",
        where=path,
        remedy="Choose a Hunspell .dic file with its .aff file beside it",
    )
