"""Setting a server up by command: roles, logins, TLS, the check; and what is refused."""

from __future__ import annotations

import io
import json
import socket
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy.engine import make_url

from madcat_studio.cli.app import main
from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import Pass
from madcat_studio.operations import server as operations
from madcat_studio.store import open_campaign, passwords
from madcat_studio.store.inspection import ServerFacts
from madcat_studio.store.server import Server as AdminServer
from madcat_studio.store.tls import demand_tls, is_local

if TYPE_CHECKING:
    from tests.store.conftest import Guarded, Server

PASSWORD = "a password with ' and \\ and ü"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """One command: exit status, output, errors. ``typed`` is what its input says."""

    def command(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(["server", *arguments])
        told = capsys.readouterr()
        return status, told.out, told.err

    return command


@pytest.fixture(autouse=True)
def _no_password_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_known", {})


# -- TLS ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "environment"),
    [
        ("postgresql:///pilot", {}),
        ("postgresql://lin@localhost/pilot", {}),
        ("postgresql://lin@127.0.0.1:5433/pilot", {}),
        ("postgresql://lin@[::1]/pilot", {}),
        ("postgresql://lin@/pilot?host=/run/postgresql", {}),
        ("postgresql:///pilot", {"PGHOST": "/run/postgresql"}),
        ("postgresql://localhost/pilot?sslmode=disable", {}),
    ],
)
def test_a_server_on_this_machine_needs_no_encryption(
    address: str, environment: dict[str, str]
) -> None:
    assert demand_tls(make_url(address), environment) == {}


@pytest.mark.parametrize(
    ("address", "environment"),
    [
        ("postgresql://lin@db.example/pilot", {}),
        ("postgresql://lin@10.0.0.7/pilot", {}),
        ("postgresql://lin@localhost.example/pilot", {}),
        ("postgresql:///pilot", {"PGHOST": "db.example"}),
        ("postgresql://localhost/pilot", {"PGHOSTADDR": "10.0.0.7"}),
        ("postgresql://localhost/pilot?hostaddr=10.0.0.7", {}),
        ("postgresql:///pilot?host=localhost:5432&host=db.example:5432", {}),
        ("postgresql:///pilot?host=localhost,db.example", {}),
        ("postgresql:///pilot?service=campaign", {}),
        ("postgresql:///pilot", {"PGSERVICE": "campaign"}),
    ],
)
def test_any_other_server_is_asked_with_encryption_only(
    address: str, environment: dict[str, str]
) -> None:
    url = make_url(address)
    assert demand_tls(url, environment) == {"sslmode": "require"}
    for mode in ("disable", "allow", "prefer"):
        weaker = url.update_query_dict({"sslmode": mode})
        with pytest.raises(UsageError, match=r"store\.no-tls"):
            demand_tls(weaker, environment)
        with pytest.raises(UsageError, match=r"store\.no-tls"):
            demand_tls(url, {**environment, "PGSSLMODE": mode})
    # What is stronger stays.
    assert demand_tls(url.update_query_dict({"sslmode": "verify-full"}), environment) == {}
    assert demand_tls(url, {**environment, "PGSSLMODE": "verify-ca"}) == {}


def test_what_is_this_machine() -> None:
    assert all(map(is_local, ("", "localhost", "127.8.8.8", "::1", "/tmp", "@socket")))
    assert not any(map(is_local, ("db", "10.0.0.1", "0.0.0.0", "::", "127.0.0.1.example")))


def test_a_folder_is_no_server(run: Run, tmp_path: Path) -> None:
    for arguments in (("check", str(tmp_path)), ("init", str(tmp_path))):
        status, _, err = run(*arguments)
        assert (status, "[server.folder]" in err) == (2, True)


def test_an_address_for_others_names_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGPORT", raising=False)
    with AdminServer("postgresql://boss:secret@db.example/pilot?sslmode=verify-full") as admin:
        assert admin.address("e2") == "postgresql://e2@db.example/pilot?sslmode=verify-full"
    for over_a_socket in ("postgresql:///pilot", "postgresql://boss@/pilot?host=/run/postgresql"):
        with AdminServer(over_a_socket) as admin:
            assert admin.address("e2") == f"postgresql://e2@{socket.getfqdn()}/pilot"


