"""Pages an hour, from the steps of the queue."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.formats.page_queue import PageQueue
from madcat_studio.model import pagework
from madcat_studio.model.pagework import PageWork
from madcat_studio.operations.pages.pace import folder_pace
from madcat_studio.pages.pace import Done, Pace, done_in, paces

DATA = Path(__file__).parent.parent / "data"
START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


class Day:
    """Steps of one page, each at a minute of the day."""

    def __init__(self, page: str = "A") -> None:
        self.steps: list[PageWork] = []
        self.now = PageWork(page)

    def at(self, minute: float, step: str, who: str, **how: object) -> Day:
        when = START + timedelta(minutes=minute)
        make = {
            "claim": pagework.claim,
            "finish": pagework.finish,
            "give back": pagework.give_back,
            "reopen": pagework.reopen,
        }
        made = (
            pagework.note(self.now, who) if step == "note" else make[step](self.now, who, **how)  # type: ignore[operator]
        )
        self.now = replace(made, at=when, step=step, by=who, number=self.now.number + 1)
        self.steps.append(self.now)
        return self


def hours(done: list[Done]) -> list[tuple[str, str, float]]:
    return [(each.person, each.task, each.hours) for each in done]


def test_from_claiming_to_finishing_whatever_is_noted_meanwhile() -> None:
    day = Day().at(0, "claim", "ana").at(10, "note", "difficult").at(30, "finish", "ana")
    day.at(40, "claim", "bob").at(55, "finish", "bob")
    assert hours(done_in(day.steps)) == [("ana", "work", 0.5), ("bob", "check", 0.25)]
    assert done_in(day.steps)[0].at == START + timedelta(minutes=30)


def test_a_page_given_back_and_taken_again_is_gone_on_with() -> None:
    day = Day().at(0, "claim", "ana").at(12, "give back", "ana")
    day.at(100, "claim", "ana").at(118, "finish", "ana")
    assert hours(done_in(day.steps)) == [("ana", "work", 0.5)]


def test_what_was_taken_over_counts_for_nobody() -> None:
    day = Day().at(0, "claim", "ana").at(60, "claim", "bob", take_over=True)
    day.at(90, "finish", "bob")
    assert hours(done_in(day.steps)) == [("bob", "work", 0.5)]


def test_what_somebody_else_finished_is_not_ones_own_later() -> None:
    day = Day().at(0, "claim", "ana").at(60, "give back", "ana")
    day.at(60, "claim", "bob").at(90, "finish", "bob").at(91, "reopen", "ana")
    day.at(100, "claim", "ana").at(106, "finish", "ana")
    assert hours(done_in(day.steps)) == [("bob", "work", 0.5), ("ana", "work", 0.1)]


def test_a_page_that_is_not_finished_counts_for_nothing() -> None:
    assert done_in(Day().at(0, "claim", "ana").steps) == []
    assert done_in([]) == []


def test_rates_and_medians_and_what_lay_overnight() -> None:
    done = [
        Done("A", "ana", "work", 0.5, START, "web"),
        Done("B", "ana", "work", 0.25, START, "newswire"),
        Done("C", "ana", "work", 1.25, START, "web"),
        Done("D", "ana", "work", 16.0, START, "web"),
        Done("A", "bob", "check", 0.1, START, "web"),
        Done("E", "bob", "work", 9.0, START, "web"),
    ]
    assert paces(done, lambda each: each.person) == [
        Pace("ana", "work", 3, 2.0, 1.5, 30.0, 1),
        Pace("bob", "work", 0, 0.0, None, None, 1),
        Pace("bob", "check", 1, 0.1, 10.0, 6.0, 0),
    ]
    kinds = [(pace.name, pace.task, pace.pages) for pace in paces(done, lambda each: each.kind)]
    assert kinds == [("newswire", "work", 1), ("web", "work", 2), ("web", "check", 1)]
    assert paces(done, lambda each: each.person, longest=20)[0].pages == 4


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page in MADCAT, one in PAGE XML, and one that nobody finished."""
    sample = DATA / "madcat" / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
    for name in ("A", "B"):
        (tmp_path / f"{name}.madcat.xml").write_bytes(sample.read_bytes())
    page = DATA / "documents" / "line-transcribed.page.xml"
    (tmp_path / "C.page.xml").write_bytes(page.read_bytes())
    queue = PageQueue(tmp_path)
    day = Day("A").at(0, "claim", "ana").at(30, "finish", "ana")
    other = Day("C.page.xml").at(0, "claim", "bob").at(15, "finish", "bob")
    for step in (*day.steps, *other.steps, *Day("B").at(0, "claim", "ana").steps):
        assert queue.add(replace(step, number=step.number - 1)) is not None
    for path in queue.folder.glob("*.json"):  # the queue takes the time of writing
        said = json.loads(path.read_text("utf-8"))
        minutes = {"A": (0, 30), "C.page.xml": (0, 15), "B": (0, 0)}[said["page"]]
        minute = minutes[said["step"] == "finish"]
        said["at"] = (START + timedelta(minutes=minute)).isoformat()
        path.write_text(json.dumps(said), "utf-8")
    return tmp_path


def test_a_folder_by_person_and_by_kind(folder: Path) -> None:
    found = folder_pace(folder)
    assert [(p.name, p.pages, p.per_hour) for p in found.by_person] == [
        ("ana", 1, 2.0),
        ("bob", 1, 4.0),
    ]
    assert [(p.name, p.median_minutes) for p in found.by_kind] == [
        ("newswire", 30.0),
        ("page", 15.0),
    ]


def test_the_command_tells_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", "pace", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "2 pages finished" in said
    rows = [line.split() for line in said.splitlines()]
    assert ["ana", "work", "1", "0.5", "2.0", "30"] in rows
    assert ["page", "work", "1", "0.2", "4.0", "15"] in rows
    assert main(["queue", "pace", str(folder), "--format", "json", "--longest", "0.3"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["longest_hours"] == 0.3
    assert [(p["name"], p["pages"], p["left_out"]) for p in plain["by_person"]] == [
        ("ana", 0, 1),
        ("bob", 1, 0),
    ]
    assert [(p["page"], p["kind"], p["hours"]) for p in plain["pages"]] == [
        ("A", "newswire", 0.5),
        ("C.page.xml", "page", 0.25),
    ]
    assert main(["queue", "pace", str(folder / "nowhere")]) == 2
