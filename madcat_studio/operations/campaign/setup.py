"""Setting a campaign up as a whole: looked at first, told in a summary, then written at once.

What was read is kept in the summary, and is what is written; a file that changed between the two
is found by its hash, and then nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from madcat_studio.errors import StudioError, UsageError
from madcat_studio.model.campaign import CampaignDocument, Team
from madcat_studio.model.problem import Problem, Severity
from madcat_studio.operations.campaign.earlier import EarlierPhase, read_phase, store_phase
from madcat_studio.operations.campaign.filling import (
    Documents,
    campaign_for,
    known_documents,
    read_documents,
    store_documents,
)
from madcat_studio.operations.campaign.options import check_options
from madcat_studio.operations.campaign.rooms import (
    LOCKED,
    NO_PASSPHRASE,
    Rooms,
    check_folder,
    rooms_of,
)
from madcat_studio.operations.checked import Checking, Outcome, Refused, counted
from madcat_studio.operations.corpus.outputs import (
    Known,
    Outputs,
    check_names,
    read_outputs,
    store_outputs,
)
from madcat_studio.operations.planning.tables import read_teams, store_teams
from madcat_studio.operations.user import who
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import Campaign, OptionValue, campaign_there, open_campaign

__all__ = ["Examined", "SetUp", "SystemFound", "examine_setup", "write_setup"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a campaign is to be made from. None: there is no such file or folder.

    Attributes:
        references: the folder of ``BASE.madcat.xml`` files.
        outputs: (system, the folder of its ``BASE.linesys.madcat.xml`` files).
        images: the folder of the pages' images.
        corpus: ``corpus.tsv``; None: made from the files' names.
        standoff, conditions, sequestered, training_scribes, guidelines: as
            :func:`~madcat_studio.operations.campaign.filling.create`.
        teams: ``teams.tsv``.
        earlier: the folder of an earlier phase; ``earlier_images``: of its pages' images.
        name: of the campaign; "": that of its folder.
        options: to set.
    """

    references: Path
    outputs: tuple[tuple[str, Path], ...] = ()
    images: Path | None = None
    corpus: Path | None = None
    standoff: Path | None = None
    conditions: Path | None = None
    sequestered: Path | None = None
    training_scribes: Path | None = None
    guidelines: Path | None = None
    teams: Path | None = None
    earlier: Path | None = None
    earlier_images: Path | None = None
    name: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SystemFound:
    """What was found of one system.

    Attributes:
        documents: files for documents of the campaign; ``absent``: documents without a file.
        missing: segments without output, those of absent documents included.
        segments: segments of all these documents.
    """

    name: str
    documents: int
    absent: int
    segments: int
    missing: int
    earlier: bool = False

    def sentence(self) -> str:
        """The system in one sentence."""
        phase = " (earlier phase)" if self.earlier else ""
        absent = f", {self.absent} without a file" if self.absent else ""
        segments = counted(self.segments, "segment")
        missing = f", {self.missing} of {segments} without output" if self.missing else ""
        return f"System {self.name}{phase}: {counted(self.documents, 'document')}{absent}{missing}"


@dataclass(frozen=True, slots=True)
class Examined:
    """What a set-up would make, and everything that is wrong or odd about it.

    Attributes:
        setup: what was looked at.
        problems: errors prevent writing, warnings do not.
        documents, pages, segments, words, images: of the references; words are reference words.
        passages, manuscripts, scribes: how many different ones.
        genres, sets, exposures: documents of each.
        systems: one entry for each system.
        teams, editors: how many.
        guidelines: whether there is a text for editors.
    """

    setup: SetUp
    problems: tuple[Problem, ...]
    documents: int = 0
    pages: int = 0
    segments: int = 0
    words: int = 0
    images: int = 0
    passages: int = 0
    manuscripts: int = 0
    scribes: int = 0
    genres: Mapping[str, int] = field(default_factory=dict)
    sets: Mapping[str, int] = field(default_factory=dict)
    exposures: Mapping[str, int] = field(default_factory=dict)
    systems: tuple[SystemFound, ...] = ()
    teams: int = 0
    editors: int = 0
    guidelines: bool = False
    _read: _Read | None = field(default=None, repr=False, compare=False)

    @property
    def sound(self) -> bool:
        """Whether it can be written."""
        return self._read is not None and not any(
            one.severity is Severity.ERROR for one in self.problems
        )

    def sentences(self) -> tuple[str, ...]:
        """The summary, a sentence each, for people."""
        lines = [
            f"{counted(self.documents, 'document')} on {counted(self.pages, 'page')}: "
            f"{counted(self.segments, 'segment')}, {counted(self.words, 'reference word')}, "
            f"{counted(self.images, 'image')}",
            f"{counted(self.passages, 'passage')}, {counted(self.manuscripts, 'manuscript')}, "
            f"{counted(self.scribes, 'scribe')}",
        ]
        for title, found in (
            ("Sets", self.sets),
            ("Genres", self.genres),
            ("Hands", self.exposures),
        ):
            if found:
                lines.append(f"{title}: " + ", ".join(f"{n} {name}" for name, n in found.items()))
        lines += [system.sentence() for system in self.systems]
        lines.append(f"{counted(self.teams, 'team')}, {counted(self.editors, 'editor')}")
        lines.append("With guidelines" if self.guidelines else "Without guidelines")
        wrong = sum(one.severity is Severity.ERROR for one in self.problems)
        odd = len(self.problems) - wrong
        lines.append(
            f"{counted(wrong, 'thing')} to mend, {odd} to look at"
            if self.problems
            else "Nothing is wrong or odd"
        )
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class _Read:
    """All that was read, ready to be written."""

    documents: Documents
    outputs: tuple[Outputs, ...]
    earlier: EarlierPhase | None
    teams: tuple[Team, ...]