# -- passwords ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "address"),
    [
        ("postgresql://boss@db.example/pilot", "postgresql://e2@db.example:5433/pilot"),
        ("postgresql://boss@db.example:5434/pilot", "postgresql://e2@db.example:5434/pilot"),
        ("postgresql://db.example/pilot?port=5434", "postgresql://e2@db.example/pilot?port=5434"),
        ("postgresql:///pilot", f"postgresql://e2@{socket.getfqdn()}:5433/pilot"),
    ],
)
def test_an_address_for_others_has_the_port_that_only_this_machine_knows(
    where: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "5433")
    with AdminServer(where) as admin:
        assert admin.address("e2") == address


def test_a_password_leaves_the_address() -> None:
    address = passwords.without_password("postgresql://lin:se%40cret@db.example:5433/pilot?a=b")
    assert address == "postgresql://lin@db.example:5433/pilot?a=b"
    assert passwords._known == {"lin@db.example:5433": "se@cret"}
    assert passwords.without_password(address) == address
    assert passwords.without_password("no address") == "no address"


# -- commands on a real server ------------------------------------------------------------------


@pytest.fixture
def fresh(server: Server) -> Iterator[str]:
    """The address of a database that is not there yet; its roles go with it."""
    yield server.url("fresh")
    server.execute("DROP DATABASE IF EXISTS fresh WITH (FORCE)")
    for role in ("fresh_boss", "fresh_editor"):
        server.execute(f"DROP ROLE IF EXISTS {role}")


@pytest.mark.postgresql
def test_a_bare_server_is_prepared_and_checked(fresh: str, run: Run) -> None:
    init = ("init", fresh, "--coordinator", "fresh_boss")
    status, out, err = run(*init, typed=PASSWORD + "\n")
    assert (status, err) == (0, "")
    assert "Made the database fresh" in out
    assert out.endswith(f"The coordinator's address: {fresh.replace('postgres@', 'fresh_boss@')}\n")
    assert PASSWORD not in out
    with psycopg.connect(fresh) as owner:
        kept = owner.execute(
            "SELECT rolpassword FROM pg_authid WHERE rolname = 'fresh_boss'"
        ).fetchone()
    assert kept is not None
    assert str(kept[0]).startswith("SCRAM-SHA-256$")
    # Again: nothing is asked and nothing is made.
    status, out, _ = run(*init)
    assert status == 0
    assert "Made" not in out
    status, out, err = run("check", fresh)
    assert status == 2
    assert "[server.no-campaign]" in err
    status, _, err = run("user", "list", fresh)
    assert status == 2
    assert "[store.not-a-campaign]" in err


@pytest.mark.postgresql
def test_an_empty_password_is_refused_and_nothing_is_made(fresh: str, run: Run) -> None:
    status, _, err = run("init", fresh, "--coordinator", "fresh_boss", typed="\n")
    assert status == 2
    assert "[server.empty-password]" in err
    with psycopg.connect(fresh.replace("/fresh", "/postgres")) as owner:
        assert not owner.execute("SELECT 1 FROM pg_roles WHERE rolname = 'fresh_boss'").fetchall()


@pytest.mark.long
@pytest.mark.postgresql
def test_a_campaign_of_another_owner_is_taken_over(own_guarded: Guarded, run: Run) -> None:
    """Such as one that was made before the server was prepared."""
    with psycopg.connect(own_guarded.url, autocommit=True) as owner:
        owner.execute("ALTER TABLE claims OWNER TO postgres")
        owner.execute("GRANT ALL ON claims TO PUBLIC")
        owner.execute("CREATE ROLE snoop")
        owner.execute("GRANT SELECT ON revisions TO snoop")
        owner.execute("GRANT SELECT (text) ON revisions TO snoop")
        owner.execute("DROP FUNCTION studio_holds CASCADE")
    status, _, err = run("check", own_guarded.url)
    assert status == 2
    for code in ("owners", "public", "stranger", "other-rights"):
        assert f"[server.{code}]" in err
    status, _, err = run("init", own_guarded.url, "--coordinator", "boss")
    assert (status, err) == (0, "")
    status, out, err = run("check", own_guarded.url)
    assert "error" not in err.replace("error: pg_hba", "")
    assert "Every table is closed to editors" in out
    own_guarded.server.execute("DROP ROLE snoop")


