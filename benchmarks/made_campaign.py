"""A large campaign, all of it final, made fast: its rows are written straight into the database.

Through the store's own doors five million outputs with their post-edits would take hours.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from madcat_studio.model.visitsums import sums_of_plain

__all__ = ["make"]

PER_DOCUMENT = 10
PER_KIT = 10  # documents
TEAMS = 10
WORDS = [f"word{n}" for n in range(4000)]
_AT = "2026-01-05 09:00:00.000000"
_ROWS_AT_ONCE = 20_000

_COLUMNS = {
    "blobs": "sha256 size content",
    "documents": "id base source_document passage manuscript page scribe exposure data_set track "
    "genre conditions sequestered sha256 image_name image_sha256",
    "segments": "id document_id position name page transcription reference transcription_words "
    "reference_words scribe_error",
    "systems": "id name code earlier",
    "output_files": "system_id document_id sha256",
    "outputs": "segment_id system_id text missing",
    "teams": "id name position",
    "editors": "id name full_name",
    "memberships": "team_id editor_id position",
    "kits": "id name position practice segments words",
    "kit_items": "kit_id document_id system_id position cover shown",
    "assignments": "kit_id team_id position",
    "roles": "kit_id team_id pass_ turn editor_id at by reason",
    "participations": "kit_id editor_id team_id pass_",
    "claims": "kit_id team_id pass_ turn editor_id machine at",
    "revisions": "kit_id team_id pass_ segment_id number id turn editor_id machine at stored_at "
    "state text reason flags side",
    "visits": "kit_id team_id pass_ segment_id number id turn editor_id machine at ms events "
    "stored_at sums",
    # After the texts: the database takes a pass only once it is complete.
    "handovers": "kit_id team_id pass_ turn number at by",
}


_EVENTS = [
    [0, "from", "a text"],
    *(
        event
        for ms in range(400, 16_400, 400)
        for event in ([ms, "key", "character"], [ms, "text", 6, "", "x", "typed"])
    ),
]
"""Forty letters typed: the log of a visit."""

_MS = 20_000
_COUNTED = "rule_visits_insert"
"""By it the database counts each log again, which takes three quarters of all the time."""
_TYPED, _SUMS = json.dumps(_EVENTS), json.dumps(sums_of_plain(_MS, _EVENTS))


class _Rows:
    """Rows for all tables, written by the thousand."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._waiting: dict[str, list[tuple[object, ...]]] = {name: [] for name in _COLUMNS}
        self._number = count(1)
        self._rule = ""

    def key(self) -> str:
        """A new identifier; rising, so that the tables grow at their ends."""
        return f"{next(self._number):08x}-0000-4000-8000-000000000000"

    def add(self, table: str, *values: object) -> None:
        waiting = self._waiting[table]
        waiting.append(values)
        if len(waiting) >= _ROWS_AT_ONCE:
            self._write_all()

    def _write_all(self) -> None:
        for table in self._waiting:
            self._write(table)

    def _write(self, table: str) -> None:
        names, rows = _COLUMNS[table].split(), self._waiting[table]
        insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        if table == "visits" and rows and not self._rule:
            # All logs are the same one: it is counted once.
            self._database.execute(insert, rows.pop(0))
            [(self._rule,)] = self._database.execute(
                "SELECT sql FROM sqlite_master WHERE name = ?", [_COUNTED]
            )
            self._database.execute(f"DROP TRIGGER {_COUNTED}")
        self._database.executemany(insert, rows)
        rows.clear()

    def finish(self) -> None:
        self._write_all()
        self._database.execute(self._rule)
        self._database.commit()


def edited(words: list[str], share: float, draw: random.Random) -> list[str]:
    """``words`` with about ``share`` of them left out or replaced, and never nothing."""
    made = []
    for word in words:
        chance = draw.random()
        if chance < share * 0.3:
            continue
        made.append(draw.choice(WORDS) if chance < share else word)
    return made or ["x"]


