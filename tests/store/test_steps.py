"""From the oldest tables to the newest, step by step as migrations take them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from madcat_studio.model.campaign import Pass
from madcat_studio.store import inspect_server, open_campaign, upgrade
from madcat_studio.store.database import Database, is_url
from tests.store.conftest import fill


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def oldest(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The place of a campaign as the first version of the program made it, with nothing in it."""
    server = None if request.param == "sqlite" else request.getfixturevalue("server")
    name = "s" + uuid.uuid4().hex
    if server is None:
        where = str(tmp_path / "campaign")
        (tmp_path / "campaign").mkdir()
    else:
        server.execute(f"CREATE DATABASE {name}")
        where = server.url(name)
    database = Database(where, create=True)
    config = Config()
    steps = Path(upgrade.__file__).parent / "migrations"
    config.set_main_option("script_location", str(steps))
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(
            sa.text("INSERT INTO campaign (id, name, at) VALUES (:id, 'old', :at)"),
            {"id": str(uuid.uuid4()), "at": datetime(2026, 1, 1, tzinfo=UTC)},
        )
    database.close()
    yield where
    if server is not None:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_campaign_of_the_first_version_is_brought_up_to_date_and_works(oldest: str) -> None:
    with open_campaign(oldest, migrate=True) as campaign:
        assert campaign.name == "old"
        fill(campaign)
        claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "here")
        assert claim.turn == 1
        assert campaign.claims.offers("red1")[0].held
    if is_url(oldest):
        assert inspect_server(oldest).rights_current
