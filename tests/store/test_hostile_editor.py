"""An editor with SQL, who writes whatever the database takes: no command fails of it.

A state machine: in each step the editor sends some statements, drawn from honest and from nasty
values; then commands by which a coordinator reads the campaign are run, and what is read is counted
again from the bare rows. Half of the commands go after each step, the others after the next, all of
them at the end: rows only come, so each command meets what each kind of statement left. A short run
belongs to the tests, a long one to the soak.

On a server the editor has a login; in a folder, any program that writes to the file. There the
rules hold as well, but nobody is kept from writing in another's name.
"""

from __future__ import annotations

import json
import math
import random
import shutil
import tempfile
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)
from rapidfuzz.distance.Levenshtein import distance

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import (
    Pass,
    PassProgress,
    PassState,
    SegmentName,
    SegmentRecord,
)
from madcat_studio.store import open_campaign
from tests.store.bare import FilePlace, Place, Refused, ServerPlace
from tests.store.commanding import COMMANDS, run, run_all
from tests.store.test_claims import finish

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

TABLES: dict[str, tuple[str, ...]] = {
    "claims": ("kit_id", "team_id", "pass_", "turn", "editor_id", "machine", "at"),
    "participations": ("kit_id", "team_id", "pass_", "editor_id"),
    "releases": ("kit_id", "team_id", "pass_", "turn", "at", "by", "reason"),
    "handovers": ("kit_id", "team_id", "pass_", "turn", "number", "at", "by"),
    "takebacks": ("kit_id", "team_id", "pass_", "turn", "number", "at", "by"),
    "revisions": (
        *("kit_id", "team_id", "pass_", "segment_id", "number", "id", "turn", "editor_id"),
        *("machine", "at", "state", "text", "reason", "flags", "side", "stored_at"),
    ),
    "visits": (
        *("kit_id", "team_id", "pass_", "segment_id", "number", "id", "turn", "editor_id"),
        *("machine", "at", "ms", "events", "stored_at"),
    ),
    "audit": ("id", "at", "who", "machine", "action", "subject", "detail"),
    "set_aside": ("id", "table_name", "content", "at"),
}

FUNCTIONS = {"revisions": "studio_append_texts", "visits": "studio_append_visits"}
"""By which a login's window writes them."""

_WORDS = ["", "m", "bundle", "red1", "boss", "\x1b[2J", "a\nb", "'; --", "x" * 3000, "\u202e", "نص"]
_TIMES = ["now", "infinity", "-infinity", "1970-01-01", "9999-12-31", "0044-03-15 BC"]
_EVENTS = ['[[5, "mouse"]]', "[]", '[[1e300, "mouse"]]', "[1]", "null", "[" * 3000 + "]" * 3000]
_EVENTS += ['[[-1, "mouse"]]', '[[1, "swears"]]', '{"a": 1}', r'[[1, "note", "\u001b", "{}"]]', "7"]
_FLAGS = ["{}", '{"note": "x"}', "[1, 2]", '{"hacked": ""}', '{"note": 7}', r'{"note": "\u001b"}']
_NUMBERS = [1, 2, 3, 0, -1, 2**31 - 1]
NASTY: dict[str, list[Any]] = {
    "pass_": ["first", "review", "third"],
    "turn": _NUMBERS,
    "number": _NUMBERS,
    **dict.fromkeys(("machine", "by", "reason", "who", "action", "subject", "detail"), _WORDS),
    "table_name": _WORDS,
    "content": _WORDS,
    **dict.fromkeys(("at", "stored_at"), _TIMES),
    "ms": [*_NUMBERS],
    "events": _EVENTS,
    "flags": _FLAGS,
    "state": ["draft", "confirmed", "untouched", "hacked"],
    "text": ["a text", "", " ", "\t", "x" * 200_000, "a\x01b", "\u200f"],
    "side": [False, True],
}


