"""The functions by which a server's policies decide, as PostgreSQL runs them.

They run with the rights of the tables' owner, so that a policy may look at rows that the editor
may not see, and each of them answers for the editor of the login that asks and for nobody else:
to one who is no editor, or asks for another team's pass, they say no, whatever there is.
"""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.model.campaign import Flag
from madcat_studio.model.characters import ARABIC_RANGES
from madcat_studio.model.sittings import AS_FILE
from madcat_studio.model.visits import TIMES, TIMES_ONLY_OPTION
from madcat_studio.store.arriving import (
    APPEND_TAKES,
    APPEND_TEXTS,
    APPEND_VISITS,
    LOCK,
    LOCK_TAKES,
    WEIGHED,
    WEIGHED_GIVES,
    WEIGHED_TAKES,
)
from madcat_studio.store.begun import begins
from madcat_studio.store.covers import SHOWN_ID
from madcat_studio.store.enforcing import (
    COMPLETE,
    FOLLOWS,
    KEPT,
    LOGS,
    SCRIPT,
    finished,
    unfinished,
)
from madcat_studio.store.rules import BLANKS
from madcat_studio.store.summing import VISIT_SUMS

__all__ = [
    "BUNDLE_MACHINE",
    "CLAIM_HOURS",
    "CLAIM_OPTION",
    "GUARDS",
    "RETURN_OPTION",
    "TRIGGERS",
    "Guard",
    "Trigger",
]

BUNDLE_MACHINE = "bundle"
"""What a claim says of the machine while its kit is out as a file. Such a claim does not expire: no
text can arrive before the file comes back."""

CLAIM_OPTION = "claims.expire_hours"
"""The option that says after how many hours without a text a claim expires; 0: never."""

RETURN_OPTION = "editing.allow_return"
"""The option that lets reviewers return segments to the first pass; off where it is not set."""

CLAIM_HOURS = 168
"""That limit where the option is not set: a week."""


@dataclass(frozen=True, slots=True)
class Guard:
    """One function: what it takes, what it gives, its body in SQL.

    Attributes:
        name: all begin with ``studio_``.
        takes: its parameters with their types.
        gives: the type of what it returns.
        body: one statement.
        rows: about how many it gives, for the planner; 0 where it gives one value.
        inner: only other functions of the server's may ask it; it knows pages without covers.
        steps: the body is a program of several statements, planned once in each connection.
        waits: it waits for others; what is asked after it must see what they did.
        writes: it changes rows, with the rights of whoever asks and no others.
    """

    name: str
    takes: str
    gives: str
    body: str
    rows: int = 0
    inner: bool = False
    steps: bool = False
    waits: bool = False
    writes: bool = False

    @property
    def signature(self) -> str:
        """The name with the types of its parameters."""
        types = (one.split()[1] for one in self.takes.split(", ") if one)
        return f"{self.name}({', '.join(types)})"


_PASS = "kit uuid, team uuid, pass text"
_CLAIM = _PASS + ", turn integer"


def _of(table: str, turn: bool = False) -> str:
    key = f"{table}.kit_id = $1 AND {table}.team_id = $2 AND {table}.pass_ = $3"
    return key + (f" AND {table}.turn = $4" if turn else "")


def _finished(pass_: str, turn: str = "") -> str:
    return finished("$1", "$2", pass_, turn)


_ARABIC = "".join(f"\\U{first:08X}-\\U{last:08X}" for first, last in ARABIC_RANGES)
_BEGUN = "coalesce(studio_begins($1) <= now(), true)"
_FIRST_FINISHED = _finished("'first'")
_LATEST = f"(SELECT max(c.turn) FROM claims c WHERE {_of('c')})"
_RELEASED = f"EXISTS (SELECT FROM releases r WHERE {_of('r', turn=True)})"
_STANDS = f"$4 = {_LATEST} AND NOT {_RELEASED} AND NOT {_finished('$3')}"
_MY_TEAM = "$2 IN (SELECT studio_teams())"

# Owners know a segment by its key, editors by another one in each kit.
_SHOWN = f"CASE WHEN studio_owns() THEN s.id ELSE {SHOWN_ID.format(i='i', s='s')} END"
_ITEM = (
    "JOIN segments s ON s.id = {segment}"
    " JOIN kit_items i ON i.kit_id = {kit} AND i.document_id = s.document_id"
)

