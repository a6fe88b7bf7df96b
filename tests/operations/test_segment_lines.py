"""Segments of a campaign's document on its pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.errors import InputError
from madcat_studio.formats import madcat
from madcat_studio.model.campaign import CampaignDocument, DataSet
from madcat_studio.operations.corpus.intake import campaign_segments
from madcat_studio.operations.pages.segment_lines import fetch_lines
from madcat_studio.store import create_campaign

SAMPLES = Path(__file__).parent.parent / "data" / "madcat"
BASE = "ZZN_ARB_20991231.0001_1_SCR0001"


@pytest.fixture
def campaign(tmp_path: Path):
    content = (SAMPLES / f"{BASE}.madcat.xml").read_bytes()
    document = madcat.read_bytes(content, BASE).document
    image = (SAMPLES / f"{BASE}.tif").read_bytes()
    with create_campaign(tmp_path / "c", "Lines") as made:
        made.contents.add_document(
            CampaignDocument(
                base=BASE,
                source_document="d",
                passage="p",
                manuscript="m",
                page="1",
                scribe="SCR0001",
                exposure="exposed",
                data_set=DataSet.EVALUATION,
                track="",
                genre="newswire",
                sha256="",
                image_name=f"{BASE}.tif",
            ),
            content,
            campaign_segments(document, "1"),
            image,
        )
        yield made, document, image


def test_segments_are_found_with_their_scan_and_nothing_else(campaign, tmp_path: Path) -> None:
    made, document, image = campaign
    found = fetch_lines(made, BASE, tmp_path / "cache")
    assert found.scan is not None
    assert found.scan.read_bytes() == image
    assert [file.name for file in (tmp_path / "cache").rglob("*") if file.is_file()] == ["scan"], (
        "an editor may see the page and yet neither the transcription nor whose hand it is"
    )
    names = [segment.id for segment in document.segments()]
    assert set(found.segments) <= set(names)
    assert found.segments
    everything = {
        outline
        for page in document.pages
        for line in page.lines
        for outline in (line.polygon, *(word.polygon for word in line.words))
    }
    for lines in found.segments.values():
        assert set(lines.outlines) <= everything


def test_a_document_that_is_not_there_is_refused(campaign, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        fetch_lines(campaign[0], "nobody", tmp_path)
    assert refused.value.code == "campaign.no-document"
