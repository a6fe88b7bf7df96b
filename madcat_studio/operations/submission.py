"""Submissions (plan 9): packing, checking, and receiving them.

A submission is ``NAME_N.tgz`` with one top folder ``NAME_N`` of outputs. Nothing is ever unpacked
to the disk: what is checked is read from the archive.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from madcat_studio.checks.findings import FileKind
from madcat_studio.checks.outputs import ANSWERS, check_output
from madcat_studio.errors import (
    ConflictError,
    FormatError,
    InputError,
    StudioError,
    UsageError,
    WorldError,
)
from madcat_studio.formats.files import filled_folder, read_file, write_atomically
from madcat_studio.formats.madcat import base_of, read, read_bytes
from madcat_studio.formats.manifest import MANIFEST, read_manifest, write_manifest
from madcat_studio.formats.source import ReadDocument
from madcat_studio.formats.tables import read_table, write_table
from madcat_studio.model.calendar import NO_CALENDAR, Calendar, Date
from madcat_studio.model.declarations import NOTHING_DECLARED, Declaration, Manifest, missing
from madcat_studio.model.problem import Problem, Severity, Where
from madcat_studio.operations.gather import gather

__all__ = [
    "HandedIn",
    "Received",
    "Submission",
    "check_submission",
    "counting",
    "hand_in",
    "pack_submission",
    "receive_submission",
    "received",
]

MOST_BYTES = 4 * 2**30
"""Of an unpacked submission; one file may have a sixteenth of it."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*(?:_[A-Za-z0-9.-]+)*_[1-9][0-9]*\Z")
_OUTPUTS = tuple(ANSWERS.values())
_TABLE = "received.tsv"
_COLUMNS = ("received", "name", "number", "late", "valid", "sha256", "file")
_DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class Submission:
    """What a check found.

    Attributes:
        name: ``NAME_N``.
        files: how many outputs there are.
        problems: errors make it invalid, warnings do not.
        manifest: what the site declares; nothing where there is no manifest.
        kinds: of the outputs: ``.linesys`` and so on.
    """

    name: str
    files: int
    problems: tuple[Problem, ...]
    manifest: Manifest = NOTHING_DECLARED
    kinds: frozenset[str] = frozenset()

    @property
    def valid(self) -> bool:
        """Whether nothing forbids to score it."""
        return all(problem.severity is not Severity.ERROR for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Received:
    """One row of the record of what was received; times are UTC.

    ``declared`` are the rules that the site declares to have kept.
    """

    received: datetime
    name: str
    number: int
    late: bool
    valid: bool
    sha256: str
    file: str
    declared: tuple[Declaration, ...] = ()


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What was handed in: where it lies, its SHA-256, and the message to send.

    Attributes:
        target: the archive in the drop folder; its digest stands beside it.
        sha256: as it was read back from there.
        message: tells the evaluator of it.
    """

    target: Path
    sha256: str
    message: str


def check_submission(path: Path, inputs: Path) -> Submission:
    """Check a ``.tgz``, or the folder that is to be packed, against the inputs.

    Args:
        path: the archive or the folder.
        inputs: the folder of the inputs that were given out.

    Raises:
        InputError, WorldError: the archive or an input cannot be read at all.
        FormatError: ``submission.not-tgz``, ``submission.too-large``.
    """
    problems: list[Problem] = []
    if path.is_dir():
        name = path.name
        files = {
            f"{name}/{found.relative_to(path).as_posix()}": read_file(found)
            for found in sorted(path.rglob("*"))
            if found.is_file()
        }
    else:
        name = path.name.removesuffix(".tgz").removesuffix(".tar.gz")
        files = _members(path, name, problems)
    if not _NAME.match(name):
        problems.append(
            _problem(
                "submission-name",
                str(path),
                f"the name “{name}” does not have the form name_number",
                "Use a name such as plato_1",
            )
        )
    given = _inputs(inputs)
    manifest = _manifest(path, files.pop(f"{name}/{MANIFEST}", None), problems)
    problems += _check_files(path, name, files, given)
    outputs = sum(1 for file in files if file.lower().endswith(_suffixes(_OUTPUTS)))
    kinds = frozenset(kind for kind in map(_kind, files) if kind in _OUTPUTS)
    return Submission(name, outputs, tuple(problems), manifest, kinds)


def _manifest(path: Path, data: bytes | None, problems: list[Problem]) -> Manifest:
    """What the site declares; a manifest that is none becomes a problem."""
    if data is None:
        return NOTHING_DECLARED
    place = f"{path}: {MANIFEST}"
    try:
        return read_manifest(data, place)
    except FormatError as error:
        problems.append(_problem("submission-manifest", place, error.reason, error.remedy))
        return NOTHING_DECLARED


def pack_submission(
    folder: Path,
    inputs: Path,
    output: Path | None = None,
    *,
    manifest: Manifest | None = None,
    overwrite: bool = False,
) -> tuple[Path, Submission]:
    """Check a folder ``NAME_N`` and pack it; one with errors is not packed.

    The archive is the same whenever the same files are packed: no times, no owners.

    Args:
        folder: of the outputs.
        inputs: the folder of the inputs that were given out.
        output: the archive; beside the folder by default.
        manifest: what the site declares; by default what lies in the folder says it, if anything.
        overwrite: replace an archive.

    Returns:
        The archive, and what the check found.

    Raises:
        InputError: ``submission.invalid``; its message lists the first errors.
        ConflictError: ``submission.file-exists``.
    """
    if not folder.is_dir():
        raise InputError(
            "submission.no-folder",
            "this is not a folder",
            where=folder,
            remedy="Name the folder of the outputs, such as plato_1",
        )
    found = check_submission(folder, inputs)
    if not found.valid:
        raise _invalid(folder, found)
    target = output if output is not None else folder.with_name(f"{folder.name}.tgz")
    if target.exists() and not overwrite:
        raise ConflictError(
            "submission.file-exists",
            "an archive with this name already exists",
            where=target,
            remedy="Use the next number, or give --overwrite",
        )
    if manifest is not None:
        found = replace(found, manifest=manifest)
    contents = {
        file.name: read_file(file)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name.lower().endswith(_suffixes(_OUTPUTS))
    }
    if found.manifest != NOTHING_DECLARED:
        contents[MANIFEST] = write_manifest(found.manifest)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(contents.items()):
            member = tarfile.TarInfo(f"{folder.name}/{name}")
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))
    write_atomically(target, gzip.compress(raw.getvalue(), mtime=0))
    return target, found


def hand_in(archive: Path, drop: Path) -> HandedIn:
    """Copy a packed submission into a drop folder, and read it back from there.

    Its SHA-256 stands beside it (``NAME_N.tgz.sha256``, as ``sha256sum -c`` takes it). What is
    there already with the same bytes stays.

    Raises:
        InputError, FormatError: the archive is not there, or is no submission by its name.
        ConflictError: ``submission.other-there``: another archive of this name lies there.
        WorldError: ``submission.no-drop-folder``; ``submission.read-back``: what lies there is not
            what was copied; it cannot be written.
    """
    name = archive.name.removesuffix(".tgz")
    if not archive.name.endswith(".tgz") or not _NAME.match(name):
        raise FormatError(
            "submission.not-packed",
            "the name is not that of a packed submission",
            where=archive,
            remedy="Pack the folder first: submission pack plato_1 makes plato_1.tgz",
        )
    data = read_file(archive)
    digest = hashlib.sha256(data).hexdigest()
    found: list[Problem] = []
    files = _members(archive, name, found)
    outputs = sum(1 for file in files if file.lower().endswith(_suffixes(_OUTPUTS)))
    manifest = _manifest(archive, files.get(f"{name}/{MANIFEST}"), found)
    if not drop.is_dir():
        raise WorldError(
            "submission.no-drop-folder",
            "this drop folder does not exist",
            where=drop,
            remedy="Name the drop folder of the evaluator, or mount the share first",
        )
    target = drop / archive.name
    beside = drop / f"{archive.name}.sha256"
    if target.exists() and hashlib.sha256(read_file(target)).hexdigest() != digest:
        raise ConflictError(
            "submission.other-there",
            "another archive of this name was handed in already",
            where=target,
            remedy="Give the submission the next number, and pack it again",
        )
    if not target.exists():
        write_atomically(target, data)
    write_atomically(beside, f"{digest}  {archive.name}\n".encode())
    back = hashlib.sha256(read_file(target)).hexdigest()
    if back != digest:
        for half in (target, beside):  # else it would be in the way of another try
            with contextlib.suppress(OSError):
                half.unlink()
        raise WorldError(
            "submission.read-back",
            f"the copy there has SHA-256 {back[:16]}…, the original {digest[:16]}…",
            where=target,
            remedy="Hand it in again, or check that the share is working",
        )
    return HandedIn(target, digest, _message(name, len(data), outputs, digest, manifest))


def _message(name: str, size: int, outputs: int, digest: str, manifest: Manifest) -> str:
    """The message that tells the evaluator of it (plan, 9)."""
    declared = [f"  {one.sentence}." for one in manifest.declared]
    lacking = [f"  {one.value}" for one in missing(manifest.declared)]
    return "\n".join(
        [
            f"Subject: Submission {name}",
            "",
            f"{manifest.site or 'We'} handed in {name}.tgz: {outputs} "
            f"output{'s' * (outputs != 1)}, {size:,} bytes.",
            f"SHA-256: {digest}",
            *(["Declared:", *declared] if declared else []),
            *(["Not declared:", *lacking] if lacking else []),
        ]
    )


def _invalid(folder: Path, found: Submission) -> InputError:
    errors = [p for p in found.problems if p.severity is Severity.ERROR]
    lines = [f"  {p.where}: {p.what}" for p in errors[:20]]
    if len(errors) > 20:
        lines.append(f"  … and {len(errors) - 20} more")
    return InputError(
        "submission.invalid",
        f"the submission has {len(errors)} error{'s' * (len(errors) != 1)}, and nothing was packed",
        where=folder,
        remedy="\n".join(["Mend these and pack again:", *lines]),
    )


def receive_submission(
    path: Path,
    inputs: Path,
    folder: Path,
    *,
    deadline: datetime | None = None,
    calendar: Calendar = NO_CALENDAR,
    now: datetime | None = None,
) -> tuple[Received, Submission]:
    """Take a submission in: every one is kept, with its time, its digest and what was found.

    Args:
        path: the archive.
        inputs: the folder of the inputs that were given out.
        folder: where submissions are kept, with the record ``received.tsv``.
        deadline: after it a submission is late; with a time zone.
        calendar: by which it is late as well: its outputs' tasks have their own due dates.
        now: the time of receipt; None for the clock's.

    Raises:
        UsageError: ``submission.deadline``: a deadline without a time zone.
        FormatError, InputError, WorldError: the archive cannot be read, or is not what the digest
            beside it is of (``submission.digest``); nothing is recorded.
    """
    if deadline is not None and deadline.tzinfo is None:
        raise UsageError(
            "submission.deadline",
            "the deadline has no time zone",
            remedy="Write it like 2048-10-28T15:00:00-04:00",
        )
    moment = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    found = check_submission(path, inputs)
    data = read_file(path)
    digest = hashlib.sha256(data).hexdigest()
    _check_digest(path, digest)
    name, _, number = found.name.rpartition("_")
    kept = f"{moment:%Y%m%dT%H%M%SZ}_{digest[:12]}_{path.name}"
    row = Received(
        moment,
        name or found.name,
        int(number) if number.isdecimal() else 0,
        any(moment > due for due in (deadline, *_due(found, calendar)) if due is not None),
        found.valid,
        digest,
        kept,
        found.manifest.declared,
    )
    with filled_folder(folder):
        rows = [*received(folder), row]
        write_atomically(folder / kept, data)
        write_atomically(folder / _TABLE, write_table((*_COLUMNS, _DECLARED), map(_plain, rows)))
    return row, found


_DUE = {".linesys": Date.IMAGES_DUE, ".wordsys": Date.IMAGES_DUE, ".transys": Date.TEXT_DUE}
"""When the results of a task are due, by the suffix of its outputs."""


def _due(found: Submission, calendar: Calendar) -> Iterator[datetime | None]:
    yield from (calendar.dates.get(_DUE[kind]) for kind in found.kinds if kind in _DUE)


def _check_digest(path: Path, digest: str) -> None:
    """Where a digest was handed in with it, it must be that of what is received."""
    beside = path.with_name(f"{path.name}.sha256")
    if not beside.is_file():
        return
    told = read_file(beside).decode("ascii", errors="replace").split()
    if not told or told[0].lower() != digest:
        raise InputError(
            "submission.digest",
            f"its SHA-256 is {digest[:16]}…, and the file beside it says "
            f"{told[0][:16] if told else 'nothing'}…",
            where=path,
            remedy="Ask the site to hand it in again",
        )


def received(folder: Path) -> list[Received]:
    """Everything that was received, in order.

    Raises:
        FormatError: the record is damaged.
    """
    path = folder / _TABLE
    if not path.exists():
        return []
    table = read_table(path, required=_COLUMNS, optional=(_DECLARED,))
    rows = []
    for row in table.rows:
        try:
            rows.append(
                Received(
                    datetime.fromisoformat(row["received"]),
                    row["name"],
                    int(row["number"]),
                    row["late"] == "late",
                    row["valid"] == "valid",
                    row["sha256"],
                    row["file"],
                    tuple(map(Declaration, row.get(_DECLARED).split())),
                )
            )
        except ValueError as error:
            raise FormatError(
                "submission.record",
                f"the record of submissions cannot be read ({error})",
                where=table.where(row),
                remedy="Mend the row; the archives beside it are intact",
            ) from None
    return rows


def counting(rows: list[Received]) -> dict[str, Received | None]:
    """For each name the submission that counts: the last valid one that was not late."""
    counts: dict[str, Received | None] = {row.name: None for row in rows}
    for row in rows:
        if row.valid and not row.late:
            counts[row.name] = row
    return counts


def _plain(row: Received) -> tuple[str, ...]:
    return (
        row.received.isoformat(),
        row.name,
        str(row.number),
        "late" if row.late else "in time",
        "valid" if row.valid else "invalid",
        row.sha256,
        row.file,
        " ".join(row.declared),
    )


def _members(path: Path, name: str, problems: list[Problem]) -> dict[str, bytes]:
    """The files of an archive by their path in it; what is no plain file becomes a problem."""
    try:
        with tarfile.open(fileobj=io.BytesIO(read_file(path)), mode="r:gz") as archive:
            return _unpacked(archive, path, problems)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise FormatError(
            "submission.not-tgz",
            f"this is not a tar archive compressed with gzip, or it is damaged ({error})",
            where=path,
            remedy=f"Make it by `tar zcf {name}.tgz {name}`, or send it again",
        ) from None


def _unpacked(archive: tarfile.TarFile, path: Path, problems: list[Problem]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    total = 0
    for member in archive:
        if member.isdir():
            continue
        parts = PurePosixPath(member.name)
        if not member.isfile() or parts.is_absolute() or ".." in parts.parts:
            problems.append(
                _problem(
                    "submission-member",
                    f"{path}: {member.name}",
                    "this is not a plain file inside the top folder",
                    "Pack plain files only, without links",
                )
            )
            continue
        total += member.size
        if member.size > MOST_BYTES // 16 or total > MOST_BYTES:
            raise FormatError(
                "submission.too-large",
                f"{member.name} would unpack to {member.size} bytes, {total} with those before it",
                where=path,
                remedy="Pack the outputs only",
            )
        stream = archive.extractfile(member)
        inner = str(parts)
        if inner in files:
            problems.append(
                _problem(
                    "submission-member-twice",
                    f"{path}: {inner}",
                    "the archive has this file twice",
                    "Pack each file once",
                )
            )
        files[inner] = stream.read() if stream is not None else b""
    return files


def _suffixes(kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{kind}.madcat.xml" for kind in kinds)


def _inputs(folder: Path) -> dict[tuple[str, str], ReadDocument]:
    """The inputs by BASE and kind.

    Raises:
        InputError: ``submission.no-inputs``.
    """
    given: dict[tuple[str, str], ReadDocument] = {}
    for path in gather([folder]) if folder.is_dir() else ():
        for kind in ANSWERS:
            if path.name.lower().endswith(f"{kind}.madcat.xml"):
                given[base_of(path), kind] = read(path)
    if not given:
        raise InputError(
            "submission.no-inputs",
            "the folder has no input (.lineseg, .wordseg or .textseg)",
            where=folder,
            remedy="Name the folder of the inputs that were given out",
        )
    return given


def _problem(
    code: str, where: str, what: str, remedy: str, severity: Severity = Severity.ERROR
) -> Problem:
    return Problem(code, severity, Where(where), what, "", remedy)


def _check_files(
    path: Path,
    name: str,
    files: Mapping[str, bytes],
    given: Mapping[tuple[str, str], ReadDocument],
) -> Iterator[Problem]:
    answered: set[tuple[str, str]] = set()
    for file, data in files.items():
        yield from _check_place(f"{path}: {file}", name, file)
        yield from _check_file(f"{path}: {file}", file, data, given, answered)
    kinds = {kind for _, kind in answered}
    for base, kind in given:
        # A system need not take part in every task; in those that it does, every input counts.
        if kind in kinds and (base, kind) not in answered:
            yield _problem(
                "submission-output-missing",
                str(path),
                f"the output for {base}{kind} is missing",
                "Answer every input; its segments would count as empty",
            )
    if not answered:
        yield _problem(
            "submission-empty",
            str(path),
            "the submission has no output",
            "Outputs end in .linesys, .wordsys or .transys and .madcat.xml",
        )


def _check_place(place: str, name: str, file: str) -> Iterator[Problem]:
    top, _, rest = file.partition("/")
    if top != name or "/" in rest or not rest:
        yield _problem(
            "submission-folder",
            place,
            f"the file is not in the single top folder {name}",
            f"Pack a single folder {name} with the outputs directly in it",
        )


_ASKED = {answer: kind for kind, answer in ANSWERS.items()}


def _check_file(
    place: str,
    file: str,
    data: bytes,
    given: Mapping[tuple[str, str], ReadDocument],
    answered: set[tuple[str, str]],
) -> Iterator[Problem]:
    """Look at one file, and note in ``answered`` which input it answers."""
    found = _kind(file)
    if found is None:
        yield _problem(
            "submission-strange-file",
            place,
            "this is not a MADCAT file",
            "It is ignored",
            Severity.WARNING,
        )
        return
    if found not in _ASKED:
        yield _problem(
            "submission-forbidden-file",
            place,
            "a submission contains neither references nor inputs",
            "Take the file out",
        )
        return
    base, kind = base_of(PurePosixPath(file).name), _ASKED[found]
    answered.add((base, kind))
    source = given.get((base, kind))
    if source is None:
        yield _problem(
            "submission-no-input",
            place,
            f"no input {base}{kind} belongs to this output",
            "Name outputs like their inputs",
        )
        return
    try:
        yield from check_output(read_bytes(data, place), source)
    except StudioError as error:
        yield _problem(error.code.replace(".", "-"), error.where, error.reason, error.remedy)


def _kind(file: str) -> str | None:
    """The kind of a MADCAT file by its suffix, None for another file."""
    lowered = file.lower()
    if not lowered.endswith(".madcat.xml"):
        return None
    for kind in (*ANSWERS, *_OUTPUTS):
        if lowered.endswith(f"{kind}.madcat.xml"):
            return kind
    return FileKind.REFERENCE