_MAY_TAKE = f"""
    SELECT {_MY_TEAM}
    AND coalesce((
        SELECT r.editor_id IS NULL OR r.editor_id = studio_editor() FROM roles r
        WHERE {_of("r")} ORDER BY r.turn DESC LIMIT 1), false)
    AND NOT EXISTS (
        SELECT FROM (SELECT DISTINCT ON (team_id, pass_) * FROM roles WHERE kit_id = $1
            ORDER BY team_id, pass_, turn DESC) r
        WHERE r.editor_id = studio_editor() AND (r.team_id, r.pass_) <> ($2, $3))
    AND NOT EXISTS (
        SELECT FROM participations p WHERE p.kit_id = $1 AND p.editor_id = studio_editor()
            AND (p.team_id, p.pass_) <> ($2, $3))
    AND ($3 = 'first' OR {_FIRST_FINISHED})
    AND NOT {_finished("$3")}
    AND NOT EXISTS (
        SELECT FROM claims c WHERE {_of("c")} AND c.turn = {_LATEST}
            AND NOT EXISTS (SELECT FROM releases r WHERE {_of("r")} AND r.turn = c.turn))"""

_LIMIT = f"""coalesce((
        SELECT CASE json_typeof(value) WHEN 'number' THEN (value #>> '{{}}')::numeric
            WHEN 'null' THEN 0 END
        FROM options WHERE name = '{CLAIM_OPTION}'), {CLAIM_HOURS})"""

_RETURNS = (
    f"EXISTS (SELECT FROM options WHERE name = '{RETURN_OPTION}' AND value #>> '{{}}' = 'true')"
)

_FLAGGED = f"""
        SELECT v.* FROM revisions v
        WHERE v.kit_id = $1 AND v.team_id = $2 AND v.pass_ = 'review'
            AND NOT v.side AND v.flags ->> '{Flag.RETURNED}' IS NOT NULL
            AND v.number = (SELECT max(n.number) FROM revisions n
                WHERE (n.kit_id, n.team_id, n.pass_, n.segment_id)
                    = (v.kit_id, v.team_id, v.pass_, v.segment_id) AND NOT n.side)"""
"""The latest texts of a review that are flagged to go back to the first pass."""

