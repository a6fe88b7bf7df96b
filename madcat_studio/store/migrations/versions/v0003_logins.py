"""Logins of editors, and the server's time for texts.

Who may read what is no step of its own: :mod:`madcat_studio.store.rights` sets it anew whenever
the tables of a server are made or brought up to date.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "logins",
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column(
            "editor_id",
            sa.Uuid(as_uuid=False).with_variant(sa.String(36), "sqlite"),
            nullable=False,
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["editor_id"], ["editors.id"], name=op.f("fk_logins_editor_id")),
        sa.PrimaryKeyConstraint("login", name=op.f("pk_logins")),
        sa.UniqueConstraint("editor_id", name=op.f("uq_logins_editor_id")),
    )
    op.add_column("revisions", sa.Column("stored_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_revisions_editor_id_at", "revisions", ["editor_id", "at"], unique=False)