@pytest.mark.postgresql
def test_logins_come_change_and_go(guarded: Guarded, run: Run, tmp_path: Path) -> None:
    """With real passwords, on a server that asks for them."""
    boss = guarded.url.replace("postgres@", "boss@")
    status, out, _ = run("user", "list", boss)
    assert status == 0
    assert all(f"{name} " in out and guarded.logins[name] in out for name in guarded.logins)
    status, _, err = run("user", "add", boss, "red1", typed="x\n")
    assert status == 2
    assert "[server.has-login]" in err
    for arguments, code in (
        (("add", boss, "nobody"), "store.unknown-editor"),
        (("add", boss), "server.nobody"),
        (("add", boss, "red1", "--out", str(tmp_path / "x")), "server.out"),
        (("password", boss, "nobody"), "store.unknown-editor"),
        (("add", "somewhere", "red1"), "server.folder"),
        (("add", "postgresql://boss@127.0.0.1/", "red1"), "server.no-name"),
        # An editor's login makes no others.
        (("password", guarded.url_of("red1"), "red2"), "store.not-allowed"),
    ):
        status, _, err = run("user", *arguments, typed="x\n")
        assert (status, f"[{code}]" in err) == (2, True), err


@pytest.fixture
def asking(guarded: Guarded) -> Iterator[Guarded]:
    """The same server, asking editors and the coordinator for their passwords."""
    rules = guarded.server.data / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text(
        "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
    )
    guarded.server.execute("SELECT pg_reload_conf()")
    copied = guarded.copy()
    yield copied
    rules.write_text(before)
    guarded.server.execute("SELECT pg_reload_conf()")
    copied.drop()


def comes_in(address: str, password: str) -> str:
    """ "" where the server lets somebody in, otherwise the code of what the program says."""
    passwords._known.clear()
    if password:
        passwords.keep_password(address, password)
    try:
        open_campaign(address).close()
    except Exception as error:
        return str(getattr(error, "code", error))
    return ""


@pytest.mark.long
@pytest.mark.postgresql
def test_a_password_is_set_changed_and_withdrawn(
    asking: Guarded, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The copy has a name of its own, and with it a group of its own.
    status, _, err = run("init", asking.url, "--coordinator", "boss")
    assert (status, err) == (0, "")
    red1 = asking.url_of("red1")
    assert comes_in(red1, "") == "store.password-wanted"
    assert comes_in(red1, "wrong") == "store.login-refused"
    assert comes_in(red1, "of red1") == "store.not-allowed", "not of the new group yet"
    status, out, _ = run("user", "add", asking.url, "red1", typed=PASSWORD + "\n")
    assert (status, PASSWORD in out) == (0, False)
    assert comes_in(red1, PASSWORD) == ""
    status, _, _ = run("user", "password", asking.url, "red1", typed="another\n")
    assert status == 0
    assert comes_in(red1, PASSWORD) == "store.login-refused"
    assert comes_in(red1, "another") == ""
    with psycopg.connect(red1, password="another", autocommit=True) as inside:
        inside.execute("SELECT id FROM studio_read_kits()")
        assert run("user", "withdraw", asking.url, "red1")[0] == 0
        # Who is inside is put out, or reads nothing more where a coordinator may not do that.
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.OperationalError)):
            inside.execute("SELECT id FROM studio_read_kits()")
    assert comes_in(red1, "another") == "store.login-refused"
    assert "withdrawn" in run("user", "list", asking.url)[1]
    # Everybody else at once, with passwords made by the program, in a file of one's own.
    out_file = tmp_path / "logins.tsv"
    status, out, _ = run(
        "user", "add", asking.url, "red1", "--all", "--generate", "--out", str(out_file)
    )
    assert status == 0
    assert stat.S_IMODE(out_file.stat().st_mode) == 0o600
    [head, *rows] = [line.split("\t") for line in out_file.read_text().splitlines()]
    assert head == ["editor", "address", "password"]
    assert [row[0] for row in rows] == ["red1"], "the others have logins of the first database"
    assert all(row[2] not in out for row in rows)
    assert comes_in(rows[0][1], rows[0][2]) == ""
    status, _, err = run("user", "add", asking.url, "--all", "--generate", "--out", str(out_file))
    assert status == 2
    assert "[server.file-there]" in err
    _, out, _ = run("user", "add", asking.url, "--all", "--generate")
    assert "withdrawn" in out, "those who were sent away are not let in again unasked"
    # The logins are the server's, and the other tests want theirs as it was.
    asking.server.execute(f"GRANT guarded_editor TO {asking.logins['red1']}")


