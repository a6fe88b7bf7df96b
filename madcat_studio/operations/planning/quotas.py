"""How a campaign's pages keep the quotas of the evaluation plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from madcat_studio.errors import FormatError
from madcat_studio.formats.tables import read_number, read_table
from madcat_studio.planning.quotas import PLAN, Copy, Factor, Quota, Standing, standing
from madcat_studio.reports.grouping import written
from madcat_studio.reports.table import CellKind, Column, Table
from madcat_studio.store import open_campaign

__all__ = ["quotas_table", "read_quotas", "read_standing"]


def read_quotas(path: Path) -> tuple[Quota, ...]:
    """Quotas of a table with the columns ``set factor level target``; shares are fractions.

    Raises:
        StudioError: the table cannot be read, or a row makes no sense.
    """
    table = read_table(path, required=("set", "factor", "level", "target"))
    found = []
    for row in table.rows:
        try:
            factor, target = Factor(row["factor"]), read_number(row["target"])
        except ValueError:
            raise FormatError(
                "quotas.row",
                f"the factor is {row['factor']!r} and the target {row['target']!r}",
                where=table.where(row),
                remedy=f"Write one of {', '.join(Factor)}, and a number",
            ) from None
        found.append(Quota(row["set"], factor, row["level"], target))
    return tuple(found)


def read_standing(where: str, quotas: Path | None = None) -> tuple[tuple[str, Standing], ...]:
    """Target, actual and missing of every quota of the sets that each track of a campaign has.

    Args:
        where: the campaign; it is only read.
        quotas: a table of quotas; by default the evaluation plan's.

    Raises:
        StudioError: the campaign or the table cannot be read, or quotas contradict themselves.
    """
    wanted = PLAN if quotas is None else read_quotas(quotas)
    with open_campaign(where, read_only=True) as campaign:
        tracks: dict[str, dict[tuple[str, str], Copy]] = {}
        for document in campaign.contents.documents():
            words = sum(
                one.transcription_words for one in campaign.contents.segments(document.base)
            )
            key = document.data_set.value, document.manuscript
            manuscripts = tracks.setdefault(document.track, {})
            before = manuscripts.get(key)
            manuscripts[key] = Copy(
                document.data_set.value,
                document.passage,
                document.genre,
                words + (before.tokens if before else 0),
                document.scribe,
                document.exposure,
                *written(document.conditions),
            )
    return tuple(
        (track, one) for track in sorted(tracks) for one in standing(tracks[track].values(), wanted)
    )


def quotas_table(found: Sequence[tuple[str, Standing]]) -> Table:
    """The same as a table."""
    columns = (
        Column("track", "Track"),
        Column("set", "Set"),
        Column("factor", "Quota"),
        Column("level", "Of"),
        Column("wanted", "Wanted", note="a number, or a share of the manuscripts"),
        Column("target", "Target", CellKind.COUNT),
        Column("actual", "Actual", CellKind.COUNT),
        Column("missing", "Missing", CellKind.COUNT),
        Column("remedy", "What would be enough"),
    )
    rows = [
        (
            track,
            one.quota.data_set,
            str(one.quota.factor),
            one.quota.level,
            f"{one.quota.target:.0%}" if one.quota.target <= 1 else f"{one.quota.target:g}",
            one.target,
            one.actual,
            one.missing,
            one.remedy,
        )
        for track, one in found
    ]
    note = "By tables 2 to 5 of the evaluation plan, or by a table of your own."
    return Table("quotas", "Quotas", columns, rows, note)
