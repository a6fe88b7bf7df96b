"""How texts and visits reach a server: in one question, whatever has to be looked at for it.

Over a line, each question that a program asks costs the way there and back, and on a busy server
a turn; to confirm a segment took a dozen of them. So the server itself looks at what came
(:data:`WEIGHED`) and puts it in, row by row (:data:`APPEND_TEXTS`, :data:`APPEND_VISITS`). What
looks knows more than an editor may see, and answers for the login that asks and for nobody else.
What puts in has the rights of the login, no others: rows are held to the policies and rules of
``rights.py`` and ``rules.py`` as if they were written one by one.
"""

from __future__ import annotations

from madcat_studio.store.covers import COVER_NAME, SHOWN_ID
from madcat_studio.store.enforcing import finished, kept

__all__ = [
    "APPEND_TAKES",
    "APPEND_TEXTS",
    "APPEND_VISITS",
    "LOCK",
    "LOCK_TAKES",
    "REFUSED",
    "WEIGHED",
    "WEIGHED_GIVES",
    "WEIGHED_TAKES",
]

REFUSED = "MS001"
"""The state of the error by which a row is refused; its message is one word: ``unknown`` (there is
no such kit, team or editor), ``unclaimed``, ``outside`` (the kit has no such segment). The detail
is the row's place, from 1."""

WEIGHED_TAKES = (
    "kit text, team text, pass text, turn integer, editor text, page text, segment text,"
    " id uuid, after text, home text, visit boolean"
)
WEIGHED_GIVES = (
    "TABLE(its_kit uuid, its_team uuid, its_editor uuid, its_segment uuid, becomes text)"
)

_KEY = "({0}.kit_id, {0}.team_id, {0}.pass_) = (its_kit, its_team, $3)"
_SAME = "v.team_id = its_team AND v.id = $8 AND (owns OR v.editor_id = me)"

WEIGHED = f"""
DECLARE
    owns boolean := studio_owns();
    me uuid := studio_editor();
    item kit_items;
    behind uuid;
    latest integer;
    place text;
BEGIN
    SELECT k.id INTO its_kit FROM kits k
    WHERE k.name = $1 AND (owns OR k.id IN (SELECT studio_kits()));
    SELECT t.id INTO its_team FROM teams t
    WHERE t.name = $2 AND (owns OR EXISTS (
        SELECT FROM memberships m WHERE m.team_id = t.id AND m.editor_id = me));
    SELECT e.id INTO its_editor FROM editors e WHERE e.name = $5 AND (owns OR e.id = me);
    IF its_kit IS NULL OR its_team IS NULL OR its_editor IS NULL THEN
        becomes := 'unknown';
        RETURN NEXT;
        RETURN;
    END IF;
    IF NOT EXISTS (SELECT FROM claims c WHERE {_KEY.format("c")} AND c.turn = $4
            AND c.editor_id = its_editor) THEN
        becomes := 'unclaimed';
        RETURN NEXT;
        RETURN;
    END IF;
    IF owns THEN
        SELECT s.id INTO behind FROM kit_items i JOIN documents d ON d.id = i.document_id
            JOIN segments s ON s.document_id = d.id
        WHERE i.kit_id = its_kit AND d.base = $6 AND s.name = $7;
        its_segment := behind;
    ELSE
        -- By what editors call it: see covers.py.
        SELECT * INTO item FROM kit_items i
        WHERE i.kit_id = its_kit AND {COVER_NAME.format(i="i")} = $6;
        SELECT s.id, {SHOWN_ID.format(i="item", s="s")} INTO behind, its_segment FROM segments s
        WHERE s.document_id = item.document_id AND (s.position + 1)::text = $7;
    END IF;
    IF ($11 AND EXISTS (SELECT FROM visits v WHERE {_SAME}))
        OR (NOT $11 AND EXISTS (SELECT FROM revisions v WHERE {_SAME}))
    THEN
        becomes := 'known';
    ELSIF behind IS NULL THEN
        becomes := 'outside';
    ELSIF $11 THEN
        becomes := 'kept';
    ELSE
        latest := (SELECT max(c.turn) FROM claims c WHERE {_KEY.format("c")});
        IF $4 <> latest
            OR EXISTS (SELECT FROM releases r WHERE {_KEY.format("r")} AND r.turn = $4)
            OR {finished("its_kit", "its_team", "$3")}
        THEN
            becomes := 'aside';
        ELSE
            -- Where the pass is open, unless it is known not to be.
            SELECT split_part(o.place, '/', 1) INTO place FROM (
                SELECT s.place, s.ended FROM sittings s
                WHERE {_KEY.format("s")} AND s.turn = $4 ORDER BY s.number DESC LIMIT 1) o
            WHERE NOT o.ended;
            becomes := CASE
                WHEN $10 IS NOT NULL AND place IS NOT NULL AND place <> $10 THEN 'beside'
                WHEN $9 IS NOT NULL AND $9 <> coalesce((
                    SELECT v.id::text FROM revisions v
                    WHERE {_KEY.format("v")} AND v.segment_id = behind AND NOT v.side
                        AND {kept("revisions", postgresql=True, prefix="v.", deep=False)}
                    ORDER BY v.number DESC LIMIT 1), '') THEN 'beside'
                ELSE 'kept' END;
        END IF;
    END IF;
    RETURN NEXT;
END"""
"""What becomes of one text or visit: ``known`` (it is there already), ``kept``, ``aside`` (its
claim has ended), ``beside`` (the pass is open elsewhere, or it was made after another text than the
latest), or the word of a refusal; with the keys of where it belongs, as the asker may know them."""

