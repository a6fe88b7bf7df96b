"""Prints what a screen reader is told of the window: ``python -m scripts.heard [NAME]``.

NAME is that of a picture (``python3 run.py screenshots``), by default ``kit``: the window is
brought to the same place, and its tree is written as text, one thing a line.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.screenshots.__main__ import SHOTS, studio_at

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibleInterface

__all__ = ["main", "tree"]

_LONGEST = 96


def tree(of: QAccessibleInterface, depth: int = 0) -> Iterator[str]:
    """What is told of a thing and of all that it holds, as far as it is on the screen."""
    from PySide6.QtGui import QAccessible

    state, said = of.state(), [of.role().name]
    kinds = QAccessible.Text
    for before, kind in (("", kinds.Name), ("= ", kinds.Value), ("– ", kinds.Description)):
        if words := " ".join(of.text(kind).split()):
            cut = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
            said.append(f"{before}“{cut}”")
    said += [word for word in ("focused", "selected", "checked") if getattr(state, word)]
    yield "  " * depth + " ".join(said)
    for number in range(of.childCount()):
        child = of.child(number)
        # A list may have rows that it has not laid out; what is hidden is not told.
        if child is not None and not child.state().invisible:
            yield from tree(child, depth + 1)


def main(arguments: Sequence[str] = ()) -> int:
    """Print the tree of one view; the exit status."""
    parser = argparse.ArgumentParser(description="Print what a screen reader is told of a view.")
    known = {shot.name: shot for shot in SHOTS}
    parser.add_argument("name", nargs="?", default="kit", choices=sorted(known), metavar="NAME")
    options = parser.parse_args(list(arguments))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="madcat-studio-") as home:
        studio = studio_at(Path(home))
        from PySide6.QtGui import QAccessible

        dialog = known[options.name].prepare(studio)
        shown = dialog if dialog is not None else studio.window
        shown.show()
        studio.settle()
        for line in tree(QAccessible.queryAccessibleInterface(shown)):
            print(line)
        studio.window.leave()
        studio.window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
