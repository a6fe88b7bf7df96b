# The compiled text work. What it takes and gives is told at its twin, python_text.py.
from collections.abc import Callable, Sequence

from madcat_ter.kernel.python_text import Ids

def prepare(
    outputs: list[str],
    references: list[str],
    normalise: bool,
    no_punctuation: bool,
    poll: Callable[[], object] | None = None,
) -> Ids: ...
def intern(outputs: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Ids: ...
def trans_pairs(
    outputs: bytes,
    references: bytes,
    normalise: bool,
    no_punctuation: bool,
    poll: Callable[[], object] | None = None,
) -> tuple[list[str], Ids, int] | None: ...
def trans_lines(data: bytes) -> tuple[list[str], list[str]] | None: ...
def ter_lines(ids: list[str], edits: list[float], words: list[float]) -> str: ...
def split(text: str, normalise: bool, no_punctuation: bool) -> list[str]: ...
