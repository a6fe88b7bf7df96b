"""From the made-up older tables to today's: a new table, and a column worked out from rows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from madcat_studio.store.schema import metadata

revision = "v0001"
down_revision = "v0000"


def upgrade() -> None:
    metadata.tables["absences"].create(op.get_bind())
    op.add_column("kits", sa.Column("words", sa.Integer(), nullable=True))
    op.execute(
        "UPDATE kits SET words = (SELECT sum(s.reference_words) FROM kit_items i"
        " JOIN segments s ON s.document_id = i.document_id WHERE i.kit_id = kits.id)"
    )
    # SQLite copies the whole table for this.
    with op.batch_alter_table("kits") as kits:
        kits.alter_column("words", nullable=False)
