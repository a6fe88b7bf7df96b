"""Editors with plain SQL: whatever they read, guess, forge, change or delete is refused.

Tables, views and functions are taken from the server's own catalogue, so that one that is added
without a policy fails here.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import errors, sql

from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Kit,
    KitItem,
    Pass,
    Revision,
    ScribeError,
    SegmentState,
    new_id,
)
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.store.covers import SHOWN_ID
from madcat_studio.store.guards import BUNDLE_MACHINE, GUARDS, TRIGGERS
from madcat_studio.store.inspection import inspect_server
from madcat_studio.store.rights import RIGHTS
from madcat_studio.store.schema import metadata

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

pytestmark = pytest.mark.postgresql

EDITORS = ("red1", "red2", "blue1", "blue2", "green1", "green2")

Row = dict[str, Any]


class Scene:
    """A campaign in the middle of its work, with every row as its owner sees it."""

    def __init__(self, guarded: Guarded) -> None:
        self.guarded = guarded
        with open_campaign(guarded.url) as campaign:
            self._more(campaign)
        self._edit("red1", "K1", "red", Pass.FIRST)
        self._edit("red2", "K1", "red", Pass.REVIEW)
        self._edit("blue1", "K1", "blue", Pass.FIRST)
        with guarded.open("blue1") as campaign:
            campaign.claims.take_back("K1", "blue", Pass.FIRST, editor="blue1")
            campaign.claims.hand_over("K1", "blue", Pass.FIRST, editor="blue1")
        self._edit("blue2", "K1", "blue", Pass.REVIEW)
        with guarded.open("blue2") as campaign:
            campaign.claims.claim("K2", "blue", Pass.FIRST, "blue2", "machine of blue2")
        with open_campaign(guarded.url) as campaign:
            campaign.claims.release("K2", "blue", Pass.FIRST, by="boss")
        self._edit("blue2", "K2", "blue", Pass.FIRST)
        self.rows: dict[str, list[Row]] = {}
        with psycopg.connect(guarded.url, row_factory=psycopg.rows.dict_row) as owner:
            owner.execute(
                "INSERT INTO due_dates SELECT id, 'first', 1, '2031-01-01'::timestamptz"
                " + position * interval '1 day', now(), 'boss' FROM kits"
            )
            for table in RIGHTS:
                query = sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))
                self.rows[table] = owner.execute(query).fetchall()

    def _more(self, campaign: Campaign) -> None:
        campaign.set_options({"scoring.normalise": True, "editing.show_figures": True})
        campaign.set_guidelines("Guidelines for all")
        campaign.bundle_key()
        campaign.note("plan", "kits", who="boss", detail="what the boss noted")
        campaign.contents.add_document(
            CampaignDocument(
                base="hidden.x_1_S9",
                source_document="sequestered",
                passage="H",
                manuscript="H9",
                page="1",
                scribe="S9",
                exposure="unexposed",
                data_set=DataSet.PROGRESS,
                track="",
                genre="web",
                sequestered=True,
                sha256="",
                image_name="hidden.tif",
            ),
            b"hidden reference file",
            [CampaignSegment("s1", "1", "مخفي", "the hidden reference", 1, 3)],
            b"hidden scan",
        )
        for kit, red, blue in (("K3", "red1", None), ("K4", None, "both1"), ("K5", None, None)):
            campaign.plans.plan_kit(Kit(kit, (KitItem("Alpha", "A.x_1_S2"),), practice=True))
            campaign.plans.assign(
                kit, [Assignment(kit, "red", red, None), Assignment(kit, "blue", blue, None)]
            )
        campaign.claims.claim("K5", "blue", Pass.FIRST, "both1", "machine of both1")
        campaign.contents.add_scribe_errors(
            [ScribeError("A.x_1_S1", "s1", "token7", "wrong letter", "written so", "meant so")]
        )

    def _edit(self, editor: str, kit: str, team: str, pass_: Pass) -> None:
        with self.guarded.open(editor) as campaign:
            claim = campaign.claims.claim(kit, team, pass_, editor, f"machine of {editor}")
            for number, segment in enumerate(campaign.revisions.kit_segments(kit, team, pass_)):
                campaign.revisions.append(
                    [
                        Revision(
                            id=new_id(),
                            kit=kit,
                            team=team,
                            pass_=pass_,
                            segment=segment.name,
                            editor=editor,
                            machine=f"machine of {editor}",
                            at=datetime.now(UTC) - timedelta(seconds=number),
                            state=SegmentState.CONFIRMED,
                            text=f"text {number} of {team} {pass_} {kit}",
                            turn=claim.turn,
                        )
                    ]
                )
            if pass_ is Pass.FIRST:
                campaign.claims.hand_over(kit, team, pass_, editor=editor)

    def key(self, table: str, name: str) -> uuid.UUID:
        """The key of a row by its name."""
        found: uuid.UUID = next(row["id"] for row in self.rows[table] if row["name"] == name)
        return found

    def name(self, table: str, key: object) -> str:
        return str(next(row["name"] for row in self.rows[table] if row["id"] == key))

    def shown(self, segment: object, kit: object) -> uuid.UUID:
        """The key by which a kit's editors know a segment."""
        with psycopg.connect(self.guarded.url) as owner:
            [found] = owner.execute(
                f"SELECT {SHOWN_ID.format(i='i', s='s')} FROM segments s"  # type: ignore[arg-type]
                " JOIN kit_items i USING (document_id) WHERE i.kit_id = %s AND s.id = %s",
                [kit, segment],
            ).fetchone() or [None]
        assert isinstance(found, uuid.UUID)
        return found

    def members(self, team: object) -> set[str]:
        """The editors of a team, by its key."""
        return {
            self.name("editors", row["editor_id"])
            for row in self.rows["memberships"]
            if row["team_id"] == team
        }

    def opened(self, kit: object) -> set[str]:
        """The editors who ever claimed a kit, by its key."""
        return {
            self.name("editors", row["editor_id"])
            for row in self.rows["participations"]
            if row["kit_id"] == kit
        }

    def readers(self, revision: Row) -> set[str]:
        """Who may read a text: its pass's editor, and of a first pass the team's reviewer."""
        claims = self.rows["claims"]
        own = [row for row in claims if _pass(row) == _pass(revision)]
        review = [
            row
            for row in claims
            if (row["kit_id"], row["team_id"], row["pass_"])
            == (revision["kit_id"], revision["team_id"], "review")
        ]
        last = [max(rows, key=lambda row: row["turn"]) for rows in (own, review) if rows]
        if revision["pass_"] == "review":
            last = last[-1:]
        return {self.name("editors", row["editor_id"]) for row in last}

    def secrets(self) -> Iterator[tuple[str, set[str]]]:
        """Each thing that not everybody may read, as the server spells it, and who may."""
        rows = self.rows
        for row in rows["revisions"]:
            for column in ("text", "id", "at", "stored_at"):
                yield str(row[column]), self.readers(row)
        for table in ("claims", "handovers"):
            for row in rows[table]:
                yield str(row["at"]), self.members(row["team_id"])
        for row in rows["claims"]:
            yield row["machine"], self.members(row["team_id"])
        for row in rows["teams"]:
            for column in ("id", "name"):
                yield str(row[column]), self.members(row["id"])
        for row in rows["memberships"]:
            team = self.members(row["team_id"])
            yield str(row["editor_id"]), team
            yield self.name("editors", row["editor_id"]), team
        for row in rows["kits"]:
            teams = [one["team_id"] for one in rows["assignments"] if one["kit_id"] == row["id"]]
            allowed = {name for team in teams for name in self.members(team)}
            for column in ("id", "name"):
                yield str(row[column]), allowed
            for due in rows["due_dates"]:
                if due["kit_id"] == row["id"]:
                    yield str(due["due"]), allowed
        for row in rows["documents"]:
            for column in ("id", "base"):
                yield str(row[column]), set()
            yield str(row["sha256"]), set()
            yield str(row["image_name"] or "hidden.tif"), set()
        for row in rows["segments"]:
            yield str(row["id"]), set()
        for row in rows["kit_items"]:
            yield str(row["cover"]), self.opened(row["kit_id"])
        yield "the hidden reference", set()
        for row in rows["systems"]:
            for column in ("id", "name"):
                yield str(row[column]), set()
        for column, table in (
            ("transcription", "segments"),
            ("value", "secrets"),
            ("login", "logins"),
            ("intended", "scribe_errors"),
            ("detail", "audit"),
            ("subject", "audit"),
            ("source_document", "documents"),
            ("manuscript", "documents"),
            ("scribe", "documents"),
        ):
            for row in rows[table]:
                if str(row[column]) not in ("", "Test"):  # the campaign's name is no secret
                    yield str(row[column]), set()
        for row in rows["blobs"]:
            yield str(bytes(row["content"])), set()  # the option to show pages is off
        for row in rows["outlines"]:
            yield row["lines"], set()
        yield "scoring.normalise", set()


