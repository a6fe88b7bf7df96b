"""The server is restarted, the connection is cut: nothing is lost, nothing is doubled."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy import event

from madcat_studio.errors import WorldError
from madcat_studio.model.campaign import Pass, SegmentState
from madcat_studio.store import engines, open_campaign
from madcat_studio.store.engines import server_engine
from madcat_studio.workspace.kit import KitWorkspace

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

pytestmark = pytest.mark.postgresql


def cut(guarded: Guarded, editor: str) -> None:
    """As if somebody pulled the cable: the server lets go of all of an editor's connections."""
    with psycopg.connect(guarded.url) as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s",
            [guarded.logins[editor]],
        )


def texts(guarded: Guarded) -> list[str]:
    with open_campaign(guarded.url) as campaign:
        return [one.text for one in campaign.revisions.history("K1", "red", Pass.FIRST)]


@pytest.mark.long
def test_a_server_that_is_restarted_in_the_middle_of_a_kit(
    own_guarded: Guarded, tmp_path: Path
) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        kit.set_text("before", 0)
        kit.confirm_and_next()
        assert (kit.texts.pending, kit.texts.trouble) == (0, "")
        own_guarded.server.stop()
        try:
            for text in ("meanwhile", "still away"):
                kit.set_text(text, 0)
                kit.confirm_and_next()
                assert "store.server-away" in kit.texts.trouble
            assert kit.texts.pending == 2
            with pytest.raises(WorldError) as told:
                campaign.claims.available("red1")
            assert told.value.code == "store.server-away"
        finally:
            own_guarded.server.start()
        assert kit.texts.flush()
        assert (kit.texts.pending, kit.texts.trouble, kit.texts.side) == (0, "", False)
        kit.set_text("after", 0)
        kit.confirm()
        kit.hand_over()
    assert texts(own_guarded) == ["before", "meanwhile", "still away", "after"]


@pytest.mark.long
def test_a_program_that_ends_while_the_server_is_away(own_guarded: Guarded, tmp_path: Path) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        own_guarded.server.stop()
        try:
            kit.set_text("typed without a server", 0)
            kit.close()
        finally:
            own_guarded.server.start()
    assert texts(own_guarded) == []
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        again = KitWorkspace(campaign, claim, folder=tmp_path)
        assert again.recovery.revisions == 1
        assert again.own(0).text == "typed without a server"
        assert again.texts.pending == 0
        again.close()
    assert texts(own_guarded) == ["typed without a server"]


@pytest.mark.long
def test_a_connection_that_is_cut_between_two_things(own_guarded: Guarded, tmp_path: Path) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        cut(own_guarded, "red1")
        kit.set_text("over a new connection", 0)
        kit.confirm()
        assert (kit.texts.pending, kit.texts.trouble) == (0, "")
        kit.close()
    assert texts(own_guarded) == ["over a new connection"]


@pytest.mark.parametrize("times", [1, 2])
def test_a_connection_that_dies_as_it_is_taken_up(own_guarded: Guarded, times: int) -> None:
    """Nothing was asked over it yet, so reading goes on over another one; but not for ever."""
    with own_guarded.open("red1") as campaign:
        name = campaign.name
        taken = list[int]()

        def dies(_: object) -> None:
            taken.append(len(taken))
            if len(taken) <= times:
                cut(own_guarded, "red1")

        event.listen(campaign._database._engine, "engine_connect", dies)
        if times == 1:
            assert campaign.options() == {}
        else:
            with pytest.raises(WorldError) as told:
                campaign.options()
            assert told.value.code == "store.server-away"
        assert len(taken) == 2
        assert campaign.name == name
        assert campaign.options() == {}


@pytest.mark.long
def test_a_connection_that_is_cut_in_the_middle_of_a_transaction(
    own_guarded: Guarded, tmp_path: Path
) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path, deliver_at_once=False)
        kit.set_text("all of it or nothing", 0)
        kit.confirm()

        def write() -> None:
            with campaign.transaction():
                campaign.revisions.append(kit.texts._outbox.waiting())
                cut(own_guarded, "red1")
                campaign.options()

        with pytest.raises(WorldError) as told:
            write()
        assert told.value.code == "store.server-away"
        assert texts(own_guarded) == []
        kit.texts.deliver()
        kit.texts.deliver()
        assert kit.texts.pending == 0
        kit.close()
    assert texts(own_guarded) == ["all of it or nothing"]


@pytest.mark.long
def test_an_editor_whose_clock_is_a_day_behind(own_guarded: Guarded, tmp_path: Path) -> None:
    """Texts count in the order in which they came; the server's time stands beside the editor's."""
    behind = datetime.now(UTC) - timedelta(days=1)
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        kit.set_text("by the right clock", 0)
        kit.confirm()
        kit.close()
        kit = KitWorkspace(campaign, claim, folder=tmp_path, now=lambda: behind)
        kit.set_text("by the wrong clock", 0)
        kit.confirm()
        kit.close()
        again = KitWorkspace(campaign, claim, folder=tmp_path)
        assert again.own(0).text == "by the wrong clock"
        assert again.own(0).state is SegmentState.CONFIRMED
        again.close()
    with psycopg.connect(own_guarded.url) as owner:
        rows = owner.execute(
            "SELECT number, at < now() - interval '12 hours', now() - stored_at < interval '1 hour'"
            " FROM revisions ORDER BY number"
        ).fetchall()
    assert rows == [(1, False, True), (2, True, True)]