# In order: nothing is used before it is made.
GUARDS = (
    Guard(
        "studio_owns",
        "",
        "boolean",
        # Within the function the current user is the owner of the tables.
        "SELECT pg_has_role(session_user, current_user, 'MEMBER')",
    ),
    Guard(
        "studio_editor",
        "",
        "uuid",
        "SELECT editor_id FROM logins WHERE login = session_user::text",
    ),
    Guard(
        "studio_editor_name",
        "",
        "text",
        "SELECT name FROM editors WHERE id = studio_editor()",
    ),
    Guard(
        "studio_teams",
        "",
        "SETOF uuid",
        "SELECT team_id FROM memberships WHERE editor_id = studio_editor()",
        rows=3,
    ),
    Guard(
        "studio_members",
        "",
        "SETOF uuid",
        "SELECT editor_id FROM memberships WHERE team_id IN (SELECT studio_teams())"
        " UNION SELECT studio_editor() WHERE studio_editor() IS NOT NULL",
        rows=20,
    ),
    # Kits of one's teams: their names, to choose from.
    Guard(
        "studio_kits",
        "",
        "SETOF uuid",
        "SELECT kit_id FROM assignments WHERE team_id IN (SELECT studio_teams())"
        " UNION SELECT kit_id FROM participations WHERE editor_id = studio_editor()",
        rows=50,
    ),
    # Kits that one has claimed: what is in them.
    Guard(
        "studio_opened",
        "",
        "SETOF uuid",
        "SELECT kit_id FROM participations WHERE editor_id = studio_editor()",
        rows=20,
    ),
    Guard(
        "studio_shows",
        "what text",
        "boolean",
        "SELECT coalesce((SELECT value #>> '{}' = 'true' FROM options"
        " WHERE name = 'editing.show_' || $1), false)",
    ),
    # Passes whose texts one may read: where the latest claim is one's own, and for a reviewer the
    # first pass of the same team. One's own texts may be read in any case.
    Guard(
        "studio_passes",
        "",
        "TABLE(kit uuid, team uuid, pass text)",
        """
        WITH mine AS (
            SELECT c.kit_id, c.team_id, c.pass_ FROM claims c
            WHERE c.editor_id = studio_editor() AND NOT EXISTS (
                SELECT FROM claims later WHERE later.turn > c.turn AND
                (later.kit_id, later.team_id, later.pass_) = (c.kit_id, c.team_id, c.pass_)))
        SELECT * FROM mine
        UNION SELECT kit_id, team_id, 'first' FROM mine WHERE pass_ = 'review'""",
        rows=20,
    ),
    # From when on a kit of one's teams may be claimed; which track it is of is not told.
    Guard(
        "studio_begins",
        "kit uuid",
        "timestamptz",
        f"{begins('$1', postgresql=True)} AND (studio_owns() OR k.id IN (SELECT studio_kits()))",
    ),
    Guard("studio_may_take", _PASS, "boolean", _MAY_TAKE),
    Guard(
        "studio_may_claim",
        _CLAIM,
        "boolean",
        f"SELECT studio_may_take($1, $2, $3) AND $4 = coalesce({_LATEST}, 0) + 1 AND {_BEGUN}",
    ),
    # The claim is the login's own, and stands: neither released nor handed over.
    Guard(
        "studio_holds",
        _CLAIM,
        "boolean",
        f"SELECT EXISTS (SELECT FROM claims o WHERE {_of('o', turn=True)}"
        f" AND o.editor_id = studio_editor()) AND {_STANDS}",
    ),
    # A claim in one's team has had no text for longer than the campaign allows.
    Guard(
        "studio_expired",
        _CLAIM,
        "boolean",
        f"""
        SELECT (studio_owns() OR {_MY_TEAM}) AND {_STANDS} AND {_LIMIT} > 0
        AND (SELECT o.machine FROM claims o WHERE {_of("o", turn=True)}) <> '{BUNDLE_MACHINE}'
        AND NOT coalesce((SELECT s.place = '{AS_FILE}' AND NOT s.ended FROM sittings s
            WHERE {_of("s", turn=True)} ORDER BY s.number DESC LIMIT 1), false)
        AND clock_timestamp() - {_LIMIT}::double precision * interval '1 hour' > greatest(
            (SELECT o.at FROM claims o WHERE {_of("o", turn=True)}),
            (SELECT max(t.at) FROM takebacks t WHERE {_of("t", turn=True)}),
            (SELECT max(coalesce(v.stored_at, v.at)) FROM revisions v
             WHERE {_of("v", turn=True)}))""",
    ),
    Guard(
        "studio_may_hand_over",
        _CLAIM + ", number integer",
        "boolean",
        "SELECT studio_holds($1, $2, $3, $4) AND $5 = 1 + coalesce((SELECT max(h.number)"
        f" FROM handovers h WHERE {_of('h')}), 0)",
    ),
    # What nobody has worked on for too long, and a review whose first pass was just sent back: any
    # other claim is the coordinator's to end.
    Guard(
        "studio_may_release",
        _CLAIM,
        "boolean",
        f"SELECT studio_expired($1, $2, $3, $4) OR ($3 = 'review'"
        f" AND studio_holds($1, $2, $3, $4) AND NOT {_FIRST_FINISHED})",
    ),
    # The pass is open in a place of one's own from now on, or no longer.
    Guard(
        "studio_may_sit",
        _CLAIM + ", number integer",
        "boolean",
        "SELECT studio_holds($1, $2, $3, $4) AND $5 = 1 + coalesce((SELECT max(s.number)"
        f" FROM sittings s WHERE {_of('s', turn=True)}), 0)",
    ),
    # What keeps one's own pass from being handed over.
    Guard(
        "studio_unfinished",
        _PASS,
        "SETOF uuid",
        f"SELECT {_SHOWN} FROM ({unfinished('$1', '$2', '$3', postgresql=True)}) u"
        f" {_ITEM.format(kit='$1', segment='u.segment')}"
        " WHERE studio_owns() OR ($1, $2, $3) IN (SELECT * FROM studio_passes())",
        rows=50,
    ),
    # Words in Arabic that the reference does not have, in what a pass would be handed over with.
    Guard(
        "studio_source_left",
        _PASS,
        "boolean",
        f"""
        SELECT EXISTS (
            SELECT FROM revisions v JOIN segments s ON s.id = v.segment_id
            JOIN kit_items i ON i.kit_id = v.kit_id AND i.document_id = s.document_id
            JOIN outputs o ON o.segment_id = s.id AND o.system_id = i.system_id
            CROSS JOIN LATERAL regexp_split_to_table(v.text, '[{BLANKS}]+') w
            WHERE {_of("v")} AND NOT v.side AND o.text <> '' AND w ~ '[{_ARABIC}]'
                AND w <> ALL (regexp_split_to_array(s.reference, '[{BLANKS}]+'))
                AND v.number = (SELECT max(n.number) FROM revisions n
                    WHERE (n.kit_id, n.team_id, n.pass_, n.segment_id)
                        = (v.kit_id, v.team_id, v.pass_, v.segment_id) AND NOT n.side))""",
        inner=True,
    ),
    Guard(
        "studio_may_take_back",
        _CLAIM + ", number integer",
        "boolean",
        f"SELECT $3 = 'first' AND EXISTS (SELECT FROM claims o WHERE {_of('o', turn=True)}"
        f" AND o.editor_id = studio_editor()) AND $4 = {_LATEST} AND {_finished('$3', '$4')}"
        f" AND $5 = (SELECT max(h.number) FROM handovers h WHERE {_of('h')})"
        " AND NOT EXISTS (SELECT FROM claims c WHERE c.kit_id = $1"
        " AND c.team_id = $2 AND c.pass_ = 'review')",
    ),
    # The first pass's, by the reviewer who holds the review, where segments may be returned.
    Guard(
        "studio_may_send_back",
        _CLAIM + ", number integer",
        "boolean",
        f"SELECT $3 = 'first' AND $4 = {_LATEST} AND {_finished('$3', '$4')}"
        f" AND $5 = (SELECT max(h.number) FROM handovers h WHERE {_of('h')})"
        f" AND {_RETURNS} AND EXISTS ({_FLAGGED})"
        " AND studio_holds($1, $2, 'review', (SELECT max(c.turn) FROM claims c"
        " WHERE c.kit_id = $1 AND c.team_id = $2 AND c.pass_ = 'review'))",
    ),
    # What a reviewer returned, to the first editor: the words, and nothing else of the review.
    Guard(
        "studio_returned",
        "kit uuid, team uuid",
        "TABLE(segment uuid, words text, at timestamptz)",
        f"""
        SELECT {_SHOWN}, v.flags ->> '{Flag.RETURNED}', coalesce(v.stored_at, v.at)
        FROM ({_FLAGGED}) v {_ITEM.format(kit="v.kit_id", segment="v.segment_id")}
        WHERE {_RETURNS}
            AND (studio_owns() OR ($1, $2, 'first') IN (SELECT * FROM studio_passes()))""",
    ),
    # Under a claim of one's own, into a segment of its kit; aside where the claim has ended.
    Guard(
        "studio_may_append",
        _CLAIM + ", segment uuid, side boolean",
        "boolean",
        f"SELECT EXISTS (SELECT FROM claims o WHERE {_of('o', turn=True)}"
        " AND o.editor_id = studio_editor())"
        " AND EXISTS (SELECT FROM kit_items i JOIN segments s ON s.document_id = i.document_id"
        " WHERE i.kit_id = $1 AND s.id = $5)"
        " AND ($6 OR studio_holds($1, $2, $3, $4))",
    ),
    # Which bytes: the scans of one's pages. The pages' files tell what is written there, by whom
    # and after what; where the lines are on a scan is known without them.
    Guard(
        "studio_blobs",
        "",
        "SETOF text",
        "SELECT image_sha256::text FROM documents WHERE image_sha256 IS NOT NULL"
        " AND studio_shows('page') AND id IN"
        " (SELECT document_id FROM kit_items WHERE kit_id IN (SELECT studio_opened()))",
        rows=50,
    ),
    # The segment that an editor's key of it means; none, where it means none.
    Guard(
        "studio_segment",
        "kit uuid, shown uuid",
        "uuid",
        "SELECT s.id FROM kit_items i JOIN segments s USING (document_id)"
        f" WHERE i.kit_id = $1 AND {SHOWN_ID.format(i='i', s='s')} = $2",
        inner=True,
    ),
    Guard(
        "studio_visit_sums",
        "ms integer, events jsonb",
        "jsonb",
        VISIT_SUMS,
        inner=True,
    ),
    Guard("studio_weighed", WEIGHED_TAKES, WEIGHED_GIVES, WEIGHED, rows=1, steps=True),
    Guard("studio_lock_pass", LOCK_TAKES, "void", LOCK, steps=True, waits=True),
    *(
        Guard(f"studio_append_{what}", APPEND_TAKES, "jsonb", body, steps=True, writes=True)
        for what, body in (("texts", APPEND_TEXTS), ("visits", APPEND_VISITS))
    ),
)


