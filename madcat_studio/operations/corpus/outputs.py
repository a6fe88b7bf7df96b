"""A system's outputs, read from their folder and held against the references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import ConflictError, InputError, StudioError, UsageError
from madcat_studio.formats import madcat
from madcat_studio.formats.files import read_file
from madcat_studio.model.campaign import DataSet, System
from madcat_studio.operations.checked import Checking, describe_added
from madcat_studio.operations.corpus.intake import mostly_arabic, output_texts
from madcat_studio.store import Campaign

__all__ = [
    "OUTPUT_SUFFIX",
    "Known",
    "Outputs",
    "changed_meanwhile",
    "check_names",
    "read_outputs",
    "store_outputs",
]

OUTPUT_SUFFIX = ".linesys.madcat.xml"
"""The line condition of document image translation: the one task that is post-edited."""

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Known:
    """A document that outputs may be for: its set, and its segments in order."""

    data_set: DataSet
    segments: Sequence[str]


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a system gave, as it was read.

    Attributes:
        name: of the system.
        files: BASE -> file; ``hashes``: BASE -> SHA-256 of what was read.
        texts: BASE -> segment -> text, None without the element.
        absent: BASEs of documents for which it should have given a file and gave none.
    """

    name: str
    files: Mapping[str, Path]
    hashes: Mapping[str, str]
    texts: Mapping[str, Mapping[str, str | None]]
    absent: tuple[str, ...]


def check_names(new: Iterable[str], there: Iterable[str], checking: Checking) -> None:
    """Two systems must not have one name, and none that differs from another by case alone."""
    seen = {name.strip().casefold(): name for name in there}
    given: set[str] = set()
    for name in new:
        key = name.strip().casefold()
        if not key:
            checking.error("campaign.no-name", "systems", "a system has no name", "Give it one")
        elif key in given:
            checking.error(
                "output.system-twice",
                f"system {name}",
                "two systems have this name",
                "Give each a name of its own",
            )
        elif key in seen and seen[key] != name:
            checking.error(
                "output.system-twice",
                f"system {name}",
                f"the campaign has a system {seen[key]}, and the names differ by case alone",
                f"Write {seen[key]}, or give the other system a name of its own",
            )
        given.add(key)


def read_outputs(
    name: str,
    folder: Path,
    documents: Mapping[str, Known],
    checking: Checking,
    *,
    earlier: bool = False,
) -> Outputs:
    """Read a system's files and tell what is odd about them.

    Args:
        name: of the system.
        folder: with its ``BASE.linesys.madcat.xml`` files, at any depth.
        documents: BASE -> what there is to translate.
        checking: is told.
        earlier: the output is an earlier phase's; a document without a file is not missing.

    Raises:
        InputError: there is no such folder.
        UsageError: the system has no name.
    """
    if not name.strip():
        raise UsageError("campaign.no-name", "The system has no name", remedy="Give it one")
    if not folder.is_dir():
        raise InputError(
            "campaign.no-folder",
            "There is no such folder",
            where=folder,
            remedy=f"Name the folder that holds the system's *{OUTPUT_SUFFIX} files",
        )
    files = _output_files(folder, frozenset(documents), checking)
    texts: dict[str, dict[str, str | None]] = {}
    hashes: dict[str, str] = {}
    for number, (base, file) in enumerate(files.items()):
        checking.step(number, len(files), base)
        try:
            read = madcat.read(file)
        except StudioError as error:
            checking.failed(error, file)
            continue
        hashes[base] = read.source.sha256
        texts[base] = _texts(file, output_texts(read.document), documents[base].segments, checking)
    expected = () if earlier else _expected(files, documents)
    absent = tuple(
        base for base, one in documents.items() if one.data_set in expected and base not in files
    )
    for base in absent:
        checking.warn(
            "output.no-file",
            base,
            f"system {name} gave no output for this document",
            "all its segments count as empty output",
        )
    return Outputs(name, files, hashes, texts, absent)


