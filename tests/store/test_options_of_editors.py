"""What editors may see is the coordinator's choice: no editor's program or login sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.errors import UsageError, WorldError
from madcat_studio.operations.campaign.options import EDITING
from madcat_studio.store import open_campaign

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

SHOWN = sorted(EDITING)
"""Every option that decides what editors see or may do; each is on or off."""


def test_the_page_with_other_texts_is_one_of_them() -> None:
    assert {"editing.show_page", "editing.show_translated", "editing.show_source"} <= set(SHOWN)


def test_a_program_that_is_open_for_an_editor_sets_none(where: str) -> None:
    with open_campaign(where) as campaign:
        before = campaign.options()
    with open_campaign(where, for_editor=True) as campaign:
        for name in SHOWN:
            with pytest.raises(UsageError) as refused:
                campaign.set_options({name: True})
            assert refused.value.code == "campaign.one-side"
    with open_campaign(where) as campaign:
        assert campaign.options() == before


@pytest.mark.postgresql
def test_an_editors_login_sets_none(guarded: Guarded) -> None:
    with open_campaign(guarded.url) as campaign:
        before = campaign.options()
    with guarded.open("red1") as campaign:
        for name in SHOWN:
            with pytest.raises(WorldError) as refused:
                campaign.set_options({name: True})
            assert refused.value.code == "store.not-allowed"
    with open_campaign(guarded.url) as campaign:
        assert campaign.options() == before


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO options (name, value) VALUES ('editing.show_translated', 'true')",
        "UPDATE options SET value = 'true'",
        "DELETE FROM options",
        "TRUNCATE options",
        "INSERT INTO options SELECT 'editing.show_translated', 'true' ON CONFLICT DO NOTHING",
    ],
)
def test_nor_with_sql(guarded: Guarded, statement: str) -> None:
    with guarded.connect("red1") as attacker, pytest.raises(psycopg.Error) as refused:
        attacker.execute(statement)
    assert refused.value.sqlstate == "42501"  # no right to
