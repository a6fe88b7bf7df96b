"""What docs/server.md says to type, typed in its order on a server that knows nothing yet."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.store import passwords
from tests.documented import ROOT, commands_of
from tests.store.conftest import Server

pytestmark = [pytest.mark.postgresql, pytest.mark.soak]

PAGE = ROOT / "docs" / "server.md"
EDITOR = "red1"
"""Who stands for the page's lin.mei in the campaign of these tests."""


class Reader:
    """Who types what the page says; the names that it gives are those of this server."""

    def __init__(self, server: Server, say: Callable[[list[str]], str]) -> None:
        self.server, self.say = server, say
        superuser = server.url("page_pilot")
        self.names = {
            "postgresql:///pilot": superuser,
            "postgresql://boss@db.example/pilot": superuser.replace("postgres@", "page_boss@"),
            "boss": "page_boss",
            "lin.mei": EDITOR,
        }
        self.addresses: dict[str, str] = {}

    def type(self, words: list[str]) -> str:
        """Type a command; what it said."""
        words = [self.names.get(word, word) for word in words]
        for place, word in enumerate(words):
            if word.endswith(".madcat-backup"):
                [words[place]] = map(str, Path("backups").iterdir())
            if word.startswith("postgresql://e2thgr73ys@"):
                words[place] = self.addresses[EDITOR]
        said = self.say(words)
        self.addresses |= dict(re.findall(r"^(\S+): (postgresql://\S+)$", said, re.M))
        if "--out" in words:
            with Path(words[words.index("--out") + 1]).open(encoding="utf-8") as file:
                rows = csv.DictReader(file, delimiter="\t")
                self.addresses |= {row["editor"]: row["address"] for row in rows}
        return said

    def forget(self) -> None:
        """Leave nothing of the campaign on the server: then it is as another one."""
        self.server.execute("DROP DATABASE IF EXISTS page_pilot WITH (FORCE)")
        roles = [address.split("//")[1].split("@")[0] for address in self.addresses.values()]
        for role in (*roles, "page_boss", "page_pilot_editor"):
            self.server.execute(f"DROP ROLE IF EXISTS {role}")


@pytest.fixture
def reader(
    server: Server,
    prepared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Reader]:
    monkeypatch.setattr(passwords, "_known", {})
    monkeypatch.chdir(tmp_path)
    shutil.copytree(prepared, "pilot")
    shutil.copytree(ROOT / "resources" / "demo" / "earlier" / "reference", "reference")

    def say(words: list[str]) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("a password\n"))
        status = main(words)
        said = capsys.readouterr()
        assert status == 0, (words, said)
        return said.out

    one = Reader(server, say)
    yield one
    one.forget()


def for_later() -> list[list[str]]:
    """The commands in the table of what comes later, those that are there in full.

    Not the one for several editors ("EDITOR …"): it is for another database.
    """
    full = r"^\|.*?\| `(server [^`]*ADDRESS[^`…]*)`"
    rows = re.findall(full, PAGE.read_text("utf-8"), re.M)
    return [
        row.replace("ADDRESS", "postgresql://boss@db.example/pilot")
        .replace("EDITOR", "lin.mei")
        .split()
        for row in rows
    ]


def test_all_that_the_page_says_to_type(reader: Reader) -> None:
    shown = [[*one.words[1:]] for one in commands_of(PAGE) if one.is_ours]
    init = shown[0]
    ran: list[str] = []
    for words in shown:
        if words[0] == "open":
            continue  # a window has tests of its own
        if words[:2] == ["campaign", "copy"]:
            reader.forget()  # the page says: or
            reader.type(init)
        if words[:2] == ["server", "init"]:
            reader.forget()
        before = dict(reader.addresses)
        said = reader.type(words)
        ran.append(" ".join(words[:2]))
        if "--all" in words:
            assert set(reader.addresses) >= {EDITOR, "red2", "blue1"}
        assert before.items() <= reader.addresses.items(), "on another server names stay"
    assert f"For {EDITOR} of team red" in said
    assert ran == [
        *("server init", "campaign create", "campaign copy", "server user", "server user"),
        *("server check", "server backup", "server init", "server restore", "server user"),
        *("server check", "campaign status"),
    ]
    later = for_later()
    assert [words[2] for words in later] == ["list", "password", "withdraw", "add"]
    for words in later:
        said = reader.type(words)
    assert f"1 editor may connect\n{EDITOR}: " in said