def make(folder: Path, segments: int, systems: int) -> None:
    """Make a campaign of two teams' work, with texts drawn from a fixed seed.

    Args:
        folder: where.
        segments: of the references, a whole number of kits (100 segments each).
        systems: each with an output for every segment.
    """
    from madcat_studio.store import create_campaign

    with create_campaign(folder, "Benchmark"):
        pass
    database = sqlite3.connect(folder / "campaign.sqlite")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -200000")
    rows = _Rows(database)
    teams = _teams(rows)
    names = _systems(rows, systems)
    kits = count()
    digest = "0" * 64
    rows.add("blobs", digest, 0, b"")
    draw = random.Random(1)
    documents: list[tuple[str, list[tuple[str, list[str]]]]] = []
    for number in range(segments // PER_DOCUMENT):
        documents.append(_document(rows, number, digest, draw))
        if len(documents) == PER_KIT:
            for system in names:
                pair = next(kits)
                _kit(rows, pair, system, documents, _pair(teams, pair), digest, draw)
            documents = []
    rows.finish()
    database.close()


def _pair(
    teams: list[tuple[str, list[str]]], number: int
) -> tuple[tuple[str, list[str]], tuple[str, list[str]]]:
    first = number % TEAMS
    return teams[first], teams[(first + 1 + number // TEAMS % (TEAMS - 1)) % TEAMS]


def _teams(rows: _Rows) -> list[tuple[str, list[str]]]:
    made = []
    for number in range(TEAMS):
        team, members = rows.key(), [rows.key(), rows.key()]
        rows.add("teams", team, f"T{number}", number)
        for place, editor in enumerate(members):
            name = f"T{number}{'ab'[place]}"
            rows.add("editors", editor, name, name)
            rows.add("memberships", team, editor, place)
        made.append((team, members))
    return made


def _systems(rows: _Rows, number: int) -> list[str]:
    made = [rows.key() for _ in range(number)]
    for place, system in enumerate(made):
        rows.add("systems", system, f"system-{place}", f"X{place}", False)
    return made


def _document(
    rows: _Rows, number: int, digest: str, draw: random.Random
) -> tuple[str, list[tuple[str, list[str]]]]:
    document, source = rows.key(), f"SYN.{number // 3:06d}"
    base = f"{source}_{number % 3}_S{number % 24:02d}"
    exposure, genre = ("exposed", "newswire") if number % 2 else ("unexposed", "web")
    rows.add(
        *("documents", document, base, source, source, base, "1", f"S{number % 24:02d}"),
        *(exposure, "evaluation", "", genre, "IUN", False, digest, "", None),
    )
    made = []
    for place in range(PER_DOCUMENT):
        segment, text = rows.key(), draw.choices(WORDS, k=draw.randint(10, 30))
        name, reference = f"s{place}", " ".join(text)
        rows.add(
            *("segments", segment, document, place, name, "1", "نص", reference, 1),
            *(len(text), False),
        )
        made.append((segment, text))
    return document, made


def _kit(
    rows: _Rows,
    number: int,
    system: str,
    documents: list[tuple[str, list[tuple[str, list[str]]]]],
    pair: tuple[tuple[str, list[str]], ...],
    digest: str,
    draw: random.Random,
) -> None:
    kit = rows.key()
    words = sum(len(text) for _, segments in documents for _, text in segments)
    rows.add("kits", kit, f"K{number}", number, False, PER_KIT * PER_DOCUMENT, words)
    outputs = []
    for place, (document, segments) in enumerate(documents):
        rows.add("output_files", system, document, digest)
        rows.add("kit_items", kit, document, system, place, rows.key(), place)
        for segment, text in segments:
            output = edited(text, 0.3, draw)
            rows.add("outputs", segment, system, " ".join(output), False)
            outputs.append((segment, output))
    for place, (team, members) in enumerate(pair):
        rows.add("assignments", kit, team, place)
        finals = list(_passes(outputs, draw))
        for pass_, editor, texts in zip(("first", "review"), members, finals, strict=True):
            rows.add("roles", kit, team, pass_, 1, editor, _AT, "plan", "")
            rows.add("participations", kit, editor, team, pass_)
            rows.add("claims", kit, team, pass_, 1, editor, "bench", _AT)
            for segment, text in texts:
                rows.add(
                    *("revisions", kit, team, pass_, segment, 1, rows.key(), 1, editor, "bench"),
                    *(_AT, _AT, "confirmed", text, "", "{}", False),
                )
            for segment, _ in texts:
                rows.add(
                    *("visits", kit, team, pass_, segment, 1, rows.key(), 1, editor, "bench"),
                    *(_AT, _MS, _TYPED, _AT, _SUMS),
                )
            # Once all its texts are waiting: a pass that lacks some is refused.
            rows.add("handovers", kit, team, pass_, 1, 1, _AT, "bench")


def _passes(
    outputs: list[tuple[str, list[str]]], draw: random.Random
) -> Iterator[list[tuple[str, str]]]:
    first = [(segment, edited(words, 0.2, draw)) for segment, words in outputs]
    yield [(segment, " ".join(words)) for segment, words in first]
    yield [
        (segment, " ".join(edited(words, 0.05, draw) if draw.random() < 0.4 else words))
        for segment, words in first
    ]
