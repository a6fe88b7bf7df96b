"""What can stand at the right of the list of a report's tables: the verdict, a table, pictures."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QStackedWidget, QWidget

from madcat_studio.gui.coordinator.pictures import Pictures
from madcat_studio.gui.coordinator.scored import DrawnReport, ScoredCampaign
from madcat_studio.gui.coordinator.trackchooser import TrackChooser
from madcat_studio.gui.coordinator.verdictpanel import VerdictPanel
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.views import Shell

__all__ = ["ReportParts"]


class ReportParts(QStackedWidget):
    """One of them at a time; ``tracks`` stands above, and says of which track all of it is."""

    def __init__(
        self, shell: Shell, table: QWidget, open_segment: Callable[[dict[str, str]], None]
    ) -> None:
        super().__init__()
        self.table = table
        self.verdict = VerdictPanel(shell, open_segment, self)
        self.pictures = Pictures(shell.theme.colours)
        self.tracks = TrackChooser()
        for part in (self.verdict, self.table, self.pictures):
            self.addWidget(part)

    @property
    def tabular(self) -> bool:
        """Whether a table is shown."""
        return self.currentWidget() is self.table

    def apply_theme(self, colours: Colours) -> None:
        """Follow the theme."""
        self.pictures.apply_theme(colours)
        self.verdict.apply_theme(colours)

    def show_scored(self, scored: ScoredCampaign) -> None:
        """Take another report; what is drawn comes later."""
        self.tracks.show_tracks(scored.tracks, scored.track)
        self.pictures.show_charts(None)
        if scored.verdict is not None:
            self.verdict.show_verdict(scored.verdict)

    def show_drawn(self, drawn: DrawnReport) -> None:
        """Take what was drawn."""
        self.pictures.show_charts(drawn.charts)
        self.verdict.show_handwriting(drawn.handwriting)

    def choose(self, name: str) -> None:
        """Show the part that has what is chosen in the list, "" for the pictures."""
        parts = {"": self.pictures, "verdict": self.verdict}
        self.setCurrentWidget(parts.get(name, self.table))