# -- judging ------------------------------------------------------------------------------------

GOOD = ServerFacts(
    version="15.4",
    number=150004,
    seconds_ahead=0.0,
    encrypted=True,
    local=False,
    verified=True,
    tls=True,
    scram=True,
    open_doors=(),
    group=True,
    tables="v0001",
    current=True,
    owner="boss",
    owners=("boss",),
    unprotected=(),
    without_policy=(),
    plain_views=(),
    public=(),
    strangers=(),
    rights_current=True,
    editors=2,
    logins=2,
    powerful=(),
    totals_hidden=True,
)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, ""),
        ({"number": 130000}, "error server.old-version"),
        ({"tables": None, "current": False}, "error server.no-campaign"),
        ({"tables": "0001", "current": False}, "error server.other-tables"),
        ({"tls": False}, "warning server.tls-off"),
        ({"verified": False}, "warning server.unverified"),
        ({"scram": False}, "warning server.weak-passwords"),
        ({"open_doors": ("line 3: host all lets in by trust",)}, "error server.open-door"),
        ({"unprotected": ("claims",)}, "error server.unprotected"),
        ({"without_policy": ("claims",)}, "error server.no-policy"),
        ({"plain_views": ("sums",)}, "error server.plain-view"),
        ({"public": ("table claims",)}, "error server.public"),
        ({"strangers": ("snoop",)}, "error server.stranger"),
        ({"owners": ("a", "b")}, "error server.owners"),
        ({"rights_current": False}, "error server.other-rights"),
        ({"group": False}, "error server.no-group"),
        ({"totals_hidden": False}, "warning server.statistics"),
        ({"powerful": ("e2",)}, "error server.powerful"),
        ({"seconds_ahead": -86400.0}, "warning server.clock"),
    ],
)
def test_what_the_check_makes_of_what_it_finds(
    change: dict[str, object], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = replace(GOOD, **change)  # type: ignore[arg-type]
    monkeypatch.setattr(operations, "inspect_server", lambda _: facts)
    outcome = operations.check("postgresql://db.example/pilot")
    assert [f"{one.severity} {one.code}" for one in outcome.problems] == [found] * bool(found)
    assert all(one.remedy for one in outcome.problems)


@pytest.mark.long
@pytest.mark.postgresql
def test_an_editor_s_status_tells_what_it_does_not_know(
    own_guarded: Guarded, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a login may not see is not told as if there were none of it."""
    with own_guarded.open("blue1") as campaign:
        campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "here")

    def told(editor: str, *form: str) -> str:
        assert main(["campaign", "status", own_guarded.url_of(editor), *form]) == 0
        return capsys.readouterr().out

    said = told("red1")
    assert "For red1 of team red: 2 kits\n" in said
    assert "Nothing of your teams' passes is claimed yet." in said
    assert "document" not in said
    unknown = ("frozen", "documents", "systems", "unassigned", "absent", "alarms")
    found = json.loads(told("red1", "--format", "json"))
    assert [found[name] for name in unknown] == [None] * len(unknown)
    assert {one["team"] for one in found["passes"]} == {"red"}
    assert json.loads(told("blue1", "--format", "json"))["frozen"] is True
    assert main(["campaign", "status", own_guarded.url, "--format", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert (whole["frozen"], whole["documents"], whole["alarms"]) == (True, 4, [])
