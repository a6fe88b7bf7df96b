"""All tasks of the plan's Table 1 from files: references against systems' outputs.

Which tasks a system took part in is told by its files: ``.linesys``, ``.wordsys`` and ``.transys``
with a translation, a transcription, or both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from madcat_studio.errors import InputError, StudioError
from madcat_studio.formats import madcat
from madcat_studio.model.document import Document
from madcat_studio.model.outlines import segment_names
from madcat_studio.operations.corpus.from_names import REFERENCE_SUFFIX
from madcat_studio.operations.corpus.intake import tidy
from madcat_studio.operations.scores.report import open_report
from madcat_studio.operations.scores.ter_wer import ter_edits, wer_edits
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.evaluation import (
    HTER_TASK,
    TASKS,
    Evaluation,
    HterLine,
    Status,
    Task,
    TaskSegment,
    TaskSums,
    evaluation_report,
)
from madcat_ter.hter import Counts
from madcat_ter.hygiene import Hygiene
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.signature import ter_signature, wer_signature
from madcat_ter.ter import ter
from madcat_ter.wer import wer

__all__ = ["evaluate"]

TER = TerOptions()
WER = WerOptions(remove_diacritics=True)


def _tidy(text: str | None) -> str | None:
    """As a campaign takes texts in, so that both give the same numbers."""
    return None if text is None else tidy(text)


@dataclass(slots=True)
class _Texts:
    """Translation and transcription of each segment of a document, by name, in order."""

    segments: dict[str, tuple[str | None, str | None]]
    ids: list[str]

    @classmethod
    def of(cls, document: Document) -> _Texts:
        segments = list(document.segments())
        names = segment_names(segments)
        return cls(
            {
                name: (_tidy(segment.translation), _tidy(segment.transcription))
                for name, segment in zip(names, segments, strict=True)
            },
            [segment.id or "" for segment in segments],
        )


@dataclass(slots=True)
class _Reading:
    """Files that are read: their hash, and what was wrong with some."""

    progress: Progress
    total: int
    done: int = 0
    warnings: list[str] = field(default_factory=list)

    def texts(self, path: Path, digest: hashlib._Hash) -> _Texts | None:
        """The document's texts; None, with a warning, where it cannot be read."""
        if self.progress.cancelled():
            raise Cancelled
        self.progress.advance(self.done, self.total, "Reading")
        self.done += 1
        try:
            found = madcat.read(path)
        except StudioError as error:
            self.warnings.append(f"{error}")
            return None
        digest.update(f"{path.name}:{len(found.source.data)}:".encode())
        digest.update(found.source.data)
        return _Texts.of(found.document)


def _files(folder: Path, suffix: str) -> dict[str, Path]:
    """BASE -> file, of the files in the folder (or the folders in it) with exactly this suffix."""
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob(f"*{suffix}")):
        name = path.name
        if suffix == REFERENCE_SUFFIX and name != madcat.base_of(path) + suffix:
            continue  # an input or an output, not a reference
        found.setdefault(madcat.base_of(path), path)
    return found


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise InputError(
            "evaluate.no-folder",
            "there is no such folder",
            where=path,
            remedy="Name the folder of references first, then one folder for each system",
        )
    return path


def evaluate(
    references: Path,
    systems: Sequence[Path],
    *,
    campaign: str | Path | None = None,
    made: datetime | None = None,
    progress: Progress = SILENT,
) -> CardReport:
    """Score every task that the systems' files belong to.

    Args:
        references: the folder of ``BASE.madcat.xml`` files.
        systems: a folder for each system; its name is the system's.
        campaign: with the post-edits, for HTER; its folder or URL.
        made: when the report is made; now by default.
        progress: may cancel.

    Raises:
        InputError: no such folder, no reference in it, nothing in a system's folder.
        StudioError: the campaign cannot be read.
        Cancelled: ``progress`` said so.
    """
    by_base = _files(_folder(references), REFERENCE_SUFFIX)
    if not by_base:
        raise InputError(
            "evaluate.no-references",
            "there is no BASE.madcat.xml file in this folder",
            where=references,
        )
    names = _system_names(systems)
    outputs = {name: _outputs(folder) for name, folder in names.items()}
    total = len(by_base) + sum(len(f) for kinds in outputs.values() for f in kinds.values())
    reading = _Reading(progress, total)
    hashes = {"references": hashlib.sha256()}
    gold: dict[str, _Texts] = {}
    for base, path in by_base.items():
        texts = reading.texts(path, hashes["references"])
        if texts is not None:
            gold[base] = texts
    if not gold:
        raise InputError(
            "evaluate.no-references",
            f"no reference can be read: {reading.warnings[0]}",
            where=references,
        )
    evaluation = Evaluation()
    for name, kinds in outputs.items():
        digest = hashes.setdefault(name, hashlib.sha256())
        for suffix, files in kinds.items():
            given = {base: reading.texts(path, digest) for base, path in files.items()}
            _score_kind(evaluation, name, suffix, gold, given)
    unseen = list(_unseen(evaluation))
    progress.advance(total, total, "Scored")
    signatures = {"TER": ter_signature(TER), "WER": wer_signature(WER)}
    told: list[str] = []
    if campaign is not None:
        signatures["HTER"], told = _take_hter(evaluation, campaign, progress)
    made = datetime.now(UTC) if made is None else made.astimezone(UTC)
    return evaluation_report(
        evaluation,
        title=", ".join(names),
        made=f"{made:%Y-%m-%d %H:%M} UTC",
        signatures=signatures,
        hashes={name: digest.hexdigest() for name, digest in hashes.items()},
        warnings=[*reading.warnings, *unseen, *told],
    )


