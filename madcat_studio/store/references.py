"""Putting another reference in the place of one that nobody has begun to work with."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import CampaignSegment
from madcat_studio.store import lookup, schema
from madcat_studio.store.contents import Contents, add_lines
from madcat_studio.store.database import Database

__all__ = ["References"]


class References:
    """The references of a campaign, where they have to be replaced."""

    def __init__(self, database: Database, contents: Contents) -> None:
        self._database, self._contents = database, contents

    def replace(
        self,
        base: str,
        content: bytes,
        segments: Sequence[CampaignSegment],
        *,
        genre: str,
        image_name: str,
        before: str,
    ) -> None:
        """Put another reference in the place of one that nobody has begun to work with.

        The segments must be called as before, in the same order: outputs hang on them. The words
        of kits that hold the document are counted anew.

        Args:
            base: of the document.
            content: the new file; ``segments``, ``genre``, ``image_name``: what it says.
            before: the SHA-256 of the reference that is replaced.

        Raises:
            ConflictError: a kit with the document was claimed, or the reference is another by now.
            InputError: there is no such document, or its segments are others.
        """
        documents, table = schema.documents, schema.segments
        items, claims = schema.kit_items, schema.claims
        with self._database.writing() as connection:
            self._database.lock(connection)
            key = lookup.document_id(connection, base)
            kits = sa.select(items.c.kit_id).where(items.c.document_id == key)
            if connection.scalar(
                sa.select(sa.func.count()).where(claims.c.kit_id.in_(kits))
            ):  # fmt: skip
                raise ConflictError(
                    "store.kit-frozen",
                    "A kit with this document has been claimed; its reference stays",
                    where=base,
                    remedy="Restore the old file; kits, texts and scores depend on it",
                )
            old = self._contents.document(base)
            if old is None or old.sha256 != before:
                raise ConflictError(
                    "store.reference-changed",
                    "Somebody has replaced the reference in the meantime",
                    where=base,
                    remedy="Check again what differs",
                )
            if [one.name for one in self._contents.segments(base)] != [
                one.name for one in segments
            ]:
                raise InputError(
                    "store.other-segments",
                    "The new reference has other segments",
                    where=base,
                    remedy="Make a new campaign",
                )
            sha256 = self._contents.add_blob(content)
            connection.execute(
                documents.update()
                .where(documents.c.id == key)
                .values(sha256=sha256, genre=genre, image_name=image_name)
            )
            keys = {
                row.name: row.id
                for row in connection.execute(
                    sa.select(table.c.id, table.c.name).where(table.c.document_id == key)
                )
            }
            for one in segments:
                connection.execute(
                    table.update()
                    .where(table.c.id == keys[one.name])
                    .values(
                        page=one.page,
                        transcription=one.transcription,
                        reference=one.reference,
                        transcription_words=one.transcription_words,
                        reference_words=one.reference_words,
                    )
                )
            outlines = schema.outlines
            connection.execute(outlines.delete().where(outlines.c.segment_id.in_(keys.values())))
            add_lines(connection, ((keys[one.name], one) for one in segments))
            for kit in connection.scalars(kits).all():
                own = sa.select(items.c.document_id).where(items.c.kit_id == kit)
                words = connection.scalar(
                    sa.select(sa.func.sum(table.c.reference_words)).where(
                        table.c.document_id.in_(own)
                    )
                )
                connection.execute(
                    schema.kits.update()
                    .where(schema.kits.c.id == kit)
                    .values(words=int(words or 0))
                )
