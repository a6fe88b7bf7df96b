"""A scorecard's cells and drawings as people see them."""

from __future__ import annotations

from madcat_studio.reports.cards import interval_plot, shown_cell

__all__ = ["interval_plot", "shown_cell"]
