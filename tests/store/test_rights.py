from __future__ import annotations

from pathlib import Path

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
            "SELECT kits.id FROM studio_read_kits() AS kits"
            " JOIN studio_read_teams() AS teams ON true, studio_read_revisions() AS r",
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
        (
            "SELECT kits.segments AS segments FROM kits",
            "SELECT kits.segments AS segments FROM studio_read_kits() AS kits",
        ),
        ("DELETE FROM options WHERE true", "DELETE FROM options WHERE true"),
        ("UPDATE kits SET words = 1", "UPDATE kits SET words = 1"),
        ("SELECT campaign.id FROM campaign", "SELECT campaign.id FROM campaign"),
        ("SELECT studio_read_claims()", "SELECT studio_read_claims()"),
    ],
)
def test_tables_that_are_shown_in_part_are_read_by_functions(statement: str, asked: str) -> None:
    assert read_by_function(statement) == asked


def test_what_is_read_without_a_function_is_shown_whole() -> None:
    assert {name for name, one in RIGHTS.items() if one.columns and not one.by_function} == {
        "alembic_version",
        "campaign",
        "guidelines",
    }


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "server.md").read_text("utf-8")


def told(heading: str) -> set[str]:
    """What the first column of the table under a heading of the page on servers names."""
    _, _, rest = PAGE.partition(f"## {heading}\n")
    section = rest.partition("\n## ")[0]
    cells = {line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")}
    return {one.strip() for cell in cells for one in cell.split(",")} - {"of", "---"}


def test_the_page_on_servers_names_all_that_a_login_may_write_and_read() -> None:
    written = {
        "claims": "claims",
        "handovers": "hand-overs",
        "releases": "releases",
        "revisions": "texts",
        "sittings": "places",
        "takebacks": "takings back",
        "visits": "the log of visits",
    }
    assert {table for table, one in RIGHTS.items() if one.append} == set(written)
    assert told("What each login can write") == {*written.values(), "times", "flags"}
    read = {
        "the campaign": {"alembic_version", "campaign", "guidelines", "options"},
        "people": {"editors", "memberships", "teams"},
        "kits": {"due_dates", "kits"},
        "pages": {"documents", "kit_items"},
        "references": {"segments"},
        "outputs": {"outputs"},
        "transcriptions": {"segments"},
        "scans": {"blobs"},
        "and where segments stand on them": {"outlines"},
        "the plan": {"assignments", "roles"},
        "claims": {"claims", "participations"},
        "hand-overs": {"handovers", "releases", "takebacks"},
        "places": {"sittings"},
        "texts": {"revisions"},
        "the log of visits": {"visits"},
    }
    assert told("What each login can read") == set(read)
    assert set().union(*read.values()) == {table for table, one in RIGHTS.items() if one.columns}
