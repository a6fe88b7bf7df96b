"""What a campaign's metrics and people say of each segment's output, as columns of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import InputError, UsageError
from madcat_studio.formats import madcat
from madcat_studio.model.campaign import DataSet, SegmentRecord
from madcat_studio.model.control import set_of
from madcat_studio.model.outlines import segment_names
from madcat_studio.operations.corpus.intake import tidy
from madcat_studio.operations.corpus.outputs import OUTPUT_SUFFIX
from madcat_studio.operations.scores.trust_table import ScoreColumn
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.table import number_of
from madcat_studio.scoring.scorecards.rosetta_counts import chrf_counts
from madcat_studio.scoring.trust.metrics import Bleu, Chrf, Length, Mean, Metric, Rate
from madcat_studio.scoring.trust.study import Units
from madcat_ter.hter import Denominator, Outcome, score_segments
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.ter import ter_counts
from madcat_ter.text import words
from madcat_ter.wer import wer_corpus

__all__ = [
    "LENGTHS",
    "TERCOM",
    "WER_OPTIONS",
    "Gathered",
    "add_columns",
    "add_recognition",
    "gather",
    "keep_scored",
]

TERCOM = TerOptions(case_sensitive=False, normalise=False)
"""tercom's own defaults: case does not count, punctuation is not split off."""

WER_OPTIONS = WerOptions(remove_diacritics=True)

LENGTHS = (10, 20, 40)
"""Words of the reference at which the next class of lengths begins."""

_STEP = 500

Key = tuple[str, str, str]


@dataclass(slots=True)
class Gathered:
    """All that the metrics are held against people by.

    Attributes:
        keys: (system, BASE, segment) of each output.
        metrics: with a row for each; ``people``: likewise.
        units: which system's output of which segment each is.
        groups: genre, scribe and length -> the name of each output's group.
        systems: their names, as ``units`` numbers them.
        left_out: what was not looked at, in sentences.
        preliminary: what is still to come, likewise.
    """

    keys: list[Key]
    metrics: list[Metric]
    people: Metric
    units: Units
    groups: dict[str, list[str]]
    systems: list[str]
    left_out: list[str]
    preliminary: list[str]


@dataclass(slots=True)
class _Columns:
    """What is counted while the records stream past."""

    keys: list[Key] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    genres: list[str] = field(default_factory=list)
    scribes: list[str] = field(default_factory=list)
    numbers: dict[str, list[NDArray[np.float64]]] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    preliminary: int = 0

    def add(self, name: str, rows: NDArray[np.float64]) -> None:
        self.numbers.setdefault(name, []).append(rows)

    def table(self, name: str) -> NDArray[np.float64]:
        return np.concatenate(self.numbers[name])


def gather(
    records: Iterable[SegmentRecord],
    options: TerOptions,
    denominator: Denominator,
    track: str = "",
    progress: Progress = SILENT,
) -> Gathered:
    """Count for every output of the evaluation set with a final text.

    Args:
        records: of a campaign.
        options: of TER and HTER.
        denominator: of HTER.
        track: of which outputs; needed where there are several tracks.
        progress: may cancel.

    Raises:
        InputError: ``trust.no-finals``.
        UsageError: ``trust.track``.
        Cancelled: ``progress`` said so.
    """
    columns = _Columns()
    stream = _of_track(records, track)
    done = 0
    while block := list(islice(stream, _STEP)):
        _take(columns, block, options, denominator)
        done += len(block)
        progress.advance(done, None, "Scoring segments")
        if progress.cancelled():
            raise Cancelled
    if not columns.keys:
        raise InputError(
            "trust.no-finals",
            "no output of the evaluation set has a final text yet",
            remedy="Ask again when a team has handed a review over",
        )
    metrics: list[Metric] = [
        Rate("TER", columns.table("ter")),
        Rate("TER (tercom's defaults)", columns.table("tercom")),
        Bleu("BLEU", columns.table("bleu")),
        Chrf("chrF++", columns.table("chrf")),
        Length("Length", columns.table("length")),
    ]
    return _gathered(columns, metrics)


