"""The tables of a campaign: one schema for SQLite and PostgreSQL.

Whatever a team produces carries the team in its keys and foreign keys, so that a row of one
team can never point at a row of another. Claims, releases, hand-overs, revisions and visits are
inserted and never updated. What a row must be like stands in ``rules.py``; who may read and append
what on a server in ``rights.py``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from madcat_studio.store.kinds import Values
from madcat_studio.store.times import UtcTime

__all__ = ["SCHEMA_VERSION", "metadata"]

SCHEMA_VERSION = "v0001"
"""The newest migration, to which this program's code belongs."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


# SQLite has no such type, and turning 32 letters into 36 for every key of every row is slow.
_KEY = sa.Uuid(as_uuid=False).with_variant(sa.String(36), "sqlite")


def _id(name: str = "id", **options: Any) -> sa.Column[str]:
    return sa.Column(name, _KEY, nullable=False, **options)


def _text(name: str, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, **options)


def _count(name: str, **options: Any) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, **options)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False, default=False)


def _time(name: str = "at") -> sa.Column[datetime]:
    return sa.Column(name, UtcTime, nullable=False)


def _json(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, Values(none_as_null=optional), nullable=optional)


def _points_to(columns: str, target: str, there: str | None = None) -> sa.ForeignKeyConstraint:
    names = columns.split()
    return sa.ForeignKeyConstraint(
        names, [f"{target}.{name}" for name in (there.split() if there else names)]
    )


campaign = sa.Table("campaign", metadata, _id(primary_key=True), _text("name"), _time())

