"""Translations for pages that are rendered: of a table, or of a system's documents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.tables import read_table
from madcat_studio.operations.gather import gather
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.pages.folder import page_base

__all__ = ["Texts", "read_texts"]

_XML = ".xml"
_ANY = ""
"""Stands for every document, where a table names segments alone."""
_LATER = {"": 0, "first": 1, "review": 2}


class Texts:
    """Translations by document, and in it by segment, region or line."""

    def __init__(self, known: Mapping[str, Mapping[str, str]]) -> None:
        self._known = known

    def of(self, base: str) -> Mapping[str, str]:
        """Those of one document; empty where there are none."""
        # A system's document is named by its kind too: BASE.linesys.
        for name in (base, *(one for one in self._known if one.startswith(f"{base}."))):
            if name in self._known:
                return self._known[name]
        return self._known.get(_ANY, {})


def read_texts(path: Path, team: str = "") -> Texts:
    """Translations from a table, or from a system's documents.

    Args:
        path: a table with the columns ``segment`` (an id, or ``BASE/id``) and ``text``, such as the
            edits of a campaign; or a document with translations; or a folder of them.
        team: of a table of edits, the team whose texts are meant; its review counts before its
            first pass.

    Raises:
        InputError: ``render.text-twice``: a segment has two texts.
        StudioError: it cannot be read.
    """
    if path.is_dir() or path.suffix.lower() == _XML:
        return _of_documents(path)
    table = read_table(path, required=("segment", "text"), optional=("team", "pass"), others=True)
    found: dict[str, dict[str, str]] = {}
    stage: dict[tuple[str, str], int] = {}
    for row in table.rows:
        if team and row.get("team") != team:
            continue
        base, _, name = row["segment"].rpartition("/")
        own = found.setdefault(base or _ANY, {})
        at = _LATER.get(row.get("pass"), 0)
        before = stage.get((base, name))
        if before == at and own[name] != row["text"]:
            raise InputError(
                "render.text-twice",
                f"there are two texts for “{row['segment']}”",
                where=table.where(row),
                remedy="Leave one, or choose a team with --team",
            )
        if before is None or at > before:
            own[name], stage[base, name] = row["text"], at
    return Texts(found)


def _of_documents(path: Path) -> Texts:
    found: dict[str, dict[str, str]] = {}
    for file in gather([path], _XML):
        document = open_document(file).document
        found[page_base(file)] = {
            segment.id: segment.translation
            for segment in document.segments()
            if segment.id and segment.translation is not None
        }
    return Texts(found)