def examine_setup(setup: SetUp, *, where: str = "", progress: Progress = SILENT) -> Examined:
    """Look at everything that a campaign is to be made from, and write nothing.

    Whatever is wrong is in the summary: nothing is raised for what a user gave.

    Args:
        setup: what to look at.
        where: a campaign that is there already and is to be added to; "" or a place without one:
            it will be new.
        progress: told after each document; may cancel.

    Raises:
        Cancelled: ``progress`` said so.
    """
    checking = Checking(progress)
    there = _what_is_there(setup, where, checking)
    known = there.known
    documents = _tried(
        checking,
        lambda: read_documents(
            setup.references,
            checking,
            corpus=setup.corpus,
            images=setup.images,
            standoff=setup.standoff,
            conditions=setup.conditions,
            sequestered=setup.sequestered,
            training_scribes=setup.training_scribes,
            guidelines=setup.guidelines,
        ),
    )
    if documents is not None:
        _check_changed(documents, there.documents, checking)
        known = {**known, **documents.known}
    if setup.images is not None and not setup.images.is_dir():
        checking.error("campaign.no-folder", setup.images, "there is no such folder",
                       "Name the folder of the pages' images")  # fmt: skip
    check_names([name for name, _ in setup.outputs], there.systems, checking)
    _check_folders(setup, checking)
    outputs = [
        found
        for name, folder in setup.outputs
        if name.strip()
        and (found := _tried(checking, partial(read_outputs, name, folder, known, checking)))
        is not None
    ]
    earlier = _earlier_phase(setup, documents, known, checking)
    teams: tuple[Team, ...] = ()
    if setup.teams is not None:
        table = setup.teams
        teams = _tried(checking, lambda: read_teams(table, checking, there=there.teams)) or ()
    if documents is None:
        return Examined(setup, tuple(checking.problems))
    read = _Read(documents, tuple(outputs), earlier, teams)
    return _summary(setup, read, known, tuple(checking.problems))


@dataclass(frozen=True, slots=True)
class _There:
    """What a campaign holds that is to be added to; nothing where it will be new."""

    known: Mapping[str, Known] = field(default_factory=dict)
    documents: Mapping[str, CampaignDocument] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    teams: int = 0


def _what_is_there(setup: SetUp, where: str, checking: Checking) -> _There:
    try:
        check_options(setup.options)
        if where and campaign_there(where):
            with open_campaign(where, read_only=True) as campaign:
                return _There(
                    known_documents(campaign),
                    {one.base: one for one in campaign.contents.documents()},
                    tuple(one.name for one in campaign.contents.systems()),
                    len(campaign.plans.teams()),
                )
    except StudioError as error:
        if error.code in LOCKED:
            raise  # nothing of it can be looked at
        checking.failed(error, where)
    return _There()


def _earlier_phase(
    setup: SetUp, documents: Documents | None, known: Mapping[str, Known], checking: Checking
) -> EarlierPhase | None:
    place = setup.earlier
    if place is None:
        return None
    earlier = _tried(
        checking,
        lambda: read_phase(place, checking, images=setup.earlier_images, known=known),
    )
    if earlier is not None:
        check_names(
            [one.name for one in earlier.systems], [name for name, _ in setup.outputs], checking
        )
        _check_apart(documents, earlier, setup, checking)
    return earlier


def _tried(checking: Checking, read: Callable[[], _T]) -> _T | None:
    """What ``read`` gives; None where it cannot be read, which is told."""
    try:
        return read()
    except StudioError as error:
        checking.failed(error)
    except OSError as error:
        checking.error(
            "system.refused",
            error.filename or "",
            (error.strerror or "it cannot be read").lower(),
            "Check the name and the rights",
        )
    return None


def _check_changed(
    documents: Documents, there: Mapping[str, CampaignDocument], checking: Checking
) -> None:
    """References that are not those that the campaign was made from, by hash."""
    for one in documents.intakes:
        old = there.get(one.document.base)
        if old is not None and old.sha256 != one.document.sha256:
            checking.error(
                "store.reference-changed",
                one.file,
                "the reference file is not the one that the campaign was made from",
                "Bring the old file back, or see what follows with `campaign references`",
            )