def _unseen(evaluation: Evaluation) -> Iterator[str]:
    """What cannot be seen in the texts of each system, and what it costs in each task."""
    looked: dict[tuple[Task, str], Hygiene[Any]] = {}
    for one in evaluation.segments:
        if one.status is not Status.SCORED:
            continue
        key = one.task, one.system
        if key not in looked:
            by_ter = one.task.metric == "TER"
            looked[key] = Hygiene(TER, ter_edits) if by_ter else Hygiene(WER, wer_edits)
        looked[key].look(one.output, [one.reference])
    for (task, system), hygiene in looked.items():
        condition = "" if task.condition == "-" else f", {task.condition}"
        command = task.metric.lower()
        for warning in hygiene.warnings():
            yield f"{system}, {task.name}{condition}: {warning} of the command {command}"


def _outputs(folder: Path) -> dict[str, dict[str, Path]]:
    """Suffix -> BASE -> file, of the tasks that a system took part in.

    Raises:
        InputError: ``evaluate.no-outputs``.
    """
    _folder(folder)
    kinds = {task.suffix: _files(folder, task.suffix) for task in TASKS}
    found = {suffix: files for suffix, files in kinds.items() if files}
    if not found:
        raise InputError(
            "evaluate.no-outputs",
            "there is no output in this folder",
            where=folder,
            remedy="Outputs end in .linesys.madcat.xml, .wordsys.madcat.xml or .transys.madcat.xml",
        )
    return found


def _system_names(systems: Sequence[Path]) -> dict[str, Path]:
    """Name -> folder; a folder named twice is one system."""
    names: dict[str, Path] = {}
    seen: set[Path] = set()
    for path in systems:
        if path.resolve() in seen:
            continue
        seen.add(path.resolve())
        name = path.resolve().name
        if name in names:
            name = str(path)
        names[name] = path
    return names


def _score_kind(
    evaluation: Evaluation,
    system: str,
    suffix: str,
    gold: dict[str, _Texts],
    given: dict[str, _Texts | None],
) -> None:
    """Score the one or two tasks that files of one kind belong to."""
    for base in given:
        if base not in gold:
            evaluation.listed.append((system, suffix, base, "", Status.NO_REFERENCE))
    for task in TASKS:
        if task.suffix != suffix:
            continue
        part = 0 if task.metric == "TER" else 1
        there = [texts for texts in given.values() if texts is not None]
        if not any(pair[part] is not None for t in there for pair in t.segments.values()):
            continue  # the system did not take part in this task
        for base, texts in gold.items():
            for segment in _pairs(texts, given.get(base), part):
                _score(evaluation, task, system, base, segment)
    for base, texts in gold.items():
        output = given.get(base)
        if output is not None:
            evaluation.listed += [
                (system, suffix, base, name, status) for name, status in _surplus(texts, output)
            ]


def _pairs(
    gold: _Texts, output: _Texts | None, part: int
) -> Iterator[tuple[str, str | None, str | None, bool]]:
    """Name, reference, output, and whether the output has such a segment."""
    for name, texts in gold.segments.items():
        there = output is not None and name in output.segments
        text = output.segments[name][part] if output is not None and there else None
        yield name, texts[part], text, there


def _surplus(gold: _Texts, output: _Texts) -> Iterable[tuple[str, Status]]:
    for name, raw in zip(output.segments, output.ids, strict=True):
        if name not in gold.segments:
            yield name, Status.DOUBLED if raw in gold.segments else Status.EXTRA


def _score(
    evaluation: Evaluation,
    task: Task,
    system: str,
    base: str,
    segment: tuple[str, str | None, str | None, bool],
) -> None:
    name, reference, output, there = segment
    sums = evaluation.sums.setdefault((task, system), TaskSums())
    if reference is None:
        sums.without_reference += 1
        return
    text = output or ""
    try:
        if task.metric == "TER":
            counts = Counts.of(ter(text, [reference], TER))
        else:
            result = wer(text, reference, WER)
            counts = Counts(
                result.insertions,
                result.deletions,
                result.substitutions,
                edits=float(result.edits),
                words=float(result.words),
            )
    except StudioError as error:
        raise InputError(
            error.code, error.reason, where=f"{system}, {base}/{name}", remedy=error.remedy
        ) from error
    status = Status.SCORED if there else Status.MISSING
    sums.add(counts, status)
    evaluation.documents.setdefault((task, system, base), TaskSums()).add(counts, status)
    evaluation.segments.append(
        TaskSegment(task, system, base, name, status, counts, text, reference)
    )


def _take_hter(
    evaluation: Evaluation, campaign: str | Path, progress: Progress
) -> tuple[str, list[str]]:
    """Take the campaign's figures in; returns its signature and what is to be told of them."""
    with open_report(campaign, pictures=False, progress=progress) as (report, _options):
        for row in report.table("systems").records():
            interval = report.intervals.get((str(row["set"]), str(row["system"])))
            evaluation.hter.append(HterLine.of(HTER_TASK, row, interval))
        for table in report.tables:
            if table.name == "comparisons":
                evaluation.hter_compared += table.rows
        told = [f"HTER is preliminary: {sentence}" for sentence in report.preliminary]
        return report.signatures[str(report.denominator)], [*told, *report.warnings]
