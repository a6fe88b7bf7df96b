"""What is evaluated: documents with their segments, systems with their outputs, bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import (
    CampaignDocument,
    CampaignSegment,
    DataSet,
    ScribeError,
    SegmentName,
    System,
    new_id,
)
from madcat_studio.model.outlines import SegmentLines, parse_lines
from madcat_studio.store import lookup, schema
from madcat_studio.store.database import Database
from madcat_studio.store.likeness import plain, refuse_alike

__all__ = ["Contents", "Scan", "add_lines"]

_TEXT_COLUMNS = [
    "base",
    "source_document",
    "passage",
    "manuscript",
    "page",
    "scribe",
    "exposure",
    "track",
    "genre",
    "conditions",
    "sequestered",
    "sha256",
    "image_name",
    "image_sha256",
]


class Scan(NamedTuple):
    """Which scan a document has: the hash of its bytes, None where it has none."""

    base: str
    sha256: str | None


class Contents:
    """Documents, segments, scribe errors, systems, outputs and blobs of a campaign."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- blobs --------------------------------------------------------------------------------

    def blob(self, sha256: str) -> bytes:
        """The bytes with this hash. InputError where the campaign does not hold them."""
        with self._database.reading() as connection:
            content: bytes | None = connection.scalar(
                sa.select(schema.blobs.c.content).where(schema.blobs.c.sha256 == sha256)
            )
        if content is None:
            raise InputError(
                "store.no-blob", f"The campaign does not have the file with SHA-256 {sha256}"
            )
        return bytes(content)

    def has_blob(self, sha256: str) -> bool:
        """Whether the campaign holds the bytes with this hash, and shows them to this login."""
        with self._database.reading() as connection:
            return bool(
                connection.scalar(sa.select(sa.exists().where(schema.blobs.c.sha256 == sha256)))
            )

    def blob_hashes(self) -> frozenset[str]:
        """The hashes of all bytes that the campaign holds and shows to this login."""
        with self._database.reading() as connection:
            return frozenset(connection.scalars(sa.select(schema.blobs.c.sha256)))

    def add_blob(self, content: bytes) -> str:
        """Keep bytes, once however often they are given. Returns their SHA-256."""
        sha256 = hashlib.sha256(content).hexdigest()
        with self._database.writing() as connection:
            known = connection.scalar(
                sa.select(sa.literal(1)).where(schema.blobs.c.sha256 == sha256)
            )
            if known is None:
                connection.execute(
                    schema.blobs.insert(),
                    {"sha256": sha256, "size": len(content), "content": content},
                )
        return sha256

    # -- documents ----------------------------------------------------------------------------

    def documents(self) -> tuple[CampaignDocument, ...]:
        """All documents in the order of their BASE."""
        self._database.for_coordinator()
        table = schema.documents
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(table).order_by(table.c.base)).all()
        return tuple(_document(row) for row in rows)

    def tracks(self) -> tuple[str, ...]:
        """The tracks that documents are of, sorted; "" is of those without one."""
        self._database.for_coordinator()
        with self._database.reading() as connection:
            column = schema.documents.c.track
            return tuple(connection.scalars(sa.select(column).distinct().order_by(column)))

    def document(self, base: str) -> CampaignDocument | None:
        """The document named ``base``, or None."""
        self._database.for_coordinator()
        table = schema.documents
        with self._database.reading() as connection:
            row = connection.execute(sa.select(table).where(table.c.base == base)).one_or_none()
        return None if row is None else _document(row)

    def scans(self, base: str | None = None) -> tuple[Scan, ...]:
        """The scans of all documents, or of one; of a server those that this login may see."""
        table = schema.documents
        # These columns and no others: an editor's login may not ask for more.
        query = sa.select(table.c.base, table.c.image_sha256).order_by(table.c.base)
        if base is not None:
            query = query.where(table.c.base == base)
        with self._database.reading() as connection:
            return tuple(Scan(*row) for row in connection.execute(query))

    def lines(self, base: str) -> dict[str, SegmentLines]:
        """Segment -> where it stands on the scan; those that this login may not see are left out.

        Raises:
            InputError: there is no such document.
        """
        outlines, segments = schema.outlines, schema.segments
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(segments.c.name, outlines.c.lines)
                .join_from(outlines, segments, segments.c.id == outlines.c.segment_id)
                .where(segments.c.document_id == lookup.document_id(connection, base))
                .order_by(segments.c.position)
            ).all()
        found = ((name, parse_lines(spelt)) for name, spelt in rows)
        return {name: lines for name, lines in found if lines is not None}

    def segments(self, base: str) -> tuple[CampaignSegment, ...]:
        """The segments of a document in its order."""
        table = schema.segments
        with self._database.reading() as connection:
            key = lookup.document_id(connection, base)
            rows = connection.execute(
                sa.select(table).where(table.c.document_id == key).order_by(table.c.position)
            ).all()
        return tuple(
            CampaignSegment(
                name=row.name,
                page=row.page,
                transcription=row.transcription,
                reference=row.reference,
                transcription_words=row.transcription_words,
                reference_words=row.reference_words,
                scribe_error=row.scribe_error,
            )
            for row in rows
        )

    def reference_words(self) -> dict[str, int]:
        """BASE -> words of the references of all its segments."""
        documents, segments = schema.documents, schema.segments
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(documents.c.base, sa.func.sum(segments.c.reference_words))
                .join_from(segments, documents, documents.c.id == segments.c.document_id)
                .group_by(documents.c.base)
            ).all()
        return {base: int(words) for base, words in rows}

    def add_document(
        self,
        document: CampaignDocument,
        content: bytes,
        segments: Sequence[CampaignSegment],
        image: bytes | None = None,
    ) -> bool:
        """Add a document with the bytes of its reference file and, where given, of its image.

        The hashes are made from the bytes, whatever ``document`` says. An image that comes later
        is added to the document that is there.

        Returns:
            False where the very same document was there already.

        Raises:
            ConflictError: a document of this BASE is there, and is another.
        """
        table = schema.documents
        document = replace(document, sha256=hashlib.sha256(content).hexdigest())
        with self._database.writing() as connection:
            there = connection.execute(
                sa.select(table).where(table.c.base == document.base)
            ).one_or_none()
            image_sha256 = None if image is None else self.add_blob(image)
            if there is not None:
                self._same_document(document, _document(there))
                if image_sha256 is None or there.image_sha256 == image_sha256:
                    return False
                connection.execute(
                    table.update().where(table.c.id == there.id).values(image_sha256=image_sha256)
                )
                return True
            self.add_blob(content)
            key = new_id()
            values = {name: getattr(document, name) for name in _TEXT_COLUMNS}
            values |= {
                "id": key,
                "data_set": document.data_set.value,
                "image_sha256": image_sha256,
            }
            connection.execute(table.insert(), values)
            _add_segments(connection, key, segments)
        return True

    def _same_document(self, new: CampaignDocument, old: CampaignDocument) -> None:
        if new.sha256 != old.sha256:
            raise ConflictError(
                "store.reference-changed",
                "The reference file is not the one that the campaign was made from",
                where=new.base,
                remedy="Restore the old file; kits, texts and scores depend on it",
            )
        for name in ("passage", "manuscript", "source_document", "data_set", "sequestered"):
            if getattr(new, name) != getattr(old, name):
                raise ConflictError(
                    "store.corpus-changed",
                    f"The corpus table has a different {name.replace('_', ' ')} from the "
                    f"campaign: {getattr(new, name)!s} instead of {getattr(old, name)!s}",
                    where=new.base,
                    remedy="Restore the old row, or make a new campaign",
                )

    # -- scribe errors ------------------------------------------------------------------------

    def scribe_errors(self) -> tuple[ScribeError, ...]:
        """All tokens that scribes wrote wrongly, in the order of documents and segments."""
        self._database.for_coordinator()
        errors, segments, documents = schema.scribe_errors, schema.segments, schema.documents
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(documents.c.base, segments.c.name, errors)
                .join_from(errors, segments, errors.c.segment_id == segments.c.id)
                .join(documents, documents.c.id == segments.c.document_id)
                .order_by(documents.c.base, segments.c.position, errors.c.token)
            ).all()
        return tuple(
            ScribeError(row.base, row.name, row.token, row.error, row.written, row.intended)
            for row in rows
        )

    def add_scribe_errors(self, errors: Iterable[ScribeError]) -> int:
        """Add scribe errors; those known already are left as they are. Returns how many are new.

        Raises:
            InputError: a segment is not in the campaign.
        """
        table = schema.scribe_errors
        added = 0
        with self._database.writing() as connection:
            for error in errors:
                key = lookup.segment_id(connection, SegmentName(error.base, error.segment))
                known = connection.scalar(
                    sa.select(sa.literal(1)).where(
                        table.c.segment_id == key, table.c.token == error.token
                    )
                )
                if known is not None:
                    continue
                connection.execute(
                    table.insert(),
                    {
                        "segment_id": key,
                        "token": error.token,
                        "error": error.error,
                        "written": error.written,
                        "intended": error.intended,
                    },
                )
                connection.execute(
                    schema.segments.update()
                    .where(schema.segments.c.id == key)
                    .values(scribe_error=True)
                )
                added += 1
        return added

    # -- systems and outputs ------------------------------------------------------------------

    def systems(self) -> tuple[System, ...]:
        """All systems in the order of their names."""
        self._database.for_coordinator()
        table = schema.systems
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(table).order_by(table.c.name)).all()
        return tuple(System(row.name, row.code, row.earlier) for row in rows)

    def add_system(self, system: System) -> bool:
        """Add a system. Returns False where the same one was there already.

        Raises:
            ConflictError: its name or its code belongs to another system.
        """
        table = schema.systems
        with self._database.writing() as connection:
            rows = connection.execute(
                sa.select(table).where(
                    sa.or_(table.c.name == system.name, table.c.code == system.code)
                )
            ).all()
            if [(row.name, row.code, row.earlier) for row in rows] == [
                (system.name, system.code, system.earlier)
            ]:
                return False
            there = connection.execute(sa.select(table.c.name, table.c.code)).all()
            refuse_alike("system", system.name, [row.name for row in there])
            # A name like another's code would be taken for it, in whatever case.
            codes = {row.code.casefold() for row in there if row.code != system.name}
            if plain(system.name).casefold() in codes:
                raise ConflictError(
                    "store.look-alike",
                    f"The name {system.name!r} looks like the code of another system",
                    where=system.name,
                    remedy="Give this system a name that looks different",
                )
            for row in rows:
                taken = "name" if row.name == system.name else "code"
                raise ConflictError(
                    "store.system-taken",
                    f"The campaign has another system with the {taken} {getattr(row, taken)!r}",
                    where=system.name,
                    remedy=f"Give this system its own {taken}",
                )
            connection.execute(
                table.insert(),
                {
                    "id": new_id(),
                    "name": system.name,
                    "code": system.code,
                    "earlier": system.earlier,
                },
            )
        return True

    def add_output(
        self, system: str, base: str, content: bytes, texts: Mapping[str, str | None]
    ) -> bool:
        """Add what a system gave for a document: segment -> text, None where it gave none.

        A segment that ``texts`` does not name is missing too.

        Returns:
            False where the same file was there already.

        Raises:
            ConflictError: another file of the same system for the same document is there.
            InputError: a segment is not the document's.
        """
        files, segments = schema.output_files, schema.segments
        with self._database.writing() as connection:
            system_key = lookup.system_id(connection, system)
            document_key = lookup.document_id(connection, base)
            sha256 = hashlib.sha256(content).hexdigest()
            there = connection.scalar(
                sa.select(files.c.sha256).where(
                    files.c.system_id == system_key, files.c.document_id == document_key
                )
            )
            if there == sha256:
                return False
            if there is not None:
                raise ConflictError(
                    "store.output-changed",
                    f"The campaign has another output of system {system} for this document",
                    where=base,
                    remedy="Restore the old file, or add the new outputs as a system with "
                    "another name",
                )
            rows = connection.execute(
                sa.select(segments.c.name, segments.c.id).where(
                    segments.c.document_id == document_key
                )
            ).all()
            keys = {row.name: row.id for row in rows}
            for name in texts:
                if name not in keys:
                    raise InputError(
                        "store.unknown-segment",
                        f"The document has no segment {name!r}",
                        where=base,
                    )
            connection.execute(
                files.insert(),
                {"system_id": system_key, "document_id": document_key, "sha256": sha256},
            )
            if keys:
                connection.execute(
                    schema.outputs.insert(),
                    [
                        {
                            "system_id": system_key,
                            "segment_id": key,
                            # White space alone is no text, and must not look like one.
                            "text": text if (text := texts.get(name) or "").strip() else "",
                            "missing": texts.get(name) is None,
                        }
                        for name, key in keys.items()
                    ],
                )
        return True

    def outputs(self, system: str, base: str) -> dict[str, str | None]:
        """Segment -> text of a system's output for a document, None where missing."""
        self._database.for_coordinator()
        outputs, segments = schema.outputs, schema.segments
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(segments.c.name, outputs.c.text, outputs.c.missing)
                .join_from(segments, outputs, segments.c.id == outputs.c.segment_id)
                .where(
                    outputs.c.system_id == lookup.system_id(connection, system),
                    segments.c.document_id == lookup.document_id(connection, base),
                )
                .order_by(segments.c.position)
            ).all()
        return {row.name: None if row.missing else row.text for row in rows}

    def documents_of(self, system: str) -> dict[str, str]:
        """BASE -> SHA-256 of the files that a system gave."""
        self._database.for_coordinator()
        files, documents = schema.output_files, schema.documents
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(documents.c.base, files.c.sha256)
                .join_from(files, documents, files.c.document_id == documents.c.id)
                .where(files.c.system_id == lookup.system_id(connection, system))
                .order_by(documents.c.base)
            ).all()
        return {row.base: row.sha256 for row in rows}


