"""All tasks of the plan's Table 1 from files: references against systems' outputs.

Which tasks a system took part in is told by its files: ``.linesys``, ``.wordsys`` and ``.transys``
with a translation, a transcription, or both. Documents stream through, each with all its outputs,
so that memory stays the same whatever their number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import InputError, StudioError
from madcat_studio.formats import madcat
from madcat_studio.model.document import Document
from madcat_studio.model.outlines import segment_names
from madcat_studio.operations.corpus.from_names import REFERENCE_SUFFIX
from madcat_studio.operations.corpus.intake import segment_pages, tidy
from madcat_studio.operations.many import Many, in_order
from madcat_studio.operations.scores.describing import CorpusFiles, Descriptions, described
from madcat_studio.operations.scores.evaluated_files import EvaluatedFiles
from madcat_studio.operations.scores.hter_workers import HterWorkers
from madcat_studio.operations.scores.report import open_report, read_tracks
from madcat_studio.operations.scores.ter_wer import ter_edits, wer_edits
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.evaluation import HterTables, evaluation_report
from madcat_studio.reports.grouping import Place
from madcat_studio.reports.task_results import (
    TASKS,
    ScoredBatch,
    Status,
    TaskItem,
    TaskResults,
    TaskSums,
)
from madcat_studio.scoring.duration import long_texts
from madcat_ter.hygiene import Hygiene
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.parts import Pairs, ter_part, wer_part
from madcat_ter.signature import ter_signature, wer_signature
from madcat_ter.ter import ter_counts
from madcat_ter.wer import wer_corpus

__all__ = ["CorpusFiles", "evaluate"]

TER = TerOptions()
WER = WerOptions(remove_diacritics=True)
AS_WRITTEN = WerOptions()

_AT_ONCE = 4000  # segments that are scored together
_PART = 2000  # of them, those that one worker scores


def _tidy(text: str | None) -> str | None:
    """As a campaign takes texts in, so that both give the same numbers."""
    return None if text is None else tidy(text)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Translation and transcription of each segment of a document, by name, in order."""

    document: Document
    segments: dict[str, tuple[str | None, str | None]]
    ids: list[str]

    @classmethod
    def of(cls, document: Document) -> _Texts:
        segments = list(document.segments())
        names = segment_names(segments)
        return cls(
            document,
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
        self.progress.advance(self.done, self.total, "Reading and scoring")
        self.done += 1
        try:
            found = madcat.read(path)
        except StudioError as error:
            self.warnings.append(f"{error}")
            return None
        digest.update(f"{path.name}:{len(found.source.data)}:".encode())
        digest.update(found.source.data)
        return _Texts.of(found.document)


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise InputError(
            "evaluate.no-folder",
            "there is no such folder",
            where=path,
            remedy="Name the folder of references first, then one folder per system",
        )
    return path


def evaluate(
    references: Path,
    systems: Sequence[Path],
    *,
    campaign: str | Path | None = None,
    corpus: CorpusFiles = CorpusFiles(),
    made: datetime | None = None,
    many: Many | None = None,
    tell: Callable[[str], None] = lambda note: None,
    progress: Progress = SILENT,
) -> CardReport:
    """Score every task that the systems' files belong to.

    Args:
        references: the folder of ``BASE.madcat.xml`` files.
        systems: a folder for each system; its name is the system's.
        campaign: with the post-edits, for HTER; its folder or URL. Without tables it also tells
            what is known of documents.
        corpus: tables of what is known of documents, for the groups of the report.
        made: when the report is made; now by default.
        many: workers that score; this process without.
        tell: is told of segments that may take long, before they are scored.
        progress: may cancel.

    Raises:
        PartsFailed: workers could not score all of it.
        InputError: no such folder, no reference in it, nothing in a system's folder, or a corpus
            table with mistakes.
        StudioError: the campaign or a table cannot be read.
        Cancelled: ``progress`` said so.
    """
    names = _system_names(systems)
    results, hashes, warnings = _scored(references, names, campaign, corpus, many, tell, progress)
    signatures = {"TER": ter_signature(TER), "WER": wer_signature(WER)}
    hter = HterTables()
    told: list[str] = []
    if campaign is not None:
        signatures["HTER"], hter, told = _take_hter(campaign, many, tell, progress)
    made = datetime.now(UTC) if made is None else made.astimezone(UTC)
    return evaluation_report(
        results,
        hter,
        title=", ".join(names),
        made=f"{made:%Y-%m-%d %H:%M} UTC",
        signatures=signatures,
        hashes=hashes,
        warnings=[*warnings, *told],
    )


def _scored(
    references: Path,
    names: Mapping[str, Path],
    campaign: str | Path | None,
    corpus: CorpusFiles,
    many: Many | None,
    tell: Callable[[str], None],
    progress: Progress,
) -> tuple[TaskResults, dict[str, str], list[str]]:
    """The results, the files' hashes, and what is to be told.

    What was known of each file and document is forgotten with it: the tables need room themselves.
    """
    files = EvaluatedFiles()
    gold_kind = files.add(_folder(references), REFERENCE_SUFFIX)
    if not len(files):
        raise InputError(
            "evaluate.no-references",
            "there is no BASE.madcat.xml file in this folder",
            where=references,
        )
    outputs = {name: _outputs(files, folder) for name, folder in names.items()}
    descriptions = described(corpus, campaign)
    reading = _Reading(progress, len(files))
    hashes = {name: hashlib.sha256() for name in ("references", *names)}
    results = TaskResults()
    results.sums.set_ranks({name: place for place, name in enumerate(names)})
    scoring = _Scoring(results, descriptions, _Workers(many, progress) if many else None, tell)
    read = 0
    for base in files.bases():
        path = files.path(base, gold_kind)
        gold = None if path is None else reading.texts(path, hashes["references"])
        read += gold is not None
        if gold is not None:
            scoring.begin(base, gold)
        for name, kinds in outputs.items():
            for suffix, kind in kinds.items():
                path = files.path(base, kind)
                given = None if path is None else reading.texts(path, hashes[name])
                if gold is not None:
                    scoring.take(name, suffix, given)
                elif path is not None:
                    results.listed.append((name, suffix, base, "", Status.NO_REFERENCE))
        scoring.end()
    if not read:
        raise InputError(
            "evaluate.no-references",
            f"no reference can be read: {reading.warnings[0]}",
            where=references,
        )
    scoring.finish()
    progress.advance(reading.total, reading.total, "Scored")
    digests = {name: digest.hexdigest() for name, digest in hashes.items()}
    return results, digests, [*reading.warnings, *scoring.warnings()]


def _outputs(files: EvaluatedFiles, folder: Path) -> dict[str, int]:
    """Take in a system's outputs: suffix -> number of the kind, of what it took part in.

    Raises:
        InputError: ``evaluate.no-outputs``.
    """
    _folder(folder)
    kinds = {suffix: files.add(folder, suffix) for suffix in dict.fromkeys(t.suffix for t in TASKS)}
    found = {suffix: kind for suffix, kind in kinds.items() if files.counts[kind]}
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


@dataclass(frozen=True, slots=True)
class _Gold:
    """A reference document, ready to be held against outputs.

    Attributes:
        place: where its segments belong, but for page and scribe errors.
        texts: its segments.
        at: of each segment, its page and whether it has scribe errors.
        marks: how many diacritics each transcription has.
    """

    base: str
    place: Place
    texts: _Texts
    at: dict[str, tuple[str, str]]
    marks: dict[str, int]


class _Scoring:
    """Documents that come one after another, scored some thousand segments at once."""

    def __init__(
        self,
        results: TaskResults,
        descriptions: Descriptions,
        workers: _Workers | None,
        tell: Callable[[str], None],
    ) -> None:
        self._results, self._descriptions = results, descriptions
        self._workers, self._tell = workers, tell
        self._at_once = _AT_ONCE if workers is None else workers.at_once
        self._gold: _Gold | None = None
        self._places: list[Place] = []
        self._items: list[TaskItem] = []
        self._reference_marks: list[int] = []
        self._unscored: dict[int, int] = {}
        self._hygiene: dict[tuple[int, str], Hygiene[Any]] = {}
        self._missing: list[tuple[str, str, str, str]] = []
        self._errors_left = set(descriptions.scribe_errors)

    def begin(self, base: str, texts: _Texts) -> None:
        """Go on to another document."""
        place = self._descriptions.place(base, texts.document)
        pages = segment_pages(texts.document, place.page)
        errors = self._descriptions.scribe_errors
        self._gold = _Gold(
            base,
            place,
            texts,
            {
                name: (page, "with" if (base, name) in errors else "without")
                for name, page in zip(texts.segments, pages, strict=True)
            },
            {name: _marks(text or "") for name, (_, text) in texts.segments.items()},
        )
        if self._errors_left:
            self._errors_left.difference_update((base, name) for name in texts.segments)

    def take(self, system: str, suffix: str, given: _Texts | None) -> None:
        """Hold a system's output, or its absence, against the document."""
        gold = self._gold
        assert gold is not None
        listed = self._results.listed
        missing = [
            name for name in gold.texts.segments if given is None or name not in given.segments
        ]
        for number, task in enumerate(TASKS):
            if task.suffix != suffix:
                continue
            part = 0 if task.metric == "TER" else 1
            if given and any(pair[part] is not None for pair in given.segments.values()):
                self._results.taken.add((number, system))
            self._take(number, part, system, gold, given)
        self._missing += [(system, suffix, gold.base, name) for name in missing]
        if given is not None:
            listed += [
                (system, suffix, gold.base, name, status)
                for name, status in _surplus(gold.texts, given)
            ]

    def _take(self, task: int, part: int, system: str, gold: _Gold, given: _Texts | None) -> None:
        runs: dict[tuple[str, str], int] = {}
        for name, texts in gold.texts.segments.items():
            at = gold.at[name]
            if at not in runs:
                runs[at] = len(self._places)
                self._places.append(
                    gold.place._replace(
                        series=str(task), system=system, page=at[0], scribe_errors=at[1]
                    )
                )
            run = runs[at]
            reference = texts[part]
            if reference is None:
                self._unscored[run] = self._unscored.get(run, 0) + 1
                continue
            there = given is not None and name in given.segments
            text = (given.segments[name][part] if given is not None and there else None) or ""
            self._items.append(TaskItem(task, run, name, not there, text, reference))
            self._reference_marks.append(gold.marks[name] if part else 0)

    def end(self) -> None:
        """The document is over; score where enough has come together."""
        self._gold = None
        if len(self._items) >= self._at_once:
            self._score()

    def finish(self) -> None:
        """Score what is left, and forget tasks that a system took no part in."""
        self._score()
        self._results.settle()
        taken = {(TASKS[task].suffix, system) for task, system in self._results.taken}
        self._results.listed += [
            (system, suffix, base, name, Status.MISSING)
            for system, suffix, base, name in self._missing
            if (suffix, system) in taken
        ]

    def warnings(self) -> Iterator[str]:
        """What is odd in the tables, and what cannot be seen in the texts of each system."""
        yield from self._descriptions.warnings
        if self._descriptions.unnamed:
            yield (
                f"Documents that the corpus table does not name: {self._descriptions.unnamed}; "
                "their names tell what is known of them."
            )
        if self._errors_left:
            yield (
                f"Scribe errors in segments that no reference has: {len(self._errors_left)}; "
                "left out."
            )
        for (number, system), hygiene in sorted(
            self._hygiene.items(), key=lambda one: (one[0][1], one[0][0])
        ):
            task = TASKS[number]
            if (number, system) not in self._results.taken:
                continue
            condition = "" if task.condition == "-" else f", {task.condition}"
            for warning in hygiene.warnings():
                yield (
                    f"{system}, {task.name}{condition}: {warning} of the command "
                    f"{task.metric.lower()}"
                )

    def _score(self) -> None:
        items, places = self._items, self._places
        if not places:
            return
        numbers = np.zeros((len(items), len(TaskSums._fields)))
        by_wer = np.array([TASKS[item.task].metric == "WER" for item in items], dtype=bool)
        for rows, count in ((np.flatnonzero(~by_wer), _ter), (np.flatnonzero(by_wer), _wer)):
            own = [items[row] for row in rows.tolist()]
            if count is _ter:
                self._tell_long(own, places)
            if self._workers is not None:
                self._workers.count(own, places, rows, numbers, count is _ter)
                continue
            try:
                count(own, rows, numbers)
            except StudioError as error:
                raise _located(own, places, count, error) from error
        columns = {name: place for place, name in enumerate(TaskSums._fields)}
        numbers[:, columns["segments"]] = 1
        numbers[:, columns["missing"]] = [item.missing for item in items]
        numbers[:, columns["reference_marks"]] = self._reference_marks
        self._write_marks(numbers, by_wer, columns)
        for item in items:
            if not item.missing:
                self._look(item, places[item.run].system)
        self._results.add(ScoredBatch(places, items, numbers, self._unscored))
        self._places, self._items, self._reference_marks, self._unscored = [], [], [], {}

    def _tell_long(self, items: Sequence[TaskItem], places: Sequence[Place]) -> None:
        """Say which segments may take long, before they are scored."""
        names = [_name(item, places) for item in items]
        texts = [[item.reference] for item in items]
        for note in long_texts(names, [item.output for item in items], texts, TER):
            self._tell(note)

    def _write_marks(
        self,
        numbers: NDArray[np.float64],
        by_wer: NDArray[np.bool_],
        columns: Mapping[str, int],
    ) -> None:
        """What had been counted if diacritics had stayed; the same where there are none."""
        numbers[:, columns["output_marks"]] = [
            _marks(item.output) if wer else 0
            for item, wer in zip(self._items, by_wer.tolist(), strict=True)
        ]
        numbers[:, columns["marked_edits"]] = numbers[:, columns["edits"]]
        numbers[:, columns["marked_words"]] = numbers[:, columns["words"]]
        marks = numbers[:, columns["output_marks"]] + numbers[:, columns["reference_marks"]]
        rows = np.flatnonzero(marks)
        if len(rows):
            own = [self._items[row] for row in rows.tolist()]
            found = wer_corpus([i.output for i in own], [i.reference for i in own], AS_WRITTEN)
            numbers[rows, columns["marked_edits"]] = [one.edits for one in found.segments]
            numbers[rows, columns["marked_words"]] = [one.words for one in found.segments]

    def _look(self, item: TaskItem, system: str) -> None:
        key = item.task, system
        if key not in self._hygiene:
            by_ter = TASKS[item.task].metric == "TER"
            self._hygiene[key] = Hygiene(TER, ter_edits) if by_ter else Hygiene(WER, wer_edits)
        self._hygiene[key].look(item.output, [item.reference])


def _name(item: TaskItem, places: Sequence[Place]) -> str:
    place = places[item.run]
    return f"{place.system}, {place.base}/{item.segment}"


def _marks(text: str) -> int:
    """How many diacritics the scoring of transcriptions removes."""
    return len(text) - len(WER.translate(text))


_EDITS = slice(TaskSums._fields.index("insertions"), TaskSums._fields.index("words") + 1)


def _ter(items: Sequence[TaskItem], rows: NDArray[np.int64], numbers: NDArray[np.float64]) -> None:
    if items:
        found = ter_counts([i.output for i in items], [[i.reference] for i in items], TER)
        numbers[rows, _EDITS] = np.column_stack([found.counts[:, :4], found.edits, found.words])


def _wer(items: Sequence[TaskItem], rows: NDArray[np.int64], numbers: NDArray[np.float64]) -> None:
    if items:
        found = wer_corpus([i.output for i in items], [i.reference for i in items], WER)
        numbers[rows, _EDITS] = [
            (one.insertions, one.deletions, one.substitutions, 0, one.edits, one.words)
            for one in found.segments
        ]


def _located(
    items: Sequence[TaskItem], places: Sequence[Place], count: Any, error: StudioError
) -> StudioError:
    """The same error, naming the segment."""
    one, nothing = np.zeros(1, dtype=np.int64), np.zeros((1, len(TaskSums._fields)))
    for item in items:
        try:
            count([item], one, nothing)
        except StudioError as found:
            place = places[item.run]
            return InputError(
                found.code,
                found.reason,
                where=f"{place.system}, {place.base}/{item.segment}",
                remedy=found.remedy,
            )
    return error


@dataclass(frozen=True, slots=True)
class _Workers:
    """Count the edits of items as :func:`_ter` and :func:`_wer` do here."""

    many: Many
    progress: Progress

    @property
    def at_once(self) -> int:
        """So many items are counted together: each worker gets some."""
        return _PART * max(4, 2 * self.many.threads)

    def count(
        self,
        items: Sequence[TaskItem],
        places: Sequence[Place],
        rows: NDArray[np.int64],
        numbers: NDArray[np.float64],
        by_ter: bool,
    ) -> None:
        """Put the counts of some items, by TER or WER, into their rows.

        Raises:
            PartsFailed: texts that cannot be scored.
        """
        parts = (
            (items[at : at + _PART], rows[at : at + _PART]) for at in range(0, len(items), _PART)
        )

        def work(part: _Rows) -> tuple[Any, ...]:
            pairs = Pairs([i.output for i in part[0]], [[i.reference for i in part[0]]])
            if by_ter:
                return ter_part, pairs, TER, 1, False
            return wer_part, pairs, WER, False, False, False

        def name(part: _Rows, row: int | None) -> str:
            if row is None:
                return f"{name(part, 0)} to {name(part, -1)}"
            return _name(part[0][row], places)

        for (_, own), found in in_order(self.many, parts, work, name, self.progress):
            if by_ter:
                counts = [found.counts[:, :4], found.edits, found.words]
            else:
                _, subs, dels, ins, words = found.counts.T
                counts = [ins, dels, subs, np.zeros_like(subs), subs + dels + ins, words]
            numbers[own, _EDITS] = np.column_stack(counts)


_Rows = tuple[Sequence[TaskItem], NDArray[np.int64]]


def _surplus(gold: _Texts, output: _Texts) -> Iterator[tuple[str, Status]]:
    for name, raw in zip(output.segments, output.ids, strict=True):
        if name not in gold.segments:
            yield name, Status.DOUBLED if raw in gold.segments else Status.EXTRA


def _take_hter(
    campaign: str | Path, many: Many | None, tell: Callable[[str], None], progress: Progress
) -> tuple[str, HterTables, list[str]]:
    """The campaign's signature, its figures, and what is to be told of them."""
    tables, told, signature = HterTables(), list[str](), ""
    hter = HterWorkers(many, progress) if many else None
    for track in read_tracks(campaign):
        with open_report(
            campaign, track=track, pictures=False, many=hter, tell=tell, progress=progress
        ) as (report, _):
            told += [f"HTER is preliminary: {sentence}" for sentence in report.preliminary]
            told += report.warnings
            signature = signature or report.signatures[str(report.denominator)]
            tables = tables.and_of(report)
    return signature, tables, told
