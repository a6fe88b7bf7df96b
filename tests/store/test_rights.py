from __future__ import annotations

import pytest

from madcat_studio.store.rights import RIGHTS, read_by_function


@pytest.mark.parametrize(
    ("statement", "asked"),
    [
        (
            "SELECT claims.turn FROM claims WHERE claims.kit_id = %(x)s",
            "SELECT claims.turn FROM studio_read_claims() AS claims WHERE claims.kit_id = %(x)s",
        ),
        (
            "SELECT kits.id FROM kits JOIN teams ON true, revisions AS r",
            "SELECT kits.id FROM kits JOIN studio_read_teams() AS teams ON true,"
            " studio_read_revisions() AS r",
        ),
        (
            "SELECT 1 FROM (SELECT max(roles.turn) AS last FROM roles) AS claims_1",
            "SELECT 1 FROM (SELECT max(roles.turn) AS last FROM studio_read_roles() AS roles)"
            " AS claims_1",
        ),
        (
            "INSERT INTO claims (kit_id) VALUES (%(kit_id)s)",
            "INSERT INTO claims (kit_id) VALUES (%(kit_id)s)",
        ),
        ("SELECT segments.id FROM segments", "SELECT segments.id FROM segments"),
        ("SELECT studio_read_claims()", "SELECT studio_read_claims()"),
    ],
)
def test_tables_that_may_not_be_counted_are_read_by_functions(statement: str, asked: str) -> None:
    assert read_by_function(statement) == asked


def test_only_tables_that_are_read_are_read_by_functions() -> None:
    assert all(one.columns for one in RIGHTS.values() if one.counted)
