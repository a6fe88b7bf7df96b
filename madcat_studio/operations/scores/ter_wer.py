"""TER and WER of files: read, pair by id, score, and lay the numbers out as tables."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import InputError, UsageError
from madcat_studio.formats.segment_texts import Layer, SegmentTexts, read_segment_texts, read_timed
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.csv_tables import write_csv
from madcat_studio.reports.files import replacing
from madcat_studio.reports.parquet_tables import write_parquet
from madcat_studio.reports.sclite_listings import pra_listing, sum_listing
from madcat_studio.reports.table import NOT_A_RATE, Cell, CellKind, Column, Table, plain
from madcat_studio.scoring.duration import long_texts
from madcat_studio.scoring.replay import replay_lines
from madcat_ter.alternatives import network_of
from madcat_ter.hygiene import Hygiene, Pair
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.signature import ter_signature, wer_signature
from madcat_ter.ter import TerCounts, TerResult, rate, ter, ter_counts
from madcat_ter.wer import WerCorpus, WerResult, wer_corpus

__all__ = [
    "OddRates",
    "Paired",
    "Scores",
    "TerRows",
    "as_sclite",
    "confusion_table",
    "ids_differ",
    "json_parts",
    "lines_differ",
    "long_ones",
    "pair",
    "read_pairs",
    "read_texts",
    "replay_text",
    "result_of",
    "score_ter",
    "score_wer",
    "ter_edits",
    "ter_scores",
    "wer_cells",
    "wer_edits",
    "wer_hygiene",
    "wer_scores",
    "write_scores",
]


@dataclass(frozen=True, slots=True)
class Paired:
    """Outputs with their references, in the order of the output file."""

    ids: tuple[str, ...]
    outputs: list[str]
    references: list[list[str]]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """What was found, ready to be shown or written.

    Attributes:
        metric: ``TER``, ``WER`` or ``CER``.
        signature: the line that tells all settings.
        total: one row.
        segments: one row a segment.
        warnings: what the reader must know of the input.
        notes: what the reader may wonder about in the numbers.
    """

    metric: str
    signature: str
    total: Table
    segments: Table
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()


def read_pairs(output: Path, references: Sequence[Path], layer: Layer = "translation") -> Paired:
    """Read an output file and its reference files and pair their segments.

    Raises:
        InputError: as :func:`pair`, and what reading a file raises.
    """
    return pair(*read_texts(output, references, layer))


def read_texts(
    output: Path, references: Sequence[Path], layer: Layer = "translation"
) -> tuple[SegmentTexts, list[SegmentTexts]]:
    """Read an output file and its reference files; a CTM file by the segments of its STM file."""
    if output.suffix.lower() == ".ctm" and references[0].suffix.lower() == ".stm":
        words, segments = read_timed(output, references[0])
        return words, [segments, *(read_segment_texts(path, layer) for path in references[1:])]
    return read_segment_texts(output, layer), [
        read_segment_texts(path, layer) for path in references
    ]


def as_sclite(options: WerOptions, *paths: Path) -> WerOptions:
    """The options for files of sclite's formats: alternatives are read, and weighed as there."""
    if {path.suffix.lower() for path in paths} & {".trn", ".stm", ".ctm"}:
        return replace(options, nist=True, alternatives="read")
    return options


def pair(output: SegmentTexts, references: Sequence[SegmentTexts]) -> Paired:
    """Pair segments by id, or by line where the files have no ids.

    Raises:
        InputError: ids or numbers of lines differ; the message lists the ids.
    """
    columns: list[Sequence[str]] = []
    for reference in references:
        if output.numbered and reference.numbered:
            if len(output.texts) != len(reference.texts):
                raise lines_differ(
                    output.path, len(output.texts), reference.path, len(reference.texts)
                )
            columns.append(reference.texts)
            continue
        texts = dict(zip(reference.ids, reference.texts, strict=True))
        known = set(output.ids)
        missing = [name for name in reference.ids if name not in known]
        extra = [name for name in output.ids if name not in texts]
        if missing or extra:
            raise ids_differ(output.path, reference.path, missing, extra)
        columns.append([texts[name] for name in output.ids])
    grouped = [list(texts) for texts in zip(*columns, strict=True)]
    warnings = [*output.warnings, *(one for ref in references for one in ref.warnings)]
    return Paired(output.ids, list(output.texts), grouped, tuple(warnings))


