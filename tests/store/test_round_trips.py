"""How often a program waits for a server's answer, counted on the line between the two."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import (
    Delivery,
    Pass,
    Revision,
    SegmentName,
    SegmentState,
    new_id,
)
from madcat_studio.model.visits import Visit
from madcat_studio.store import Campaign, open_campaign

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

pytestmark = pytest.mark.postgresql


class Line:
    """A line to a server that counts how often the program speaks and waits.

    Attributes:
        port: where it begins.
        trips: so often the program has spoken after the server did.
    """

    def __init__(self, port: int) -> None:
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self.trips = 0
        self._far_port = port
        self._threads = [threading.Thread(target=self._listen)]
        self._threads[0].start()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._far_port))
            self._threads.append(threading.Thread(target=self._carry, args=(near, far)))
            self._threads[-1].start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        answered = True
        with near, far:
            while True:
                for one in select.select([near, far], [], [])[0]:
                    data = one.recv(1 << 16)
                    if not data:
                        return
                    if one is near:
                        self.trips += answered
                    answered = one is far
                    (far if one is near else near).sendall(data)

    def close(self) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        for thread in self._threads:
            thread.join()


@contextmanager
def over_a_line(guarded: Guarded, editor: str) -> Iterator[tuple[Campaign, Line]]:
    """A campaign opened by an editor's login, or by its owner."""
    line = Line(guarded.server.port)
    url = guarded.url_of(editor) if editor in guarded.logins else guarded.url
    try:
        with open_campaign(url.replace(f":{guarded.server.port}/", f":{line.port}/")) as campaign:
            yield campaign, line
    finally:
        line.close()


def texts(names: list[SegmentName], turn: int, editor: str = "red1") -> list[Revision]:
    return [
        Revision(
            *(new_id(), "K1", "red", Pass.FIRST, name, editor, "here", datetime.now(UTC)),
            *(SegmentState.CONFIRMED, "a text", turn),
        )
        for name in names
    ]


def visits(names: list[SegmentName], turn: int) -> list[Visit]:
    return [
        Visit(
            id=new_id(),
            kit="K1",
            team="red",
            pass_=Pass.FIRST,
            segment=name,
            editor="red1",
            machine="here",
            at=datetime.now(UTC),
            ms=10,
            turn=turn,
            events=(),
        )
        for name in names
    ]


@pytest.mark.long
@pytest.mark.parametrize("who", ["red1", "the owner"])
def test_confirming_is_one_round_trip(own_guarded: Guarded, who: str) -> None:
    """Whatever has to be looked at: claim, segment, what came before, where the pass is open."""
    with over_a_line(own_guarded, who) as (campaign, line):
        turn = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here").turn
        names = [one.name for one in campaign.revisions.kit_segments("K1", "red", Pass.FIRST)]
        for number in range(12):
            for append, made in (
                (campaign.revisions.append, texts(names, turn)),
                (campaign.visits.append, visits(names, turn)),
            ):
                before = line.trips
                assert append(made[number % 3 :]) == Delivery(stored=len(made[number % 3 :]))  # type: ignore[operator]
                # A statement that is asked for the sixth time is prepared first, once for all.
                assert line.trips - before == (2 if number == 5 else 1)


@pytest.mark.long
def test_what_the_server_is_asked_again_is_told_apart(own_guarded: Guarded) -> None:
    """In one question there may be what it has, what is late, and what it takes."""
    with over_a_line(own_guarded, "red1") as (campaign, _):
        turn = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here").turn
        names = [one.name for one in campaign.revisions.kit_segments("K1", "red", Pass.FIRST)]
        made = texts(names, turn)
        assert campaign.revisions.append(made[:1]) == Delivery(stored=1)
        assert campaign.revisions.append(made) == Delivery(stored=len(made) - 1, known=1)
        assert campaign.revisions.append([]) == Delivery()
        with open_campaign(own_guarded.url) as owner:
            owner.claims.release("K1", "red", Pass.FIRST, by="boss")
        assert campaign.revisions.append(texts(names, turn)[:2]) == Delivery(stored=2, side=2)
        for wrong, code in (
            (texts([SegmentName("K1.01", "77")], turn), "store.not-in-kit"),
            (texts(names, 7), "store.never-claimed"),
            (texts(names, turn, "blue1"), "store.unknown-editor"),
            (texts(names, turn, "red2"), "store.never-claimed"),
        ):
            with pytest.raises(InputError) as told:
                campaign.revisions.append([*texts(names, turn), *wrong])
            assert told.value.code == code
        kept = campaign.revisions.history("K1", "red", Pass.FIRST)
        assert len(kept) == len(names) + 2  # nothing of what was refused


@pytest.mark.long
def test_a_connection_that_the_server_closed_is_opened_anew(own_guarded: Guarded) -> None:
    """Though it is not asked each time whether it is still there."""
    with over_a_line(own_guarded, "red1") as (campaign, line):
        turn = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here").turn
        names = [one.name for one in campaign.revisions.kit_segments("K1", "red", Pass.FIRST)]
        campaign.revisions.append(texts(names, turn))
        for _ in range(2):
            with psycopg.connect(own_guarded.url) as owner:
                owner.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE usename = %s",
                    [own_guarded.logins["red1"]],
                )
            before = line.trips
            assert campaign.revisions.append(texts(names, turn)) == Delivery(stored=len(names))
            assert line.trips > before + 1
