"""The ground truth of translated pages as files of JSON: a list, a folder, or the public layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from madcat_studio.errors import InputError
from madcat_studio.formats.json_lines import read_json
from madcat_studio.operations.scorecards.files import located, values_in
from madcat_studio.scoring.scorecards import fields
from madcat_studio.scoring.scorecards.ltb import TruthDocument
from madcat_studio.scoring.scorecards.ltb_read import read_truth

__all__ = ["GroundTruth", "read_json_truth"]

_MANIFEST = "manifest.json"

_HELD_OUT = ("held-out", "held_out", "heldout", "private", "test")
_PUBLIC = ("public", "dev", "open")


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """What a submission is scored against.

    Attributes:
        documents: the pages.
        files: which they came from.
        warnings: what reading noticed.
        held_out: the ids that the data set itself holds out; None where it says nothing of it.
        sources: the page of each document before translation, where there is one: its file and
            which frame of it.
        pictures: the same as the ground truth names it: a file's name, and which frame of it.
    """

    documents: tuple[TruthDocument, ...]
    files: tuple[Path, ...]
    warnings: tuple[str, ...] = ()
    held_out: frozenset[str] | None = field(default=None)
    sources: Mapping[str, tuple[Path, int]] = field(default_factory=dict)
    pictures: Mapping[str, tuple[str, int]] = field(default_factory=dict)


def read_json_truth(path: Path) -> GroundTruth:
    """The documents at ``path``: a file of them, a folder of such files, or the public layout.

    In the public layout ``manifest.json`` lists the documents with the file of each, its category
    and perhaps its split; the folder that holds it, or the one above (``data/``), may be named.

    Raises:
        StudioError: it cannot be read, or is not what it should be.
    """
    manifest = _manifest(path)
    if manifest is not None:
        return _listed(manifest, read_json(manifest))
    files = [file for file in located(path, (".jsonl", ".json")) if file.name != _MANIFEST]
    documents = read_truth(value for file in files for value in values_in(file))
    return GroundTruth(tuple(documents), tuple(files))


def _manifest(path: Path) -> Path | None:
    """The manifest that lists a data set's documents, if there is one."""
    if path.is_file():
        return path if path.name == _MANIFEST else None
    for found in (path / _MANIFEST, path / "data" / _MANIFEST):
        if found.is_file():
            value = read_json(found)
            if isinstance(value, dict) and "entries" in value:
                return found
    return None


def _listed(manifest: Path, value: object) -> GroundTruth:
    """The documents that a manifest lists, in its order."""
    where = str(manifest)
    entries = fields.listed(fields.mapping(value, where, "the manifest"), "entries", where)
    documents: list[TruthDocument] = []
    files = [manifest]
    splits: dict[str, str] = {}
    sources: dict[str, tuple[Path, int]] = {}
    seen: set[str] = set()
    for position, one in enumerate(entries, 1):
        place = f"{where}, entry {position}"
        entry = fields.mapping(one, place, "an entry")
        name = fields.text(entry, "doc_id", place)
        if name in seen:
            raise InputError(
                "scorecards.document-twice",
                f"a second entry for the document “{name}”",
                where=place,
            )
        seen.add(name)
        file = _inside(manifest.parent, entry, "annotation_file", place)
        found = read_truth(values_in(file))
        if [document.id for document in found] != [name]:
            raise InputError(
                "scorecards.field",
                f"the file should contain the document “{name}” and nothing else",
                where=file,
                remedy=f"Correct the file, or the entry in {manifest.name}",
            )
        documents.append(_filled(found[0], entry, place))
        files.append(file)
        splits[name] = fields.text(entry, "split", place, "").casefold()
        if fields.text(entry, "source_file", place, ""):
            sources[name] = _inside(manifest.parent, entry, "source_file", place), 0
    held = _held_out(splits, where)
    pictures = {
        name: (file.relative_to(manifest.parent).as_posix(), frame)
        for name, (file, frame) in sources.items()
    }
    return GroundTruth(
        tuple(documents), tuple(files), held_out=held, sources=sources, pictures=pictures
    )


def _inside(folder: Path, entry: Mapping[str, Any], key: str, where: str) -> Path:
    """A file that a manifest names; it lies in the manifest's folder or below it."""
    name = fields.text(entry, key, where)
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()):
        raise InputError(
            "scorecards.field",
            f"“{key}” leads out of the data set ({name})",
            where=where,
            remedy="Name files inside the data set's folder",
        )
    return file


def _filled(document: TruthDocument, entry: Mapping[str, Any], where: str) -> TruthDocument:
    category = document.category or fields.text(entry, "category", where, "")
    return replace(document, category=category)


def _held_out(splits: Mapping[str, str], where: str) -> frozenset[str] | None:
    """The held-out ids; None where no document, or not every one, has a split."""
    named: Iterable[str] = {split for split in splits.values() if split}
    unknown = sorted(set(named) - {*_HELD_OUT, *_PUBLIC})
    if unknown:
        raise InputError(
            "scorecards.split",
            f"there is no split “{unknown[0]}”",
            where=where,
            remedy="“split” must be public or held-out",
        )
    if not splits or not all(splits.values()):
        return None
    return frozenset(name for name, split in splits.items() if split in _HELD_OUT)
