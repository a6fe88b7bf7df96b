from __future__ import annotations

from madcat_studio.store import Campaign


def test_reads_back(campaign: Campaign) -> None:
    assert campaign.name == "Test"
    records = list(campaign.segment_records())
    assert len(records) == 8
    assert len(campaign.progress()) == 8
