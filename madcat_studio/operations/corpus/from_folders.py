"""What a folder or file may serve for in a new campaign, told by the names in it.

No file is opened: whether it is what its name says is seen when everything is examined.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Inputs", "sort_out"]

_OUTPUT = ".linesys.madcat.xml"
_DOCUMENT = ".madcat.xml"
_NOT_REFERENCES = re.compile(
    r"\.(?:line|word|text)seg\.madcat\.xml$|\.(?:line|word|tran)sys\.madcat\.xml$", re.IGNORECASE
)
_IMAGES = (".tif", ".tiff", ".png", ".jpg", ".jpeg")
_TRY = re.compile(r"_\d+$")
_DEPTH = 3

_FILES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("corpus", r"corpus\.tsv$"),
        ("teams", r"teams\.tsv$"),
        ("standoff", r".*standoff.*\.tsv$"),
        ("conditions", r"writing_conditions\.\w+$"),
        ("sequestered", r"sequestered.*\.txt$"),
        ("training_scribes", r".*scribes.*\.(?:txt|tsv)$"),
        ("guidelines", r"guidelines.*\.(?:txt|md)$"),
    )
)


@dataclass(slots=True)
class Inputs:
    """What was found; None where there is nothing of the kind.

    Attributes:
        outputs: name and folder of each system.
        earlier: the folder of an earlier phase.
    """

    references: Path | None = None
    images: Path | None = None
    outputs: list[tuple[str, Path]] = field(default_factory=list)
    corpus: Path | None = None
    teams: Path | None = None
    standoff: Path | None = None
    conditions: Path | None = None
    sequestered: Path | None = None
    training_scribes: Path | None = None
    guidelines: Path | None = None
    earlier: Path | None = None

    def take(self, name: str, path: Path) -> None:
        """Note the first of its kind."""
        if getattr(self, name) is None:
            setattr(self, name, path)


def sort_out(paths: Iterable[Path]) -> Inputs:
    """Sort files and folders by what they may serve for.

    A folder with ``*.linesys.madcat.xml`` files is a system called like the folder, without the
    number of the try (``juniper_2``); one with other ``*.madcat.xml`` files holds references; one
    with pictures holds images; one with ``hter.tsv`` is an earlier phase; any other is looked
    into. Folders that cannot be read hold nothing.
    """
    found = Inputs()
    references: dict[Path, int] = {}
    images: dict[Path, int] = {}
    for path in paths:
        if path.is_dir():
            _folder(path, found, references, images, _DEPTH)
        else:
            _file(path, found)
    # Of several the fullest; and images that lie beside the references are theirs.
    found.references = max(references, key=references.__getitem__, default=None)
    found.images = max(
        images, key=lambda folder: (folder == found.references, images[folder]), default=None
    )
    return found


def _file(path: Path, found: Inputs) -> None:
    for name, pattern in _FILES:
        if pattern.match(path.name):
            found.take(name, path)
            return


def _folder(
    folder: Path,
    found: Inputs,
    references: dict[Path, int],
    images: dict[Path, int],
    depth: int,
) -> None:
    names: list[str] = []
    folders: list[Path] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(Path(entry.path))
                else:
                    names.append(entry.name)
    except OSError:
        return
    names.sort()
    if "hter.tsv" in names:
        found.take("earlier", folder)
        return
    lower = [name.lower() for name in names]
    if any(name.endswith(_OUTPUT) for name in lower):
        found.outputs.append((_TRY.sub("", folder.name) or folder.name, folder))
    else:
        documents = sum(
            name.endswith(_DOCUMENT) and not _NOT_REFERENCES.search(name) for name in lower
        )
        if documents:
            references[folder] = documents
    pictures = sum(name.endswith(_IMAGES) for name in lower)
    if pictures:
        images[folder] = pictures
    for name in names:
        _file(folder / name, found)
    if depth:
        for inner in sorted(folders):
            if not inner.name.startswith("."):
                _folder(inner, found, references, images, depth - 1)