_FIRST_HALF = ["status", "kits", "overlap", "agreement", "log", "export-edits", "report"]
HALVES = (_FIRST_HALF, [name for name in COMMANDS if name not in _FIRST_HALF])
"""Commands that go in turn; either half takes as long as the other."""


class Told:
    """What a run did.

    Attributes:
        counts: of what was sent, and what became of it.
        met: kind of what a database took, and a command that went on after it.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.met: set[tuple[str, str]] = set()

    @property
    def taken(self) -> set[str]:
        """Kinds of statements of which the database took one."""
        return {one.removesuffix(": taken") for one in self.counts if one.endswith(": taken")}


class HostileEditor(RuleBasedStateMachine):
    """red1 and red2 with their logins; blue's work and the plan are not theirs."""

    statements = 25

    def __init__(self, place: Place, told: Told, last: int) -> None:
        super().__init__()
        self.told = told.counts
        self.met = told.met
        self.place = place
        self.folder = Path(tempfile.mkdtemp(prefix="hostile-"))
        self.steps, self.last = 0, last
        self.unmet: dict[str, set[str]] = {name: set() for name in COMMANDS}
        self.told["campaigns"] += 1
        with open_campaign(place.url) as campaign:
            for pass_, editor in ((Pass.FIRST, "blue1"), (Pass.REVIEW, "blue2")):
                finish(campaign, "K1", "blue", pass_, editor)
            finish(campaign, "K1", "red", Pass.FIRST, "red1")
        self.keys: dict[str, list[Any]] = {
            column: [row[0] for row in place.ask(f"SELECT id FROM {table}")]
            for column, table in (
                *(("kit_id", "kits"), ("team_id", "teams")),
                *(("editor_id", "editors"), ("segment_id", "segments")),
            )
        }
        self.mine = {
            name: dict(zip(("editor_id", "team_id"), row, strict=True))
            for name, *row in place.ask(
                "SELECT e.name, e.id, m.team_id FROM editors e"
                " JOIN memberships m ON m.editor_id = e.id WHERE e.name IN ('red1', 'red2')"
            )
        }
        self.held: dict[str, dict[str, Any]] = {name: {} for name in self.mine}
        self.named: dict[str, tuple[str, str, list[SegmentName]]] = dict.fromkeys(
            self.mine, ("K1", "red", [])
        )
        self.claim("red1")
        self.claim("red2")
        self.before = self.others()

    def teardown(self) -> None:
        self.place.drop()
        shutil.rmtree(self.folder)

    # -- what the editor does -----------------------------------------------------------------

    @rule(seed=st.integers(0, 2**32))
    def write(self, seed: int) -> None:
        """Send some statements; each is taken or refused as a whole.

        Now and then claim and hand over as the window does: then there is something to write in,
        and something to take back.
        """
        self.steps += 1
        self.told["steps"] += 1
        # Not by the seed alone: the simplest examples have the same one at each step.
        chance = random.Random(f"{seed} {self.steps}")
        if chance.random() < 0.3:
            self.claim(chance.choice(("red1", "red2")))
        if chance.random() < 0.15:
            self.hand_over(chance.choice(("red1", "red2")))
        for _ in range(self.statements):
            who = chance.choice(("red1", "red2"))
            if chance.random() < 0.1:
                self.send(who, chance.choice(self.place.statements), None, "other")
                continue
            table = chance.choice((*TABLES, *["revisions"] * 6, "visits", "claims", "handovers"))
            if self.place.logins and table in FUNCTIONS and chance.random() < 0.4:
                self.deliver(chance, who, table)
                continue
            row = {
                name: self.place.spelt(self.value(chance, who, name))
                for name in TABLES[table]
                if name not in self.place.set_by_itself
            }
            marks = ", ".join([self.place.mark] * len(row))
            query = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"
            self.send(who, query, list(row.values()), table)

    def deliver(self, chance: random.Random, who: str, table: str) -> None:
        """By the function that the window uses, with whatever can be spelt as JSON."""
        kit, team, pages = self.named[who]
        rows = []
        for page, segment in chance.choices(
            pages or [SegmentName("K1.01", "1")], k=chance.randint(1, 3)
        ):
            row: dict[str, str] = {
                "kit": json.dumps(kit if chance.random() < 0.9 else "K2"),
                "team": json.dumps(team if chance.random() < 0.9 else "blue"),
                "editor": json.dumps(who if chance.random() < 0.9 else "blue1"),
                "page": json.dumps(page),
                "segment": json.dumps(segment),
                "after": chance.choice(["null", '""', '"x"']),
                "home": chance.choice(["null", '"home"']),
            }
            for name in TABLES[table]:
                if name not in ("kit_id", "team_id", "segment_id", "editor_id"):
                    value = self.value(chance, who, name)
                    spelt = value if name in ("flags", "events") else json.dumps(value, default=str)
                    row[name.rstrip("_")] = spelt
            rows.append("{" + ", ".join(f'"{name}": {row[name]}' for name in row) + "}")
        self.send(
            *(who, f"SELECT {FUNCTIONS[table]}(%s::jsonb)", [f"[{', '.join(rows)}]"]),
            FUNCTIONS[table],
        )

    def value(self, chance: random.Random, who: str, column: str) -> Any:
        """Mostly what goes with the editor's own pass; now and then anything."""
        honest = chance.random() < 0.9
        if column == "id":
            return uuid.UUID(int=chance.getrandbits(128), version=4)
        if column in self.held[who] and honest:
            choices = self.held[who][column]
            return chance.choice(choices) if isinstance(choices, list) else choices
        if column in self.mine[who] and honest:
            return self.mine[who][column]
        if column in self.keys:
            return chance.choice(self.keys[column])
        if column in ("by", "who") and honest:
            return who
        choices = NASTY[column]
        value = choices[0] if honest and chance.random() < 0.6 else chance.choice(choices)
        if value == "now":
            return datetime.now(UTC) + timedelta(hours=chance.randint(-48, 48))
        return value

    def send(self, who: str, query: str, values: list[Any] | None, kind: str) -> None:
        try:
            self.place.send(who, query, values)
        except Refused as error:
            self.told[f"{kind}: refused ({error})"] += 1
        else:
            self.took(kind)

    def took(self, kind: str) -> None:
        self.told[f"{kind}: taken"] += 1
        for kinds in self.unmet.values():
            kinds.add(kind)

    def hand_over(self, who: str) -> None:
        """As the window does, whatever is in the way by now."""
        with self.place.open(who) as campaign:
            try:
                claim = campaign.claims.claim_next(who, "window")
                if claim is not None:
                    finish(campaign, claim.kit, claim.team, claim.pass_, who)
            except ConflictError as error:
                self.told[f"window: not handed over ({error.code})"] += 1
                return
        if claim is not None:
            self.took(f"the window's {claim.pass_.value} pass")

    def claim(self, who: str) -> None:
        with self.place.open(who) as campaign:
            claim = campaign.claims.claim_next(who, "window")
            if claim is not None:
                shown = campaign.revisions.kit_segments(claim.kit, claim.team, claim.pass_)
                self.named[who] = claim.kit, claim.team, [one.name for one in shown if one.output]
        self.told["window: " + ("nothing to claim" if claim is None else "claimed")] += 1
        if claim is None:
            return
        # By the keys that editors know.
        found = self.place.ask(
            f"SELECT k.id, {self.place.shown_id} FROM kits k JOIN kit_items i ON i.kit_id = k.id"
            f" JOIN segments s ON s.document_id = i.document_id WHERE k.name = '{claim.kit}'"
        )
        self.held[who] = {
            "kit_id": found[0][0],
            "pass_": claim.pass_.value,
            "turn": claim.turn,
            "segment_id": [segment for _, segment in found],
        }

    # -- what must hold -----------------------------------------------------------------------

    @invariant()
    def commands_go_on(self) -> None:
        """Half of them in turn; at the beginning and at the end all."""
        every = self.steps in (0, self.last)
        folder = self.folder / str(self.steps)
        folder.mkdir()
        names = [*COMMANDS] if every else HALVES[self.steps % 2]
        for name, answer in run_all(self.place.url, folder, names).items():
            assert answer.status == 0, (name, answer)
            assert "fault" not in answer.err, (name, answer)
            assert "set aside" not in answer.err, "nothing got in that breaks a rule"
            assert not any(ord(one) < 32 and one not in "\n\t" for one in answer.out + answer.err)
            self.told["commands"] += 1
            self.met |= {(kind, name) for kind in self.unmet[name]}
            self.unmet[name].clear()
        shutil.rmtree(folder)

    @invariant()
    def what_is_shown_is_what_is_there(self) -> None:
        """Counted again from the bare rows, by other code."""
        rows = self.rows()
        with open_campaign(self.place.url) as campaign:
            progress, records = campaign.progress(), [*campaign.segment_records()]
        assert not self.place.logins or self.others_in(progress, records) == self.before
        finals = {
            (one.kit, one.base, one.segment, team.team): (team.first, team.final)
            for one in records
            for team in one.teams
            if one.output
        }
        done = {key for key, number in rows["handed"].items() if number not in rows["taken"][key]}
        for (kit, base, segment, team), (first, final) in finals.items():
            for pass_, text in (("first", first), ("review", final)):
                key = (kit, team, pass_)
                latest = rows["texts"].get((*key, base, segment))
                assert text == (latest if key in done else None), (key, base, segment)
        for one in progress:
            key = (one.kit, one.team, one.pass_.value)
            assert (one.state is PassState.HANDED_OVER) == (key in done), key
        answer = run("campaign", "score", self.place.url, "--format", "json")
        assert answer.status == 0, answer
        shown = {
            row["system"]: (row["segments"], row["edits"], row["words"])
            for row in json.loads(answer.out)["tables"]["systems"]
        }
        assert shown == self.scores(rows, done)
        self.told["scores recounted"] += 1

    def scores(
        self, rows: dict[str, Any], done: set[tuple[str, ...]]
    ) -> dict[str, tuple[int, float, float]]:
        """HTER by the two-team rule."""
        sums: dict[str, list[float]] = {}
        items: dict[tuple[Any, ...], list[str]] = defaultdict(list)
        for *item, team in self.place.ask(
            "SELECT k.name, d.base, s.name, y.name, o.text, s.reference, t.name FROM kit_items i"
            " JOIN kits k ON k.id = i.kit_id JOIN documents d ON d.id = i.document_id"
            " JOIN segments s ON s.document_id = d.id JOIN systems y ON y.id = i.system_id"
            " JOIN outputs o ON (o.segment_id, o.system_id) = (s.id, y.id)"
            " JOIN assignments a ON a.kit_id = k.id JOIN teams t ON t.id = a.team_id"
            " ORDER BY a.position"
        ):
            items[tuple(item)].append(team)
        for (kit, base, segment, system, output, reference), teams in items.items():
            own = sums.setdefault(system, [0, 0, 0])
            # Where the system gave nothing the reference counts, whoever has handed over.
            finals = [
                rows["texts"].get((kit, team, "review", base, segment), "")
                for team in teams
                if output and (kit, team, "review") in done
            ] or ([] if output else [None])
            measures = []
            for final in finals:
                words = (reference if final is None else final).split()
                edits = len(words) if final is None else distance(output.split(), words)
                rate = edits / len(words) if words else math.inf if edits else 0
                measures.append((rate, edits, len(words)))
            if measures:
                # The lower rate; of two that are the same the fewer edits, then the first.
                _, edits, count = min(measures, key=lambda one: one[:2])
                own[:] = [own[0] + 1, own[1] + edits, own[2] + count]
        return {system: (int(own[0]), own[1], own[2]) for system, own in sums.items() if own[0]}

    def others(self) -> tuple[Any, ...]:
        with open_campaign(self.place.url) as campaign:
            return self.others_in(campaign.progress(), campaign.segment_records())

    @staticmethod
    def others_in(
        progress: Iterable[PassProgress], records: Iterable[SegmentRecord]
    ) -> tuple[Any, ...]:
        """The other team's work."""
        texts = [
            (one.kit, one.base, one.segment, team)
            for one in records
            for team in one.teams
            if team.team != "red"
        ]
        return texts, [one for one in progress if one.team != "red"]

    def rows(self) -> dict[str, Any]:
        ask = self.place.ask
        key = "k.name, t.name, r.pass_"
        joined = "JOIN kits k ON k.id = r.kit_id JOIN teams t ON t.id = r.team_id"
        handed: dict[tuple[str, ...], int] = {}
        for *who, number in ask(f"SELECT {key}, number FROM handovers r {joined}"):
            handed[tuple(who)] = max(number, handed.get(tuple(who), 0))
        taken: dict[tuple[str, ...], set[int]] = {one: set() for one in handed}
        for *who, number in ask(f"SELECT {key}, number FROM takebacks r {joined}"):
            taken[tuple(who)].add(number)
        texts: dict[tuple[str, ...], str] = {}
        for *who, text in ask(
            f"SELECT {key}, d.base, s.name, text FROM revisions r {joined}"
            " JOIN segments s ON s.id = segment_id JOIN documents d ON d.id = document_id"
            " WHERE NOT side ORDER BY number"
        ):
            texts[tuple(who)] = text
        self.place.check_times()
        return {"handed": handed, "taken": taken, "texts": texts}


