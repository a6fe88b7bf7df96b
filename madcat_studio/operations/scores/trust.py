"""Which metric may be trusted: a campaign's finals against what metrics say of the same outputs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from madcat_studio.errors import UsageError
from madcat_studio.formats.files import read_file
from madcat_studio.operations.scores.line_pictures import line_pictures
from madcat_studio.operations.scores.options import denominator_of, scoring_options
from madcat_studio.operations.scores.report import hter_signature
from madcat_studio.operations.scores.trust_gather import (
    TERCOM,
    WER_OPTIONS,
    Gathered,
    add_columns,
    add_recognition,
    gather,
    keep_scored,
)
from madcat_studio.operations.scores.trust_table import read_scores
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.trust import Point, Told, chosen_points, order_of, trust_report
from madcat_studio.scoring.resampling import Resampling
from madcat_studio.scoring.trust.study import Study, study
from madcat_ter.hter import Denominator
from madcat_ter.options import TerOptions
from madcat_ter.signature import ter_signature, wer_signature

if TYPE_CHECKING:
    from madcat_studio.store import Campaign

__all__ = ["Trust", "trust"]

_MOST_PICTURES = 60
"""Pictures of handwriting in the page; each is some ten thousand letters."""


@dataclass(frozen=True, slots=True)
class Trust:
    """What was found, and what a window draws of it.

    Attributes:
        report: for files.
        study: the figures.
        told: names, scores and points, in the order of the study.
        order: the metrics' numbers, the most trustworthy first.
        columns: of the metrics and judgements, those that were brought in.
    """

    report: CardReport
    study: Study
    told: Told
    order: tuple[int, ...]
    columns: tuple[str, ...]


def trust(
    campaign: str | Path,
    *,
    scores: Sequence[Path] = (),
    lower: Collection[str] = (),
    against: str = "",
    recognition: Mapping[str, Path] | None = None,
    track: str = "",
    denominator: Denominator | None = None,
    resampling: Resampling = Resampling(),
    pictures: bool = True,
    made: datetime | None = None,
    progress: Progress = SILENT,
) -> Trust:
    """Hold each metric against HTER, or against what people said otherwise.

    Args:
        campaign: its folder or URL; it is only read.
        scores: tables with the columns ``system base segment``, and one for each metric.
        lower: the columns of them in which less is better.
        against: the column with people's judgements, such as adequacy, which takes the place of
            HTER; HTER is one of the metrics then.
        recognition: system -> folder of its outputs with transcriptions, for their WER.
        track: of which outputs, where the campaign has several.
        denominator: of HTER; by default the campaign's own.
        resampling: how documents are drawn.
        pictures: with the handwriting of the outputs that are told about most differently.
        made: when the report is made; now by default.
        progress: may cancel.

    Raises:
        InputError, UsageError, FormatError: ``trust.…``: nothing to hold against each other, or a
            table of other segments.
        StudioError: the campaign or a table cannot be read.
        Cancelled: ``progress`` said so.
    """
    from madcat_studio.store import open_campaign

    with open_campaign(campaign, read_only=True) as opened:
        settings = opened.options()
        options = scoring_options(settings)
        if denominator is None:
            denominator = denominator_of(settings)
        found = gather(opened.segment_records(), options, denominator, track, progress)
        if recognition:
            add_recognition(
                found,
                recognition,
                lambda base: {
                    one.name: one.transcription for one in opened.contents.segments(base)
                },
                progress,
            )
        names = {name: name for name in found.systems}
        codes = {one.code: one.name for one in opened.contents.systems() if one.name in names}
        columns = read_scores(scores, codes | names, frozenset(found.keys), lower)
        add_columns(found, columns)
        if against:
            _judged_by(found, against)
        keep_scored(found)
        made_study = study(
            found.metrics, found.people, found.units, found.groups, resampling, progress
        )
        oriented = np.stack([one.oriented(one.segments()) for one in found.metrics])
        said = found.people.segments()
        rows, differing = chosen_points(oriented, found.people.oriented(said), resampling.seed)
        points = _points(opened, found, rows, denominator, options)
        told = Told(
            title=opened.name if not track else f"{opened.name}, {track}",
            made=_minute(made),
            people=found.people,
            metrics=tuple(found.metrics),
            systems=tuple(found.systems),
            documents=int(found.units.documents.max()) + 1,
            scores=np.stack([one.segments() for one in found.metrics]),
            said=said,
            points=points,
            pictures=_pictures(opened, points, differing) if pictures else {},
        )
    warnings = [*found.preliminary, *_left_out(found)]
    report = trust_report(
        made_study,
        told,
        differing,
        warnings=warnings,
        signatures=_signatures(found, options, denominator),
        hashes={path.name: _digest(path) for path in scores},
        settings=resampling,
    )
    return Trust(
        report, made_study, told, tuple(order_of(made_study)), tuple(one.name for one in columns)
    )


def _judged_by(found: Gathered, column: str) -> None:
    """Let a column that was brought in be what people said, and HTER one of the metrics."""
    place = next((at for at, one in enumerate(found.metrics) if one.name == column), None)
    if place is None:
        raise UsageError(
            "trust.no-column",
            f"no table has a column {column}",
            remedy=f"There are: {', '.join(one.name for one in found.metrics)}",
        )
    people = found.metrics.pop(place)
    found.metrics.insert(0, found.people)
    found.people = people


def _left_out(found: Gathered) -> list[str]:
    return [f"Not looked at: {'; '.join(found.left_out)}."] if found.left_out else []


def _points(
    campaign: Campaign,
    found: Gathered,
    rows: Sequence[int],
    denominator: Denominator,
    options: TerOptions,
) -> list[Point]:
    """The texts of some outputs: one more way through the records, so that none need be kept."""
    from madcat_ter.hter import score_segment

    wanted = {found.keys[row]: row for row in rows}
    points = []
    for record in campaign.segment_records():
        row = wanted.get((record.system, record.base, record.segment))
        if row is None or record.earlier:
            continue
        choice = score_segment(record.output, record.reference, record.teams, options).choice(
            denominator
        )
        final = None if choice.team is None else record.teams[choice.team].final
        points.append(
            Point(
                *(row, record.system, record.base, record.segment, record.kit, record.genre),
                *(record.scribe, record.output, final or "", record.reference),
            )
        )
    return sorted(points, key=lambda point: point.row)


def _pictures(
    campaign: Campaign, points: Sequence[Point], differing: Sequence[Sequence[int]]
) -> dict[tuple[str, str], str]:
    """Handwriting of the outputs that metrics and people differ about most, in turn."""
    by_row = {point.row: (point.document, point.segment) for point in points}
    wanted: dict[tuple[str, str], None] = {}
    for place in range(max(map(len, differing), default=0)):
        for own in differing:
            if place < len(own) and len(wanted) < _MOST_PICTURES:
                wanted.setdefault(by_row[own[place]])
    return line_pictures(campaign, wanted)


def _signatures(found: Gathered, options: TerOptions, denominator: Denominator) -> dict[str, str]:
    """What each metric's numbers depend on."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    bleu, chrf = BLEU(), CHRF(word_order=2)
    bleu.num_refs = chrf.num_refs = 1
    known = {
        "HTER": hter_signature(options, denominator, {}),
        "TER": ter_signature(options),
        "TER (tercom's defaults)": ter_signature(TERCOM),
        "BLEU": str(bleu.get_signature()),
        "chrF++": str(chrf.get_signature()),
        "WER of the recognition": wer_signature(WER_OPTIONS),
    }
    return {
        one.name: known[one.name] for one in (found.people, *found.metrics) if one.name in known
    }


def _digest(path: Path) -> str:
    import hashlib

    return hashlib.sha256(read_file(path)).hexdigest()


def _minute(made: datetime | None) -> str:
    moment = datetime.now(UTC) if made is None else made.astimezone(UTC)
    return f"{moment:%Y-%m-%d %H:%M} UTC"
