"""A small campaign for the window's tests: one kit, two teams, five segments."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from PIL import Image

from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Editor,
    Kit,
    KitItem,
    Pass,
    System,
    Team,
)
from madcat_studio.model.outlines import SegmentLines, spell_lines
from madcat_studio.store import create_campaign, open_campaign
from madcat_studio.workspace.kit import KitWorkspace

Place = TypeVar("Place", Path, str)

__all__ = ["CHANGES", "OUTPUTS", "REFERENCES", "add_tracks", "finish", "make_campaign"]

REFERENCES = {
    "s1": "The mayor opened the new bridge on Monday.",
    "s2": "He did not name the builder.",
    "s3": "The bridge is 187 metres long.",
    "s4": "Nothing was said about the cost.",
    "s5": "The Minister spoke.",
}
OUTPUTS = {
    "s1": "The mayor opened on Monday the new bridge.",
    "s2": "He did name the builder.",
    "s3": "The bridge is 178 metres long.",
    "s4": None,
    "s5": "The Minister spoke.",
}


TRACKS = {"D_1_S8": "challenge", "D_1_S9": "go-no-go"}
LINES = {"s1": SegmentLines(0, (((60, 100), (540, 100), (540, 180), (60, 180)),))}


def _scan() -> bytes:
    stream = io.BytesIO()
    Image.new("L", (600, 800), 255).save(stream, "TIFF")
    return stream.getvalue()


_MADE = tempfile.TemporaryDirectory(prefix="madcat-studio-campaigns-")


@cache
def _made(
    show_source: bool,
    show_page: bool,
    outputs: tuple[tuple[str, str | None], ...],
    references: tuple[tuple[str, str], ...],
) -> Path:
    """One of each kind, to be copied: making the tables takes a hundred times as long."""
    folder = Path(tempfile.mkdtemp(dir=_MADE.name)) / "campaign"
    shown = {"show_source": show_source, "show_page": show_page}
    return _make(folder, **shown, outputs=dict(outputs), references=dict(references))


def make_campaign(
    where: Place,
    *,
    show_source: bool = False,
    show_page: bool = False,
    outputs: Mapping[str, str | None] = OUTPUTS,
    references: Mapping[str, str] = REFERENCES,
) -> Place:
    """Make it in a folder that is not there yet, or in an empty database."""
    if isinstance(where, str):
        shown = {"show_source": show_source, "show_page": show_page}
        return _make(where, **shown, outputs=outputs, references=references)
    texts = tuple(outputs.items()), tuple(references.items())
    shutil.copytree(_made(show_source, show_page, *texts), where)
    return where


def _make(
    where: Place,
    *,
    show_source: bool,
    show_page: bool,
    outputs: Mapping[str, str | None] = OUTPUTS,
    references: Mapping[str, str] = REFERENCES,
) -> Place:
    with create_campaign(where, "Small") as campaign, campaign.transaction():
        campaign.contents.add_document(
            CampaignDocument(
                base="D_1_S1",
                source_document="D",
                passage="p",
                manuscript="p-S1",
                page="1",
                scribe="S1",
                exposure="exposed",
                data_set=DataSet.EVALUATION,
                track="",
                genre="newswire",
                sha256="",
                image_name="D.tif",
            ),
            b"<madcat/>",
            [
                CampaignSegment(
                    name,
                    "1",
                    "افتتح رئيس البلدية الجسر",
                    text,
                    4,
                    len(text.split()),
                    lines=spell_lines(LINES.get(name)),
                )
                for name, text in references.items()
            ],
            _scan() if show_page else None,
        )
        campaign.contents.add_system(System("Secretly Alpha", "X1"))
        campaign.contents.add_output("Secretly Alpha", "D_1_S1", b"<out/>", outputs)
        campaign.plans.add_team(Team("red", (Editor("red1", "Rana"), Editor("red2", "Rolf"))))
        campaign.plans.add_team(Team("blue", (Editor("blue1", "Bo"), Editor("blue2", "Bea"))))
        campaign.plans.plan_kit(Kit("K1", (KitItem("Secretly Alpha", "D_1_S1"),)))
        campaign.plans.assign(
            "K1",
            [Assignment("K1", "red", "red1", "red2"), Assignment("K1", "blue", "blue1", "blue2")],
        )
        if show_source:
            campaign.set_options({"editing.show_source": True})
        if show_page:
            campaign.set_options({"editing.show_page": True, "editing.show_figures": True})
    return where


def add_tracks(where: Path, bases: Mapping[str, str] = TRACKS) -> None:
    """Pages of tracks, by their BASE, in no kit."""
    with open_campaign(where) as campaign, campaign.transaction():
        for base, track in bases.items():
            campaign.contents.add_document(
                CampaignDocument(
                    base=base,
                    source_document=base,
                    passage=base,
                    manuscript=base,
                    page="1",
                    scribe="S9",
                    exposure="exposed",
                    data_set=DataSet.EVALUATION,
                    track=track,
                    genre="web",
                    sha256="",
                ),
                base.encode(),
                [],
            )


CHANGES = {
    "s2": "He did not name the builder.",
    "s3": "The bridge is 187 metres long.",
    "s5": "The Minister spoke at last.",
}


def finish(campaign: Path, team: str, pass_: Pass, editor: str, changes: dict[str, str]) -> None:
    """One pass, done by its editor."""
    with open_campaign(campaign) as opened:
        claim = opened.claims.claim("K1", team, pass_, editor, "here")
        kit = KitWorkspace(opened, claim, folder=campaign.parent / "spools")
        while kit.check():
            name = kit.segments[kit.current].name.segment
            if name in changes:
                kit.set_text(changes[name], 0)
            kit.confirm_and_next()
        kit.hand_over()
