"""What a campaign's plan holds, and what each part of it is there for, as a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.planning.draft import read_draft
from madcat_studio.operations.planning.quotas import quotas_table, read_standing
from madcat_studio.planning.draft import DraftKit
from madcat_studio.reports.files import prepare_folder
from madcat_studio.reports.selection import write_page_html
from madcat_studio.reports.table import CellKind, Column, Table
from madcat_studio.store import open_campaign

__all__ = ["WHY", "write_overview"]

WHY: Mapping[str, str] = {
    DataSet.EVALUATION: "new output of pages under evaluation: the systems' scores are made of it",
    DataSet.PROGRESS: "new output for sequestered passages of the earlier phase: it shows what "
    "became better since, on a line of its own",
    DataSet.CONTROL: "old output of the earlier phase, edited again by other teams: it shows "
    "whether editors edit as before, and is in no system's score",
    "practice": "development pages for every team to practise on: never scored, in no report",
}
"""What output of each set is in kits for."""


def write_overview(where: str, folder: Path, reports: Mapping[str, Path]) -> Path:
    """Write what the plan of a campaign holds, and why, as ``index.html``.

    Args:
        where: the campaign; it is only read.
        folder: where to (made if need be).
        reports: of each track, the page that its report begins with.

    Raises:
        StudioError: the campaign cannot be read, or the page not written.
    """
    kits = read_draft(where).kits
    with open_campaign(where, read_only=True) as campaign:
        name = campaign.name
        practice = [kit.name for kit in campaign.plans.kits() if kit.practice]
        sequestered = {one.passage for one in campaign.contents.documents() if one.sequestered}
    tracks = sorted({kit.track for kit in kits})
    sentences = [
        f"Tracks: {', '.join(one or 'without a name' for one in tracks)}. Their data are separate: "
        "no kit holds two, and nothing is summed over them",
        f"Sequestered passages, in no training or development set: {len(sequestered)}",
    ]
    standing = read_standing(where)
    missed = sum(one.missing > 0 for _, one in standing)
    sentences.append(
        f"Quotas of the evaluation plan: {len(standing)}, of which {missed} are missed"
    )
    prepare_folder(folder)
    page = folder / "index.html"
    write_page_html(
        page,
        kicker="Campaign",
        title=name,
        sentences=sentences,
        tables=[_kits(kits, practice), quotas_table(standing)],
        links=[
            (path.relative_to(folder).as_posix(), f"Report of HTER, {track or 'the only track'}")
            for track, path in reports.items()
        ],
    )
    return page


def _kits(kits: tuple[DraftKit, ...], practice: list[str]) -> Table:
    columns = (
        Column("kit", "Kit"),
        Column("track", "Track"),
        Column("teams", "Teams"),
        Column("words", "Words", CellKind.COUNT),
        Column("holds", "Holds"),
        Column("why", "What for"),
    )
    rows: list[tuple[str | int | None, ...]] = []
    for kit in kits:
        sets: dict[str, list[str]] = {}
        for unit in kit.units:
            own = sets.setdefault(unit.data_set, [])
            if unit.system not in own:
                own.append(unit.system)
        rows.append(
            (
                kit.name,
                kit.track,
                ", ".join(kit.teams),
                kit.words,
                "; ".join(f"{data_set} ({', '.join(own)})" for data_set, own in sets.items()),
                "; ".join(f"{data_set}: {WHY[data_set]}" for data_set in sets),
            )
        )
    rows += [(name, "", "all", None, "practice", WHY["practice"]) for name in practice]
    return Table("kits", "Kits, and what each is there for", columns, rows)
