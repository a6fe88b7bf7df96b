"""Bringing editors in."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Editor
from madcat_studio.operations.people.teams import add_editors
from madcat_studio.store import create_campaign, open_campaign


@pytest.fixture
def where(tmp_path: Path) -> str:
    create_campaign(tmp_path / "campaign", "One").close()
    return str(tmp_path / "campaign")


def test_a_team_is_made_and_grows(where: str) -> None:
    two = (Editor("rana", "Rana"), Editor("rolf", "Rolf"))
    assert add_editors(where, "red", two).done == ("Team red made: 2 editors, 2 of them new",)
    more = add_editors(where, "red", (Editor("rolf"), Editor("rula")))
    assert more.done == ("Team red has: 3 editors, 1 of them new",)
    with open_campaign(where) as campaign:
        (team,) = campaign.plans.teams()
        assert [editor.id for editor in team.editors] == ["rana", "rolf", "rula"]
        assert campaign.audit_trail()[0].action == "add editors"


@pytest.mark.parametrize(
    ("team", "editors", "code"),
    [
        ("red", ("rana",), "teams.one-editor"),
        (" ", ("rana", "rolf"), "teams.no-name"),
        ("red", ("rana", ""), "teams.no-name"),
        ("red", ("rana", "rana"), "teams.named-twice"),
    ],
)
def test_what_makes_no_team_is_refused(
    where: str, team: str, editors: tuple[str, ...], code: str
) -> None:
    with pytest.raises(InputError) as caught:
        add_editors(where, team, [Editor(name) for name in editors])
    assert caught.value.code == code
    with open_campaign(where) as campaign:
        assert not campaign.plans.teams()
