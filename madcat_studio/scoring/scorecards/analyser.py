"""Words that a finite-state analyser of GiellaLT knows: any ``.hfstol`` file, through pyhfst."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError, InputError, WorldError

__all__ = ["Analyser"]

MOST_SECONDS = 10.0
"""For one word: analysers can hold cycles that have no end."""


class Analyser:
    """A morphological analyser.

    Raises:
        WorldError: ``scorecards.no-pyhfst``: the extra is not installed.
        InputError: ``scorecards.no-analyser``: no such file.
        FormatError: ``scorecards.bad-analyser``: the file is no optimised-lookup transducer.
    """

    def __init__(self, path: Path) -> None:
        if find_spec("pyhfst") is None:
            raise WorldError(
                "scorecards.no-pyhfst",
                "the package pyhfst, which reads analysers, is not installed",
                remedy="Install it with: pip install 'madcat-studio[fst]'",
            )
        if not path.is_file():
            raise InputError("scorecards.no-analyser", "there is no such file", where=path)
        with warnings.catch_warnings():
            # It imports a name that newer Pythons have deprecated.
            warnings.simplefilter("ignore", DeprecationWarning)
            import pyhfst
        self.path = path
        try:
            self._transducer: Any = pyhfst.HfstInputStream(path).read()
        except Exception as error:
            # pyhfst reads without checking: a wrong file ends in whatever comes first.
            raise FormatError(
                "scorecards.bad-analyser",
                "this is not an optimised-lookup transducer, or it is damaged",
                where=path,
                remedy="Give the .hfstol file of the language's analyser",
            ) from error

    def accepts(self, word: str) -> bool:
        """Whether the analyser has at least one analysis for ``word`` as it stands."""
        try:
            return bool(self._transducer.lookup(word, MOST_SECONDS))
        except Exception as error:
            raise FormatError(
                "scorecards.bad-analyser",
                f"the analyser fails on the word “{word}”: the file may be damaged",
                where=self.path,
                remedy="Give the .hfstol file of the language's analyser",
            ) from error