def lines_differ(output: str, lines: int, reference: str, others: int) -> InputError:
    """What is told of numbered texts that are not as many."""
    return InputError(
        "scoring.lines-differ",
        f"{output} has {lines} lines and {reference} has {others}",
        remedy="Line by line, the files belong together; an empty output is an empty line",
    )


def ids_differ(
    output: str, reference: str, missing: Sequence[str], extra: Sequence[str]
) -> InputError:
    """What is told of two files whose ids are not the same."""
    return InputError(
        "scoring.ids-differ",
        f"{output} and {reference} do not have the same segments: "
        f"{_listed(missing, 'without output')}; {_listed(extra, 'without reference')}",
        remedy="Give the files the same ids, or score with evaluate, which counts a missing output "
        "as empty",
    )


def _listed(ids: Sequence[str], what: str) -> str:
    shown = ", ".join(ids[:10]) + (" …" if len(ids) > 10 else "")
    return f"{len(ids)} {what}" + (f" ({shown})" if ids else "")


_NO_BEAM = "no beam: the edit distance is exact, and can be lower than tercom's"


@dataclass(slots=True)
class OddRates:
    """Segments whose rates the reader may wonder about, counted."""

    above: int = 0
    nothing: int = 0

    def look(self, edits: NDArray[Any], words: NDArray[Any]) -> None:
        """Take in some segments."""
        self.above += int(((edits > words) & (words > 0)).sum())
        self.nothing += int(((edits > 0) & (words == 0)).sum())

    def notes(self) -> Iterator[str]:
        """What is told of them."""
        if self.above:
            yield (
                f"{self.above} segments have a rate above 100 %: more edits than reference words; "
                "it counts as it is"
            )
        if self.nothing:
            yield (
                f"{self.nothing} segments have no reference words: their rate is n/a, their edits "
                "count in the total"
            )


def _rate_cell(edits: float, words: float) -> Cell:
    found = rate(edits, words)
    return NOT_A_RATE if found is None else found


_TER_COUNTS = (
    Column("insertions", "Ins", CellKind.COUNT),
    Column("deletions", "Del", CellKind.COUNT),
    Column("substitutions", "Sub", CellKind.COUNT),
    Column("shifts", "Shifts", CellKind.COUNT),
    Column("shifted_words", "Shifted words", CellKind.COUNT),
    Column("edits", "Edits", CellKind.NUMBER),
    Column("words", "Words", CellKind.NUMBER, "mean over the references"),
)


def ter_edits(pairs: Sequence[Pair], options: TerOptions) -> float:
    """Edits of all pairs, by TER."""
    if not pairs:
        return 0.0
    outputs, references = [output for output, _ in pairs], [texts for _, texts in pairs]
    return math.fsum(ter_counts(outputs, references, options).edits)


def wer_edits(pairs: Sequence[Pair], options: WerOptions, characters: bool = False) -> float:
    """Edits of all pairs, by WER, or with ``characters`` by CER."""
    outputs, references = [output for output, _ in pairs], [texts[0] for _, texts in pairs]
    return wer_corpus(outputs, references, options, characters=characters).edits


def _unseen(paired: Paired, hygiene: Hygiene[TerOptions] | Hygiene[WerOptions]) -> Iterator[str]:
    for output, texts in zip(paired.outputs, paired.references, strict=True):
        hygiene.look(output, texts)
    return hygiene.warnings()


def long_ones(paired: Paired, options: TerOptions) -> Iterator[str]:
    """A sentence for each segment that may take long; to be told before they are scored."""
    return long_texts(paired.ids, paired.outputs, paired.references, options)


def score_ter(
    paired: Paired, options: TerOptions, *, jobs: int = 1, progress: Progress = SILENT
) -> Scores:
    """The TER of paired texts."""
    counts = ter_counts(paired.outputs, paired.references, options, jobs=jobs, progress=progress)
    odd = OddRates()
    odd.look(counts.edits, counts.words)
    return ter_scores(
        options,
        {len(texts) for texts in paired.references},
        (
            *(int(count) for count in counts.counts.sum(axis=0)),
            math.fsum(counts.edits),
            math.fsum(counts.words),
        ),
        len(paired.ids),
        TerRows(lambda: [(paired.ids, counts)]),
        (*paired.warnings, *_unseen(paired, Hygiene(options, ter_edits))),
        odd,
    )