def _of_track(records: Iterable[SegmentRecord], track: str) -> Iterator[SegmentRecord]:
    """Those of the evaluation set and one track; nothing is held over both."""
    tracks: dict[str, None] = {}
    for record in records:
        if set_of(record) is not DataSet.EVALUATION:
            continue
        tracks.setdefault(record.track)
        if len(tracks) > 1 and not track:
            raise UsageError(
                "trust.track",
                "the campaign has more than one track, and they are never compared together",
                remedy=f"Name one by --track: {', '.join(one or '(none)' for one in tracks)}, …",
            )
        if not track or record.track == track:
            yield record
    if track and track not in tracks:
        raise UsageError(
            "trust.track",
            f"the campaign has no track {track}",
            remedy=f"There are: {', '.join(one for one in tracks if one) or 'none'}",
        )


def _take(
    columns: _Columns,
    block: Sequence[SegmentRecord],
    options: TerOptions,
    denominator: Denominator,
) -> None:
    """Count for those of a block that people edited and whose rate is one."""
    from sacrebleu.metrics.bleu import BLEU

    kept: list[SegmentRecord] = []
    people: list[tuple[float, float]] = []
    scores = score_segments([(r.output, r.reference, r.teams) for r in block], options)
    for record, score in zip(block, scores, strict=True):
        choice = score.choice(denominator)
        if choice.outcome is Outcome.OPEN:
            why = "without a final text"
        elif choice.outcome is Outcome.NO_OUTPUT:
            why = "for which the system gave nothing, so that nobody edited it"
        elif choice.rate is None or not words(record.reference, options):
            why = "without words to divide by"
        else:
            kept.append(record)
            people.append((choice.edits, choice.words))
            columns.preliminary += choice.outcome is Outcome.PRELIMINARY
            continue
        columns.left_out[why] = columns.left_out.get(why, 0) + 1
    if not kept:
        return
    outputs, references = [r.output for r in kept], [r.reference for r in kept]
    columns.add("people", np.array(people))
    for name, own in (("ter", options), ("tercom", TERCOM)):
        counts = ter_counts(outputs, [[text] for text in references], own)
        columns.add(name, np.stack([counts.edits, counts.words], axis=1))
    bleu = BLEU(effective_order=True)
    rows = []
    for output, reference in zip(outputs, references, strict=True):
        one = bleu.sentence_score(output, [reference])
        rows.append([*one.counts, *one.totals, one.sys_len, one.ref_len])
    columns.add("bleu", np.array(rows, dtype=np.float64))
    columns.add("chrf", chrf_counts(zip(outputs, references, strict=True)))
    lengths = [
        (len(words(output, options)), len(words(reference, options)))
        for output, reference in zip(outputs, references, strict=True)
    ]
    columns.add("length", np.array(lengths, dtype=np.float64))
    for record in kept:
        columns.keys.append((record.system, record.base, record.segment))
        columns.sources.append(record.source_document)
        columns.genres.append(record.genre)
        columns.scribes.append(record.scribe)


def _gathered(columns: _Columns, metrics: list[Metric]) -> Gathered:
    def numbered(names: Iterable[object]) -> NDArray[np.intp]:
        places: dict[object, int] = {}
        return np.array([places.setdefault(name, len(places)) for name in names], dtype=np.intp)

    keys = columns.keys
    lengths = np.digitize(columns.table("length")[:, 1], LENGTHS)
    return Gathered(
        keys=keys,
        metrics=metrics,
        people=Rate("HTER", columns.table("people")),
        units=Units(
            systems=numbered(system for system, _, _ in keys),
            documents=numbered(columns.sources),
            pages=numbered(base for _, base, _ in keys),
            segments=numbered((base, segment) for _, base, segment in keys),
        ),
        groups={
            "genre": columns.genres,
            "scribe": columns.scribes,
            "length": [_length(place) for place in lengths.tolist()],
        },
        systems=list(dict.fromkeys(system for system, _, _ in keys)),
        left_out=[
            f"{count:,} output{'s' * (count != 1)} {why}" for why, count in columns.left_out.items()
        ],
        preliminary=[
            f"Preliminary: of {number_of(columns.preliminary, 'output')} one team's final text is "
            "still to come."
        ]
        if columns.preliminary
        else [],
    )


def _length(place: int) -> str:
    if place == 0:
        return f"below {LENGTHS[0]} words"
    if place == len(LENGTHS):
        return f"{LENGTHS[-1]} words and more"
    return f"{LENGTHS[place - 1]} to {LENGTHS[place] - 1} words"


