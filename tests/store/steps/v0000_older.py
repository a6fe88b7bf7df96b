"""Tables as a program before today's might have made them: these were never anybody's."""

from __future__ import annotations

from alembic import op

from madcat_studio.store.schema import metadata

revision = "v0000"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind())
    op.drop_table("absences")
    with op.batch_alter_table("kits") as kits:
        kits.drop_column("words")