def ter_scores(
    options: TerOptions,
    numbers: Collection[int],
    sums: tuple[float, ...],
    segments: int,
    rows: Iterable[tuple[Cell, ...]],
    warnings: tuple[str, ...],
    odd: OddRates,
) -> Scores:
    """What is told of TER.

    Args:
        options: of TER.
        numbers: how many references a segment has; several where they differ.
        sums: of the counts, the edits and the words.
        segments: how many there are.
        rows: one for each of them.
        warnings: what the reader must know of the input.
        odd: what the reader may wonder about.
    """
    columns = (*_TER_COUNTS, Column("ter", "TER", CellKind.RATE))
    *counts, edits, words = sums
    return Scores(
        "TER",
        ter_signature(options, next(iter(numbers)) if len(numbers) == 1 else "var"),
        Table(
            "total",
            "TER",
            (Column("segments", "Segments", CellKind.COUNT), *columns),
            [(segments, *counts, plain(edits), plain(words), _rate_cell(edits, words))],
        ),
        Table(
            "segments",
            "TER by segment",
            (Column("segment", "Segment"), *columns),
            rows,
            long=True,
        ),
        warnings,
        (*odd.notes(), *([_NO_BEAM] if options.beam is None else [])),
    )


class TerRows:
    """The rows of a TER table, made when they are asked for.

    Args:
        blocks: gives ids and counts, some segments at a time, as often as it is called.
    """

    def __init__(self, blocks: Callable[[], Iterable[tuple[Sequence[str], TerCounts]]]) -> None:
        self._blocks = blocks

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        for ids, counts in self._blocks():
            for name, row, edits, words in zip(
                ids,
                counts.counts.tolist(),
                counts.edits.tolist(),
                counts.words.tolist(),
                strict=True,
            ):
                yield (name, *row, plain(edits), plain(words), _rate_cell(edits, words))


def _wer_columns(metric: str) -> tuple[Column, ...]:
    return (
        Column("matches", "Correct", CellKind.COUNT),
        Column("substitutions", "Sub", CellKind.COUNT),
        Column("deletions", "Del", CellKind.COUNT),
        Column("insertions", "Ins", CellKind.COUNT),
        Column("edits", "Edits", CellKind.COUNT),
        Column("words", "Characters" if metric == "CER" else "Words", CellKind.COUNT),
        Column(metric.lower(), metric, CellKind.RATE),
    )


def wer_cells(matches: int, subs: int, dels: int, ins: int, words: int) -> tuple[Cell, ...]:
    """The cells of one row of a WER table, but for its first."""
    edits = subs + dels + ins
    return (matches, subs, dels, ins, edits, words, _rate_cell(edits, words))


def _wer_cells(one: WerCorpus | WerResult) -> tuple[Cell, ...]:
    return wer_cells(one.matches, one.substitutions, one.deletions, one.insertions, one.words)


def score_wer(
    paired: Paired,
    options: WerOptions,
    *,
    characters: bool = False,
    progress: Progress = SILENT,
) -> tuple[Scores, WerCorpus]:
    """The WER of paired texts, or the CER.

    Raises:
        UsageError: a segment has more than one reference.
        InputError: alternatives that are not well formed; the message names the segment.
    """
    if any(len(texts) != 1 for texts in paired.references):
        raise UsageError("scoring.one-reference", "WER takes one reference")
    try:
        corpus = wer_corpus(
            paired.outputs,
            [texts[0] for texts in paired.references],
            options,
            characters=characters,
            progress=progress,
        )
    except InputError as error:
        if error.code == "scoring.alternatives":
            _look_at_alternatives(paired)
        raise
    odd = OddRates()
    odd.look(
        np.array([one.edits for one in corpus.segments]),
        np.array([one.words for one in corpus.segments]),
    )
    scores = wer_scores(
        options,
        characters,
        _wer_cells(corpus),
        len(paired.ids),
        [(name, *_wer_cells(one)) for name, one in zip(paired.ids, corpus.segments, strict=True)],
        (*paired.warnings, *_unseen(paired, wer_hygiene(options, characters))),
        odd,
    )
    return scores, corpus


def wer_hygiene(options: WerOptions, characters: bool) -> Hygiene[WerOptions]:
    """Looks for what cannot be seen, and tells what it costs in WER or CER."""

    def edits(pairs: Sequence[Pair], switched: WerOptions) -> float:
        return wer_edits(pairs, switched, characters)

    return Hygiene(options, edits)


