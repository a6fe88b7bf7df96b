# The compiled text work. What it takes and gives is told at its twin, python_text.py.
from collections.abc import Sequence

from madcat_studio.scoring.kernel.python_text import Ids

def prepare(
    outputs: list[str], references: list[str], normalise: bool, no_punctuation: bool
) -> Ids: ...
def intern(outputs: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Ids: ...
def split(text: str, normalise: bool, no_punctuation: bool) -> list[str]: ...