def attack(place: Callable[[], Place], campaigns: int, steps: int) -> Told:
    """Attack at least so many campaigns, ``steps`` steps in all for each of them.

    Hypothesis now and then draws fewer steps for an example; it goes on until all are made.
    """
    told = Told()
    wanted = campaigns * steps
    while (missing := wanted - told.counts["steps"]) > 0:
        run_state_machine_as_test(  # type: ignore[no-untyped-call]
            lambda: HostileEditor(place(), told, steps),
            settings=settings(
                max_examples=math.ceil(missing / steps),
                stateful_step_count=steps,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    return told


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Place]:
    """What makes a campaign to attack, on each database in turn."""
    if request.param == "sqlite":
        prepared: Path = request.getfixturevalue("prepared")
        return lambda: FilePlace(shutil.copytree(prepared, tmp_path / uuid.uuid4().hex))
    guarded: Guarded = request.getfixturevalue("guarded")
    return lambda: ServerPlace(guarded)


@pytest.mark.long
def test_a_hostile_editor_stops_nobody(place: Callable[[], Place]) -> None:
    told = attack(place, campaigns=1, steps=2)
    assert told.counts["steps"] >= 2
    assert told.met == set(product(told.taken, COMMANDS))


@pytest.mark.soak
@pytest.mark.parametrize("part", [1, 2, 3])
def test_a_hostile_editor_stops_nobody_for_long(
    place: Callable[[], Place], part: int, record_property: Callable[[str, object], None]
) -> None:
    """In parts that are run one after the other, or beside each other with ``-n 2``."""
    del part
    told = attack(place, campaigns=10, steps=30)
    for what, number in sorted(told.counts.items()):
        record_property(what, number)
    assert told.counts["steps"] >= 300
    assert told.met == set(product(told.taken, COMMANDS))
    kinds = ["visits", "revisions"]
    if any(name.startswith("studio_") for name in told.counts):
        kinds += FUNCTIONS.values()
    for kind in kinds:
        assert told.counts[f"{kind}: taken"] > 0
        assert told.counts[f"{kind}: refused (a rule)"] > 0
