"""Writing the inputs of the evaluation's tasks, obeying release states and sequestered passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.errors import ConflictError, InputError, StudioError, UsageError
from madcat_studio.formats.files import filled_folder, write_atomically
from madcat_studio.formats.madcat import base_of, read
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.proof import strays
from madcat_studio.formats.tables import read_plain_rows, read_table
from madcat_studio.model.calendar import NO_CALENDAR, Calendar, Date
from madcat_studio.model.campaign import DataSet
from madcat_studio.pages.derive import Task, derive, withheld
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["Derived", "Release", "derive_files", "derive_input"]

_PAGE = {
    "madcat": {"version"},
    "doc": {"id", "src", "type", "nbpages"},
    "writer": {"id"},
    "image": set[str](),
    "page": {"id", "width", "height", "dpi", "colordepth"},
    "zone": {"id", "type"},
    "polygon": set[str](),
    "point": {"x", "y"},
    "content": set[str](),
    "section": {"id", "type"},
    "segment": {"id"},
    "zone_ref": set[str](),
}
_WORDS = {**_PAGE, "token-image": {"id"}, "token": {"id", "ref_id", "status"}}
_TEXTS = {**_WORDS, "source": set[str](), "transcription": set[str]()}
_ALLOWED = {Task.LINE: _PAGE, Task.WORD: _WORDS, Task.TEXT: _TEXTS}
_WITH_TEXT = {
    Task.LINE: {"zone_ref"},
    Task.WORD: {"zone_ref"},
    Task.TEXT: {"zone_ref", "source", "transcription"},
}


@dataclass(frozen=True, slots=True)
class Release:
    """What may be given out.

    Attributes:
        image_tasks_closed: whether the image tasks were submitted. Before that no transcription
            leaves, and none may lie beside the image tasks' inputs.
        purpose: the set that the files are for.
        passages: BASE to passage, from ``corpus.tsv``; None where no list of passages is obeyed.
        sequestered: passages that are for the progress set only, in every copy by any scribe.
        calendar: of a campaign; what it has a date for is released then and not before.
        calendars: BASE to the calendar of its track, where that is not the campaign's.
        now: by which it is judged; the present where it is None.
    """

    image_tasks_closed: bool = False
    purpose: DataSet = DataSet.EVALUATION
    passages: dict[str, str] | None = None
    sequestered: frozenset[str] = frozenset()
    calendar: Calendar = NO_CALENDAR
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    now: datetime | None = None

    @classmethod
    def obeying(
        cls, image_tasks_closed: bool, purpose: DataSet, corpus: Path | None, listed: Path | None
    ) -> Release:
        """The release that ``corpus.tsv`` and a list of passages, one a line, allow.

        Raises:
            UsageError: one of the two without the other.
        """
        if (corpus is None) != (listed is None):
            raise UsageError(
                "derive.corpus-and-list",
                "the list of sequestered passages and corpus.tsv are needed together",
                remedy="Give both --corpus and --sequestered",
            )
        if corpus is None or listed is None:
            return cls(image_tasks_closed, purpose)
        table = read_table(
            corpus,
            required=("base", "passage"),
            optional=(
                "source_document",
                "manuscript",
                "page",
                "scribe",
                "exposure",
                "set",
                "track",
            ),
        )
        passages = frozenset(row[0].strip() for _, row in read_plain_rows(listed))
        unknown = passages - {row["passage"] for row in table.rows}
        if unknown:
            raise InputError(
                "derive.unknown-passage",
                f"the list names a passage that corpus.tsv does not have: {min(unknown)}",
                where=listed,
                remedy="Correct the list; a misspelt passage would not be withheld",
            )
        return cls(
            image_tasks_closed,
            purpose,
            {row["base"]: row["passage"] for row in table.rows},
            passages,
        )

    def before_time(self, task: Task, base: str) -> tuple[Date, datetime] | None:
        """The date, by its calendar, before which a document's input is not given out."""
        now, calendar = self.now or datetime.now(UTC), self._calendar_of(base)
        for date in self._dates(task):
            if calendar.reached(date, now) is False:
                return date, calendar.dates[date]
        return None

    def _calendar_of(self, base: str) -> Calendar:
        return self.calendars.get(base, self.calendar)

    def _dates(self, task: Task) -> tuple[Date, ...]:
        if self.purpose is DataSet.TRAINING:
            return (Date.TRAINING_OUT,)
        if self.purpose is DataSet.DEVELOPMENT:
            return (Date.DEVELOPMENT_OUT,)
        return (Date.IMAGES_DUE, Date.TEXT_OUT) if task is Task.TEXT else (Date.IMAGES_OUT,)

    def closed(self, base: str) -> bool:
        """Whether a document's image tasks are closed: by its calendar; without a date, as told."""
        now = self.now or datetime.now(UTC)
        reached = self._calendar_of(base).reached(Date.IMAGES_DUE, now)
        return self.image_tasks_closed if reached is None else reached

    def refuses(self, base: str) -> str:
        """Why a document may not be given out for this purpose, "" if it may."""
        if self.passages is None or self.purpose is DataSet.PROGRESS:
            return ""
        passage = self.passages.get(base)
        if passage is None:
            return "corpus.tsv does not say which passage it is"
        if passage in self.sequestered:
            return f"its passage {passage} is sequestered: for the progress set only"
        return ""


