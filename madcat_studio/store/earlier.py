"""What an earlier phase left: its teams' texts and its scores, for control and progress sets."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import EarlierScore, EarlierText, SegmentName
from madcat_studio.store import lookup, schema
from madcat_studio.store.database import Database

__all__ = ["EarlierPhase"]


class EarlierPhase:
    """Texts and scores of an earlier phase; its documents and systems are in the contents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def texts(self) -> tuple[EarlierText, ...]:
        """The texts of an earlier phase: documents and segments in order, teams as brought in."""
        self._database.for_coordinator()
        texts, segments, documents = schema.earlier_texts, schema.segments, schema.documents
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(
                    texts,
                    schema.systems.c.name.label("system"),
                    documents.c.base,
                    segments.c.name.label("segment"),
                )
                .join_from(texts, segments, segments.c.id == texts.c.segment_id)
                .join(documents, documents.c.id == segments.c.document_id)
                .join(schema.systems, schema.systems.c.id == texts.c.system_id)
                .order_by(
                    schema.systems.c.name,
                    documents.c.base,
                    segments.c.position,
                    texts.c.position,
                )
            ).all()
        return tuple(
            EarlierText(
                row.system,
                SegmentName(row.base, row.segment),
                row.team,
                row.first_editor,
                row.reviewer,
                row.first_text,
                row.final_text,
            )
            for row in rows
        )

    def add_texts(self, texts: Iterable[EarlierText]) -> int:
        """Add texts of an earlier phase; those there already stay. Returns how many are new.

        Raises:
            InputError: a segment or a system is not in the campaign.
            ConflictError: another text is there.
        """
        table = schema.earlier_texts
        added = 0
        with self._database.writing() as connection:
            for position, one in enumerate(texts):
                key = lookup.segment_id(connection, one.segment)
                system = lookup.system_id(connection, one.system)
                values = {
                    "first_editor": one.first_editor,
                    "reviewer": one.reviewer,
                    "first_text": one.first_text,
                    "final_text": one.final_text,
                }
                there = connection.execute(
                    sa.select(*(table.c[name] for name in values)).where(
                        table.c.segment_id == key,
                        table.c.system_id == system,
                        table.c.team == one.team,
                    )
                ).one_or_none()
                if there is not None and there._asdict() == values:
                    continue
                if there is not None:
                    raise ConflictError(
                        "store.earlier-changed",
                        f"The campaign has a different earlier-phase text by team {one.team}",
                        where=str(one.segment),
                        remedy="Restore the old table",
                    )
                connection.execute(
                    table.insert(),
                    {
                        "segment_id": key,
                        "system_id": system,
                        "team": one.team,
                        "position": position,
                        **values,
                    },
                )
                added += 1
        return added

    def scores(self) -> tuple[EarlierScore, ...]:
        """What an earlier phase measured, by system and document."""
        self._database.for_coordinator()
        table, documents, systems = schema.earlier_scores, schema.documents, schema.systems
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(
                    systems.c.name,
                    documents.c.base,
                    documents.c.passage,
                    table.c.edits,
                    table.c.words,
                )
                .join_from(table, documents, documents.c.id == table.c.document_id)
                .join(systems, systems.c.id == table.c.system_id)
                .order_by(systems.c.name, documents.c.base)
            ).all()
        return tuple(EarlierScore(*row) for row in rows)

    def add_scores(self, scores: Iterable[EarlierScore]) -> int:
        """Add what an earlier phase measured; returns how many are new.

        Raises:
            InputError: a document or a system is not in the campaign.
            ConflictError: another measure is there.
        """
        table = schema.earlier_scores
        added = 0
        with self._database.writing() as connection:
            for one in scores:
                system = lookup.system_id(connection, one.system)
                document = lookup.document_id(connection, one.base)
                there = connection.execute(
                    sa.select(table.c.edits, table.c.words).where(
                        table.c.system_id == system, table.c.document_id == document
                    )
                ).one_or_none()
                if there is not None and tuple(there) == (one.edits, one.words):
                    continue
                if there is not None:
                    raise ConflictError(
                        "store.earlier-changed",
                        f"The campaign has a different earlier-phase score for system {one.system}",
                        where=one.base,
                        remedy="Restore the old table",
                    )
                connection.execute(
                    table.insert(),
                    {
                        "system_id": system,
                        "document_id": document,
                        "edits": one.edits,
                        "words": one.words,
                    },
                )
                added += 1
        return added
