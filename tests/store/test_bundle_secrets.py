"""Every bundle that a campaign gives out, searched for what its editor must not see."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

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
from madcat_studio.operations.campaign.kit_files import export_kit
from madcat_studio.store import Campaign, create_campaign
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.kit import KitWorkspace

SYSTEMS = {"juniper-9x": "T1", "tamarisk-7q": "T2"}
TEAMS = ("umber", "viridian")
PLAN = {"K1": ("juniper-9x", "A"), "K2": ("tamarisk-7q", "B")}
DOCUMENTS = ("A", "B", "C")
SEGMENTS = ("s1", "s2")


def words(*parts: str) -> str:
    """A text that is nowhere else."""
    return "said " + "".join(part.encode().hex() for part in parts)


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """Two kits, for two teams each, all edited in both passes; a third document in no kit."""
    with create_campaign(tmp_path / "campaign", "Secrets") as made:
        contents, plans = made.contents, made.plans
        for base in DOCUMENTS:
            contents.add_document(
                CampaignDocument(
                    base=base,
                    source_document=words("story", base),
                    passage=base,
                    manuscript=words("manuscript", base),
                    page="1",
                    scribe=words("scribe", base),
                    exposure="exposed",
                    data_set=DataSet.EVALUATION,
                    track=words("track", base),
                    genre="newswire",
                    sha256="",
                    image_name=words("image", base),
                ),
                f"<madcat>{words('file', base)}</madcat>".encode(),
                [
                    CampaignSegment(
                        one, "1", words("source", base, one), words("reference", base, one), 2, 2
                    )
                    for one in SEGMENTS
                ],
                words("scan", base).encode(),
            )
        for name, code in SYSTEMS.items():
            contents.add_system(System(name, code))
            for base in DOCUMENTS:
                texts = {one: words("output", name, base, one) for one in SEGMENTS}
                contents.add_output(name, base, base.encode(), texts)
        for team in TEAMS:
            people = [Editor(f"{team}-{n}", words("name", team, str(n))) for n in (1, 2)]
            plans.add_team(Team(team, tuple(people)))
        for kit, (system, base) in PLAN.items():
            plans.plan_kit(Kit(kit, (KitItem(system, base),)))
            plans.assign(kit, [Assignment(kit, team, f"{team}-1", f"{team}-2") for team in TEAMS])
        made.set_options({"editing.show_page": False, "claims.expire_hours": 0})
        yield made


def secrets_of(kit: str, team: str, pass_: Pass, *, page: bool, source: bool) -> set[str]:
    """What the editor of a pass must not see: everything but what is named here."""
    system, base = PLAN[kit]
    hidden = set(SYSTEMS) | {one for one in TEAMS if one != team} | {"expire"}
    hidden |= {f"{team}-{n}" for n in (1, 2) if n != (1 if pass_ is Pass.FIRST else 2)}
    hidden |= {words("name", one, str(n)) for one in TEAMS for n in (1, 2)}
    for one in DOCUMENTS:
        hidden |= {
            words(what, one) for what in ("story", "manuscript", "scribe", "track", "file", "image")
        }
        if not (page and one == base):
            hidden.add(words("scan", one))
        for segment in SEGMENTS:
            if not (source and one == base):
                hidden.add(words("source", one, segment))
            if one != base:
                hidden.add(words("reference", one, segment))
            hidden |= {
                words("output", name, one, segment)
                for name in SYSTEMS
                if (name, one) != (system, base)
            }
    for other in PLAN:
        for one in TEAMS:
            for step in Pass:
                if (other, one) == (kit, team) and (step is pass_ or pass_ is Pass.REVIEW):
                    continue
                hidden |= {words("text", other, one, step, segment) for segment in SEGMENTS}
    return hidden


def found_in(path: Path) -> bytes:
    """A bundle's bytes as they are, and all members as they are unpacked."""
    with zipfile.ZipFile(path) as file:
        return b"\0".join([path.read_bytes(), *map(file.read, file.namelist())])


@pytest.mark.long
@pytest.mark.parametrize(("page", "source"), [(False, False), (True, True)])
def test_no_bundle_holds_what_its_editor_must_not_see(
    campaign: Campaign, tmp_path: Path, page: bool, source: bool
) -> None:
    campaign.set_options({"editing.show_page": page, "editing.show_source": source})
    seen = 0
    # In the order of the work, so that the later bundles are made when much is there to leak.
    for pass_ in Pass:
        for kit in PLAN:
            for team in TEAMS:
                editor = f"{team}-{1 if pass_ is Pass.FIRST else 2}"
                path = tmp_path / f"{kit}{team}{pass_}"
                export_kit(campaign.where, kit, team, pass_, editor, path)
                with OpenBundle(path) as bundle:
                    claim = bundle.claim
                workspace = KitWorkspace(campaign, claim, folder=tmp_path / "spools")
                for index, segment in enumerate(SEGMENTS):
                    workspace.go_to(index)
                    workspace.set_text(words("text", kit, team, pass_, segment), 0)
                    workspace.confirm()
                if pass_ is Pass.REVIEW:
                    again = tmp_path / f"{kit}{team}{pass_} again"
                    export_kit(campaign.where, kit, team, pass_, editor, again)
                    check(again, kit, team, pass_, page=page, source=source)
                workspace.hand_over()
                check(path, kit, team, pass_, page=page, source=source)
                seen += 1
    assert seen == 8


def check(path: Path, kit: str, team: str, pass_: Pass, *, page: bool, source: bool) -> None:
    everything = found_in(path)
    leaked = [
        one
        for one in secrets_of(kit, team, pass_, page=page, source=source)
        if one.encode() in everything
    ]
    assert leaked == []
    system, base = PLAN[kit]
    for segment in SEGMENTS:
        assert words("output", system, base, segment).encode() in everything
        assert (words("source", base, segment).encode() in everything) is source
        first = words("text", kit, team, Pass.FIRST, segment).encode()
        assert (first in everything) is (pass_ is Pass.REVIEW)
    assert (words("scan", base).encode() in everything) is page
