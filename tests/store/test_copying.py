from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.progress import Cancelled
from madcat_studio.store import Campaign, copy_campaign, open_campaign, schema
from madcat_studio.store.database import Database


def everything(where: str | Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(Database(where)) as database, database.reading() as connection:
        return {
            name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
            for name, table in schema.metadata.tables.items()
        }


def work(campaign: Campaign) -> None:
    campaign.set_options({"a": None, "b": True, "c": 1, "d": "x\u200f"})
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    campaign.revisions.append(
        [
            Revision(
                id=new_id(),
                kit="K1",
                team="red",
                pass_=Pass.FIRST,
                segment=SegmentName("A.x_1_S1", name),
                editor="red1",
                machine="here",
                at=claim.at,
                state=SegmentState.CONFIRMED,
                text="text",
            )
            for name in ("s1", "s2")
        ]
    )
    campaign.contents.add_blob(bytes(range(256)))


@pytest.mark.long
def test_a_copy_there_and_back_is_the_same(campaign: Campaign, where: str, tmp_path: Path) -> None:
    work(campaign)
    records, board = list(campaign.segment_records()), campaign.progress()
    copied = copy_campaign(where, tmp_path / "copy")
    rows = everything(tmp_path / "copy")
    assert rows == everything(where)
    assert copied.rows == sum(map(len, rows.values()))
    with open_campaign(tmp_path / "copy") as copy:
        assert copy.id == campaign.id
        assert list(copy.segment_records()) == records
        assert copy.progress() == board
        copy.claims.claim("K1", "blue", Pass.FIRST, "blue1", "there")
    with pytest.raises(ConflictError):
        copy_campaign(where, tmp_path / "copy")


@pytest.mark.long
@pytest.mark.postgresql
def test_a_folder_moves_to_a_server(request: pytest.FixtureRequest, prepared: Path) -> None:
    server = request.getfixturevalue("server")
    server.execute("CREATE DATABASE moved")
    copy_campaign(prepared, server.url("moved"))
    assert everything(server.url("moved")) == everything(prepared)
    with pytest.raises(ConflictError):
        copy_campaign(prepared, server.url("moved"))


def test_a_copy_that_is_stopped_leaves_nothing(prepared: Path, tmp_path: Path) -> None:
    class Stop:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            self.done = done

        def cancelled(self) -> bool:
            return getattr(self, "done", 0) > 20

    with pytest.raises(Cancelled):
        copy_campaign(prepared, tmp_path / "copy", progress=Stop())
    assert not (tmp_path / "copy").exists()