def _pass(row: Row) -> tuple[object, object, object]:
    return row["kit_id"], row["team_id"], row["pass_"]


@pytest.fixture(scope="module")
def scene(guarded: Guarded) -> Iterator[Scene]:
    copied = guarded.copy()
    # A copy of a database has not the rights to come in of the one before.
    copied.server.execute(f"REVOKE ALL ON DATABASE {copied.database} FROM PUBLIC")
    copied.server.execute(f"GRANT CONNECT ON DATABASE {copied.database} TO guarded_editor")
    yield Scene(copied)
    copied.drop()


@pytest.fixture(params=EDITORS)
def editor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def attacker(scene: Scene, editor: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    connection = scene.guarded.connect(editor)
    yield connection
    connection.close()


def relations(scene: Scene) -> list[tuple[str, str, str]]:
    """(schema, name, kind) of all tables, views and sequences that are not the server's own."""
    with psycopg.connect(scene.guarded.url) as owner:
        return owner.execute(
            "SELECT nspname, relname, relkind FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')"
            " AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
            " ORDER BY relname"
        ).fetchall()  # type: ignore[return-value]


def refused(
    connection: psycopg.Connection[tuple[object, ...]], query: Any, given: Any = None
) -> errors.Error:
    """What the server says where it refuses; a failure where it does not."""
    try:
        connection.execute(query, given)
    except errors.InsufficientPrivilege as error:
        return error
    pytest.fail(f"not refused: {query}")


# -- the shape of it ----------------------------------------------------------------------------


def test_every_table_of_the_program_has_its_rights_written_down() -> None:
    assert set(RIGHTS) == {*metadata.tables, "alembic_version"}


def test_every_relation_and_function_is_guarded(scene: Scene) -> None:
    found = relations(scene)
    assert {(schema, kind) for schema, _, kind in found} == {("public", "r")}
    assert {name for _, name, _ in found} == set(RIGHTS)
    facts = inspect_server(scene.guarded.url)
    assert facts.unprotected == facts.without_policy == facts.plain_views == facts.public == ()
    assert facts.rights_current
    with psycopg.connect(scene.guarded.url) as owner:
        functions = owner.execute(
            "SELECT proname, prosecdef, proconfig::text FROM pg_proc"
            " WHERE pronamespace = 'public'::regnamespace"
        ).fetchall()
        rights = owner.execute(
            "SELECT DISTINCT table_name, privilege_type FROM information_schema.role_table_grants"
            " WHERE grantee = 'guarded_editor'"
        ).fetchall()
    assert {name for name, _, _ in functions} == {
        *(guard.name for guard in GUARDS),
        *(f"studio_read_{table}" for table, one in RIGHTS.items() if one.by_function),
        *(trigger.name for trigger in TRIGGERS),
    }
    assert all("search_path=public, pg_temp" in config for _, _, config in functions)
    # What writes does so with the rights of the login, under the policies and rules of the tables.
    assert {name for name, definer, _ in functions if not definer} == {
        guard.name for guard in GUARDS if guard.writes
    }
    # Reading is granted by column only, and appending to these tables only.
    assert {kind for _, kind in rights} == {"INSERT"}
    assert {table for table, _ in rights} == {table for table, one in RIGHTS.items() if one.append}


def test_a_table_or_view_without_a_policy_is_found(own_guarded: Guarded) -> None:
    with psycopg.connect(own_guarded.url, autocommit=True) as owner:
        owner.execute("CREATE TABLE newcomer (x integer)")
        owner.execute("CREATE VIEW overview AS SELECT count(*) FROM revisions")
        owner.execute("GRANT SELECT ON overview TO PUBLIC")
        owner.execute("DROP POLICY studio_read ON claims")
        owner.execute("ALTER TABLE teams DISABLE ROW LEVEL SECURITY")
    facts = inspect_server(own_guarded.url)
    assert set(facts.unprotected) == {"newcomer", "teams"}
    assert facts.plain_views == ("overview",)
    assert "table overview" in facts.public
    assert not facts.rights_current


# -- reading ------------------------------------------------------------------------------------


def _everything(guarded: Guarded, attacker: psycopg.Connection[tuple[object, ...]]) -> set[str]:
    """Every value of every column of every relation that the login gets to see."""
    seen: set[str] = set()
    with psycopg.connect(guarded.url) as owner:
        columns = owner.execute(
            "SELECT c.oid::regclass::text, quote_ident(attname) FROM pg_attribute"
            " JOIN pg_class c ON c.oid = attrelid"
            " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')"
            " AND NOT attisdropped"
        ).fetchall()
    for table, column in columns:
        try:
            rows = attacker.execute(f"SELECT {column} FROM {table}").fetchall()  # type: ignore[call-overload]
        except errors.InsufficientPrivilege:
            continue
        seen.update(_spelt(row[0]) for row in rows)
    with psycopg.connect(guarded.url) as owner:
        functions = owner.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            " AND pronargs = 0 AND prorettype <> 'trigger'::regtype"
        ).fetchall()
    for (name,) in functions:
        rows = attacker.execute(f"SELECT * FROM {name}()").fetchall()  # type: ignore[call-overload]
        seen.update(_spelt(value) for row in rows for value in row)
    return seen


