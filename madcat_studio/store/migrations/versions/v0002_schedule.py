"""Due dates, absent teams, selected passages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Take the step."""
    key = sa.Uuid(as_uuid=False).with_variant(sa.String(36), "sqlite")
    op.create_table(
        "absences",
        sa.Column("team_id", key, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("absent", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_absences_team_id")),
        sa.PrimaryKeyConstraint("team_id", "number", name=op.f("pk_absences")),
    )
    op.create_table(
        "due_dates",
        sa.Column("kit_id", key, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["kit_id"], ["kits.id"], name=op.f("fk_due_dates_kit_id")),
        sa.PrimaryKeyConstraint("kit_id", "pass_", "number", name=op.f("pk_due_dates")),
    )
    op.create_table(
        "selections",
        sa.Column("data_set", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("passages", sa.JSON(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("data_set", "number", name=op.f("pk_selections")),
    )