@dataclass(frozen=True, slots=True)
class Trigger:
    """What the server does with a row before it judges it.

    Attributes:
        name: of the function and of the trigger.
        tables: whose rows.
        body: of the function, in PL/pgSQL.
        before: what is done with the row.
    """

    name: str
    tables: tuple[str, ...]
    body: str
    before: str = "INSERT"


_TIMES = " || ".join(f'@[1] == "{kind}"' for kind in sorted(TIMES))
_EDITS = "studio_editor() IS NOT NULL AND NOT studio_owns()"
_NEW_KEY = "NEW.kit_id, NEW.team_id, NEW.pass_"

TRIGGERS = (
    # An editor's number and time are the server's: texts that one may not see count too. An owner's
    # are where none are given.
    Trigger(
        "studio_numbering",
        ("revisions",),
        f"""
BEGIN
    IF {_EDITS} THEN
        NEW.segment_id := studio_segment(NEW.kit_id, NEW.segment_id);
    END IF;
    IF {_EDITS} OR NEW.number IS NULL THEN
        NEW.number := 1 + coalesce((
            SELECT max(v.number) FROM revisions v
            WHERE v.kit_id = NEW.kit_id AND v.team_id = NEW.team_id AND v.pass_ = NEW.pass_
                AND v.segment_id = NEW.segment_id), 0);
        NEW.stored_at := clock_timestamp();
        -- The clock of the editor's machine may go fast, but nothing is typed after it is stored.
        NEW.at := least(NEW.at, NEW.stored_at);
    END IF;
    RETURN NEW;
END""",
    ),
    # The same of visits; and where a campaign records times, no more of them than that.
    Trigger(
        "studio_logging",
        ("visits",),
        f"""
BEGIN
    IF {_EDITS} THEN
        NEW.segment_id := studio_segment(NEW.kit_id, NEW.segment_id);
    END IF;
    IF {_EDITS} OR NEW.number IS NULL THEN
        NEW.number := 1 + coalesce((
            SELECT max(v.number) FROM visits v
            WHERE v.kit_id = NEW.kit_id AND v.team_id = NEW.team_id AND v.pass_ = NEW.pass_
                AND v.segment_id = NEW.segment_id), 0);
        NEW.stored_at := clock_timestamp();
        NEW.at := least(NEW.at, NEW.stored_at);
    END IF;
    IF EXISTS (SELECT FROM options WHERE name = '{TIMES_ONLY_OPTION}' AND value #>> '{{}}' = 'true')
    THEN
        NEW.events := coalesce(
            jsonb_path_query_array(NEW.events, 'strict $[*] ? ({_TIMES})', '{{}}', true), '[]');
    END IF;
    NEW.sums := studio_visit_sums(NEW.ms, NEW.events);
    RETURN NEW;
END""",
    ),
    # Nobody has the right to; and the owner shall not by oversight.
    *(
        Trigger(
            f"studio_keeping_{table}",
            (table,),
            f"""
BEGIN
    RAISE EXCEPTION 'a log is only added to'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'rule_{table}_{KEPT}';
END""",
            before="UPDATE OR DELETE",
        )
        for table in LOGS
    ),
    Trigger(
        "studio_timing",
        ("claims", "releases", "handovers", "takebacks", "sittings"),
        f"""
BEGIN
    IF {_EDITS} THEN
        NEW.at := clock_timestamp();
    END IF;
    RETURN NEW;
END""",
    ),
    # Who claims takes part: only with a claim does one see what is in a kit.
    Trigger(
        "studio_taking_part",
        ("claims",),
        f"""
BEGIN
    IF {_EDITS} AND NEW.editor_id = studio_editor() AND studio_may_take({_NEW_KEY}) THEN
        INSERT INTO participations (kit_id, team_id, pass_, editor_id)
            VALUES ({_NEW_KEY}, NEW.editor_id) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NEW;
END""",
    ),
    # Asked of those only who may hand this pass over: it would tell others how far it is.
    Trigger(
        "studio_handing_over",
        ("handovers",),
        f"""
BEGIN
    IF ({_EDITS}) AND NOT studio_may_hand_over({_NEW_KEY}, NEW.turn, NEW.number) THEN
        RETURN NEW;
    END IF;
    IF NEW.pass_ = 'review' AND NOT {finished("NEW.kit_id", "NEW.team_id", "'first'")} THEN
        RAISE EXCEPTION 'the first pass is open'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'rule_handovers_{FOLLOWS}';
    END IF;
    IF EXISTS ({unfinished(*_NEW_KEY.split(", "), postgresql=True)}) THEN
        RAISE EXCEPTION 'a segment is not confirmed'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'rule_handovers_{COMPLETE}';
    END IF;
    -- A coordinator may bring in what others made of it, as it is.
    IF {_EDITS} AND studio_source_left({_NEW_KEY}) THEN
        RAISE EXCEPTION 'Arabic is left'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'rule_handovers_{SCRIPT}';
    END IF;
    RETURN NEW;
END""",
    ),
)
"""PostgreSQL runs those of one table in the order of their names; none needs another."""
