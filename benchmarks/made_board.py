"""A large campaign in the middle of its editing, written straight into the tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

__all__ = ["NOW", "make"]

PER_DOCUMENT = 8
PER_KIT = 3  # documents
TEAMS = 10
NOW = datetime(2048, 3, 1, 12, tzinfo=UTC)


def make(where: Path | str, segments: int, name: str = "Large") -> None:
    """Make it in a folder, or in an empty database: what is measured is reading it.

    Ten teams, two for each kit: half of the first passes and a third of the reviews are handed
    over, and every team's editors are at work on a kit.
    """
    from madcat_studio.model.campaign import new_id
    from madcat_studio.store import create_campaign, schema

    documents = segments // PER_DOCUMENT
    kits = documents // PER_KIT
    with create_campaign(where, name) as campaign, campaign._database.writing() as connection:

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
                    "cover": new_id(),
                    "shown": place,
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
                    "cover": new_id(),
                    "shown": place,
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
                                        "flags": {}, "side": False,
                                    }
                                )  # fmt: skip
        for name, own_rows in rows.items():
            put(name, own_rows)