def wer_scores(
    options: WerOptions,
    characters: bool,
    total: tuple[Cell, ...],
    segments: int,
    rows: Iterable[tuple[Cell, ...]],
    warnings: tuple[str, ...],
    odd: OddRates,
) -> Scores:
    """What is told of WER; the arguments are those of :func:`ter_scores`."""
    metric = "CER" if characters else "WER"
    columns = _wer_columns(metric)
    return Scores(
        metric,
        wer_signature(options, metric=metric),
        Table(
            "total",
            metric,
            (Column("segments", "Segments", CellKind.COUNT), *columns),
            [(segments, *total)],
        ),
        Table(
            "segments",
            f"{metric} by segment",
            (Column("segment", "Segment"), *columns),
            rows,
            long=True,
        ),
        warnings,
        tuple(odd.notes()),
    )


def _look_at_alternatives(paired: Paired) -> None:
    """Tell of the first text whose alternatives are not well formed, with its segment."""
    for name, output, texts in zip(paired.ids, paired.outputs, paired.references, strict=True):
        for side, text in (("output", output), ("reference", texts[0])):
            try:
                network_of(text)
            except InputError as error:
                where = f"segment {name}, {side}"
                raise InputError(
                    error.code, error.reason, where=where, remedy=error.remedy
                ) from None


def confusion_table(confusions: Counter[tuple[str, str]], most: int) -> Table:
    """The ``most`` frequent substitutions."""
    return Table(
        "confusions",
        "Confusions",
        (
            Column("count", "Times", CellKind.COUNT),
            Column("reference", "Reference"),
            Column("output", "Output"),
        ),
        [
            (count, reference, output)
            for (reference, output), count in sorted(
                confusions.items(), key=lambda one: (-one[1], one[0])
            )[:most]
        ],
    )


def replay_text(paired: Paired, name: str, options: TerOptions) -> list[str]:
    """The alignment of one segment, step by step, as lines.

    Raises:
        UsageError: there is no such segment.
    """
    result = result_of(paired, name, options)
    return [f"segment    {name}", *replay_lines(result)]


def result_of(paired: Paired, name: str, options: TerOptions) -> TerResult:
    """The result of one segment with its alignment.

    Raises:
        UsageError: there is no such segment.
    """
    if name not in paired.ids:
        raise UsageError(
            "scoring.no-such-segment",
            f"there is no segment {name!r}",
            remedy="Plain lines are numbered from 1",
        )
    index = paired.ids.index(name)
    return ter(paired.outputs[index], paired.references[index], options)


def write_scores(scores: Scores, path: Path, corpus: WerCorpus | None = None) -> None:
    """Write scores to a file whose suffix tells its form.

    ``.csv``, ``.jsonl`` and ``.parquet`` hold the segments, ``.json`` all that is known; ``.pra``
    and ``.sum`` are sclite's listings, of WER alone. Rows are written as they are made.

    Raises:
        UsageError: another suffix, or a listing of sclite's for something else than WER.
        WorldError: the file cannot be written, or what writes Parquet is not installed.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        write_csv(scores.segments, path)
    elif suffix == ".parquet":
        write_parquet(scores.segments, path)
    elif suffix == ".jsonl":
        _write(path, (f"{_json(record)}\n" for record in scores.segments.records()))
    elif suffix == ".json":
        _write(path, json_parts(scores))
    elif suffix in (".pra", ".sum") and corpus is not None:
        ids = [str(row[0]) for row in scores.segments.rows]
        listing = pra_listing if suffix == ".pra" else sum_listing
        _write(path, [listing(ids, corpus)])
    else:
        raise UsageError(
            "scoring.form",
            f"these scores cannot be written as {suffix or 'a file without a suffix'}",
            where=path,
            remedy="End the name in .csv, .json, .jsonl or .parquet; for WER also .pra or .sum",
        )


def _write(path: Path, parts: Iterable[str]) -> None:
    with (
        replacing(path) as beside,
        beside.open("w", encoding="utf-8", newline="") as stream,
    ):
        stream.writelines(parts)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def json_parts(scores: Scores) -> Iterator[str]:
    """The scores as one JSON object, bit by bit.

    Rates are fractions with all their digits, or ``"n/a"``.
    """
    head = {
        "metric": scores.metric,
        "signature": scores.signature,
        "warnings": scores.warnings,
        "notes": scores.notes,
        "total": next(scores.total.records()),
    }
    yield "{\n"
    for key, value in head.items():
        yield f"{_json(key)}: {_json(value)},\n"
    yield '"segments": [\n'
    for number, record in enumerate(scores.segments.records()):
        yield f",\n{_json(record)}" if number else _json(record)
    yield "\n]\n}\n"