def _check_folders(setup: SetUp, checking: Checking) -> None:
    seen: dict[Path, str] = {}
    for name, folder in setup.outputs:
        place = folder.resolve()
        if place in seen and seen[place] != name:
            checking.error(
                "output.folder-twice",
                folder,
                f"systems {seen[place]} and {name} have the same folder",
                "Name the folder of each system's own outputs",
            )
        seen.setdefault(place, name)


def _check_apart(
    documents: Documents | None, earlier: EarlierPhase, setup: SetUp, checking: Checking
) -> None:
    """A passage of the earlier phase must not be in the evaluation again."""
    if documents is None:
        return
    then = {one.document.passage for one in earlier.documents.intakes}
    again = sorted(
        {
            one.document.passage
            for one in documents.intakes
            if one.document.data_set.value == "evaluation" and one.document.passage in then
        }
    )
    for passage in again:
        checking.warn(
            "corpus.used-before",
            setup.references,
            f"passage {passage} is in the evaluation and was in the earlier phase",
            remedy="Evaluation passages should be new ones",
        )


def _summary(
    setup: SetUp, read: _Read, known: Mapping[str, Known], problems: tuple[Problem, ...]
) -> Examined:
    intakes = read.documents.intakes
    own = [one.document for one in intakes]
    segments = [segment for one in intakes for segment in one.segments]
    phase = read.earlier
    bases = {**known, **(phase.documents.known if phase else {})}
    return Examined(
        setup,
        problems,
        documents=len(intakes),
        pages=sum(len({segment.page for segment in one.segments}) for one in intakes),
        segments=len(segments),
        words=sum(segment.reference_words for segment in segments),
        images=sum(one.image is not None for one in intakes),
        passages=len({one.passage for one in own}),
        manuscripts=len({one.manuscript for one in own}),
        scribes=len({one.scribe for one in own}),
        genres=Counter(one.genre for one in own),
        sets=Counter(one.data_set.value for one in own),
        exposures=Counter(one.exposure for one in own),
        systems=(
            *(_found(one, bases) for one in read.outputs),
            *(_found(one, bases, earlier=True) for one in (phase.systems if phase else ())),
        ),
        teams=len(read.teams),
        editors=len({editor.id for team in read.teams for editor in team.editors}),
        guidelines=read.documents.guidelines is not None,
        _read=read,
    )


def _found(read: Outputs, known: Mapping[str, Known], *, earlier: bool = False) -> SystemFound:
    names = [(base, name) for base in (*read.files, *read.absent) for name in known[base].segments]
    return SystemFound(
        read.name,
        len(read.files),
        len(read.absent),
        len(names),
        sum(not read.texts.get(base, {}).get(name) for base, name in names),
        earlier,
    )


def write_setup(
    where: str, examined: Examined, *, passphrase: str = "", progress: Progress = SILENT
) -> Outcome:
    """Make the campaign that was looked at, or add to it: all of it, or nothing.

    Args:
        where: a folder, or the URL of an empty PostgreSQL database.
        examined: what :func:`examine_setup` gave.
        passphrase: locks the coordinator's rooms of a new campaign in a folder.
        progress: told after each document; may cancel, and then nothing is written.

    Raises:
        Refused: something is wrong with it; all of it is listed.
        ConflictError: a file changed since, or the campaign has something else of that name.
        StudioError: the campaign cannot be made or written.
        Cancelled: the user stopped it.
    """
    read = examined._read
    if not examined.sound or read is None:
        raise Refused(examined.problems)
    if not where.strip():
        raise UsageError(
            "campaign.no-place",
            "No place for the campaign was given",
            remedy="Name a folder, or the URL of an empty database",
        )
    new = not campaign_there(where)
    if passphrase:
        _check_lock(where, new)
    checking = Checking(progress)
    with campaign_for(where, examined.setup.name) as campaign, campaign.transaction():
        if passphrase:
            campaign.rooms.change(passphrase, by=who())
        done = _store(campaign, read, examined.setup, checking)
        if new and rooms_of(campaign) is Rooms.OPEN:
            done.append(NO_PASSPHRASE)
    return Outcome(tuple(done), examined.problems)


def _check_lock(where: str, new: bool) -> None:
    check_folder(where)
    if not new:
        raise UsageError(
            "campaign.there-already",
            "The campaign already exists; adding to it does not lock it",
            where=where,
            remedy="Set its passphrase with `campaign passphrase`",
        )


def _store(campaign: Campaign, read: _Read, setup: SetUp, checking: Checking) -> list[str]:
    done = store_documents(campaign, read.documents, checking)
    if setup.options:
        campaign.set_options(setup.options)
    for outputs in read.outputs:
        done += store_outputs(campaign, outputs)
    if read.earlier is not None:
        done += store_phase(campaign, read.earlier, checking)
    if read.teams:
        done.append(store_teams(campaign, read.teams))
    return done