options = sa.Table(
    "options",
    metadata,
    _text("name", primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)

# Keys that never leave the campaign, such as the one that seals bundles.
secrets = sa.Table("secrets", metadata, _text("name", primary_key=True), _text("value"))

guidelines = sa.Table(
    "guidelines",
    metadata,
    _count("version", primary_key=True, autoincrement=False),
    _text("text"),
    _time(),
)

blobs = sa.Table(
    "blobs",
    metadata,
    sa.Column("sha256", sa.String(64), primary_key=True),
    _count("size"),
    sa.Column("content", sa.LargeBinary, nullable=False),
)

# -- what is evaluated ------------------------------------------------------------------------

documents = sa.Table(
    "documents",
    metadata,
    _id(primary_key=True),
    _text("base", unique=True),
    _text("source_document"),
    _text("passage", index=True),
    _text("manuscript"),
    _text("page"),
    _text("scribe"),
    _text("exposure"),
    _text("data_set"),
    _text("track"),
    _text("genre"),
    _text("conditions"),
    _flag("sequestered"),
    sa.Column("sha256", sa.String(64), nullable=False),
    _text("image_name"),
    sa.Column("image_sha256", sa.String(64), nullable=True),
    _points_to("sha256", "blobs"),
    _points_to("image_sha256", "blobs", "sha256"),
)

segments = sa.Table(
    "segments",
    metadata,
    _id(primary_key=True),
    _id("document_id"),
    _count("position"),
    _text("name"),
    _text("page"),
    _text("transcription"),
    _text("reference"),
    _count("transcription_words"),
    _count("reference_words"),
    _flag("scribe_error"),
    _points_to("document_id", "documents", "id"),
    sa.UniqueConstraint("document_id", "position"),
    sa.UniqueConstraint("document_id", "name"),
)

# Where segments stand on their scans: editors see these, and never the page's file, in which the
# transcription, the scribe and the source are named.
outlines = sa.Table(
    "outlines",
    metadata,
    _id("segment_id", primary_key=True),
    _text("lines"),
    _points_to("segment_id", "segments", "id"),
)

scribe_errors = sa.Table(
    "scribe_errors",
    metadata,
    _id("segment_id", primary_key=True),
    _text("token", primary_key=True),
    _text("error"),
    _text("written"),
    _text("intended"),
    _points_to("segment_id", "segments", "id"),
)

systems = sa.Table(
    "systems",
    metadata,
    _id(primary_key=True),
    _text("name", unique=True),
    _text("code", unique=True),
    _flag("earlier"),
)

output_files = sa.Table(
    "output_files",
    metadata,
    _id("system_id", primary_key=True),
    _id("document_id", primary_key=True),
    sa.Column("sha256", sa.String(64), nullable=False),
    _points_to("system_id", "systems", "id"),
    _points_to("document_id", "documents", "id"),
)

outputs = sa.Table(
    "outputs",
    metadata,
    # The segment first: every question comes by way of a document's segments.
    _id("segment_id", primary_key=True),
    _id("system_id", primary_key=True),
    _text("text"),
    _flag("missing"),
    _points_to("system_id", "systems", "id"),
    _points_to("segment_id", "segments", "id"),
)

# What an earlier phase made of the outputs that its systems gave: for control and progress sets.
earlier_texts = sa.Table(
    "earlier_texts",
    metadata,
    _id("segment_id", primary_key=True),
    _id("system_id", primary_key=True),
    _text("team", primary_key=True),
    _count("position"),
    _text("first_editor"),
    _text("reviewer"),
    _text("first_text"),
    _text("final_text"),
    _points_to("segment_id system_id", "outputs"),
)

earlier_scores = sa.Table(
    "earlier_scores",
    metadata,
    _id("system_id", primary_key=True),
    _id("document_id", primary_key=True),
    sa.Column("edits", sa.Double, nullable=False),
    sa.Column("words", sa.Double, nullable=False),
    _points_to("system_id document_id", "output_files"),
)

# -- who edits what ---------------------------------------------------------------------------

teams = sa.Table(
    "teams",
    metadata,
    _id(primary_key=True),
    _text("name", unique=True),
    _count("position"),
)

editors = sa.Table(
    "editors",
    metadata,
    _id(primary_key=True),
    _text("name", unique=True),
    _text("full_name"),
)

# Which login of a database server is whose. Logins have names that say nothing: every login of a
# PostgreSQL server can list the names of all others.
logins = sa.Table(
    "logins",
    metadata,
    _text("login", primary_key=True),
    _id("editor_id", unique=True),
    _time(),
    _points_to("editor_id", "editors", "id"),
)

memberships = sa.Table(
    "memberships",
    metadata,
    _id("team_id", primary_key=True),
    _id("editor_id", primary_key=True),
    _count("position"),
    _points_to("team_id", "teams", "id"),
    _points_to("editor_id", "editors", "id"),
)

kits = sa.Table(
    "kits",
    metadata,
    _id(primary_key=True),
    _text("name", unique=True),
    _count("position", unique=True),
    _flag("practice"),
    # Counted when the kit is planned: the board shows them for thousands of kits at once.
    _count("segments"),
    _count("words"),
)

# ``cover`` and ``shown`` are the key and the place by which editors know an item: see covers.py.
kit_items = sa.Table(
    "kit_items",
    metadata,
    _id("kit_id", primary_key=True),
    _id("document_id", primary_key=True),
    _id("system_id"),
    _count("position"),
    _id("cover", unique=True),
    _count("shown"),
    _points_to("kit_id", "kits", "id"),
    _points_to("system_id document_id", "output_files"),
    sa.UniqueConstraint("kit_id", "position"),
    sa.UniqueConstraint("kit_id", "shown"),
    sa.Index("ix_kit_items_document_id_system_id", "document_id", "system_id"),
)

assignments = sa.Table(
    "assignments",
    metadata,
    _id("kit_id", primary_key=True),
    _id("team_id", primary_key=True),
    _count("position"),
    _points_to("kit_id", "kits", "id"),
    _points_to("team_id", "teams", "id"),
    sa.UniqueConstraint("kit_id", "position"),
)

# The editor of a pass is that of the highest turn: turn 1 is the plan, later ones substitutions.
roles = sa.Table(
    "roles",
    metadata,
    _id("kit_id", primary_key=True),
    _id("team_id", primary_key=True),
    _text("pass_", primary_key=True),
    _count("turn", primary_key=True, autoincrement=False),
    sa.Column("editor_id", _KEY, nullable=True),
    _time(),
    _text("by"),
    _text("reason"),
    _points_to("kit_id team_id", "assignments"),
    _points_to("team_id editor_id", "memberships"),
)

# -- when, and with whom -----------------------------------------------------------------------

# Of each pass of a kit the date of the highest number counts; without a date, none is due.
due_dates = sa.Table(
    "due_dates",
    metadata,
    _id("kit_id", primary_key=True),
    _text("pass_", primary_key=True),
    _count("number", primary_key=True, autoincrement=False),
    sa.Column("due", UtcTime, nullable=True),
    _time(),
    _text("by"),
    _points_to("kit_id", "kits", "id"),
)

# A team is absent where its highest number says so: nothing new is planned for it.
absences = sa.Table(
    "absences",
    metadata,
    _id("team_id", primary_key=True),
    _count("number", primary_key=True, autoincrement=False),
    _flag("absent"),
    _time(),
    _text("by"),
    _text("reason"),
    _points_to("team_id", "teams", "id"),
)

# Passages that were chosen for a set; the highest number of a set counts.
selections = sa.Table(
    "selections",
    metadata,
    _text("data_set", primary_key=True),
    _count("number", primary_key=True, autoincrement=False),
    sa.Column("passages", sa.JSON, nullable=False),
    sa.Column("details", sa.JSON, nullable=False),
    _time(),
    _text("by"),
)

# -- what editors do --------------------------------------------------------------------------

# One row for every person who ever took part in a kit. Its key is the rule that nobody is on
# both sides of a kit or in both of its passes: two programs asking at once cannot break it.
participations = sa.Table(
    "participations",
    metadata,
    _id("kit_id", primary_key=True),
    _id("editor_id", primary_key=True),
    _id("team_id"),
    _text("pass_"),
    _points_to("kit_id team_id", "assignments"),
    _points_to("team_id editor_id", "memberships"),
    sa.UniqueConstraint("kit_id", "team_id", "pass_", "editor_id"),
)

_CLAIM_KEY = "kit_id team_id pass_ turn"


def _claim_key() -> list[sa.Column[Any]]:
    return [
        _id("kit_id", primary_key=True),
        _id("team_id", primary_key=True),
        _text("pass_", primary_key=True),
        _count("turn", primary_key=True, autoincrement=False),
    ]


claims = sa.Table(
    "claims",
    metadata,
    *_claim_key(),
    _id("editor_id"),
    _text("machine"),
    _time(),
    _points_to("kit_id team_id pass_ editor_id", "participations"),
    sa.Index("ix_claims_editor_id", "editor_id"),
)

releases = sa.Table(
    "releases",
    metadata,
    *_claim_key(),
    _time(),
    _text("by"),
    _text("reason"),
    _points_to(_CLAIM_KEY, "claims"),
)

handovers = sa.Table(
    "handovers",
    metadata,
    *_claim_key(),
    _count("number", primary_key=True, autoincrement=False),
    _time(),
    _text("by"),
    _points_to(_CLAIM_KEY, "claims"),
)

takebacks = sa.Table(
    "takebacks",
    metadata,
    *_claim_key(),
    _count("number", primary_key=True, autoincrement=False),
    _time(),
    _text("by"),
    _points_to(_CLAIM_KEY + " number", "handovers"),
)

revisions = sa.Table(
    "revisions",
    metadata,
    _id("kit_id", primary_key=True),
    _id("team_id", primary_key=True),
    _text("pass_", primary_key=True),
    _id("segment_id", primary_key=True),
    _count("number", primary_key=True, autoincrement=False),
    _id("id"),
    _count("turn"),
    _id("editor_id"),
    _text("machine"),
    _time(),
    _text("state"),
    _text("text"),
    _text("reason"),
    _json("flags"),
    _flag("side"),
    # ``at`` is the editor's clock; this is the server's.
    _time("stored_at"),
    _points_to("kit_id team_id pass_ turn", "claims"),
    _points_to("kit_id team_id pass_ editor_id", "participations"),
    _points_to("segment_id", "segments", "id"),
    sa.UniqueConstraint("team_id", "id"),
    sa.Index("ix_revisions_editor_id_at", "editor_id", "at"),
)

# Where a claimed pass is open: of each claim the row of the highest number counts.
sittings = sa.Table(
    "sittings",
    metadata,
    *_claim_key(),
    _count("number", primary_key=True, autoincrement=False),
    _id("editor_id"),
    _text("place"),
    _text("machine"),
    _time(),
    _flag("ended"),
    _points_to(_CLAIM_KEY, "claims"),
)

# Who was at which segment, when, and what was done there: see model/visits.py.
visits = sa.Table(
    "visits",
    metadata,
    _id("kit_id", primary_key=True),
    _id("team_id", primary_key=True),
    _text("pass_", primary_key=True),
    _id("segment_id", primary_key=True),
    _count("number", primary_key=True, autoincrement=False),
    _id("id"),
    _count("turn"),
    _id("editor_id"),
    _text("machine"),
    _time(),
    _count("ms"),
    # What the events come to (model/visitsums.py), and before them, so that a report need not read
    # them. A server makes it of them, whatever was given; none, where the events must tell.
    _json("sums", optional=True),
    _json("events"),
    _time("stored_at"),
    _points_to("kit_id team_id pass_ turn", "claims"),
    _points_to("kit_id team_id pass_ editor_id", "participations"),
    _points_to("segment_id", "segments", "id"),
    sa.UniqueConstraint("team_id", "id"),
    sa.Index("ix_visits_editor_id_at", "editor_id", "at"),
)

# Rows of other tables that broke a rule when the campaign was copied here, as texts.
set_aside = sa.Table(
    "set_aside",
    metadata,
    _id(primary_key=True),
    _text("table_name"),
    _text("content"),
    _time(),
)

audit = sa.Table(
    "audit",
    metadata,
    _id(primary_key=True),
    _time(),
    _text("who"),
    _text("machine"),
    _text("action"),
    _text("subject"),
    _text("detail"),
    sa.Index("ix_audit_at", "at"),
)
