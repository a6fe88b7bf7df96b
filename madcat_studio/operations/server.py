"""Setting a campaign's database server up: roles, logins of editors, and whether all is well."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from madcat_studio.errors import ConflictError, UsageError, WorldError
from madcat_studio.operations.checked import Checking, Outcome, counted
from madcat_studio.progress import SILENT
from madcat_studio.store.inspection import ServerFacts, inspect_server
from madcat_studio.store.server import LoginState, Server

__all__ = [
    "AskPassword",
    "add_users",
    "change_password",
    "check",
    "list_users",
    "prepare",
    "withdraw",
]

AskPassword = Callable[[str], str]
"""Asked for the password of somebody."""

OLDEST = 140000
"""The oldest PostgreSQL that all of it works on: 14. Views obey row-level security since 15."""

_CLOCK_SECONDS = 60
"""By how much the server's clock may differ from this machine's without a word."""

_PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_PASSWORD_GROUPS, _PASSWORD_GROUP = 5, 4


def prepare(where: str, coordinator: str, ask: AskPassword) -> Outcome:
    """Make roles and database, and set the rights of a campaign that is there.

    Args:
        where: the address of the database, which need not be there, with a login that may make
            roles and databases.
        coordinator: the role that is to own it.
        ask: for the password of that role, where it has to be made.

    Raises:
        StudioError: the login may not do that, or the server is away.
    """
    with Server(where) as server:
        done = server.prepare(coordinator, lambda: ask(f"the coordinator's role {coordinator}"))
        address = server.address(coordinator)
    nothing = () if done else ("Everything was already there",)
    return Outcome((*done, *nothing, f"The coordinator's address: {address}"))


def add_users(
    where: str,
    editors: Sequence[str],
    ask: AskPassword,
    *,
    everybody: bool = False,
    generate: bool = False,
    out: Path | None = None,
) -> Outcome:
    """Make logins for editors, or let withdrawn ones in again.

    Args:
        where: the campaign's database, with the coordinator's login.
        editors: their ids in the campaign.
        ask: for each password, unless they are made.
        everybody: all editors of the campaign that have no login yet.
        generate: make the passwords; they are told in the outcome, or written into ``out``.
        out: a new file for editors, addresses and passwords, that only its owner may read.

    Raises:
        StudioError: an editor is unknown or has a login; this login may not do that.
    """
    if out is not None and not generate:
        raise UsageError(
            "server.out",
            "Only passwords that the program makes can be written to a file",
            remedy="Add --generate",
        )
    with Server(where) as server:
        states = {one.editor: one.state for one in server.logins()}
        wanted = list(dict.fromkeys(editors))
        if everybody:
            absent = ("none", "missing")
            wanted += [name for name in states if states[name] in absent and name not in wanted]
        elif not wanted:
            raise UsageError(
                "server.nobody", "No editor is named", remedy="Name editors, or add --all"
            )
        if generate:
            # The server numbers roles as they are made, and every login can read the numbers: the
            # order of names or teams would tell whose they are.
            secrets.SystemRandom().shuffle(wanted)
        rows = []
        with _new_file(out) as write:
            for editor in wanted:
                password = _made() if generate else ask(editor)
                login = server.add_login(editor, password).login
                rows.append((editor, server.address(login), password if generate else ""))
                write("\t".join(rows[-1]))
    gone = [name for name, state in states.items() if state == "withdrawn" and name not in wanted]
    left = (
        f"{counted(len(gone), 'login')} withdrawn, or of another database of this server; name "
        f"whom to let in again: {' '.join(gone)}",
    ) * bool(gone and everybody)
    if not rows:
        return Outcome(left or ("Every editor has a login",))
    done = [f"{counted(len(rows), 'editor')} may connect", *left]
    if out is not None:
        done.append(f"Addresses and passwords are in {out}; hand them out and remove the file")
    else:
        done += [f"{name}: {address}" + f"  password {word}" * bool(word)
                 for name, address, word in rows]  # fmt: skip
    return Outcome(tuple(done))


@contextmanager
def _new_file(path: Path | None) -> Iterator[Callable[[str], None]]:
    """Writes lines into a file that only its owner may read; without a file, nowhere."""
    if path is None:
        yield lambda _: None
        return
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise ConflictError(
            "server.file-there",
            "This file already exists",
            where=path,
            remedy="Name a new file, so that nobody's password is lost",
        ) from None
    except OSError as error:
        raise WorldError(
            "server.cannot-write",
            f"The file cannot be written ({error.strerror})",
            where=path,
            remedy="Name a folder where you can write",
        ) from error
    with os.fdopen(number, "w", encoding="utf-8", buffering=1) as stream:
        # Line by line: a login whose password is in no file could not be used.
        stream.write("editor\taddress\tpassword\n")
        yield lambda line: print(line, file=stream)


def _made() -> str:
    groups = (
        "".join(secrets.choice(_PASSWORD_LETTERS) for _ in range(_PASSWORD_GROUP))
        for _ in range(_PASSWORD_GROUPS)
    )
    return "-".join(groups)


def change_password(
    where: str, editor: str, ask: AskPassword, *, generate: bool = False
) -> Outcome:
    """Give an editor's login another password.

    Raises:
        StudioError: the editor is unknown or has no login; this login may not do that.
    """
    with Server(where) as server:
        password = _made() if generate else ask(editor)
        login = server.set_password(editor, password).login
        told = f"  password {password}" if generate else ""
        return Outcome((f"{editor} has a new password: {server.address(login)}{told}",))


def withdraw(where: str, editor: str) -> Outcome:
    """Let an editor in no more. What was written stays, and so do the editor's claims.

    Raises:
        StudioError: the editor is unknown or has no login; this login may not do that.
    """
    with Server(where) as server:
        login = server.withdraw(editor).login
    return Outcome((f"{editor} ({login}) can no longer connect; release what is claimed",))


def list_users(where: str) -> tuple[LoginState, ...]:
    """All editors of a campaign and how they come in.

    Raises:
        StudioError: the server cannot be asked.
    """
    with Server(where) as server:
        return server.logins()


# -- checking ---------------------------------------------------------------------------------


def check(where: str) -> Outcome:
    """Look whether editors can be let in: versions, encryption, rights, clock.

    Returns:
        What is well as sentences; what is not as problems, errors where editors could read what
        they must not, or could not work.

    Raises:
        StudioError: the server cannot be asked.
    """
    facts = inspect_server(where)
    checking = Checking(SILENT)
    done = [f"PostgreSQL {facts.version}"]
    for judge in (_versions, _ways_in, _rights, _logins, _clock):
        done += judge(facts, checking)
    return Outcome(tuple(done), tuple(checking.problems))


def _versions(facts: ServerFacts, checking: Checking) -> list[str]:
    if facts.number < OLDEST:
        checking.error(
            "server.old-version",
            "PostgreSQL",
            f"Version {facts.version} is too old",
            f"Use {OLDEST // 10000} or newer",
        )
    if facts.tables is None:
        checking.error(
            "server.no-campaign",
            "tables",
            "The database holds no campaign yet",
            "Make one with `campaign create`, or copy one here with `campaign copy`",
        )
        return []
    if not facts.current:
        checking.error(
            "server.other-tables",
            "tables",
            f"The campaign's tables have version {facts.tables}, which is not this program's",
            "Run `campaign migrate` after a backup, or update the program",
        )
        return []
    return [f"Tables of version {facts.tables}"]


def _ways_in(facts: ServerFacts, checking: Checking) -> list[str]:
    done = []
    if facts.encrypted:
        done.append("This connection is encrypted")
    elif facts.local:
        done.append("The server is on this machine; the connection needs no encryption")
    if not facts.tls:
        checking.warn(
            "server.tls-off",
            "encryption",
            "The server offers no TLS, so only programs on its own machine can use it",
            remedy="Set ssl = on in postgresql.conf, with a certificate",
        )
    if facts.encrypted and not facts.local and not facts.verified:
        checking.warn(
            "server.unverified",
            "encryption",
            "The server's certificate is not checked, so another machine could pretend to be it",
            remedy="Add sslmode=verify-full&sslrootcert=FILE to the address",
        )
    if not facts.scram:
        checking.warn(
            "server.weak-passwords",
            "passwords",
            "The server keeps passwords that are set by other programs as MD5",
            remedy="Set password_encryption = scram-sha-256",
        )
    if facts.open_doors is None:
        done.append("Only a superuser can read who is let in from where (pg_hba.conf)")
    else:
        for door in facts.open_doors:
            checking.error(
                "server.open-door",
                "pg_hba.conf",
                door,
                "Write hostssl and scram-sha-256 for all but this machine",
            )
        if not facts.open_doors:
            done.append("pg_hba.conf demands encryption and a password of all other machines")
    return done


def _rights(facts: ServerFacts, checking: Checking) -> list[str]:
    if not facts.current:
        return []
    again = "Run `madcat-studio server init` again"
    before = len(checking.problems)
    for table in facts.unprotected:
        checking.error("server.unprotected", table, "The table has no row-level security", again)
    for table in facts.without_policy:
        checking.error("server.no-policy", table, "The table has no policy", again)
    for view in facts.plain_views:
        checking.error(
            "server.plain-view",
            view,
            "The view shows what its owner may see, not what the editor may",
            "Make it with security_invoker = true, or remove it",
        )
    for thing in facts.public:
        checking.error("server.public", thing, "Everybody on the server has a right to it", again)
    for role in facts.strangers:
        checking.error(
            "server.stranger", role, "The role has rights on the campaign's tables", again
        )
    if len(facts.owners) > 1:
        checking.error(
            "server.owners", ", ".join(facts.owners), "The tables belong to several roles", again
        )
    if not facts.rights_current:
        checking.error(
            "server.other-rights", "policies", "The policies are not this program's", again
        )
    if not facts.group:
        checking.error("server.no-group", "roles", "The editors' group is missing", again)
    if not facts.totals_hidden:
        checking.warn(
            "server.statistics",
            "statistics",
            "Every login can read how many rows all teams together wrote",
            remedy="Run `madcat-studio server init` as a superuser",
        )
    if len(checking.problems) > before:
        return []
    return ["Every table is closed to editors but for what their own kits, teams and passes need"]


def _logins(facts: ServerFacts, checking: Checking) -> list[str]:
    for login in facts.powerful:
        checking.error(
            "server.powerful",
            login,
            "The login of an editor may make roles or databases, or pass by the policies",
            "Take these rights from it: ALTER ROLE … NOSUPERUSER NOBYPASSRLS NOCREATEROLE",
        )
    if not facts.current:
        return []
    return [f"{facts.logins} of {counted(facts.editors, 'editor')} may come in"]


def _clock(facts: ServerFacts, checking: Checking) -> list[str]:
    ahead = facts.seconds_ahead
    if abs(ahead) <= _CLOCK_SECONDS:
        return ["The server's clock agrees with this machine's"]
    minutes = abs(ahead) / 60
    checking.warn(
        "server.clock",
        "clock",
        f"The server's clock is {minutes:.0f} minutes {'ahead of' if ahead > 0 else 'behind'} "
        "this machine's",
        remedy="Set both by a time service; claims expire by the server's",
    )
    return []
