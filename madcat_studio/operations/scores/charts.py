"""The drawings of a report for other grounds than a page."""

from __future__ import annotations

from madcat_studio.reports.charts import coloured

__all__ = ["coloured"]
