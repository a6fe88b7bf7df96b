"""The board of a large campaign, and asking whether anything changed, beside bare SQL.

    python benchmarks/bench_board.py [SEGMENTS]

A campaign of SEGMENTS segments in kits (100,000), ten teams, two for each kit, is made in a
temporary folder: half of the first passes and a third of the reviews are handed over, and every
team's editors are at work on a kit. Then, in this process and the best of several runs:

* opening the campaign and reading its board, by processor time and by the clock;
* its peer: the same tables read by bare ``sqlite3`` into tuples, without making anything of them;
* asking whether anybody wrote (:class:`madcat_studio.store.Watch`).

The board may take 4 times what its bare rows take (160 ms where these take 40), the question 1 ms.
The exit status is 1 where a bound is broken.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

MOST_TIMES = 4.0
MOST_TO_ASK = 0.001
PER_DOCUMENT = 8
PER_KIT = 3  # documents
TEAMS = 10
NOW = datetime(2048, 3, 1, 12, tzinfo=UTC)


def make(folder: Path, segments: int) -> None:
    """Fill the tables directly: what is measured is reading them."""
    from madcat_studio.model.campaign import new_id
    from madcat_studio.store import create_campaign, schema

    documents = segments // PER_DOCUMENT
    kits = documents // PER_KIT
    with create_campaign(folder, "Large") as campaign, campaign._database.writing() as connection:

        def put(table: str, rows: list[dict[str, object]]) -> None:
            connection.execute(schema.metadata.tables[table].insert(), rows)

        system = new_id()
        put("systems", [{"id": system, "name": "Alpha", "code": "X1", "earlier": False}])
        put("blobs", [{"sha256": "0" * 64, "size": 0, "content": b""}])
        keys = [new_id() for _ in range(documents)]
        put(
            "documents",
            [
                {
                    "id": key, "base": f"D{number}_1_S1", "source_document": f"D{number}",
                    "passage": f"p{number}", "manuscript": f"m{number}", "page": "1",
                    "scribe": "S1", "exposure": "exposed", "data_set": "evaluation", "track": "",
                    "genre": "web", "conditions": "", "sequestered": False, "sha256": "0" * 64,
                    "image_name": "", "image_sha256": None,
                }
                for number, key in enumerate(keys)
            ],
        )  # fmt: skip
        put(
            "output_files",
            [{"system_id": system, "document_id": key, "sha256": "0" * 64} for key in keys],
        )
        texts: dict[str, list[str]] = {key: [new_id() for _ in range(PER_DOCUMENT)] for key in keys}
        put(
            "segments",
            [
                {
                    "id": one, "document_id": key, "position": place, "name": f"s{place}",
                    "page": "1", "transcription": "", "reference": "word " * 25,
                    "transcription_words": 0, "reference_words": 25, "scribe_error": False,
                }
                for key in keys for place, one in enumerate(texts[key])
            ],
        )  # fmt: skip
        put(
            "outputs",
            [
                {"segment_id": one, "system_id": system, "text": "a text", "missing": False}
                for key in keys
                for one in texts[key]
            ],
        )
        teams = [new_id() for _ in range(TEAMS)]
        editors = {team: (new_id(), new_id()) for team in teams}
        put("teams", [{"id": t, "name": f"T{n}", "position": n} for n, t in enumerate(teams)])
        put(
            "editors",
            [
                {"id": one, "name": f"e{number}.{place}", "full_name": ""}
                for number, team in enumerate(teams)
                for place, one in enumerate(editors[team])
            ],
        )
        put(
            "memberships",
            [
                {"team_id": team, "editor_id": one, "position": place}
                for team in teams
                for place, one in enumerate(editors[team])
            ],
        )
        kit_keys = [new_id() for _ in range(kits)]
        put(
            "kits",
            [
                {
                    "id": key, "name": f"K{number}", "position": number, "practice": False,
                    "segments": PER_KIT * PER_DOCUMENT, "words": PER_KIT * PER_DOCUMENT * 25,
                }
                for number, key in enumerate(kit_keys)
            ],
        )  # fmt: skip
        put(
            "kit_items",
            [
                {
                    "kit_id": kit,
                    "document_id": keys[number * PER_KIT + place],
                    "system_id": system,
                    "position": place,
                }
                for number, kit in enumerate(kit_keys)
                for place in range(PER_KIT)
            ],
        )
        rows: dict[str, list[dict[str, object]]] = {
            name: []
            for name in (
                "assignments", "roles", "participations", "claims", "handovers", "revisions"
            )
        }  # fmt: skip
        for number, kit in enumerate(kit_keys):
            for side in range(2):
                team = teams[(number + side * (1 + number % 4)) % TEAMS]
                rows["assignments"].append({"kit_id": kit, "team_id": team, "position": side})
                for turn, pass_ in enumerate(("first", "review")):
                    editor = editors[team][(number + turn) % 2]
                    own = {"kit_id": kit, "team_id": team, "pass_": pass_}
                    rows["roles"].append(
                        {**own, "turn": 1, "editor_id": editor, "at": NOW, "by": "", "reason": ""}
                    )
                    done = number < kits // (2 + turn)
                    at_work = not turn and kits // 2 <= number < kits // 2 + TEAMS
                    if not done and not at_work:
                        continue
                    at = NOW - timedelta(hours=number % 200)
                    rows["participations"].append({**own, "editor_id": editor})
                    rows["claims"].append(
                        {**own, "turn": 1, "editor_id": editor, "machine": "m", "at": at}
                    )
                    if done:
                        rows["handovers"].append(
                            {**own, "turn": 1, "number": 1, "at": at, "by": "e"}
                        )
                    for place in range(PER_KIT):
                        for one in texts[keys[number * PER_KIT + place]]:
                            if done or place < 2:
                                rows["revisions"].append(
                                    {
                                        **own, "segment_id": one, "number": 1, "id": new_id(),
                                        "turn": 1, "editor_id": editor, "machine": "m", "at": at,
                                        "state": "confirmed", "text": "a text", "reason": "",
                                        "effort": {"seconds": 40}, "flags": {}, "side": False,
                                    }
                                )  # fmt: skip
        for name, own_rows in rows.items():
            put(name, own_rows)


def best(run: Callable[[], object], times: int = 7) -> tuple[float, float]:
    """Least processor time and least time by the clock."""
    found = []
    for _ in range(times):
        clock, processor = time.perf_counter(), time.process_time()
        run()
        found.append((time.process_time() - processor, time.perf_counter() - clock))
    return min(one for one, _ in found), min(other for _, other in found)


def bare(file: Path) -> None:
    """The rows that the board is made of, as tuples."""
    connection = sqlite3.connect(file)
    for table in ("kits", "assignments", "roles", "claims", "handovers", "releases", "takebacks"):
        connection.execute(f"SELECT * FROM {table}").fetchall()
    connection.close()


def main(segments: int) -> int:
    from madcat_studio.operations.board import read_board
    from madcat_studio.store import Watch

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "campaign"
        make(folder, segments)
        board = read_board(str(folder), now=NOW)
        print(f"{segments} segments, {len(board.rows)} rows, {len(board.passes)} passes")
        own, clock = best(lambda: read_board(str(folder), now=NOW))
        peer, _ = best(lambda: bare(folder / "campaign.sqlite"))
        print(f"opening and reading the board: {own * 1000:.0f} ms ({clock * 1000:.0f} ms by the "
              f"clock); bare rows {peer * 1000:.0f} ms; {own / peer:.1f} times")  # fmt: skip
        with Watch(folder) as watch:
            ask, _ = best(lambda: [watch.changed() for _ in range(1000)])
        print(f"asking whether anything changed: {ask * 1000:.1f} µs")
    return int(own / peer > MOST_TIMES or ask / 1000 > MOST_TO_ASK)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
