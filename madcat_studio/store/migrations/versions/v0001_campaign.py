"""The tables of a campaign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "v0001"
down_revision = None

_KEY = sa.Uuid(as_uuid=False).with_variant(sa.String(36), "sqlite")
_JSON = sa.JSON().with_variant(JSONB, "postgresql")


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "audit",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)
    op.create_table(
        "blobs",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_blobs")),
    )
    op.create_table(
        "campaign",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign")),
    )
    op.create_table(
        "editors",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("full_name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_editors")),
        sa.UniqueConstraint("name", name=op.f("uq_editors_name")),
    )
    op.create_table(
        "guidelines",
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_guidelines")),
    )
    op.create_table(
        "kits",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.Column("segments", sa.Integer(), nullable=False),
        sa.Column("words", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kits")),
        sa.UniqueConstraint("name", name=op.f("uq_kits_name")),
        sa.UniqueConstraint("position", name=op.f("uq_kits_position")),
    )
    op.create_table(
        "options",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_options")),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
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
    op.create_table(
        "set_aside",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_set_aside")),
    )
    op.create_table(
        "systems",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("earlier", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_systems")),
        sa.UniqueConstraint("code", name=op.f("uq_systems_code")),
        sa.UniqueConstraint("name", name=op.f("uq_systems_name")),
    )
    op.create_table(
        "teams",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("name", name=op.f("uq_teams_name")),
    )
    op.create_table(
        "absences",
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("absent", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_absences_team_id")),
        sa.PrimaryKeyConstraint("team_id", "number", name=op.f("pk_absences")),
    )
    op.create_table(
        "assignments",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["kit_id"], ["kits.id"], name=op.f("fk_assignments_kit_id")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_assignments_team_id")),
        sa.PrimaryKeyConstraint("kit_id", "team_id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("kit_id", "position", name=op.f("uq_assignments_kit_id_position")),
    )
    op.create_table(
        "documents",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("source_document", sa.Text(), nullable=False),
        sa.Column("passage", sa.Text(), nullable=False),
        sa.Column("manuscript", sa.Text(), nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("scribe", sa.Text(), nullable=False),
        sa.Column("exposure", sa.Text(), nullable=False),
        sa.Column("data_set", sa.Text(), nullable=False),
        sa.Column("track", sa.Text(), nullable=False),
        sa.Column("genre", sa.Text(), nullable=False),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("sequestered", sa.Boolean(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("image_name", sa.Text(), nullable=False),
        sa.Column("image_sha256", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(
            ["image_sha256"], ["blobs.sha256"], name=op.f("fk_documents_image_sha256")
        ),
        sa.ForeignKeyConstraint(["sha256"], ["blobs.sha256"], name=op.f("fk_documents_sha256")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("base", name=op.f("uq_documents_base")),
    )
    op.create_index(op.f("ix_documents_passage"), "documents", ["passage"], unique=False)
    op.create_table(
        "due_dates",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["kit_id"], ["kits.id"], name=op.f("fk_due_dates_kit_id")),
        sa.PrimaryKeyConstraint("kit_id", "pass_", "number", name=op.f("pk_due_dates")),
    )
    op.create_table(
        "logins",
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("editor_id", _KEY, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["editor_id"], ["editors.id"], name=op.f("fk_logins_editor_id")),
        sa.PrimaryKeyConstraint("login", name=op.f("pk_logins")),
        sa.UniqueConstraint("editor_id", name=op.f("uq_logins_editor_id")),
    )
    op.create_table(
        "memberships",
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("editor_id", _KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["editor_id"], ["editors.id"], name=op.f("fk_memberships_editor_id")
        ),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_memberships_team_id")),
        sa.PrimaryKeyConstraint("team_id", "editor_id", name=op.f("pk_memberships")),
    )
    op.create_table(
        "output_files",
        sa.Column("system_id", _KEY, nullable=False),
        sa.Column("document_id", _KEY, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_output_files_document_id")
        ),
        sa.ForeignKeyConstraint(
            ["system_id"], ["systems.id"], name=op.f("fk_output_files_system_id")
        ),
        sa.PrimaryKeyConstraint("system_id", "document_id", name=op.f("pk_output_files")),
    )
    op.create_table(
        "participations",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("editor_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id"],
            ["assignments.kit_id", "assignments.team_id"],
            name=op.f("fk_participations_kit_id_team_id"),
        ),
        sa.ForeignKeyConstraint(
            ["team_id", "editor_id"],
            ["memberships.team_id", "memberships.editor_id"],
            name=op.f("fk_participations_team_id_editor_id"),
        ),
        sa.PrimaryKeyConstraint("kit_id", "editor_id", name=op.f("pk_participations")),
        sa.UniqueConstraint(
            "kit_id",
            "team_id",
            "pass_",
            "editor_id",
            name=op.f("uq_participations_kit_id_team_id_pass__editor_id"),
        ),
    )
    op.create_table(
        "roles",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("editor_id", _KEY, nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id"],
            ["assignments.kit_id", "assignments.team_id"],
            name=op.f("fk_roles_kit_id_team_id"),
        ),
        sa.ForeignKeyConstraint(
            ["team_id", "editor_id"],
            ["memberships.team_id", "memberships.editor_id"],
            name=op.f("fk_roles_team_id_editor_id"),
        ),
        sa.PrimaryKeyConstraint("kit_id", "team_id", "pass_", "turn", name=op.f("pk_roles")),
    )
    op.create_table(
        "segments",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("document_id", _KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("transcription", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("transcription_words", sa.Integer(), nullable=False),
        sa.Column("reference_words", sa.Integer(), nullable=False),
        sa.Column("scribe_error", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_segments_document_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_segments")),
        sa.UniqueConstraint("document_id", "name", name=op.f("uq_segments_document_id_name")),
        sa.UniqueConstraint(
            "document_id", "position", name=op.f("uq_segments_document_id_position")
        ),
    )
    op.create_table(
        "claims",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("editor_id", _KEY, nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "editor_id"],
            [
                "participations.kit_id",
                "participations.team_id",
                "participations.pass_",
                "participations.editor_id",
            ],
            name=op.f("fk_claims_kit_id_team_id_pass__editor_id"),
        ),
        sa.PrimaryKeyConstraint("kit_id", "team_id", "pass_", "turn", name=op.f("pk_claims")),
    )
    op.create_index("ix_claims_editor_id", "claims", ["editor_id"], unique=False)
    op.create_table(
        "earlier_scores",
        sa.Column("system_id", _KEY, nullable=False),
        sa.Column("document_id", _KEY, nullable=False),
        sa.Column("edits", sa.Double(), nullable=False),
        sa.Column("words", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["system_id", "document_id"],
            ["output_files.system_id", "output_files.document_id"],
            name=op.f("fk_earlier_scores_system_id_document_id"),
        ),
        sa.PrimaryKeyConstraint("system_id", "document_id", name=op.f("pk_earlier_scores")),
    )
    op.create_table(
        "kit_items",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("document_id", _KEY, nullable=False),
        sa.Column("system_id", _KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("cover", _KEY, nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["kit_id"], ["kits.id"], name=op.f("fk_kit_items_kit_id")),
        sa.ForeignKeyConstraint(
            ["system_id", "document_id"],
            ["output_files.system_id", "output_files.document_id"],
            name=op.f("fk_kit_items_system_id_document_id"),
        ),
        sa.PrimaryKeyConstraint("kit_id", "document_id", name=op.f("pk_kit_items")),
        sa.UniqueConstraint("cover", name=op.f("uq_kit_items_cover")),
        sa.UniqueConstraint("kit_id", "position", name=op.f("uq_kit_items_kit_id_position")),
        sa.UniqueConstraint("kit_id", "shown", name=op.f("uq_kit_items_kit_id_shown")),
    )
    op.create_index(
        "ix_kit_items_document_id_system_id",
        "kit_items",
        ["document_id", "system_id"],
        unique=False,
    )
    op.create_table(
        "outlines",
        sa.Column("segment_id", _KEY, nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["segment_id"], ["segments.id"], name=op.f("fk_outlines_segment_id")
        ),
        sa.PrimaryKeyConstraint("segment_id", name=op.f("pk_outlines")),
    )
    op.create_table(
        "outputs",
        sa.Column("segment_id", _KEY, nullable=False),
        sa.Column("system_id", _KEY, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("missing", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["segment_id"], ["segments.id"], name=op.f("fk_outputs_segment_id")
        ),
        sa.ForeignKeyConstraint(["system_id"], ["systems.id"], name=op.f("fk_outputs_system_id")),
        sa.PrimaryKeyConstraint("segment_id", "system_id", name=op.f("pk_outputs")),
    )
    op.create_table(
        "scribe_errors",
        sa.Column("segment_id", _KEY, nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("written", sa.Text(), nullable=False),
        sa.Column("intended", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["segment_id"], ["segments.id"], name=op.f("fk_scribe_errors_segment_id")
        ),
        sa.PrimaryKeyConstraint("segment_id", "token", name=op.f("pk_scribe_errors")),
    )
    op.create_table(
        "earlier_texts",
        sa.Column("segment_id", _KEY, nullable=False),
        sa.Column("system_id", _KEY, nullable=False),
        sa.Column("team", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("first_editor", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("first_text", sa.Text(), nullable=False),
        sa.Column("final_text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["segment_id", "system_id"],
            ["outputs.segment_id", "outputs.system_id"],
            name=op.f("fk_earlier_texts_segment_id_system_id"),
        ),
        sa.PrimaryKeyConstraint("segment_id", "system_id", "team", name=op.f("pk_earlier_texts")),
    )
    op.create_table(
        "handovers",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "turn"],
            ["claims.kit_id", "claims.team_id", "claims.pass_", "claims.turn"],
            name=op.f("fk_handovers_kit_id_team_id_pass__turn"),
        ),
        sa.PrimaryKeyConstraint(
            "kit_id", "team_id", "pass_", "turn", "number", name=op.f("pk_handovers")
        ),
    )
    op.create_table(
        "releases",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "turn"],
            ["claims.kit_id", "claims.team_id", "claims.pass_", "claims.turn"],
            name=op.f("fk_releases_kit_id_team_id_pass__turn"),
        ),
        sa.PrimaryKeyConstraint("kit_id", "team_id", "pass_", "turn", name=op.f("pk_releases")),
    )
    op.create_table(
        "revisions",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("segment_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", _KEY, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("editor_id", _KEY, nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("flags", _JSON, nullable=False),
        sa.Column("side", sa.Boolean(), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "editor_id"],
            [
                "participations.kit_id",
                "participations.team_id",
                "participations.pass_",
                "participations.editor_id",
            ],
            name=op.f("fk_revisions_kit_id_team_id_pass__editor_id"),
        ),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "turn"],
            ["claims.kit_id", "claims.team_id", "claims.pass_", "claims.turn"],
            name=op.f("fk_revisions_kit_id_team_id_pass__turn"),
        ),
        sa.ForeignKeyConstraint(
            ["segment_id"], ["segments.id"], name=op.f("fk_revisions_segment_id")
        ),
        sa.PrimaryKeyConstraint(
            "kit_id", "team_id", "pass_", "segment_id", "number", name=op.f("pk_revisions")
        ),
        sa.UniqueConstraint("team_id", "id", name=op.f("uq_revisions_team_id_id")),
    )
    op.create_index("ix_revisions_editor_id_at", "revisions", ["editor_id", "at"], unique=False)
    op.create_table(
        "visits",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("segment_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", _KEY, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("editor_id", _KEY, nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ms", sa.Integer(), nullable=False),
        sa.Column("sums", _JSON, nullable=True),
        sa.Column("events", _JSON, nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "editor_id"],
            [
                "participations.kit_id",
                "participations.team_id",
                "participations.pass_",
                "participations.editor_id",
            ],
            name=op.f("fk_visits_kit_id_team_id_pass__editor_id"),
        ),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "turn"],
            ["claims.kit_id", "claims.team_id", "claims.pass_", "claims.turn"],
            name=op.f("fk_visits_kit_id_team_id_pass__turn"),
        ),
        sa.ForeignKeyConstraint(["segment_id"], ["segments.id"], name=op.f("fk_visits_segment_id")),
        sa.PrimaryKeyConstraint(
            "kit_id", "team_id", "pass_", "segment_id", "number", name=op.f("pk_visits")
        ),
        sa.UniqueConstraint("team_id", "id", name=op.f("uq_visits_team_id_id")),
    )
    op.create_index("ix_visits_editor_id_at", "visits", ["editor_id", "at"], unique=False)
    op.create_table(
        "sittings",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("editor_id", _KEY, nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "turn"],
            ["claims.kit_id", "claims.team_id", "claims.pass_", "claims.turn"],
            name=op.f("fk_sittings_kit_id_team_id_pass__turn"),
        ),
        sa.PrimaryKeyConstraint(
            "kit_id", "team_id", "pass_", "turn", "number", name=op.f("pk_sittings")
        ),
    )
    op.create_table(
        "takebacks",
        sa.Column("kit_id", _KEY, nullable=False),
        sa.Column("team_id", _KEY, nullable=False),
        sa.Column("pass_", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["kit_id", "team_id", "pass_", "turn", "number"],
            [
                "handovers.kit_id",
                "handovers.team_id",
                "handovers.pass_",
                "handovers.turn",
                "handovers.number",
            ],
            name=op.f("fk_takebacks_kit_id_team_id_pass__turn_number"),
        ),
        sa.PrimaryKeyConstraint(
            "kit_id", "team_id", "pass_", "turn", "number", name=op.f("pk_takebacks")
        ),
    )
