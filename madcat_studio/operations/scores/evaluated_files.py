"""Which files an evaluation reads: references and outputs, by document."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from madcat_studio.formats import madcat

__all__ = ["EvaluatedFiles"]


class EvaluatedFiles:
    """Where the file of each document is, by BASE and kind: there can be a million of them.

    A kind is a system with a suffix, or the references. Kept of a file is the folder that it lies
    in; documents whose files lie in the same folders share that.
    """

    def __init__(self) -> None:
        self._folders: dict[str, tuple[str | None, ...]] = {}
        self._suffixes: list[str] = []
        self.counts: list[int] = []

    def __len__(self) -> int:
        return sum(self.counts)

    def bases(self) -> list[str]:
        """All documents, in order."""
        return sorted(self._folders)

    def add(self, folder: Path, suffix: str) -> int:
        """Take in the files in the folder (or the folders in it) with exactly this suffix.

        Returns:
            The number of the kind.
        """
        kind = len(self._suffixes)
        self._suffixes.append(suffix)
        shared: dict[tuple[str | None, ...], tuple[str | None, ...]] = {}
        none = (None,) * kind
        found = 0
        for base, parent in _walked(folder, suffix):
            before = self._folders.get(base, none)
            if len(before) > kind:
                continue  # there is one already, in a folder that comes before this one
            own = (*before, *none[len(before) :], parent)
            self._folders[base] = shared.setdefault(own, own)
            found += 1
        self.counts.append(found)
        return kind

    def path(self, base: str, kind: int) -> Path | None:
        """The file, where there is one."""
        folders = self._folders[base]
        parent = folders[kind] if kind < len(folders) else None
        return None if parent is None else Path(parent, base + self._suffixes[kind])


def _walked(folder: Path, suffix: str) -> Iterator[tuple[str, str]]:
    """BASE and folder of each file with exactly this suffix; folders in their order."""
    parents: list[tuple[Path, list[str]]] = []
    for parent, _, names in os.walk(folder):
        # An input or an output is no reference, though its name ends as one's does.
        bases = [name.removesuffix(suffix) for name in names if name.endswith(suffix)]
        kept = [base for base in bases if base == madcat.base_of(Path(base + suffix))]
        if kept:
            parents.append((Path(parent), kept))
    for path, bases in sorted(parents):
        parent = str(path)
        yield from ((base, parent) for base in bases)