def _spelt(value: object) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value)
    return str(bytes(value) if isinstance(value, memoryview) else value)


def test_reading_shows_only_what_is_ones_own(
    scene: Scene, editor: str, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    seen = _everything(scene.guarded, attacker)
    long = "\0".join(seen)
    allowed: dict[str, set[str]] = {}
    for secret, readers in scene.secrets():
        allowed.setdefault(secret, set()).update(readers)
    leaked = [
        secret
        for secret, readers in allowed.items()
        if editor not in readers and (secret in seen or (len(secret) > 12 and secret in long))
    ]
    assert leaked == []
    # What is one's own is there: an empty answer would keep every secret.
    for row in scene.rows["revisions"]:
        if editor in scene.readers(row):
            assert row["text"] in seen
    for row in scene.rows["kit_items"]:
        assert (str(row["cover"]) in seen) == (editor in scene.opened(row["kit_id"]))
    assert scene.key("editors", editor) in {uuid.UUID(one) for one in seen if _is_key(one)}


def _is_key(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4


def _colleagues(scene: Scene, team: Row, editor: str) -> set[str]:
    members = scene.members(team["id"])
    return members if editor in members else set()


def _readable(table: str) -> str:
    """What an editor reads a table by."""
    return f"studio_read_{table}()" if RIGHTS[table].by_function else table


def test_counting_counts_only_ones_own(
    scene: Scene, editor: str, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    own: dict[str, int] = {
        "revisions": sum(editor in scene.readers(row) for row in scene.rows["revisions"]),
        "participations": sum(
            scene.name("editors", row["editor_id"]) == editor
            for row in scene.rows["participations"]
        ),
        **{
            table: sum(editor in scene.members(row["team_id"]) for row in scene.rows[table])
            for table in (
                *("assignments", "roles", "memberships"),
                *("claims", "releases", "handovers", "takebacks"),
            )
        },
        "teams": 1,
        "editors": len(
            {name for team in scene.rows["teams"] for name in _colleagues(scene, team, editor)}
        ),
    }
    for table, number in own.items():
        column = RIGHTS[table].columns.split()[0]
        query = f"SELECT count({column}) FROM {_readable(table)}"
        assert attacker.execute(query).fetchone() == (number,), table  # type: ignore[call-overload]


def test_hidden_columns_and_other_ways_to_the_rows_are_closed(
    scene: Scene, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    for _, table, _ in relations(scene):
        refused(attacker, f"SELECT ctid FROM {table}")
        refused(attacker, f"SELECT xmin FROM {table}")
        refused(attacker, f"SELECT pg_relation_size('{table}')")
        refused(attacker, f"SELECT * FROM {table} FOR UPDATE")
        assert attacker.execute(
            "SELECT count(*) FROM pg_stats WHERE tablename = %s", [table]
        ).fetchone() == (0,)
        refused(attacker, f"SELECT relpages FROM pg_class WHERE relname = '{table}'")
        refused(attacker, f"SELECT reltuples FROM pg_class WHERE relname = '{table}'")
    attacker.execute("SET row_security = off")
    for table, rights in RIGHTS.items():
        if rights.by_function:
            refused(attacker, f"SELECT {rights.columns.split()[0]} FROM {table}")
    refused(attacker, "SELECT * FROM pg_stat_user_tables")
    refused(attacker, "SELECT * FROM pg_stat_activity")
    refused(attacker, "SELECT * FROM pg_hba_file_rules")
    refused(attacker, "SELECT rolpassword FROM pg_authid")
    refused(attacker, "SELECT pg_read_file('/etc/passwd')")
    names = {str(row[0]) for row in attacker.execute("SELECT rolname FROM pg_roles").fetchall()}
    assert not names & set(EDITORS)


def test_a_condition_that_tells_is_asked_of_ones_own_rows_only(
    attacker: psycopg.Connection[tuple[object, ...]], editor: str
) -> None:
    other = "blue" if editor.startswith("red") else "red"
    # It would divide by zero at the first row of the others.
    attacker.execute(
        "SELECT id FROM studio_read_revisions()"
        " WHERE 1 / (CASE WHEN text LIKE %s THEN 0 ELSE 1 END) = 1",
        [f"%of {other}%"],
    ).fetchall()


def test_the_planner_does_not_count_what_one_may_not_see(
    scene: Scene, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    """``EXPLAIN ANALYZE`` of a table tells how many rows were left out, and of which names."""
    hidden = [table for table, one in RIGHTS.items() if one.read != "true"]
    assert set(hidden) >= {"revisions", "claims", "handovers", "documents", "kits", "blobs"}
    notices: list[str] = []
    attacker.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
    for table in hidden:
        refused(attacker, f"EXPLAIN SELECT 1 FROM {table}")
        refused(attacker, f"EXPLAIN ANALYZE SELECT count(*) FROM {table}")
        if not RIGHTS[table].columns:
            continue
        plan = attacker.execute(
            f"EXPLAIN (ANALYZE, VERBOSE, BUFFERS) SELECT * FROM studio_read_{table}()"  # type: ignore[call-overload]
        ).fetchall()
        assert "Removed" not in str(plan)
        assert "Scan on" not in str(plan).replace("Function Scan on", "")
        for setting in ("client_min_messages = log", "debug_print_plan = on"):
            attacker.execute(f"SET {setting}")  # type: ignore[call-overload]
        attacker.execute(f"SELECT 1 FROM studio_read_{table}()")  # type: ignore[call-overload]
        attacker.execute("RESET ALL")
    # Each asks for one plan, that of the question itself, and none of those within functions.
    assert notices == ["plan:"] * sum(RIGHTS[table].by_function for table in hidden)


def test_nothing_is_counted_by_merging(
    scene: Scene, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    """MERGE scans a table for whoever may append to it, and ``EXPLAIN ANALYZE`` counts its rows."""
    if attacker.info.server_version < 150000:
        pytest.skip("this server has no MERGE")
    for _, table, _ in relations(scene):
        known = metadata.tables.get(table)
        column = "version_num" if known is None else next(iter(known.c)).name
        with pytest.raises((errors.InsufficientPrivilege, errors.FeatureNotSupported)):
            attacker.execute(
                f"EXPLAIN ANALYZE MERGE INTO {table} USING (SELECT 1) one ON true"  # type: ignore[call-overload]
                f' WHEN NOT MATCHED THEN INSERT ("{column}") VALUES (NULL)'
            )


# -- guessing -----------------------------------------------------------------------------------


@pytest.mark.long
def test_functions_say_no_for_everybody_else(
    scene: Scene, editor: str, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    """What is there and what is not there get the same answer."""
    nowhere = uuid.uuid4()
    values: dict[str, list[object]] = {
        "kit": [row["id"] for row in scene.rows["kits"]],
        "team": [
            row["id"] for row in scene.rows["teams"] if editor not in scene.members(row["id"])
        ],
        "pass": ["first", "review"],
        "turn": [1, 2],
        "number": [1],
        "segment": [scene.rows["segments"][0]["id"]],
        "side": [True],
    }
    for guard in GUARDS:
        names = [one.split()[0] for one in guard.takes.split(", ") if one]
        if guard.inner:
            types = [one.split()[1] for one in guard.takes.split(", ")]
            holes = ", ".join(f"%s::{kind}" for kind in types)
            some: dict[str, object] = {"uuid": nowhere, "integer": 1, "jsonb": "[]"}
            nothing = [some.get(kind, "first") for kind in types]
            refused(attacker, f"SELECT {guard.name}({holes})", nothing)
            continue
        if "team uuid" not in guard.takes.split(", "):
            continue
        calls: list[list[object]] = [[]]
        for name in names:
            calls = [[*call, value] for call in calls for value in values[name]]
        holes = ", ".join(["%s"] * len(names))
        query = f"SELECT {guard.name}({holes})"

        def ask(call: list[object], query: str = query) -> tuple[object, ...]:
            return tuple(attacker.execute(query, call).fetchall())  # type: ignore[call-overload]

        known = {ask(call) for call in calls}
        made_up = [nowhere if isinstance(one, uuid.UUID) else one for one in calls[0]]
        no: tuple[object, ...] = ((False,),) if guard.gives == "boolean" else ()
        assert known == {ask(made_up)} == {no}, guard.name


@pytest.mark.long
def test_what_becomes_of_a_text_is_told_of_ones_own_passes_only(
    scene: Scene, editor: str, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    """In another's name, for another team, or of a kit of theirs, there is nothing."""
    ids = {row["id"]: row for row in scene.rows["revisions"]}
    mine = {row["id"] for row in ids.values() if scene.name("editors", row["editor_id"]) == editor}
    assert mine or editor.startswith("green")
    own_passes = {
        (scene.name("kits", row["kit_id"]), scene.name("teams", row["team_id"]), row["pass_"])
        for row in scene.rows["claims"]
        if scene.name("editors", row["editor_id"]) == editor
    }
    asked = [
        (kit, team, pass_, who, f"{kit}.01", row["id"] if row else uuid.uuid4())
        for row in (*ids.values(), None)
        for kit in ("K1", "K2", "K5", "none")
        for team in ("red", "blue", "green", "none")
        for pass_ in ("first", "review")
        for who in {editor, "blue1", "red2", "none"}
    ]
    # All of them in one statement: a statement each is most of what the test would cost.
    query = """
        SELECT becomes
        FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::uuid[])
            WITH ORDINALITY AS asked (kit, team, pass_, who, document, key, number),
            LATERAL studio_weighed(
                kit, team, pass_, 1, who, document, '1', key, NULL, NULL, false
            )
        ORDER BY number
    """
    answers = attacker.execute(query, [list(column) for column in zip(*asked, strict=True)])
    for (kit, team, pass_, who, _, key), told in zip(asked, answers.fetchall(), strict=True):
        if (kit, team, pass_) not in own_passes or who != editor:
            assert told in {("unknown",), ("unclaimed",)}
        elif told == ("known",):
            assert key in mine
    with pytest.raises(errors.InsufficientPrivilege):
        # It writes as if the login wrote itself.
        attacker.execute(
            "SELECT studio_append_texts('[]'), studio_segment(%s, %s)", [uuid.uuid4()] * 2
        )


def test_errors_do_not_tell_what_is_there(
    scene: Scene, editor: str, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    """A row that exists and one that does not are refused with the same words."""
    for table, rights in RIGHTS.items():
        if not rights.append:
            # No right to append at all: nothing is looked up.
            refused(attacker, f"INSERT INTO {table} DEFAULT VALUES")
            continue
        rows = [row for row in scene.rows[table] if not _mine(scene, row, editor)]
        if not rows:
            continue
        there = dict(rows[0])
        made_up = {
            name: uuid.uuid4() if isinstance(value, uuid.UUID) else value
            for name, value in there.items()
        }
        first, second = (refused(attacker, *_insert(table, row)) for row in (there, made_up))
        assert str(first) == str(second)
        assert first.diag.message_detail is None


def _mine(scene: Scene, row: Row, editor: str) -> bool:
    if "team_id" in row:
        return editor in scene.members(row["team_id"])
    return row.get("who") == editor


def _insert(table: str, row: Row) -> tuple[Any, list[Any]]:
    query = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, row)),
        sql.SQL(", ").join([sql.Placeholder()] * len(row)),
    )
    values = [
        psycopg.types.json.Json(one) if isinstance(one, dict | list) else one
        for one in row.values()
    ]
    return query, values


# -- forging ------------------------------------------------------------------------------------

Change = Callable[[Scene], Row]

LONG_AGO = datetime.now(UTC) - timedelta(days=365)

FORGED: dict[str, tuple[str, Change]] = {
    "a text in another's name": (
        "revisions",
        lambda s: {"editor_id": s.key("editors", "red1")},
    ),
    "a text for the other team": ("revisions", lambda s: {"team_id": s.key("teams", "blue")}),
    "a text in another pass": ("revisions", lambda s: {"pass_": "first"}),
    "a text in another kit": ("revisions", lambda s: {"kit_id": s.key("kits", "K2")}),
    "a text under a claim that never was": ("revisions", lambda s: {"turn": 7}),
    "a text of a page that is not in the kit": (
        "revisions",
        lambda s: {
            "segment_id": next(
                row["id"]
                for row in s.rows["segments"]
                if row["reference"] == "the hidden reference"
            )
        },
    ),
    "a claim of one's own pass, once more": ("claims", lambda s: {"turn": 2}),
    "a claim of the first pass besides": ("claims", lambda s: {"pass_": "first", "turn": 2}),
    "a claim for the other team": (
        "claims",
        lambda s: {"team_id": s.key("teams", "blue"), "turn": 2},
    ),
    "a claim in another's name": ("claims", lambda s: {"editor_id": s.key("editors", "red1")}),
    "a part in the other pass": (
        "participations",
        lambda s: {"pass_": "first", "kit_id": s.key("kits", "K1")},
    ),
    "a part for another": (
        "participations",
        lambda s: {
            "pass_": "first",
            "kit_id": s.key("kits", "K2"),
            "editor_id": s.key("editors", "red1"),
        },
    ),
    "a part in the other team": (
        "participations",
        lambda s: {"team_id": s.key("teams", "blue"), "kit_id": s.key("kits", "K2")},
    ),
    "a release in another's name": ("releases", lambda s: {"by": "boss"}),
    "a release of the other team's claim": (
        "releases",
        lambda s: {"team_id": s.key("teams", "blue"), "by": "red2"},
    ),
    "a release of a colleague's claim": ("releases", lambda s: {"pass_": "first", "by": "red2"}),
    "a release of one's own claim": ("releases", lambda s: {}),
    "a hand-over in another's name": ("handovers", lambda s: {"by": "red1"}),
    "a hand-over of a colleague's pass": ("handovers", lambda s: {"pass_": "first", "number": 2}),
    "a hand-over of the other team's": (
        "handovers",
        lambda s: {"team_id": s.key("teams", "blue")},
    ),
    "a hand-over that leaves numbers out": ("handovers", lambda s: {"number": 5}),
    "a taking back in another's name": ("takebacks", lambda s: {"by": "blue1"}),
    "a taking back of what was not handed over so often": ("takebacks", lambda s: {"number": 2}),
    "a taking back of a colleague's pass": (
        "takebacks",
        lambda s: {"kit_id": s.key("kits", "K1"), "turn": 1, "number": 2},
    ),
    "a taking back of what is not handed over": (
        "takebacks",
        lambda s: {"kit_id": s.key("kits", "K1"), "turn": 1, "pass_": "review"},
    ),
    "a part without a claim": ("participations", lambda s: {"kit_id": s.key("kits", "K2")}),
    "an entry of the trail": ("audit", lambda s: {}),
}


def _honest(scene: Scene, table: str) -> Row:
    """A row as red2, who reviews K1, could come to append it; to take back, blue2 in K2."""
    key = {
        "kit_id": scene.key("kits", "K1"),
        "team_id": scene.key("teams", "red"),
        "pass_": "review",
        "turn": 1,
    }
    me = scene.key("editors", "red2")
    now = datetime.now(UTC)
    rows: dict[str, Row] = {
        "revisions": {
            **key,
            "editor_id": me,
            "segment_id": scene.shown(
                next(
                    row["segment_id"]
                    for row in scene.rows["revisions"]
                    if row["kit_id"] == key["kit_id"]
                ),
                key["kit_id"],
            ),
            "number": 99,
            "id": uuid.uuid4(),
            "machine": "m",
            "at": now,
            "state": "draft",
            "text": "forged",
            "reason": "",
            "flags": {},
            "side": False,
        },
        "claims": {**key, "editor_id": me, "machine": "m", "at": now},
        "participations": {
            name: value for name, value in {**key, "editor_id": me}.items() if name != "turn"
        },
        "releases": {**key, "at": now, "by": "red2", "reason": ""},
        "handovers": {**key, "number": 1, "at": now, "by": "red2"},
        "takebacks": {
            "kit_id": scene.key("kits", "K2"),
            "team_id": scene.key("teams", "blue"),
            "pass_": "first",
            "turn": 2,
            "number": 1,
            "at": now,
            "by": "blue2",
        },
        "audit": {
            "id": uuid.uuid4(),
            "at": now,
            "who": "red2",
            "machine": "",
            "action": "x",
            "subject": "",
            "detail": "",
        },
    }
    return rows[table]


def _who(table: str) -> str:
    return "blue2" if table == "takebacks" else "red2"


@pytest.mark.parametrize("what", FORGED)
def test_forging_is_refused(scene: Scene, what: str) -> None:
    table, change = FORGED[what]
    with scene.guarded.connect(_who(table)) as attacker:
        refused(attacker, *_insert(table, {**_honest(scene, table), **change(scene)}))


def test_honest_rows_are_taken_and_numbered_by_the_server(scene: Scene) -> None:
    """What is refused above is refused for what was changed in it."""
    for table in ("revisions", "handovers", "takebacks"):
        with (
            scene.guarded.connect(_who(table)) as attacker,
            attacker.transaction(force_rollback=True),
        ):
            attacker.execute(*_insert(table, _honest(scene, table)))
            if table == "revisions":
                assert attacker.execute(
                    "SELECT number FROM studio_read_revisions() WHERE text = 'forged'"
                ).fetchone() == (2,)


@pytest.mark.parametrize(
    ("who", "kit", "why"),
    [
        ("red2", "K3", "it is planned for red1"),
        ("both1", "K3", "it is planned for red1"),
        ("both1", "K4", "both1 is planned on the other side"),
        ("both1", "K5", "both1 has edited on the other side"),
        ("green1", "K5", "it is not given to green"),
    ],
)
def test_a_part_that_the_plan_does_not_allow(scene: Scene, who: str, kit: str, why: str) -> None:
    row = {
        "kit_id": scene.key("kits", kit),
        "team_id": scene.key("teams", "red"),
        "pass_": "first",
        "editor_id": scene.key("editors", who),
    }
    with scene.guarded.connect(who) as attacker:
        refused(attacker, *_insert("participations", row))


def test_a_claim_is_of_now_and_of_the_next_turn(scene: Scene) -> None:
    """Also of a pass that one may claim."""
    free = {"kit_id": scene.key("kits", "K2"), "pass_": "first"}
    with scene.guarded.connect("red2") as attacker, attacker.transaction(force_rollback=True):
        claim = {**_honest(scene, "claims"), **free}
        for change in (
            {"machine": BUNDLE_MACHINE},
            {"turn": 2},
            {"turn": 0},
            {"editor_id": scene.key("editors", "red1")},
        ):
            with pytest.raises(errors.InsufficientPrivilege), attacker.transaction():
                attacker.execute(*_insert("claims", {**claim, **change}))
        attacker.execute(*_insert("claims", {**claim, "at": LONG_AGO}))
        [part] = attacker.execute(
            "SELECT count(*) FROM studio_read_participations() WHERE kit_id = %s", [free["kit_id"]]
        ).fetchone() or [0]
        assert part == 1, "with the claim comes the part, and only with it"


@pytest.mark.parametrize("moment", ["LONG_AGO", "infinity", "-infinity", "9999-12-31"])
def test_times_are_the_servers(scene: Scene, moment: str) -> None:
    """Whatever an editor writes; of a text also the time is finite at which it was typed."""
    when = LONG_AGO if moment == "LONG_AGO" else moment
    for table in ("revisions", "handovers", "takebacks"):
        with (
            scene.guarded.connect(_who(table)) as attacker,
            attacker.transaction(force_rollback=True),
        ):
            row = {**_honest(scene, table), "at": when}
            if table == "revisions" and moment == "-infinity":
                with pytest.raises(errors.CheckViolation), attacker.transaction():
                    attacker.execute(*_insert(table, row))
                continue
            attacker.execute(*_insert(table, row))
            column = "stored_at" if table == "revisions" else "at"
            if column not in RIGHTS[table].columns:
                continue
            ago = f"SELECT min(abs(extract(epoch FROM clock_timestamp() - {column})))"
            [seconds] = attacker.execute(f"{ago} FROM studio_read_{table}()").fetchone() or [None]  # type: ignore[call-overload]
            assert seconds is not None
            assert seconds < 60
            latest = attacker.execute(
                f"SELECT max(at) <= clock_timestamp() FROM studio_read_{table}()"  # type: ignore[call-overload]
            ).fetchone()
            assert latest == (True,)


class Claimed:
    """A pass as its editor claimed it, and rows that the editor could append under the claim."""

    def __init__(self, guarded: Guarded, editor: str, kit: str, team: str, pass_: Pass) -> None:
        self.guarded, self.editor = guarded, editor
        with guarded.open(editor) as campaign:
            claim = campaign.claims.claim(kit, team, pass_, editor, "desk")
        with psycopg.connect(guarded.url) as owner:
            found = owner.execute(
                "SELECT c.kit_id, c.team_id, c.editor_id FROM claims c"
                " JOIN kits k ON k.id = c.kit_id JOIN teams t ON t.id = c.team_id"
                " WHERE (k.name, t.name, pass_, turn) = (%s, %s, %s, %s)",
                [kit, team, pass_.value, claim.turn],
            ).fetchone()
            assert found is not None
            shown = SHOWN_ID.format(i="i", s="s")
            self._segments = dict(
                owner.execute(
                    f"SELECT d.base, {shown} FROM segments s JOIN documents d ON d.id = document_id"  # type: ignore[arg-type]
                    " JOIN kit_items i USING (document_id) WHERE i.kit_id = %s"
                    " UNION ALL SELECT d.base || ' itself', s.id FROM segments s"
                    " JOIN documents d ON d.id = document_id",
                    [found[0]],
                ).fetchall()
            )
        self.me = found[2]
        self.key: Row = {
            "kit_id": found[0],
            "team_id": found[1],
            "pass_": pass_.value,
            "turn": claim.turn,
        }

    def text(self, base: str = "A.x_1_S1", *, side: bool = False) -> tuple[str, Row]:
        return "revisions", {
            **self.key,
            "segment_id": self._segments[base],
            "number": 1,
            "id": uuid.uuid4(),
            "editor_id": self.me,
            "machine": "",
            "at": datetime.now(UTC),
            "state": "confirmed",
            "text": "text",
            "reason": "",
            "flags": {},
            "side": side,
        }

    def confirm_all(self) -> None:
        """Write a text for every segment of the kit."""
        with psycopg.connect(self.guarded.url) as owner:
            rows = owner.execute(
                f"SELECT {SHOWN_ID.format(i='i', s='s')} FROM segments s"  # type: ignore[arg-type]
                " JOIN kit_items i USING (document_id) WHERE i.kit_id = %s",
                [self.key["kit_id"]],
            ).fetchall()
        for (segment,) in rows:
            table, row = self.text()
            self.append((table, {**row, "segment_id": segment}))

    def end(self, table: str, number: int | None = 1) -> tuple[str, Row]:
        row = {**self.key, "at": datetime.now(UTC), "by": self.editor}
        return table, row | ({"reason": ""} if number is None else {"number": number})

    def next_claim(self) -> tuple[str, Row]:
        row = {**self.key, "editor_id": self.me, "machine": "", "at": datetime.now(UTC)}
        return "claims", {**row, "turn": self.key["turn"] + 1}

    def append(self, what: tuple[str, Row]) -> None:
        with self.guarded.connect(self.editor) as connection:
            connection.execute(*_insert(*what))

    def is_refused(self, what: tuple[str, Row]) -> None:
        with self.guarded.connect(self.editor) as connection:
            refused(connection, *_insert(*what))


@pytest.mark.long
def test_a_claim_that_has_ended_gives_no_rights(own_guarded: Guarded) -> None:
    """But that to keep a late text aside."""
    first = Claimed(own_guarded, "red1", "K2", "red", Pass.FIRST)
    first.append(first.text())
    first.is_refused(first.end("releases", None))
    with open_campaign(own_guarded.url) as owner:
        owner.claims.release("K2", "red", Pass.FIRST, by="coordinator")
    for gone in range(2):
        first.is_refused(first.text())
        first.is_refused(first.end("handovers"))
        first.is_refused(first.end("releases", None))
        first.append(first.text(side=True))
        if not gone:
            second = Claimed(own_guarded, "red2", "K2", "red", Pass.FIRST)
            second.append(second.text())
    second.is_refused(second.next_claim())
    with pytest.raises(errors.CheckViolation):
        second.append(second.end("handovers"))
    second.confirm_all()
    second.append(second.end("handovers"))
    second.is_refused(second.text())
    second.is_refused(second.next_claim())
    second.is_refused(second.end("handovers", 2))
    second.append(second.end("takebacks"))
    second.append(second.text())


@pytest.mark.long
def test_a_review_follows_the_first_pass_and_closes_it(own_guarded: Guarded) -> None:
    first = Claimed(own_guarded, "red1", "K1", "red", Pass.FIRST)
    # A segment of another kit, which one has claimed too; and one of this kit, by its own key.
    other = Claimed(own_guarded, "red1", "K2", "red", Pass.FIRST)
    first.is_refused((other.text("B.x_1_S2")[0], {**other.text("B.x_1_S2")[1], **first.key}))
    first.is_refused(first.text("B.x_1_S1 itself"))
    first.append(first.text("B.x_1_S1"))
    reviewer = {
        name: value for name, value in first.key.items() if name in ("kit_id", "team_id")
    } | {"pass_": "review"}
    with own_guarded.connect("red2") as early:
        [me] = early.execute(
            "SELECT id FROM studio_read_editors() WHERE name = 'red2'"
        ).fetchone() or [None]
        claim = {**reviewer, "turn": 1, "editor_id": me, "machine": "", "at": datetime.now(UTC)}
        refused(early, *_insert("claims", claim))
    first.confirm_all()
    first.append(first.end("handovers"))
    Claimed(own_guarded, "red2", "K1", "red", Pass.REVIEW)
    first.is_refused(first.end("takebacks"))


@pytest.mark.long
def test_of_a_page_the_scan_and_the_lines_are_shown_and_never_its_file(
    own_guarded: Guarded,
) -> None:
    """The file tells what is written there, by whom, and after which source; also its name does."""
    pages = ("A.x_1_S1", "A.x_1_S2", "B.x_1_S1")
    with open_campaign(own_guarded.url) as campaign:
        campaign.set_options({"editing.show_page": True})
        for base in pages:
            document = campaign.contents.document(base)
            assert document is not None
            campaign.contents.add_document(
                document,
                campaign.contents.blob(document.sha256),
                (),
                f"scan of {base}".encode(),
            )
    with psycopg.connect(own_guarded.url) as owner:
        owner.execute("UPDATE documents SET image_name = 'image of ' || scribe || source_document")
        owner.execute(
            "UPDATE outlines SET lines = base FROM segments s JOIN documents d ON d.id ="
            " document_id WHERE s.id = segment_id"
        )
        hidden = [
            _spelt(value)
            for row in owner.execute(
                "SELECT content, d.sha256, image_name FROM documents d JOIN blobs USING (sha256)"
            )
            for value in row
        ]
    assert len(hidden) == 12
    Claimed(own_guarded, "red1", "K1", "red", Pass.FIRST)
    own = {"red1": {"A.x_1_S1", "B.x_1_S1"}, "red2": set(), "green1": set()}
    for editor, shown in own.items():
        with own_guarded.connect(editor) as attacker:
            seen = _everything(own_guarded, attacker)
            lines = attacker.execute("SELECT lines FROM studio_read_outlines()").fetchall()
        long = "\0".join(seen)
        assert [one for one in hidden if one in long] == []
        assert {str(row[0]) for row in lines} == shown
        for base in pages:
            assert (str(f"scan of {base}".encode()) in seen) == (base in shown)


# -- changing and deleting ----------------------------------------------------------------------


@pytest.mark.long
def test_nothing_can_be_changed_deleted_or_taken_over(
    scene: Scene, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    columns = {name: next(iter(table.c)).name for name, table in metadata.tables.items()}
    for _, table, _ in relations(scene):
        column = columns.get(table, "version_num")
        for statement in (
            f"UPDATE {table} SET {column} = {column}",
            f"DELETE FROM {table}",
            f"TRUNCATE {table}",
            f"DO 'BEGIN LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE; END'",
            f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} ADD COLUMN more text",
            f"CREATE POLICY mine ON {table} USING (true)",
            f"DROP POLICY studio_read ON {table}",
            f"CREATE INDEX ON {table} ((1))",
            f"CREATE RULE mine AS ON INSERT TO {table} DO ALSO NOTHING",
            f"GRANT ALL ON {table} TO PUBLIC",
            f"COMMENT ON TABLE {table} IS 'mine'",
            f"DROP TABLE {table} CASCADE",
        ):
            try:
                attacker.execute(statement)  # type: ignore[call-overload]
            except errors.InsufficientPrivilege:
                continue
            # PostgreSQL only warns where there is nothing that one could grant.
            assert statement.startswith("GRANT"), statement
    assert inspect_server(scene.guarded.url).rights_current
    assert inspect_server(scene.guarded.url).public == ()


def test_the_login_can_become_nobody_else_and_make_nothing(
    scene: Scene, attacker: psycopg.Connection[tuple[object, ...]]
) -> None:
    other = next(login for name, login in scene.guarded.logins.items() if name == "blue1")
    mine = attacker.info.user
    for statement in (
        "SET ROLE boss",
        "SET SESSION AUTHORIZATION postgres",
        "CREATE ROLE mine",
        "ALTER ROLE boss NOLOGIN",
        f"ALTER ROLE {mine} SUPERUSER",
        f"ALTER ROLE {mine} BYPASSRLS",
        f"GRANT boss TO {mine}",
        "CREATE TABLE public.mine (x integer)",
        "CREATE TEMP TABLE claims (x integer)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION pg_temp.leak() RETURNS void LANGUAGE sql AS ''",
        "CREATE VIEW mine AS SELECT 1",
        "DROP FUNCTION studio_editor() CASCADE",
        "CREATE OR REPLACE FUNCTION public.studio_editor() RETURNS uuid LANGUAGE sql AS ''",
        "CREATE EXTENSION dblink",
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'x')",
        "CREATE DATABASE mine",
    ):
        refused(attacker, statement)
    if other != mine:
        refused(attacker, f"SET ROLE {other}")
        refused(attacker, f"ALTER ROLE {other} PASSWORD 'x'")


def test_no_lock_tells_that_another_team_saves(own_guarded: Guarded) -> None:
    """Whoever knows a lock's name is told by trying it whether it is held: of every text."""

    def numbers(names: set[str]) -> set[int]:
        with own_guarded.connect("blue1") as attacker:
            asked = "SELECT hashtext(one)::bigint & 4294967295 FROM unnest(%s::text[]) one"
            return {number for (number,) in attacker.execute(asked, [list(names)]).fetchall()}  # type: ignore[misc]

    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        [segment, *_] = campaign.revisions.kit_segments("K1", "red", Pass.FIRST)
        one = Revision(
            *(new_id(), "K1", "red", Pass.FIRST, segment.name, "red1", "desk"),
            *(datetime.now(UTC), SegmentState.DRAFT, "text", claim.turn),
        )
        with campaign.transaction(), psycopg.connect(own_guarded.url) as owner:
            campaign.revisions.append([one])
            held = owner.execute(
                "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
            ).fetchall()
            [kit, team] = owner.execute(
                "SELECT k.id::text, t.id::text FROM kits k, teams t"
                " WHERE k.name = 'K1' AND t.name = 'red'"
            ).fetchone() or ("", "")
    assert {number for (number,) in held} == numbers({f"{kit}{team}first"})
    with own_guarded.connect("blue1") as attacker:
        read = {
            str(value)
            for table in ("kits", "teams", "claims", "assignments", "roles", "memberships")
            for row in attacker.execute(f"SELECT * FROM studio_read_{table}()").fetchall()  # type: ignore[call-overload]
            for value in row
        } | {"K1", "red", "red1", "desk"}
    assert kit in read
    assert team not in read
    guesses = {
        between.join((*parts, *pass_))
        for parts in product(read, repeat=2)
        for pass_ in (("first",), ())
        for between in ("", "/")
    }
    assert len(guesses) > 1000
    assert not numbers(guesses) & {number for (number,) in held}
    with own_guarded.connect("blue1") as attacker:
        # The one who asks has no claim there, and waits for nobody.
        attacker.execute("SELECT studio_lock_pass('K1', 'red', 'first')")