def _document(row: sa.Row[tuple[object, ...]]) -> CampaignDocument:
    values = row._mapping
    return CampaignDocument(
        data_set=DataSet(values["data_set"]),
        **{name: values[name] for name in _TEXT_COLUMNS},
    )


def _add_segments(
    connection: Connection, document: str, segments: Sequence[CampaignSegment]
) -> None:
    if not segments:
        return
    keys = [new_id() for _ in segments]
    connection.execute(
        schema.segments.insert(),
        [
            {
                "id": key,
                "document_id": document,
                "position": position,
                "name": segment.name,
                "page": segment.page,
                "transcription": segment.transcription,
                "reference": segment.reference,
                "transcription_words": segment.transcription_words,
                "reference_words": segment.reference_words,
                "scribe_error": segment.scribe_error,
            }
            for position, (key, segment) in enumerate(zip(keys, segments, strict=True))
        ],
    )
    add_lines(connection, zip(keys, segments, strict=True))


def add_lines(connection: Connection, segments: Iterable[tuple[str, CampaignSegment]]) -> None:
    """Keep where segments, given with their keys, stand on their scans."""
    rows = [{"segment_id": key, "lines": one.lines} for key, one in segments if one.lines]
    if rows:
        connection.execute(schema.outlines.insert(), rows)
