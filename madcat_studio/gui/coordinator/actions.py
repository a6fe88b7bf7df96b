"""What can be done with a report. Light: nothing is scored to build the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Declarations, Key
from madcat_studio.gui.translation import mark
from madcat_studio.model.doors import Door

if TYPE_CHECKING:
    from madcat_studio.gui.coordinator.view import ReportView

__all__ = ["ACTIONS", "KEYS"]

report: Declarations[ReportView] = Declarations("report")
scored = report.when(lambda view: view.ready)

scored(
    "export",
    mark("&Export…"),
    "report",
    ("Ctrl+E",),
    "export",
    run=lambda view: view.ask_export(),
    enabled=lambda view: view.can_export,
    door=Door.EXPORT,
)

scored(
    "print",
    mark("&Print as PDF…"),
    "report",
    ("Ctrl+P",),
    run=lambda view: view.ask_print(),
)

scored(
    "evidence",
    mark("Write the e&vidence for tercom…"),
    "report",
    ("Ctrl+Shift+E",),
    hint=mark("Files from which the original program computes every number of the report"),
    run=lambda view: view.ask_evidence(),
    enabled=lambda view: view.can_export,
    door=Door.EVIDENCE,
)

scored(
    "trust",
    mark("Which &metric to trust…"),
    "report",
    hint=mark("TER, BLEU, chrF++ and scores from tables, compared with HTER"),
    run=lambda view: _show_trust(view),
)

report(
    "refresh",
    mark("Score &again"),
    "report",
    ("F5",),
    run=lambda view: view.score_again(),
    enabled=lambda view: view.has_campaign,
    door=Door.SCORE,
)

scored(
    "pictures",
    mark("P&ictures"),
    "report",
    ("Ctrl+I",),
    section=1,
    run=lambda view: view.show_pictures(),
)

scored(
    "filter",
    mark("&Filter the rows"),
    "report",
    ("Ctrl+F",),
    "search",
    section=1,
    run=lambda view: view.focus_filter(),
    enabled=lambda view: view.can_find,
)

scored(
    "open-segment",
    mark("&Open the segment"),
    "report",
    icon="open",
    section=1,
    run=lambda view: view.open_row(view.table.currentIndex()),
    enabled=lambda view: view.can_open_row,
)


def _show_trust(view: ReportView) -> None:
    """Show which metric may be trusted; what it needs is loaded only then."""
    from madcat_studio.gui.coordinator.trustdialog import open_trust

    open_trust(view.shell, view.location, view, view.parts.tracks.track() or "")


ACTIONS: tuple[Action[ReportView], ...] = tuple(report)

KEYS: tuple[Key, ...] = (
    Key(mark("Click on a heading"), mark("sort by it; again: the other way round")),
    Key(mark("Enter or double click"), mark("open the segment of the row")),
    Key(mark("Click on a segment's name"), mark("open it")),
)