def store_outputs(
    campaign: Campaign, read: Outputs, *, code: str = "", earlier: bool = False
) -> list[str]:
    """Put a system and what it gave into a campaign, within the caller's transaction.

    Returns:
        What was done, a sentence each.

    Raises:
        ConflictError: a file changed since it was read; the name or code is another system's.
    """
    known = any(system.name == read.name for system in campaign.contents.systems())
    campaign.contents.add_system(System(read.name, code or _code(campaign, read.name), earlier))
    added = 0
    for base in sorted([*read.files, *read.absent]):
        content = b""
        if base in read.files:
            content = read_file(read.files[base])
            changed_meanwhile(read.files[base], content, read.hashes[base])
        added += campaign.contents.add_output(read.name, base, content, read.texts.get(base, {}))
    if added:
        campaign.note("take in outputs", read.name, detail=f"{added} documents")
    total = len(read.files) + len(read.absent)
    done = [describe_added(added, total - added, "document", f"of system {read.name}")]
    if known and not added:
        done.append(f"System {read.name} already existed")
    return done


def changed_meanwhile(file: Path, content: bytes, sha256: str) -> None:
    """Raises ConflictError where the bytes are not those that were checked."""
    import hashlib

    if hashlib.sha256(content).hexdigest() != sha256:
        raise ConflictError(
            "campaign.changed-meanwhile",
            "The file changed after it was checked, and nothing was written",
            where=file,
            remedy="Check everything again",
        )


def _expected(files: Mapping[str, Path], documents: Mapping[str, Known]) -> tuple[DataSet, ...]:
    """Sets of which the system should have given every document.

    The progress set counts where the system gave any of it: its pages may come into the campaign
    later than the system.
    """
    if any(documents[base].data_set is DataSet.PROGRESS for base in files):
        return DataSet.EVALUATION, DataSet.PROGRESS
    return (DataSet.EVALUATION,)


def _code(campaign: Campaign, name: str) -> str:
    """The code that the system has, or the next free one."""
    systems = campaign.contents.systems()
    for system in systems:
        if system.name == name:
            return system.code
    taken = {system.code for system in systems}
    number = 1
    while f"X{number}" in taken:
        number += 1
    return f"X{number}"


def _output_files(folder: Path, known: frozenset[str], checking: Checking) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for file in sorted(folder.rglob(f"*{OUTPUT_SUFFIX}")):
        base = madcat.base_of(file)
        if base not in known:
            checking.warn(
                "output.unknown-document", file, "the campaign has no such document", "left out"
            )
        elif base in found:
            checking.error(
                "output.file-twice",
                file,
                f"there is another file for this document: {found[base]}",
                "Keep the one that counts",
            )
        else:
            found[base] = file
    if not found:
        checking.error(
            "output.none",
            folder,
            f"no *{OUTPUT_SUFFIX} file is for a document of the campaign",
            "Check the folder and the names of the files",
        )
    return found


def _texts(
    file: Path,
    given: Sequence[tuple[str, str | None]],
    names: Sequence[str],
    checking: Checking,
) -> dict[str, str | None]:
    """Segment -> text, of the segments that the reference has; what is odd is told."""
    texts: dict[str, str | None] = {}
    extra = []
    for name, text in given:
        if name in names:
            texts[name] = text
        else:
            extra.append(name)
    missing = [name for name in names if texts.get(name) is None]
    empty = [name for name in names if (text := texts.get(name)) is not None and not text]
    arabic = [name for name, text in texts.items() if text and mostly_arabic(text)]
    for code, found, what, done in (
        ("output.missing-segments", missing, "the output lacks", "counted as empty output"),
        ("output.empty-segments", empty, "the output is empty for", "counted as empty output"),
        ("output.extra-segments", extra, "the output has extra or doubled segments:", "not scored"),
        ("output.wrong-script", arabic, "the output is in Arabic script for", "taken as it is"),
    ):
        if found:
            checking.warn(code, file, f"{what} {_some(found)}", done)
    return texts


def _some(names: list[str]) -> str:
    rest = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
