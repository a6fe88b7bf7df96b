"""The control set: an earlier phase's output, edited again to see whether editing drifts."""

from __future__ import annotations

from madcat_studio.model.campaign import DataSet, SegmentRecord

__all__ = ["FEWEST_DOCUMENTS", "set_of"]

FEWEST_DOCUMENTS = 10
"""Source documents from which an interval is given: over fewer it would be too sure of itself."""


def set_of(record: SegmentRecord) -> DataSet:
    """The set a segment is reported in: an earlier phase's output is control, wherever it lies."""
    return DataSet.CONTROL if record.earlier else record.data_set
