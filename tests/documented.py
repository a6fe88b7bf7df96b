"""The commands that README.md and docs/ show in their blocks, as their readers would type them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

__all__ = ["PAGES", "Shown", "commands_of"]

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(?:text|sh|console|bash)?\n(.*?)^```", re.M | re.S)
_PROGRAMS = ("madcat-studio", ".venv/bin/madcat-studio", "python3", "bash", "cp")


class Shown(NamedTuple):
    """A line of a block: where it stands, and its words without a remark behind."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {shlex.join(self.words)}"

    @property
    def is_ours(self) -> bool:
        """Whether it calls the program."""
        return self.words[0].endswith("madcat-studio")


def commands_of(page: Path) -> list[Shown]:
    """The commands in the blocks of a page, in order; what else stands there is no command."""
    found = []
    for block in _BLOCK.findall(page.read_text("utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith(_PROGRAMS):
                words = shlex.split(re.sub(r"\s+(#|> ).*", "", line))
                found.append(Shown(page.name, tuple(words)))
    return found
