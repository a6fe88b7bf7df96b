"""Effort and the log of visits as commands give them out, read back by other parsers than ours."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from madcat_studio.cli.app import main
from madcat_studio.model.campaign import Pass, SegmentName, new_id
from madcat_studio.model.visits import Event, EventKind, Visit, note_event
from madcat_studio.store import create_campaign, open_campaign
from tests.store.conftest import fill

ENTERED = datetime(2024, 3, 4, 9, 0, 0, 250_000, tzinfo=UTC)
S1, S2 = SegmentName("A.x_1_S1", "s1"), SegmentName("A.x_1_S1", "s2")

FIRST = (
    Event(0, EventKind.FROM, ('=the "cat", sat\n',)),
    Event(1000, EventKind.KEY, ("character",)),
    Event(1001, EventKind.TEXT, (0, "", "-é", "typed")),
    Event(2000, EventKind.KEY, ("delete",)),
    Event(2001, EventKind.TEXT, (1, "é", "", "deleted")),
    Event(3000, EventKind.KEY, ("navigation",)),
    Event(4000, EventKind.TEXT, (0, "-=the", "@'Aنص", "pasted")),
    Event(4500, EventKind.MOUSE),
    Event(5000, EventKind.COMMAND, ("undo",)),
    Event(5000, EventKind.TEXT, (0, "@'Aنص", "-=the", "undone")),
    note_event(6000, "coach.shown", {"saves": 2, "text": "a\tb"}),
)
SECOND = (
    Event(0, EventKind.FROM, ('-=the "cat", sat\n',)),
    Event(500, EventKind.TEXT, (1, "=", "", "typed")),
)
VISITS = [
    {"segment": S1, "at": ENTERED, "ms": 75_000, "events": FIRST},
    # The clock was set back meanwhile.
    {"segment": S1, "at": ENTERED + timedelta(seconds=20), "ms": 900, "events": SECOND},
    {"segment": S2, "at": ENTERED + timedelta(hours=1), "ms": 9000, "events": ()},
]


@pytest.fixture
def where(tmp_path: Path) -> str:
    with create_campaign(tmp_path / "campaign", "Test") as campaign:
        fill(campaign)
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        campaign.visits.append([visit(**one) for one in VISITS])
    return str(tmp_path / "campaign")


def visit(**more: Any) -> Visit:
    return Visit(
        id=new_id(),
        kit="K1",
        team="red",
        pass_=Pass.FIRST,
        editor="red1",
        machine="desk",
        **more,
    )


@pytest.mark.parametrize(("idle", "seconds"), [("60", 84.9 - 70), ("70", 84.9), ("8", 84.9 - 70)])
def test_effort_names_its_threshold(
    where: str, capsys: pytest.CaptureFixture[str], idle: str, seconds: float
) -> None:
    assert main(["campaign", "effort", where, "--idle", idle, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    [row] = found["rows"]
    assert f"every rest longer than {idle} seconds" in found["note"]
    assert row["minutes"] * 60 == pytest.approx(seconds)
    assert row["raw_minutes"] * 60 == pytest.approx(84.9)
    counts = {
        "segments": 2,
        "visits": 3,
        "characters": 1,
        "deletes": 1,
        "navigations": 1,
        "other_keys": 0,
        "mouse": 1,
        "commands": 1,
        "pastes": 1,
        "pasted_characters": 5,
    }
    assert {name: row[name] for name in counts} == counts


@pytest.mark.long
def test_effort_as_a_table_as_csv_and_by_segment(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["campaign", "effort", where]) == 0
    shown = capsys.readouterr().out
    assert "red1" in shown
    assert "every rest longer than 60 seconds" in shown
    assert main(["campaign", "effort", where, "--segments", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["segment"], row["visits"], row["raw_seconds"]) for row in rows] == [
        ("s1", "2", "75.9"),
        ("s2", "1", "9.0"),
    ]
    create_campaign(tmp_path / "empty", "Empty").close()
    assert main(["campaign", "effort", str(tmp_path / "empty")]) == 0
    assert capsys.readouterr().out == "No visit is recorded yet.\n"


def test_the_report_takes_the_threshold(where: str, tmp_path: Path) -> None:
    arguments = ["campaign", "report", where, "--out", str(tmp_path), "--formats", "csv"]
    assert main([*arguments, "--idle", "8"]) == 0
    [row] = csv.DictReader((tmp_path / "effort.csv").read_text("utf-8-sig").splitlines())
    assert float(row["minutes"]) * 60 == pytest.approx(84.9 - 70)


# -- read back ----------------------------------------------------------------------------------


def unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") else text


def of_csv(path: Path) -> list[dict[str, str]]:
    """As docs/effort.md tells to read it."""
    data = path.read_bytes().decode("utf-8-sig")
    rows = csv.DictReader(io.StringIO(data, newline=""))
    return [{name: unguarded(cell) for name, cell in row.items() if cell != ""} for row in rows]


def of_lines(path: Path) -> list[dict[str, str]]:
    lines = path.read_bytes().decode("utf-8").split("\n")
    assert lines.pop() == ""
    return [{name: str(cell) for name, cell in json.loads(one).items()} for one in lines]


@pytest.mark.parametrize(("format_", "read"), [("csv", of_csv), ("jsonl", of_lines)])
def test_every_event_is_read_back(where: str, tmp_path: Path, format_: str, read: Any) -> None:
    path = tmp_path / "log"
    assert main(["campaign", "export-visits", where, str(path), "--format", format_]) == 0
    rows = read(path)
    says = {
        "from": ("text",),
        "key": ("name",),
        "mouse": (),
        "command": ("name",),
        "text": ("place", "removed", "added", "source"),
        "note": ("name", "detail"),
    }
    for one, look in zip(VISITS, (1, 2, 1), strict=True):
        at, ms = one["at"], one["ms"]
        assert isinstance(at, datetime)
        assert isinstance(ms, int)
        first = rows.pop(0)
        whose = {
            "kit": "K1",
            "team": "red",
            "pass": "first",
            "editor": "red1",
            "machine": "desk",
            "document": "A.x_1_S1",
            "segment": one["segment"].segment,  # type: ignore[attr-defined]
            "visit": first["visit"],
            "look": str(look),
            "entered": at.isoformat(timespec="milliseconds"),
        }
        assert first == whose | {"time": whose["entered"], "ms": "0", "event": "entered"}
        for event in one["events"]:  # type: ignore[attr-defined]
            row = rows.pop(0)
            told = dict(zip(says[row["event"]], map(str, event.says), strict=True))
            assert row == whose | {
                "time": (at + timedelta(milliseconds=event.ms)).isoformat(timespec="milliseconds"),
                "ms": str(event.ms),
                "event": event.kind.value,
                **{name: cell for name, cell in told.items() if cell or format_ == "jsonl"},
            }
        last = rows.pop(0)
        assert (last["event"], last["ms"]) == ("left", str(ms))
        assert datetime.fromisoformat(last["time"]) == at + timedelta(milliseconds=ms)
    assert rows == []


def test_translog_is_read_back_and_gives_the_final_text(where: str, tmp_path: Path) -> None:
    out = tmp_path / "xml"
    assert main(["campaign", "export-visits", where, str(out), "--format", "translog"]) == 0
    files = sorted(out.iterdir())
    assert [file.name for file in files] == [
        "00001.K1.red.first.red1.A.x_1_S1_s1.xml",
        "00002.K1.red.first.red1.A.x_1_S1_s2.xml",
    ]
    root = ElementTree.parse(files[0]).getroot()
    assert root.findtext("SourceTextUTF8") == "the first sentence ."
    assert root.findtext("Subject") == "red1"
    text = root.findtext("TargetTextUTF8")
    assert text == '=the "cat", sat\n'
    events = list(root.find("Events") or ())
    for key in (one for one in events if one.tag == "Key" and one.get("Type") != "navi"):
        place, removed = int(key.attrib["Cursor"]), key.get("Text", "")
        added = {"insert": key.get("Value"), "edit": key.get("Paste"), "delete": ""}
        assert text[place : place + len(removed)] == removed
        text = text[:place] + (added[key.attrib["Type"]] or "") + text[place + len(removed) :]
    assert text == root.findtext("FinalTextUTF8") == '-the "cat", sat\n'
    times = [int(one.attrib["Time"]) for one in events]
    assert times == sorted(times)
    assert [(one.tag, one.get("Type") or one.get("Value")) for one in events] == [
        ("System", "START"),
        ("Key", "insert"),
        ("Key", "delete"),
        ("Key", "navi"),
        ("Key", "edit"),
        ("Mouse", "down"),
        ("Interface", "undo"),
        ("Key", "edit"),
        ("System", "NOTE"),
        ("System", "STOP"),
        ("System", "START"),
        ("Key", "delete"),
        ("System", "STOP"),
    ]
    # The second visit began before the first had ended, by a clock that was set back.
    assert [int(one.attrib["Time"]) for one in events if one.tag == "System"] == [
        *(0, 6000, 75_000),
        *(75_000, 75_900),
    ]


def test_evidence_holds_the_log_and_counts_it(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evidence"
    assert main(["campaign", "evidence", where, "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert "19 events of the log of visits" in told.err
    assert str(out / "visits.jsonl") in told.out.splitlines()
    assert len(of_lines(out / "visits.jsonl")) == 19


@pytest.mark.parametrize("format_", ["csv", "jsonl", "translog"])
def test_what_cannot_be_written_is_one_message(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str
) -> None:
    target = tmp_path / "file" / "log"
    (tmp_path / "file").touch()
    assert main(["campaign", "export-visits", where, str(target), "--format", format_]) == 2
    assert "report." in capsys.readouterr().err


def test_practice_is_given_out_only_when_it_is_asked_for(where: str, tmp_path: Path) -> None:
    with open_campaign(where) as campaign, campaign._database.writing() as connection:
        connection.exec_driver_sql("UPDATE kits SET practice = 1 WHERE name = 'K1'")
    path = tmp_path / "log"
    for more, lines in (([], 0), (["--with-practice"], 19)):
        arguments = ["campaign", "export-visits", where, str(path), "--format", "jsonl", *more]
        assert main(arguments) == 0
        assert len(of_lines(path)) == lines
