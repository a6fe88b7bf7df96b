from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
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
from madcat_studio.store import Campaign, create_campaign
from madcat_studio.workspace.kit import KitWorkspace
from madcat_studio.workspace.orphaned import BroughtBack, bring_back


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """Two kits that either of two editors may take."""
    with create_campaign(tmp_path / "campaign", "Test") as made:
        with made.transaction():
            made.contents.add_system(System("Alpha", "X1"))
            made.plans.add_team(Team("red", (Editor("red1"), Editor("red2"))))
            for name in ("K1", "K2"):
                made.contents.add_document(
                    CampaignDocument(
                        base=f"B.{name}",
                        source_document="d",
                        passage=name,
                        manuscript=name,
                        page="1",
                        scribe="s",
                        exposure="exposed",
                        data_set=DataSet.EVALUATION,
                        track="",
                        genre="web",
                        sha256="",
                    ),
                    name.encode(),
                    [CampaignSegment("s1", "1", "نص", "the cat", 1, 2)],
                )
                made.contents.add_output("Alpha", f"B.{name}", b"out", {"s1": "cat the"})
                made.plans.plan_kit(Kit(name, (KitItem("Alpha", f"B.{name}"),)))
                made.plans.assign(name, [Assignment(name, "red", None, None)])
        yield made


def open_kit(campaign: Campaign, editor: str, folder: Path, kit: str = "K1") -> KitWorkspace:
    claim = campaign.claims.claim(kit, "red", Pass.FIRST, editor, "here")
    return KitWorkspace(campaign, claim, folder=folder)


def leave(campaign: Campaign, folder: Path, text: str = "typed before the release") -> None:
    """red1 types and the machine stops; the pass goes to red2."""
    kit = open_kit(campaign, "red1", folder)
    kit.set_text(text, 0)
    kit.texts._spool.close()
    campaign.claims.release("K1", "red", Pass.FIRST, by="coordinator")


def test_what_was_left_is_kept_aside_when_somebody_else_went_on(
    campaign: Campaign, tmp_path: Path
) -> None:
    leave(campaign, tmp_path / "red1")
    other = open_kit(campaign, "red2", tmp_path / "red2")
    other.set_text("by the other", 0)
    other.confirm()
    assert bring_back(campaign, "red2", tmp_path / "red1") == ()
    assert bring_back(campaign, "red1", tmp_path / "red1") == (
        BroughtBack("K1", "red", Pass.FIRST, 1),
    )
    history = campaign.revisions.history("K1", "red", Pass.FIRST)
    assert [(one.text, one.editor, one.side) for one in history] == [
        ("by the other", "red2", False),
        ("typed before the release", "red1", True),
    ]
    assert bring_back(campaign, "red1", tmp_path / "red1") == ()
    assert list((tmp_path / "red1").iterdir()) == []
    other.hand_over()


def test_a_kit_that_is_still_held_or_open_is_left_alone(campaign: Campaign, tmp_path: Path) -> None:
    held = open_kit(campaign, "red1", tmp_path)
    held.set_text("in hand", 0)
    assert bring_back(campaign, "red1", tmp_path) == ()
    campaign.claims.release("K1", "red", Pass.FIRST, by="coordinator")
    # The window has it open: it sends the text itself, and is told.
    assert bring_back(campaign, "red1", tmp_path) == ()
    held.close()
    assert held.texts.side


def test_while_the_campaign_is_away_everything_stays_here(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(campaign, tmp_path / "red1")
    before = {path: path.read_bytes() for path in (tmp_path / "red1").iterdir()}

    def away(_: object) -> None:
        raise WorldError("store.server-away", "The database server cannot be reached")

    with monkeypatch.context() as patch:
        patch.setattr(campaign.revisions, "append", away)
        with pytest.raises(WorldError):
            bring_back(campaign, "red1", tmp_path / "red1")
    assert {path: path.read_bytes() for path in (tmp_path / "red1").iterdir()} == before
    assert len(bring_back(campaign, "red1", tmp_path / "red1")) == 1


def test_what_is_no_spool_or_of_no_kit_stays_where_it_is(
    campaign: Campaign, tmp_path: Path
) -> None:
    leave(campaign, tmp_path)
    [spool] = tmp_path.glob("*.spool")
    for name, content in (
        ("torn.spool", b'{"spool": 1, "camp'),
        ("list.spool", b"[]\n"),
        ("copy.spool", spool.read_bytes()),
        ("other.spool", spool.read_bytes().replace(b'"K1"', b'"K9"')),
    ):
        (tmp_path / name).write_bytes(content)
    assert len(bring_back(campaign, "red1", tmp_path)) == 1
    assert sorted(path.name for path in tmp_path.glob("*.spool")) == [
        "copy.spool",
        "list.spool",
        "other.spool",
        "torn.spool",
    ]
