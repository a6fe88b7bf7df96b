"""Setting up and filling a campaign: everything is checked before anything is written.

Each function may be run again with the same files: what is there already is left as it is and
told. What a function writes it writes as a whole or not at all.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import InputError, StudioError, UsageError
from madcat_studio.formats import madcat
from madcat_studio.formats.files import read_file
from madcat_studio.model.campaign import (
    CampaignDocument,
    DataSet,
    PassProgress,
    System,
    Team,
)
from madcat_studio.operations.checked import Checking, Outcome, told
from madcat_studio.operations.guidelines import read_text
from madcat_studio.operations.intake import (
    Intake,
    output_texts,
    read_conditions,
    read_corpus,
    read_sequestered,
    read_standoff,
)
from madcat_studio.operations.options import check_options
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import (
    Campaign,
    OptionValue,
    campaign_there,
    create_campaign,
    discard_campaign,
    open_campaign,
)

__all__ = [
    "CampaignStatus",
    "add_system",
    "create",
    "machine_name",
    "read_status",
    "set_options",
]

OUTPUT_SUFFIX = ".linesys.madcat.xml"
"""The line condition of document image translation: the one task that is post-edited."""

_SHOWN = 8


def machine_name() -> str:
    """What claims and revisions call this machine."""
    return socket.gethostname() or "unknown"


# -- making a campaign ------------------------------------------------------------------------


def create(
    where: str,
    *,
    corpus: Path,
    documents: Path,
    images: Path | None = None,
    standoff: Path | None = None,
    conditions: Path | None = None,
    sequestered: Path | None = None,
    name: str = "",
    options: Mapping[str, OptionValue] | None = None,
    guidelines: Path | None = None,
    progress: Progress = SILENT,
) -> Outcome:
    """Make a campaign, or add to one what is new in the corpus table.

    Args:
        where: a folder, or the URL of an empty PostgreSQL database.
        corpus: the table ``corpus.tsv`` of docs/files.md.
        documents: the folder of ``BASE.madcat.xml`` files.
        images: the folder of the pages' images; None: none are taken in.
        standoff: the file of scribe errors.
        conditions: ``writing_conditions.tab``.
        sequestered: a list of passages, one a line, that may be in the progress set only.
        name: of the campaign; by default that of the folder.
        options: options to set.
        guidelines: a text file that editors are shown.
        progress: told after each document.

    Raises:
        Refused: something is wrong; all of it is listed and nothing was written.
        StudioError: a table or the database cannot be used.
        Cancelled: the user stopped it; nothing was written.
    """
    check_options(options or {})
    checking = Checking(progress)
    codes = read_conditions(conditions, checking)
    intakes = read_corpus(corpus, documents, images, read_sequestered(sequestered), codes, checking)
    names = {
        one.document.base: frozenset(segment.name for segment in one.segments) for one in intakes
    }
    errors = read_standoff(standoff, names, checking)
    text = None if guidelines is None else read_text(guidelines)
    checking.settle()

    with _campaign_for(where, name or _default_name(where)) as campaign, campaign.transaction():
        added = _add_documents(campaign, intakes, checking)
        marked = campaign.contents.add_scribe_errors(errors)
        if options:
            campaign.set_options(options)
        if text is not None:
            campaign.set_guidelines(text)
        if added or marked:
            campaign.note("take in documents", str(corpus), detail=f"{added} documents")
    done = [
        told(added, len(intakes) - added, "document"),
        f"{sum(len(one.segments) for one in intakes)} segments, "
        f"{sum(1 for one in intakes if one.image)} images",
    ]
    if standoff is not None:
        done.append(told(marked, len(errors) - marked, "scribe error"))
    return Outcome(tuple(done), tuple(checking.problems))


def _default_name(where: str) -> str:
    return re.split(r"[\\/]", where.split("?")[0].rstrip("\\/"))[-1] or "campaign"


@contextmanager
def _campaign_for(where: str, name: str) -> Iterator[Campaign]:
    """The campaign at ``where``, made where there is none, and unmade if filling it fails."""
    if campaign_there(where):
        with open_campaign(where) as campaign:
            yield campaign
        return
    campaign = create_campaign(where, name)
    try:
        yield campaign
    except BaseException:
        campaign.close()
        discard_campaign(where)
        raise
    campaign.close()


def _add_documents(campaign: Campaign, intakes: list[Intake], checking: Checking) -> int:
    added = 0
    for number, one in enumerate(intakes):
        checking.step(number, len(intakes), one.document.base)
        added += campaign.contents.add_document(
            one.document,
            read_file(one.file),
            one.segments,
            None if one.image is None else read_file(one.image),
        )
    return added


def set_options(where: str, options: Mapping[str, OptionValue]) -> Outcome:
    """Set options of a campaign that nobody has begun to edit.

    Raises:
        StudioError: it cannot be opened, or editing has begun.
    """
    check_options(options)
    with open_campaign(where) as campaign:
        campaign.set_options(options)
    return Outcome(tuple(f"{name} = {value}" for name, value in options.items()))


# -- systems ----------------------------------------------------------------------------------


def add_system(
    where: str,
    *,
    name: str,
    outputs: Path,
    code: str = "",
    earlier: bool = False,
    progress: Progress = SILENT,
) -> Outcome:
    """Add a system with its outputs (``BASE.linesys.madcat.xml``).

    Segments that the system left out count as empty output, and so do evaluation documents of
    which there is no file (progress documents too, once the system gave one of them). Extra and
    doubled segments are listed and not scored.

    Args:
        where: the campaign.
        name: of the system; editors never see it.
        outputs: the folder of its files.
        code: what editors see; by default the next free one of X1, X2 …
        earlier: the output is an earlier phase's, for the control set: a document without a
            file is then not missing.
        progress: told after each file.

    Raises:
        Refused: a file cannot be read; all are listed and nothing was written.
        StudioError: the name or code is another system's, or the database cannot be used.
    """
    checking = Checking(progress)
    if not name.strip():
        raise UsageError("campaign.no-name", "The system has no name", remedy="Give it one")
    if not outputs.is_dir():
        raise InputError(
            "campaign.no-folder",
            "There is no such folder",
            where=outputs,
            remedy=f"Name the folder that holds the system's *{OUTPUT_SUFFIX} files",
        )
    with open_campaign(where) as campaign:
        documents = {one.base: one for one in campaign.contents.documents()}
        files = _output_files(outputs, frozenset(documents), checking)
        texts = _output_texts(campaign, files, checking)
        checking.settle()
        there = campaign.contents.documents_of(name) if _known(campaign, name) else {}
        expected = () if earlier else _expected(files, documents)
        absent = [
            base
            for base, one in documents.items()
            if one.data_set in expected and base not in files
        ]
        for base in absent:
            checking.warn(
                "output.no-file",
                base,
                f"system {name} gave no output for this document",
                "all its segments count as empty output",
            )
        with campaign.transaction():
            campaign.contents.add_system(System(name, code or _code(campaign, name), earlier))
            added = 0
            for base in sorted([*files, *absent]):
                content = read_file(files[base]) if base in files else b""
                added += campaign.contents.add_output(name, base, content, texts.get(base, {}))
            if added:
                campaign.note("take in outputs", name, detail=f"{added} documents")
    done = [told(added, len(files) + len(absent) - added, "document", f"of system {name}")]
    if there and not added:
        done.append(f"System {name} was there already")
    return Outcome(tuple(done), tuple(checking.problems))


def _expected(
    files: Mapping[str, Path], documents: Mapping[str, CampaignDocument]
) -> tuple[DataSet, ...]:
    """Sets of which the system should have given every document.

    The progress set counts where the system gave any of it: its pages may come into the campaign
    later than the system.
    """
    if any(documents[base].data_set is DataSet.PROGRESS for base in files):
        return DataSet.EVALUATION, DataSet.PROGRESS
    return (DataSet.EVALUATION,)


def _known(campaign: Campaign, name: str) -> bool:
    return any(system.name == name for system in campaign.contents.systems())


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


def _output_texts(
    campaign: Campaign, files: Mapping[str, Path], checking: Checking
) -> dict[str, dict[str, str | None]]:
    found: dict[str, dict[str, str | None]] = {}
    for number, (base, file) in enumerate(files.items()):
        checking.step(number, len(files), base)
        try:
            document = madcat.read(file).document
        except StudioError as error:
            checking.failed(error, file)
            continue
        names = [segment.name for segment in campaign.contents.segments(base)]
        texts: dict[str, str | None] = {}
        extra = []
        for name, text in output_texts(document):
            if name in names:
                texts[name] = text
            else:
                extra.append(name)
        missing = [name for name in names if texts.get(name) is None]
        empty = [name for name in names if (text := texts.get(name)) is not None and not text]
        if missing:
            checking.warn(
                "output.missing-segments",
                file,
                f"the output lacks {_some(missing)}",
                "counted as empty output",
            )
        if empty:
            checking.warn(
                "output.empty-segments",
                file,
                f"the output is empty for {_some(empty)}",
                "counted as empty output",
            )
        if extra:
            checking.warn(
                "output.extra-segments",
                file,
                f"the output has extra or doubled segments: {_some(extra)}",
                "not scored",
            )
        found[base] = texts
    return found


# -- how it stands ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CampaignStatus:
    """A campaign at a glance."""

    name: str
    where: str
    frozen: bool
    documents: int
    systems: tuple[System, ...]
    teams: tuple[Team, ...]
    kits: int
    unassigned: tuple[str, ...]
    options: Mapping[str, OptionValue]
    progress: tuple[PassProgress, ...]


def read_status(where: str) -> CampaignStatus:
    """What a campaign holds and how far its kits are.

    Raises:
        StudioError: it cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        kits = campaign.plans.kits()
        progress = campaign.progress()
        assigned = {one.kit for one in progress}
        return CampaignStatus(
            name=campaign.name,
            where=campaign.where,
            frozen=campaign.frozen,
            documents=len(campaign.contents.documents()),
            systems=campaign.contents.systems(),
            teams=campaign.plans.teams(),
            kits=len(kits),
            unassigned=tuple(kit.name for kit in kits if kit.name not in assigned),
            options=campaign.options(),
            progress=progress,
        )


def _some(names: list[str]) -> str:
    rest = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
