"""What was decided between several annotators of a document: kept on this machine, at once.

Nothing of the document has to change by a decision (one's own outline may be the right one), so it
is in no journal of edits. A place is known again by what the others have there, and counts as
settled while the document has what was taken: a decision may outlive its edit without harm.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

from madcat_studio.model.document import Polygon
from madcat_studio.operations.pages.settling import Taken
from madcat_studio.pages.adjudication import Level
from madcat_studio.workspace.journal import journal_folder, told

__all__ = ["Decisions", "PlaceKey"]

PlaceKey: TypeAlias = tuple[int, Level, tuple[tuple[Polygon, ...], ...]]
"""The page, the level, and what each of the others has at a place."""


class Decisions:
    """The decisions on one document; one JSON object a line, a torn last line is left out.

    Attributes:
        taken: whose version was taken where.
        others: the files that it is being settled with, none once that was ended.
    """

    def __init__(self, document: Path, *, folder: Path | None = None) -> None:
        """Read what is known; ``folder``: where it is kept, None for the user's state folder."""
        folder = journal_folder().with_name("settling") if folder is None else folder
        key = hashlib.sha256(os.fsencode(document.resolve())).hexdigest()[:24]
        self._path = folder / f"{key}.jsonl"
        self.taken: dict[PlaceKey, Taken] = {}
        self.others: tuple[Path, ...] = ()
        try:
            lines = self._path.read_bytes().split(b"\n")[:-1]
        except OSError:
            return  # nothing was decided yet
        for line in lines:
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # of a newer version, or damaged: it is asked about again

    def _take(self, plain: Mapping[str, Any]) -> None:
        if "others" in plain:
            self.others = tuple(Path(path) for path in plain["others"])
            return
        taken = Taken(
            int(plain["page"]),
            Level(plain["level"]),
            _polygons(plain["polygons"]),
            _polygons(plain["place"]),
            tuple(map(str, plain["annotators"])),
            int(plain["votes"]),
            int(plain["of"]),
            str(plain["by"]),
            datetime.fromisoformat(plain["at"]),
        )
        key = tuple(_polygons(each) for each in plain["key"])
        self.taken[taken.page, taken.level, key] = taken

    def add(self, key: PlaceKey, taken: Taken) -> None:
        """Keep a decision.

        Raises:
            WorldError: ``journal.cannot-write``.
        """
        self.taken[key] = taken
        self._write(
            {
                "page": taken.page,
                "level": taken.level.value,
                "key": key[2],
                "polygons": taken.polygons,
                "place": taken.place,
                "annotators": taken.annotators,
                "votes": taken.votes,
                "of": taken.of,
                "by": taken.by,
                "at": taken.at.isoformat(),
            }
        )

    def go_on_with(self, others: Sequence[Path]) -> None:
        """These files are being settled; none: it was ended.

        Raises:
            WorldError: ``journal.cannot-write``.
        """
        if tuple(others) != self.others:
            self.others = tuple(others)
            self._write({"others": [os.fspath(path) for path in others]})

    def _write(self, plain: Mapping[str, Any]) -> None:
        with told(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            line = json.dumps(plain, separators=(",", ":")).encode() + b"\n"
            with self._path.open("ab") as stream:
                stream.write(line)


def _polygons(plain: Sequence[Sequence[Sequence[float]]]) -> tuple[Polygon, ...]:
    return tuple(tuple((x, y) for x, y in polygon) for polygon in plain)
