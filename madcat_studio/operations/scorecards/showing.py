"""A scorecard's cells and drawings as people see them."""

from __future__ import annotations

from madcat_studio.reports.cards import interval_plot, shown_cell
from madcat_studio.reports.language_plots import language_plots

__all__ = ["interval_plot", "language_plots", "shown_cell"]
