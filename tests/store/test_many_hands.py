"""Many programs on one campaign: nothing lost, nothing doubled, no kit held by two."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.model.campaign import Assignment, Editor, Kit, KitItem, Pass, Team
from madcat_studio.store import Campaign, create_campaign
from madcat_studio.store.server import Server as AdminServer
from tests.store.conftest import Server, fill


def work(
    campaign: Campaign,
    where: str,
    hands: int,
    seconds: float,
    login: Callable[[str], str] | None = None,
    pause: float = 0.0,
) -> dict[str, float]:
    """Let ``hands`` programs work; ``login`` makes an editor's login and gives its address.

    Each rests for ``pause`` seconds after what it did. Returns how much they did and how long one
    waited.
    """
    # Half as many as hands, so that they are after each other's; logins keep theirs.
    kits = [f"P{number}" for number in range(hands if login else max(2, hands // 2))]
    editors = [f"hand{number}" for number in range(hands)]
    with campaign.transaction():
        campaign.plans.add_team(Team("red", tuple(map(Editor, editors))))
        for kit in kits:
            campaign.plans.plan_kit(Kit(kit, (KitItem("Alpha", "A.x_1_S2"),), practice=True))
            campaign.plans.assign(kit, [Assignment(kit, "red", None, None)])
    places = {editor: where if login is None else login(editor) for editor in editors}
    program = Path(__file__).with_name("working.py")
    workers = [
        subprocess.Popen(
            [sys.executable, program, places[editor], editor, str(seconds), str(pause)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for editor in editors
    ]
    try:
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        answers = []
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        for worker in workers:
            assert worker.stdout is not None
            answers.append(json.loads(worker.stdout.readline()))
    finally:
        for worker in workers:
            for stream in (worker.stdin, worker.stdout):
                if stream is not None:
                    stream.close()
            worker.wait(60)
    assert [worker.returncode for worker in workers] == [0] * hands
    told = Counter(one for answer in answers for one in answer["stored"])
    kept = Counter(
        revision.id
        for kit in kits
        for revision in campaign.revisions.history(kit, "red", Pass.FIRST)
    )
    assert kept == told
    assert max(kept.values()) == 1
    # Every claim had a turn of its own, and the turns of a kit have no gap.
    claims = sorted((kit, turn) for answer in answers for kit, turn in answer["claimed"])
    turns = Counter(kit for kit, _turn in claims)
    assert claims == sorted(
        (kit, turn) for kit, most in turns.items() for turn in range(1, most + 1)
    )
    longest = max(answer["longest"] for answer in answers)
    operations = sum(kept.values()) + (1 if login else 2) * len(claims)
    return {
        "operations a second": round(operations / seconds),
        "longest wait (s)": round(longest, 1),
    }


@pytest.mark.long
def test_a_few_programs_at_once(campaign: Campaign, where: str) -> None:
    work(campaign, where, hands=4, seconds=1)


@pytest.mark.soak
def test_twenty_programs_for_a_minute(
    campaign: Campaign, where: str, record_property: Callable[[str, object], None]
) -> None:
    for figure in work(campaign, where, hands=20, seconds=60).items():
        record_property(*figure)


@pytest.mark.soak
@pytest.mark.postgresql
def test_twenty_logins_for_a_minute(
    server: Server, record_property: Callable[[str, object], None]
) -> None:
    """Each program under the login of its own editor, with row-level security in between."""
    url = server.url("twenty")
    with AdminServer(url) as admin:
        admin.prepare("twenty_boss", lambda: "secret")
    boss = url.replace("postgres@", "twenty_boss@")
    with create_campaign(boss, "Test") as campaign, AdminServer(boss) as admin:
        fill(campaign)
        figures = work(
            campaign,
            boss,
            hands=20,
            seconds=60,
            login=lambda editor: url.replace(
                "postgres@", f"{admin.add_login(editor, 'password').login}@"
            ),
        )
    for figure in figures.items():
        record_property(*figure)
