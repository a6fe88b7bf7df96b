"""Campaigns on both databases: SQLite in a folder, PostgreSQL from a private server."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Editor,
    Kit,
    KitItem,
    System,
    Team,
)
from madcat_studio.model.outlines import SegmentLines, spell_lines
from madcat_studio.store import Campaign, create_campaign, open_campaign
from madcat_studio.store.server import Server as AdminServer
from tests.soak.postgresql import Programs, installed
from tests.soak.postgresql import programs as wanted


class Server:
    """A PostgreSQL server of our own in a temporary folder; nothing else is touched."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        self.data = folder / "data"
        if os.geteuid() == 0:
            folder.chmod(0o777)  # for the user of the server, which refuses to run as root
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._run("initdb", "-D", self._inside(self.data), "-A", "trust", "-U", "postgres", "-N")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = self.programs.command(program, *arguments)
        # A file, not a pipe: the server would keep a pipe open for ever.
        with (self.folder / "log").open("ab") as log:
            subprocess.run(
                command, check=True, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/"
            )

    def _inside(self, path: Path) -> str:
        """A path as the server sees it."""
        return str(Path("/") / path.relative_to(self.programs.root))

    def start(self) -> None:
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off "
            "-c full_page_writes=off -c autovacuum=off "
            f"-c unix_socket_directories={self._inside(self.folder)}"
        )
        self._run("pg_ctl", "-D", self._inside(self.data), "-w", "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._inside(self.data), "-w", "-m", "immediate", "stop")

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    def copy(self, template: str, name: str) -> None:
        """Make a database that is like another."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            # By its files: to write all pages of it into the server's log takes twice as long.
            how = " STRATEGY file_copy" if connection.info.server_version >= 150_000 else ""
            statement = f"CREATE DATABASE {name} TEMPLATE {template}{how}"
            connection.execute(statement)  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    version = os.environ.get("MADCAT_STUDIO_POSTGRESQL")
    programs = wanted(version) if version else installed()
    if programs is None:
        reason = "no PostgreSQL server is installed (Debian: apt-get install postgresql)"
        if os.environ.get("MADCAT_STUDIO_REQUIRE_POSTGRESQL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    # A short path: a Unix socket's name may have 107 bytes only. In memory where there is much
    # of it: a database for each test is made many times faster there.
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30
    parent = memory if roomy else None
    if programs.root != Path("/"):
        parent = programs.root / "tmp"
    folder = Path(tempfile.mkdtemp(prefix="mspg", dir=parent))
    running = Server(programs, folder)
    yield running
    running.stop()
    for _ in range(10):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
        time.sleep(0.1)


LINES = spell_lines(SegmentLines(1, (((0, 0), (9.5, 0), (9, 5)),)))
"""Where the first segment of each document stands on its scan."""


def fill(campaign: Campaign) -> None:
    """Four documents of two passages, two systems, three teams, two kits."""
    contents, plans = campaign.contents, campaign.plans
    with campaign.transaction():
        for passage in ("A", "B"):
            for scribe in ("1", "2"):
                base = f"{passage}.x_1_S{scribe}"
                contents.add_document(
                    CampaignDocument(
                        base=base,
                        source_document=f"doc{passage}",
                        passage=passage,
                        manuscript=f"{passage}{scribe}",
                        page="1",
                        scribe=f"S{scribe}",
                        exposure="exposed",
                        data_set=DataSet.EVALUATION,
                        track="",
                        genre="newswire" if passage == "A" else "web",
                        sha256="",
                    ),
                    f"<madcat>{base}</madcat>".encode(),
                    [
                        CampaignSegment(
                            "s1", "1", "جملة أولى", "the first sentence .", 2, 4, lines=LINES
                        ),
                        CampaignSegment("s2", "1", "جملة", "a second one", 1, 3),
                    ],
                )
        for name, code in (("Alpha", "T1"), ("Beta", "T2")):
            contents.add_system(System(name, code))
            for document in contents.documents():
                texts: dict[str, str | None] = {"s1": f"first sentence {name}"}
                if (name, document.base) != ("Beta", "A.x_1_S1"):
                    texts["s2"] = "second"
                contents.add_output(name, document.base, document.base.encode(), texts)
        for team in ("red", "blue", "green"):
            plans.add_team(Team(team, (Editor(f"{team}1", "Ann"), Editor(f"{team}2", "Bob"))))
        plans.plan_kit(Kit("K1", (KitItem("Alpha", "A.x_1_S1"), KitItem("Beta", "B.x_1_S1"))))
        plans.plan_kit(Kit("K2", (KitItem("Beta", "A.x_1_S1"), KitItem("Alpha", "B.x_1_S2"))))
        plans.assign(
            "K1",
            [Assignment("K1", "red", "red1", "red2"), Assignment("K1", "blue", "blue1", "blue2")],
        )
        plans.assign(
            "K2",
            [Assignment("K2", "blue", "blue2", "blue1"), Assignment("K2", "red", None, None)],
        )


Opener = Callable[[], Campaign]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A filled campaign to copy: making the tables anew for each test takes longer."""
    folder = tmp_path_factory.mktemp("prepared") / "campaign"
    with create_campaign(folder, "Test") as campaign:
        fill(campaign)
    return folder


@pytest.fixture(scope="session")
def prepared_database(server: Server) -> str:
    server.execute("CREATE DATABASE prepared")
    with create_campaign(server.url("prepared"), "Test") as campaign:
        fill(campaign)
    return "prepared"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def kind(request: pytest.FixtureRequest) -> str:
    """Each kind of database in turn."""
    return str(request.param)


@pytest.fixture
def where(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> Iterator[str]:
    """The place of a filled campaign, on each database in turn."""
    if kind == "sqlite":
        folder = tmp_path / "مشروع ١ – test"
        shutil.copytree(request.getfixturevalue("prepared"), folder)
        yield str(folder)
        return
    server: Server = request.getfixturevalue("server")
    template = request.getfixturevalue("prepared_database")
    name = "t" + uuid.uuid4().hex
    server.copy(template, name)
    yield server.url(name)
    server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def campaign(where: str) -> Iterator[Campaign]:
    with open_campaign(where) as opened:
        yield opened


# ------------------------------------------------------------------- a server with editors' logins


class Guarded:
    """A server's database with the filled campaign, owned by a coordinator, and editors' logins."""

    def __init__(self, server: Server, database: str) -> None:
        self.server, self.database = server, database
        self.logins: dict[str, str] = {}

    @property
    def url(self) -> str:
        """The superuser's address."""
        return self.server.url(self.database)

    def url_of(self, editor: str) -> str:
        """An editor's address; this server asks for no passwords."""
        return self.url.replace("postgres@", f"{self.logins[editor]}@")

    def open(self, editor: str) -> Campaign:
        """The campaign as an editor's program opens it."""
        return open_campaign(self.url_of(editor))

    def connect(self, editor: str) -> psycopg.Connection[tuple[object, ...]]:
        """As an editor with any other program connects."""
        return psycopg.connect(self.url_of(editor), autocommit=True)

    def copy(self) -> Guarded:
        """One that a test may change."""
        name = "g" + uuid.uuid4().hex
        self.server.copy(self.database, name)
        copied = Guarded(self.server, name)
        copied.logins = self.logins
        return copied

    def drop(self) -> None:
        self.server.execute(f"DROP DATABASE {self.database} WITH (FORCE)")
        self.server.execute(f"DROP ROLE IF EXISTS {self.database}_editor")


@pytest.fixture(scope="session")
def guarded(server: Server) -> Guarded:
    """Nothing may be changed in it; see :func:`own_guarded`."""
    made = Guarded(server, "guarded")
    with AdminServer(made.url) as admin:
        admin.prepare("boss", lambda: "secret")
    boss = made.url.replace("postgres@", "boss@")
    with create_campaign(boss, "Test") as campaign:
        fill(campaign)
        for team in ("red", "blue"):
            campaign.plans.add_team(Team(team, (Editor("both1"),)))
    with AdminServer(boss) as admin:
        for one in admin.logins():
            made.logins[one.editor] = admin.add_login(one.editor, f"of {one.editor}").login
    return made


@pytest.fixture
def own_guarded(guarded: Guarded) -> Iterator[Guarded]:
    copied = guarded.copy()
    yield copied
    copied.drop()
