"""Outlines of segments apart from the pages' files, and scans without metadata.

Editors of a server could read the whole file of a page that they were shown, and what its scan
said besides the picture. Existing campaigns are read once: this step is why a migration may know
the formats of pages and images, as nothing else of the store does.
"""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from alembic import op
from sqlalchemy.engine import Connection

from madcat_studio.errors import StudioError
from madcat_studio.formats import madcat
from madcat_studio.images.metadata import without_metadata
from madcat_studio.model.outlines import segment_lines, spell_lines

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Take the step."""
    key = sa.Uuid(as_uuid=False).with_variant(sa.String(36), "sqlite")
    outlines = op.create_table(
        "outlines",
        sa.Column("segment_id", key, nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["segment_id"], ["segments.id"], name=op.f("fk_outlines_segment_id")
        ),
        sa.PrimaryKeyConstraint("segment_id", name=op.f("pk_outlines")),
    )
    connection = op.get_bind()
    documents = sa.table("documents", *map(sa.column, ("id", "sha256", "image_sha256")))
    rows = connection.execute(sa.select(documents)).all()
    for document in rows:
        _read_lines(connection, outlines, document.id, document.sha256)
    for sha256 in {row.image_sha256 for row in rows if row.image_sha256 is not None}:
        _strip(connection, documents, sha256)


_BLOBS = sa.table(
    "blobs", sa.column("sha256"), sa.column("size"), sa.column("content", sa.LargeBinary)
)
_SEGMENTS = sa.table("segments", *map(sa.column, ("id", "document_id", "name")))


def _content(connection: Connection, sha256: str) -> bytes:
    return bytes(
        connection.execute(
            sa.select(_BLOBS.c.content).where(_BLOBS.c.sha256 == sha256)
        ).scalar_one()
    )


def _read_lines(connection: Connection, outlines: sa.Table, document: object, sha256: str) -> None:
    try:
        read = madcat.read_bytes(_content(connection, sha256), str(document)).document
    except StudioError:
        return  # its segments are edited without their lines
    lines = segment_lines(read)
    rows = [
        {"segment_id": row.id, "lines": spell_lines(lines[row.name])}
        for row in connection.execute(
            sa.select(_SEGMENTS.c.id, _SEGMENTS.c.name).where(_SEGMENTS.c.document_id == document)
        )
        if row.name in lines
    ]
    if rows:
        connection.execute(outlines.insert(), rows)


def _strip(connection: Connection, documents: sa.TableClause, before: str) -> None:
    content = _content(connection, before)
    plain = without_metadata(content)
    if plain == content:
        return
    sha256 = hashlib.sha256(plain).hexdigest()
    blobs = sa.select(sa.literal(1)).select_from(_BLOBS)
    if connection.execute(blobs.where(_BLOBS.c.sha256 == sha256)).first() is None:
        connection.execute(
            _BLOBS.insert(), {"sha256": sha256, "size": len(plain), "content": plain}
        )
    connection.execute(
        documents.update().where(documents.c.image_sha256 == before).values(image_sha256=sha256)
    )
    connection.execute(_BLOBS.delete().where(_BLOBS.c.sha256 == before))