APPEND_TAKES = "arrived jsonb"

LOCK_TAKES = "kit text, team text, pass text"
LOCK = """
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext(current_schema()), hashtext(k.id::text || t.id || $3))
    FROM kits k CROSS JOIN teams t
    WHERE k.name = $1 AND t.name = $2 AND (studio_owns() OR EXISTS (
        SELECT FROM claims c WHERE (c.kit_id, c.team_id, c.pass_) = (k.id, t.id, $3)
            AND c.editor_id = studio_editor()));
END"""
"""Wait for others who change this pass, and make them wait. Its lock is named by keys of which no
other team's login knows both: by trying whether it is held, it would be told of every text."""

_NAMED = "kit text, team text, pass text, turn integer, editor text, page text, segment text"


def _append(columns: str, table: str, visit: bool, insert: str) -> str:
    """The body of what puts rows in: ``arrived`` is a list of objects.

    It waits for whoever changes the same passes, in one order, so that nobody waits for each other.
    """
    return f"""
DECLARE
    one record;
    w record;
    stored integer := 0;
    known integer := 0;
    side integer := 0;
    beside integer := 0;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtext(current_schema()));
    FOR one IN
        SELECT DISTINCT t.kit, t.team, t.pass
        FROM jsonb_to_recordset($1) AS t(kit text, team text, pass text) ORDER BY 1, 2, 3
    LOOP
        PERFORM studio_lock_pass(one.kit, one.team, one.pass);
    END LOOP;
    FOR one IN
        SELECT * FROM ROWS FROM (jsonb_to_recordset($1) AS ({_NAMED}, {columns}))
            WITH ORDINALITY ORDER BY ordinality
    LOOP
        SELECT * INTO w FROM studio_weighed(one.kit, one.team, one.pass, one.turn, one.editor,
            one.page, one.segment, one.id, one.after, one.home, {str(visit).lower()});
        IF w.becomes IN ('unknown', 'unclaimed', 'outside') THEN
            RAISE EXCEPTION USING ERRCODE = '{REFUSED}', MESSAGE = w.becomes,
                DETAIL = one.ordinality::text;
        END IF;
        IF w.becomes = 'known' THEN
            known := known + 1;
            CONTINUE;
        END IF;
        INSERT INTO {table} {insert};
        stored := stored + 1;
        side := side + (w.becomes <> 'kept' OR coalesce(one.side, false))::integer;
        beside := beside + (w.becomes = 'beside' AND NOT coalesce(one.side, false))::integer;
    END LOOP;
    RETURN jsonb_build_array(stored, known, side, beside);
END"""


_WHERE_IT_BELONGS = "kit_id, team_id, pass_, turn, editor_id, segment_id, id, machine, at"
_IT_BELONGS = (
    "w.its_kit, w.its_team, one.pass, one.turn, w.its_editor, w.its_segment, one.id, one.machine,"
    " one.at"
)

# Its number and the time of its arrival are given by a trigger, which counts what one may not see.
APPEND_TEXTS = _append(
    "id uuid, machine text, at timestamptz, state text, text text, reason text, flags jsonb,"
    " side boolean, after text, home text",
    "revisions",
    False,
    f"({_WHERE_IT_BELONGS}, state, text, reason, flags, side) VALUES ({_IT_BELONGS},"
    " one.state, one.text, one.reason, one.flags, one.side OR w.becomes <> 'kept')",
)
APPEND_VISITS = _append(
    "id uuid, machine text, at timestamptz, ms integer, events jsonb, side boolean, after text,"
    " home text",
    "visits",
    True,
    f"({_WHERE_IT_BELONGS}, ms, events) VALUES ({_IT_BELONGS}, one.ms, one.events)",
)
