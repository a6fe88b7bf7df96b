"""How long an editor's confirming takes while many others write, beside a bare INSERT."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import psycopg
import pytest

from madcat_studio.model.campaign import Pass, Revision, SegmentState, new_id
from madcat_studio.store import create_campaign, open_campaign
from madcat_studio.store.server import Server as AdminServer
from tests.store.conftest import Server, fill
from tests.store.test_many_hands import work

pytestmark = [pytest.mark.soak, pytest.mark.postgresql]

RATE = 28
"""Operations a second that twenty programs made before the server had its functions and rules."""

MOST_MS = 50.0
_EVERY = 0.25
_TEXT = "the text of a segment that an editor has just confirmed"


class Confirming:
    """An editor who confirms a segment four times a second, in a thread; times in milliseconds."""

    def __init__(self, own: str, bare: str) -> None:
        self.confirms: list[float] = []
        self.inserts: list[float] = []
        self._own, self._bare = own, bare
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    @contextmanager
    def meanwhile(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._over.set()
            self._thread.join()

    def _run(self) -> None:
        with (
            open_campaign(self._own) as campaign,
            psycopg.connect(self._bare, autocommit=True) as plain,
        ):
            claim = campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "here")
            kit = campaign.revisions.kit_segments("K1", "blue", Pass.FIRST)
            names = [one.name for one in kit if one.output]
            while not self._over.wait(_EVERY):
                one = Revision(
                    *(new_id(), "K1", "blue", Pass.FIRST, names[len(self.confirms) % len(names)]),
                    *("blue1", "here", datetime.now(UTC), SegmentState.CONFIRMED, _TEXT),
                    claim.turn,
                )
                begun = time.perf_counter()
                campaign.revisions.append([one])
                then = time.perf_counter()
                plain.execute("INSERT INTO bare (text) VALUES (%s)", [_TEXT])
                self.confirms.append(1000 * (then - begun))
                self.inserts.append(1000 * (time.perf_counter() - then))


@pytest.mark.parametrize("rate", [RATE, 0], ids=["at the old rate", "at full speed"])
def test_confirming_beside_twenty_logins(
    server: Server, rate: int, record_property: Callable[[str, object], None]
) -> None:
    """Under logins, with covers, rules and row-level security; in one run with a bare INSERT."""
    url = server.url(f"confirming{rate}")
    owner = f"confirming_boss{rate}"
    with AdminServer(url) as admin:
        admin.prepare(owner, lambda: "secret")
    boss = url.replace("postgres@", f"{owner}@")
    with create_campaign(boss, "Test") as campaign, AdminServer(boss) as admin:
        fill(campaign)
        with psycopg.connect(boss, autocommit=True) as plain:
            plain.execute("CREATE TABLE bare (id bigserial PRIMARY KEY, text text NOT NULL)")

        def login(editor: str) -> str:
            return url.replace("postgres@", f"{admin.add_login(editor, 'password').login}@")

        meanwhile = Confirming(login("blue1"), boss)
        with meanwhile.meanwhile():
            hands = 20
            pause = hands / rate if rate else 0.0
            figures = work(campaign, boss, hands, seconds=60, login=login, pause=pause)
    confirming, insert = map(statistics.median, (meanwhile.confirms, meanwhile.inserts))
    figures |= {
        "confirming (ms, median)": round(confirming, 1),
        "a bare INSERT (ms, median)": round(insert, 1),
        "confirmed": len(meanwhile.confirms),
    }
    for figure in figures.items():
        record_property(*figure)
    if rate:
        # Where the machine has so much else to do that nothing at all is fast, by comparison.
        assert confirming <= max(MOST_MS, 8 * insert)