@pytest.mark.long
def test_one_who_keeps_the_lock_does_not_keep_others_for_ever(
    own_guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madcat_studio.store.engines.BUSY_SECONDS", 1)
    with (
        own_guarded.connect("blue1") as greedy,
        greedy.transaction(),
        own_guarded.open("red1") as campaign,
    ):
        greedy.execute("SELECT pg_advisory_xact_lock(hashtext(current_schema()))")
        with pytest.raises(WorldError) as told:
            campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        assert told.value.code == "store.busy"


_FORWARD = """
import socket, sys, threading

def pump(one, other):
    while data := one.recv(65536):
        other.sendall(data)

listening = socket.create_server((sys.argv[1], 5432))
print("ready", flush=True)
while True:
    near, _ = listening.accept()
    far = socket.socket(socket.AF_UNIX)
    far.connect(sys.argv[2])
    for pair in ((near, far), (far, near)):
        threading.Thread(target=pump, args=pair, daemon=True).start()
"""


class Cable:
    """A server behind a network of its own: the way to it is one cable, which can be pulled."""

    def __init__(self, door: Path) -> None:
        number = os.getpid() % 60_000
        self.space, self._near, self._far = f"ms{number}", f"msn{number}", f"msf{number}"
        net = f"198.18.{number >> 8}.{number & 0xFC}"
        mine, self.address = (f"{net.rpartition('.')[0]}.{(number & 0xFC) + n}" for n in (1, 2))
        self.run("netns", "add", self.space)
        self.run("link", "add", self._near, "type", "veth", "peer", self._far, "netns", self.space)
        self.run("addr", "add", f"{mine}/30", "dev", self._near)
        self.run("link", "set", self._near, "up")
        self.run("-n", self.space, "addr", "add", f"{self.address}/30", "dev", self._far)
        self.plug("up")
        command = ["ip", "netns", "exec", self.space, sys.executable, "-c", _FORWARD]
        self._forward = subprocess.Popen(
            [*command, self.address, str(door)], stdout=subprocess.PIPE
        )
        assert self._forward.stdout is not None
        assert self._forward.stdout.readline() == b"ready\n"

    @staticmethod
    def run(*words: str) -> None:
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no network can be made here: {done.stderr.strip()}")

    def plug(self, way: str) -> None:
        """``down``: nothing comes through any more, and nobody is told."""
        self.run("-n", self.space, "link", "set", self._far, way)

    def remove(self) -> None:
        self._forward.kill()
        self._forward.communicate()
        subprocess.run(["ip", "link", "del", self._near], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", self.space], capture_output=True, check=False)


@pytest.fixture
def cable(own_guarded: Guarded) -> Iterator[Cable]:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("only root can make networks")
    server = own_guarded.server
    made = Cable(server.folder / f".s.PGSQL.{server.port}")
    yield made
    made.remove()


@pytest.mark.long
@pytest.mark.rights
def test_a_cable_that_is_pulled_is_noticed(
    own_guarded: Guarded, cable: Cable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "demand_tls", lambda _: {})  # this server has no certificate
    where = own_guarded.url_of("red1").replace(
        f"127.0.0.1:{own_guarded.server.port}", f"{cable.address}:5432"
    )
    quick = "?tcp_user_timeout=1000&connect_timeout=2"
    with open_campaign(where + quick) as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        cable.plug("down")
        start = time.monotonic()
        kit.set_text("typed with the cable pulled", 0)
        kit.confirm()
        assert "store.server-away" in kit.texts.trouble
        assert kit.texts.pending == 1
        # Without a limit of our own the kernel would try for a quarter of an hour.
        assert time.monotonic() - start < 60
        cable.plug("up")
        # A window tries again every twenty seconds.
        assert any(kit.texts.flush() for _ in range(5)), kit.texts.trouble
        kit.close()
    assert texts(own_guarded) == ["typed with the cable pulled"]


def kept_alive(address: str) -> tuple[int, int]:
    """Seconds after which the kernel gives up what was sent, and a connection at rest."""
    engine, _ = server_engine(address)
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        with socket.socket(fileno=os.dup(driver.fileno())) as line:

            def told(option: int) -> int:
                return line.getsockopt(socket.IPPROTO_TCP, option)

            assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            resting = told(socket.TCP_KEEPIDLE) + told(socket.TCP_KEEPINTVL) * told(
                socket.TCP_KEEPCNT
            )
            sent = told(socket.TCP_USER_TIMEOUT) // 1000
    engine.dispose()
    return sent, resting


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="no such timers here")
def test_the_other_end_is_given_up_in_seconds_unless_the_address_says_more(
    guarded: Guarded,
) -> None:
    assert kept_alive(guarded.url) == (15, 25)
    more = guarded.url + "?tcp_user_timeout=60000&keepalives_idle=40"
    assert kept_alive(more) == (60, 55)