@dataclass(frozen=True, slots=True)
class Derived:
    """What became of one reference: ``output``, or why there is none."""

    reference: Path
    output: Path | None = None
    left_out: str = ""
    error: StudioError | None = None


def derive_input(reference: Path, task: Task) -> bytes:
    """The bytes of the input, proven to hold nothing withheld.

    Raises:
        InputError, FormatError, WorldError: the reference cannot be read.
    """
    document = read(reference).document
    data = new_bytes(derive(document, task))
    found = strays(data, _ALLOWED[task], _WITH_TEXT[task], withheld(document, task))
    if found:
        raise InputError(
            "derive.leak",
            f"the input would contain what must be withheld: {found[0]}",
            where=reference,
            remedy="Check the ids and attributes of the reference for text",
        )
    return data


def derive_files(
    references: Sequence[Path],
    folder: Path,
    task: Task,
    release: Release,
    *,
    overwrite: bool = False,
    progress: Progress = SILENT,
) -> Iterator[Derived]:
    """Derive the inputs of many references into a folder.

    Of several tracks, those are left out whose time has not come.

    Raises:
        UsageError: for none of them yet: ``derive.not-released``: transcriptions before the image
            tasks are closed; ``derive.before-time``: by the calendar.
        Cancelled: what was written until then is whole.
    """
    bases = [*map(base_of, references)]
    early = [release.before_time(task, base) for base in bases]
    if early and all(early):
        date, moment = min(filter(None, early), key=lambda one: one[1])
        raise UsageError(
            "derive.before-time",
            f"these inputs are not released before {moment:%Y-%m-%d %H:%M} UTC ({date.told})",
            remedy="Wait until then, or change the campaign's calendar",
        )
    if task is Task.TEXT and bases and not any(map(release.closed, bases)):
        raise UsageError(
            "derive.not-released",
            "the inputs for text translation contain the transcriptions, which may be "
            "released only after the image tasks were submitted",
            remedy="If they were, add --image-tasks-closed",
        )
    with filled_folder(folder):
        for done, reference in enumerate(references, 1):
            yield _derive_one(reference, folder, task, release, overwrite)
            progress.advance(done, len(references), reference.name)
            if progress.cancelled():
                raise Cancelled


def _derive_one(
    reference: Path, folder: Path, task: Task, release: Release, overwrite: bool
) -> Derived:
    base = base_of(reference)
    refusal = release.refuses(base) or _not_yet(release, task, base)
    if refusal:
        return Derived(reference, left_out=refusal)
    output = folder / f"{base}.{task.value}.madcat.xml"
    try:
        beside = Task.TEXT if task is not Task.TEXT else None
        if beside and not release.closed(base) and _is_there(folder, base, beside):
            raise ConflictError(
                "derive.beside-text",
                "the folder already has the transcription of this document",
                where=output,
                remedy="Write the image tasks' inputs to a separate folder",
            )
        if output.exists() and not overwrite:
            raise ConflictError(
                "derive.file-exists",
                "a file with this name already exists",
                where=output,
                remedy="Name another folder, or give --overwrite",
            )
        write_atomically(output, derive_input(reference, task))
    except StudioError as error:
        return Derived(reference, error=error)
    return Derived(reference, output)


def _not_yet(release: Release, task: Task, base: str) -> str:
    """Why an input is not given out now, while others are; "" if it is."""
    if (early := release.before_time(task, base)) is not None:
        date, moment = early
        return f"its track's are not given out before {moment:%Y-%m-%d %H:%M} UTC ({date.told})"
    if task is Task.TEXT and not release.closed(base):
        return "the image tasks of its track are not closed"
    return ""


def _is_there(folder: Path, base: str, task: Task) -> bool:
    return (folder / f"{base}.{task.value}.madcat.xml").exists()
