"""What scribes' hands do to a campaign's HTER: each against the others on the same passages."""

from __future__ import annotations

from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.scores.report import open_report
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.table import CellKind, Column, Table, number_of
from madcat_studio.scoring.hands import FEWEST, CopyScore, compare_hands
from madcat_studio.scoring.resampling import Resampling
from madcat_studio.store import open_campaign

__all__ = ["hands_table"]

_COLUMNS = (
    Column("scribe", "Scribe"),
    Column("exposure", "Exposure"),
    Column("copies", "Outputs", CellKind.COUNT, "of copies of passages that others copied, too"),
    Column("passages", "Passages", CellKind.COUNT),
    Column("hter", "HTER", CellKind.RATE),
    Column("others", "Others", CellKind.RATE, "HTER of other scribes' copies of these passages"),
    Column("difference", "Difference", CellKind.RATE, "more: this hand is harder to read"),
    Column("low", "From", CellKind.RATE, "95 % interval of the difference"),
    Column("high", "To", CellKind.RATE, "95 % interval of the difference"),
)


def hands_table(
    where: str,
    *,
    track: str | None = None,
    resampling: Resampling = Resampling(),
    progress: Progress = SILENT,
) -> Table:
    """Each scribe of the evaluation set against the others on the same passages.

    Args:
        where: the campaign; it is only read.
        track: which; need not be named where there is one only.
        resampling: how intervals are made.
        progress: may cancel.

    Raises:
        StudioError: the campaign cannot be read or scored, or it has several tracks.
    """
    with open_campaign(where, read_only=True) as campaign:
        documents = {
            one.manuscript: one
            for one in campaign.contents.documents()
            if one.data_set is DataSet.EVALUATION
        }
        with open_report(
            campaign, track=track, full=False, verdict=False, pictures=False, progress=progress
        ) as (report, _):
            table = next(one for one in report.tables if one.name == "by-manuscript")
            scores = [
                CopyScore(
                    str(row["system"]),
                    documents[manuscript].passage,
                    documents[manuscript].scribe,
                    float(row["edits"] or 0),
                    float(row["words"] or 0),
                )
                for row in table.records()
                if (manuscript := str(row["manuscript"])) in documents
            ]
    exposures = {one.scribe: one.exposure for one in documents.values()}
    found = compare_hands(scores, resampling)
    passages = {one.passage for one in scores}
    note = (
        "Each scribe against the others on the passages that both copied, system by system, "
        f"weighted by the scribe's own words; over {number_of(len(passages), 'passage')}. "
        f"Intervals resample passages; none is given of fewer than {FEWEST}."
    )
    rows = [(one.scribe, exposures[one.scribe], *one[1:]) for one in found]
    return Table("hands", "Scribes on the same passages", _COLUMNS, rows, note)
