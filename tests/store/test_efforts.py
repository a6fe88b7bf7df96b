"""What editors' work took, as reports and desks read it: on both databases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from madcat_studio.model.campaign import Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.model.visits import Event, EventKind, Visit
from madcat_studio.operations.scores.effort import efforts_of
from madcat_studio.progress import Cancelled, Progress
from madcat_studio.reports.effort import EffortOnSegment
from madcat_studio.store import Campaign
from madcat_studio.workspace.desk import DaySheet, Desk

A, B = (SegmentName(base, "s1") for base in ("A.x_1_S1", "B.x_1_S1"))


def visit(segment: SegmentName, at: datetime, ms: int, *events: Event) -> Visit:
    return Visit(
        id=new_id(),
        kit="K1",
        team="red",
        pass_=Pass.FIRST,
        segment=segment,
        editor="red1",
        machine="here",
        at=at,
        ms=ms,
        events=(Event(0, EventKind.FROM, ("text",)), *events),
    )


def key(ms: int, name: str) -> Event:
    return Event(ms, EventKind.KEY, (name,))


def test_efforts_come_segment_by_segment_by_the_threshold_of_who_asks(campaign: Campaign) -> None:
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    at = datetime(2026, 3, 1, tzinfo=UTC)
    pasted = Event(9_500, EventKind.TEXT, (0, "", "pasted", "pasted"))
    campaign.visits.append(
        [
            visit(A, at, 10_000, key(1000, "character"), key(9000, "delete"), pasted),
            visit(B, at, 500),
            visit(A, at + timedelta(hours=1), 70_000, Event(5, EventKind.MOUSE)),
            visit(A, at + timedelta(hours=2), 0, Event(0, EventKind.CONTINUED)),
            visit(A, at + timedelta(hours=3), 100, Event(5, EventKind.COMMAND, ("undo",))),
        ]
    )
    # 4 are the words of "the first sentence .".
    seen = {
        "team": "red",
        "editor": "red1",
        "pass_": "first",
        "kit": "K1",
        "segment": "s1",
        "words": 4,
    }
    a = {
        **seen,
        "document": "A.x_1_S1",
        "visits": 3,
        "raw_seconds": 80.1,
        "characters": 1,
        "deletes": 1,
        "mouse": 1,
        "commands": 1,
        "pastes": 1,
        "pasted_characters": 6,
    }
    b = EffortOnSegment(**seen, document="B.x_1_S1", visits=1, seconds=0.5, raw_seconds=0.5)
    for idle, seconds in ((120, 80.1), (60, 80.1 - 69.995), (7.9, 80.1 - 69.995 - 8)):
        [one, two] = sorted(efforts_of(campaign, idle), key=lambda effort: effort.document)
        assert one == EffortOnSegment(**a, seconds=pytest.approx(seconds))
        assert two == b


def test_summing_effort_can_be_stopped(campaign: Campaign) -> None:
    class Stopped(Progress):
        def cancelled(self) -> bool:
            return True

    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    campaign.visits.append([visit(A, datetime(2026, 3, 1, tzinfo=UTC), 5)])
    with pytest.raises(Cancelled):
        list(efforts_of(campaign, 60, progress=Stopped()))


def test_a_day_sheet_counts_each_segment_once_and_all_of_its_time(campaign: Campaign) -> None:
    day = date(2026, 3, 1)
    noon = datetime(2026, 3, 1, 12).astimezone()
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")

    def revision(at: datetime, segment: str = "s1") -> Revision:
        return Revision(
            id=new_id(),
            kit="K1",
            team="red",
            pass_=Pass.FIRST,
            segment=SegmentName("A.x_1_S1", segment),
            editor="red1",
            machine="here",
            at=at,
            state=SegmentState.CONFIRMED,
            text="a text",
            turn=claim.turn,
        )

    first = datetime(2026, 3, 1).astimezone()
    end = first + timedelta(days=1)
    s2 = SegmentName("A.x_1_S1", "s2")
    campaign.revisions.append(
        [
            revision(noon),
            revision(noon),
            revision(first, "s2"),
            revision(first - timedelta(seconds=1)),
            revision(end),
        ]
    )
    assert Desk(campaign).day("red1", day) == DaySheet(day, 0, 0, 0.0), "texts that came in a file"
    campaign.visits.append(
        [
            visit(A, noon, 3000),
            visit(A, noon, 70_000),  # a rest, but for its last moment
            visit(A, end, 90_000),
            visit(s2, first - timedelta(seconds=1), 50_000),
            visit(s2, first, 4000),
        ]
    )
    # By the clock of this machine: 4 and 3 words of reference.
    assert Desk(campaign).day("red1", day) == DaySheet(day, 2, 7, 7.0)
    assert Desk(campaign).day("red2", day) == DaySheet(day, 0, 0, 0.0)