def add_columns(found: Gathered, columns: Sequence[ScoreColumn]) -> None:
    """Add scores that were brought in; outputs without one have no score for now."""
    for column in columns:
        values = [column.values.get(key, np.nan) for key in found.keys]
        found.metrics.append(Mean(column.name, values, lower=column.lower))


def keep_scored(found: Gathered) -> None:
    """Leave out what some metric has no score of: all of them are held against the same outputs.

    Raises:
        InputError: ``trust.nothing-in-common``.
    """
    every = [found.people, *found.metrics]
    known = np.ones(len(found.keys), dtype=bool)
    for metric in every:
        own = np.isfinite(metric.segments())
        if not own.any():
            raise InputError(
                "trust.nothing-in-common",
                f"{metric.name} has no score for any output that is compared",
                where=metric.name,
                remedy="Leave this metric out, or give its scores",
            )
        if missing := int((known & ~own).sum()):
            found.left_out.append(
                f"{missing:,} output{'s' * (missing != 1)} without a score by {metric.name}"
            )
        known &= own
    if not known.any():
        raise InputError(
            "trust.nothing-in-common",
            "no output has a score from every metric",
            remedy="Leave a metric out, or give its scores",
        )
    if known.all():
        return
    for metric in every:
        metric.kept(known)
    rows = np.nonzero(known)[0].tolist()

    def again(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.asarray(np.unique(numbers[known], return_inverse=True)[1])

    kept = np.unique(found.units.systems[known])
    found.systems = [found.systems[place] for place in kept.tolist()]
    found.keys = [found.keys[row] for row in rows]
    found.groups = {kind: [names[row] for row in rows] for kind, names in found.groups.items()}
    units = found.units
    found.units = Units(
        again(units.systems), again(units.documents), again(units.pages), again(units.segments)
    )


def add_recognition(
    found: Gathered,
    folders: Mapping[str, Path],
    transcriptions: Callable[[str], Mapping[str, str]],
    progress: Progress,
) -> None:
    """Add the WER of the systems' own recognition of the page.

    Args:
        found: what there is.
        folders: system -> folder of its outputs with transcriptions.
        transcriptions: BASE -> those of the references, by segment.
        progress: may cancel.

    Raises:
        UsageError: ``trust.system``.
        InputError: ``trust.no-recognition``.
        Cancelled: ``progress`` said so.
    """
    if strange := sorted(set(folders) - set(found.systems)):
        raise UsageError(
            "trust.system",
            f"the campaign has no system {strange[0]} with outputs to compare",
            remedy=f"There are: {', '.join(found.systems)}",
        )
    counts: dict[Key, tuple[float, float]] = {}
    bases = list(dict.fromkeys(base for _, base, _ in found.keys))
    references = {base: transcriptions(base) for base in bases}
    for system, folder in folders.items():
        files = {madcat.base_of(path): path for path in sorted(folder.rglob(f"*{OUTPUT_SUFFIX}"))}
        if not files:
            raise InputError(
                "trust.no-recognition",
                f"the folder has no *{OUTPUT_SUFFIX} file",
                where=folder,
                remedy="Name the folder of the system's outputs with their transcriptions",
            )
        for done, base in enumerate(bases):
            progress.advance(done, len(bases), "Reading transcriptions")
            if progress.cancelled():
                raise Cancelled
            if base in files:
                own = _transcribed(files[base], references[base])
                counts |= {(system, base, name): pair for name, pair in own.items()}
    nothing = np.nan, np.nan
    rows = [counts.get(key, nothing) for key in found.keys]
    found.metrics.append(Rate("WER of the recognition", np.array(rows)))


def _transcribed(path: Path, references: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    """Edits and words of each segment of a file that has a transcription."""
    segments = list(madcat.read(path).document.segments())
    texts = {
        name: tidy(one.transcription)
        for name, one in zip(segment_names(segments), segments, strict=True)
        if one.transcription is not None
    }
    found: dict[str, tuple[float, float]] = {}
    for name, text in texts.items():
        if references.get(name):
            made = wer_corpus([text], [references[name]], WER_OPTIONS)
            if made.words:
                found[name] = made.edits, float(made.words)
    return found
