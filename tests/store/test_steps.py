"""From the oldest tables to the newest, step by step as migrations take them."""

from __future__ import annotations

import hashlib
import io
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from PIL import Image

from madcat_studio.formats import madcat
from madcat_studio.model.campaign import Pass, new_id
from madcat_studio.model.outlines import segment_lines, segment_names
from madcat_studio.store import inspect_server, open_campaign, upgrade
from madcat_studio.store.database import Database, is_url
from madcat_studio.store.times import UtcTime
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
            sa.text("INSERT INTO campaign (id, name, at) VALUES (:id, 'old', :at)").bindparams(
                sa.bindparam("at", type_=UtcTime())
            ),
            {"id": str(uuid.uuid4()), "at": datetime(2026, 1, 1, tzinfo=UTC)},
        )
    database.close()
    yield where
    if server is not None:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


SAMPLES = Path(__file__).parent.parent / "data" / "madcat"
BASE = "ZZN_ARB_20991231.0001_1_SCR0001"


def add_pages(where: str, scan: bytes, names: Sequence[str]) -> None:
    """Two documents as the first version kept them; the second one's file cannot be read."""
    page = (SAMPLES / f"{BASE}.madcat.xml").read_bytes()
    database = Database(where)
    with database.writing() as connection:
        metadata = sa.MetaData()
        metadata.reflect(connection)
        tables = metadata.tables
        hashes = {}
        for content in (page, b"<no page>", scan):
            hashes[content] = hashlib.sha256(content).hexdigest()
            row = {"sha256": hashes[content], "size": len(content), "content": content}
            connection.execute(tables["blobs"].insert(), row)
        for base, content in ((BASE, page), ("B", b"<no page>")):
            texts = {
                column.name: "x"
                for column in tables["documents"].columns
                if str(column.type) == "TEXT"
            }
            key = new_id()
            row = texts | {
                "id": key,
                "base": base,
                "data_set": "evaluation",
                "sequestered": False,
                "sha256": hashes[content],
                "image_sha256": hashes[scan],
            }
            connection.execute(tables["documents"].insert(), row)
            for position, name in enumerate(names):
                row = {
                    "id": new_id(),
                    "document_id": key,
                    "position": position,
                    **dict.fromkeys(("page", "transcription", "reference"), "x"),
                    **dict.fromkeys(("transcription_words", "reference_words"), 1),
                    "name": name,
                    "scribe_error": False,
                }
                connection.execute(tables["segments"].insert(), row)
    database.close()


def test_older_campaigns_get_the_lines_of_their_pages_and_plain_scans(oldest: str) -> None:
    document = madcat.read(SAMPLES / f"{BASE}.madcat.xml").document
    names = segment_names(list(document.segments()))
    scan = io.BytesIO()
    with Image.open(SAMPLES / f"{BASE}.tif") as image:
        image.save(scan, "TIFF", description="written by SCR0001")
        pixels = image.tobytes()
    add_pages(oldest, scan.getvalue(), names)
    with open_campaign(oldest, migrate=True) as campaign:
        contents = campaign.contents
        assert contents.lines(BASE) == segment_lines(document) != {}
        assert contents.lines("B") == {}
        [first, second] = contents.scans()
        assert first.sha256 == second.sha256 is not None
        plain = contents.blob(first.sha256)
        assert b"SCR0001" in scan.getvalue()
        assert b"SCR0001" not in plain
        with Image.open(io.BytesIO(plain)) as image:
            assert image.tobytes() == pixels
        assert len(contents.blob_hashes()) == 3, "the scan of before is gone"


def test_a_campaign_of_the_first_version_is_brought_up_to_date_and_works(oldest: str) -> None:
    with open_campaign(oldest, migrate=True) as campaign:
        assert campaign.name == "old"
        fill(campaign)
        claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "here")
        assert claim.turn == 1
        assert campaign.claims.offers("red1")[0].held
    if is_url(oldest):
        assert inspect_server(oldest).rights_current
