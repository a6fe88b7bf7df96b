from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from madcat_studio.formats import madcat
from madcat_studio.model.campaign import CampaignDocument, DataSet
from madcat_studio.operations.corpus.intake import campaign_segments
from madcat_studio.operations.scores.line_pictures import MOST_WIDE, line_pictures
from madcat_studio.store import Campaign, create_campaign

BASE = "A.x_1_S1"


def polygon(left: int, top: int, right: int, bottom: int) -> str:
    points = ((left, top), (right, top), (right, bottom), (left, bottom))
    return "<polygon>" + "".join(f'<point x="{x}" y="{y}"/>' for x, y in points) + "</polygon>"


# A page of 3000 x 400 with the words t1 (black, in s1) and t2 (outside of it); s2 names its line
# only, s3 names nothing that is there.
XML = (
    f'<madcat version="1"><doc id="{BASE}" src="a.png" type="news" nbpages="1"><writer id="S1"/>'
    '<image><page id="p1" width="3000" height="400" dpi="600" colordepth="8">'
    f'<zone id="z1" type="line">{polygon(40, 40, 2900, 160)}'
    f'<token-image id="t1">{polygon(100, 50, 2500, 150)}</token-image>'
    f'<token-image id="t2">{polygon(2600, 50, 2800, 150)}</token-image></zone></page></image>'
    '<content><section id="c1" type="x">'
    '<segment id="s1"><token id="k1" ref_id="t1"><source>x</source></token>'
    "<transcription>x</transcription></segment>"
    '<segment id="s2"><zone_ref>z1</zone_ref><transcription>x</transcription></segment>'
    '<segment id="s3"><token id="k2" ref_id="t9"><source>x</source></token></segment>'
    "</section></content></doc></madcat>"
).encode()


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return create_campaign(tmp_path / "campaign", "Pictures")


def add(campaign: Campaign, image: bytes | None) -> None:
    sha256 = campaign.contents.add_blob(XML)
    image_sha256 = None if image is None else campaign.contents.add_blob(image)
    campaign.contents.add_document(
        CampaignDocument(
            base=BASE,
            source_document="A",
            passage="A",
            manuscript="A",
            page="1",
            scribe="S1",
            exposure="exposed",
            data_set=DataSet.EVALUATION,
            track="",
            genre="news",
            sha256=sha256,
            image_name="a.png",
            image_sha256=image_sha256,
        ),
        XML,
        campaign_segments(madcat.read_bytes(XML, BASE).document, "1"),
        image,
    )


def scan() -> bytes:
    page = Image.new("L", (3000, 400), 255)
    ImageDraw.Draw(page).rectangle((100, 50, 2500, 150), fill=0)
    stream = io.BytesIO()
    page.save(stream, "PNG")
    return stream.getvalue()


def opened(address: str) -> Image.Image:
    head, _, text = address.partition(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(text))).convert("L")


def test_the_words_of_a_segment_are_cut_out(campaign: Campaign) -> None:
    with campaign:
        add(campaign, scan())
        wanted = [(BASE, name) for name in ("s1", "s2", "s3")] + [("none", "s1")]
        found = line_pictures(campaign, wanted)
    assert set(found) == {(BASE, "s1"), (BASE, "s2")}
    words, line = opened(found[BASE, "s1"]), opened(found[BASE, "s2"])
    assert words.width == line.width == MOST_WIDE
    # Words: 2400 x 100 and a margin of 20 around; the line: 2860 x 120 and the margin.
    assert words.height == pytest.approx(MOST_WIDE * 140 / 2440, abs=1)
    assert line.height == pytest.approx(MOST_WIDE * 160 / 2900, abs=1)
    assert words.getpixel((words.width // 2, words.height // 2)) == 0
    assert words.getpixel((2, 2)) == 255


@pytest.mark.parametrize("image", [None, b"no image"])
def test_without_a_usable_image_there_is_no_picture(
    campaign: Campaign, image: bytes | None
) -> None:
    with campaign:
        add(campaign, image)
        assert line_pictures(campaign, [(BASE, "s1")]) == {}
