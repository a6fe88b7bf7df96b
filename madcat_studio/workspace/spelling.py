"""English spelling, from a Hunspell dictionary. Slow to load: for workers, not for keystrokes."""

from __future__ import annotations

import gc
import re
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
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
        with self._lock, _guard(self._path):
            return tuple(islice(self._dictionary().suggest(word.replace("’", "'")), most))

    def _right(self, word: str) -> bool:
        with self._lock, _guard(self._path):
            known = self._known.get(word)
            if known is None:
                known = self._known[word] = bool(self._dictionary().lookup(word))
            return known

    def _dictionary(self) -> Any:
        if self._loaded is None:
            path = (self._path or american_english()).with_suffix(".dic")
            self._loaded = _load(path, path.stat().st_mtime_ns)
        return self._loaded


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


@contextmanager
def _guard(path: Path | None) -> Iterator[None]:
    """Turn what an odd dictionary does to the library into one message."""
    try:
        yield
    except InputError:
        raise
    except OSError as error:
        raise _unreadable(path or american_english(), error.strerror or str(error)) from error
    except Exception as error:
        raise _unreadable(path or american_english(), "it is none of Hunspell's") from error


def _unreadable(path: Path, why: str) -> InputError:
    return InputError(
        "spelling.dictionary",
        f"The dictionary cannot be used: {why[:1].lower() + why[1:]}",
        where=path,
        remedy="Choose a Hunspell .dic file with its .aff file beside it, or none for English",
    )
