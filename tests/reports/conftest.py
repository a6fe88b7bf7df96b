"""A campaign of two systems, three kits and four teams, small enough to be worked by hand.

Every number that the tests expect is derived in ``test_hand_worked.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from madcat_studio.model.campaign import DataSet, SegmentRecord, TeamText
from madcat_studio.operations.scores.report import report_records
from madcat_studio.reports.statistics import Earlier
from madcat_studio.reports.tables import Report

DOCUMENTS = {
    # BASE: (genre, source document, scribe, exposure, set, conditions)
    "D1": ("newswire", "SD1", "SCR1", "exposed", DataSet.EVALUATION, "IUN"),
    "D2": ("web text", "SD2", "SCR2", "unexposed", DataSet.EVALUATION, "PLF"),
    "D8": ("newswire", "SD8", "SCR1", "exposed", DataSet.PROGRESS, "IUC"),
    "D9": ("newswire", "SD9", "SCR2", "unexposed", DataSet.CONTROL, "IUN"),
}
CODES = {"alpha": "S1", "beta": "S2", "gamma": "S9"}

Texts = tuple[str | None, str | None]  # first pass, final


def make_record(
    kit: str,
    system: str,
    base: str,
    segment: str,
    reference: str,
    output: str,
    teams: dict[str, Texts],
    *,
    scribe_error: bool = False,
    missing: bool = False,
) -> SegmentRecord:
    genre, source_document, scribe, exposure, data_set, conditions = DOCUMENTS[base]
    return SegmentRecord(
        kit=kit,
        system=system,
        code=CODES[system],
        base=base,
        segment=segment,
        genre=genre,
        source_document=source_document,
        passage=source_document + "p",
        manuscript=source_document + scribe,
        page=base + "-1",
        scribe=scribe,
        exposure=exposure,
        data_set=data_set,
        reference=reference,
        output=output,
        missing=missing,
        scribe_error=scribe_error,
        teams=tuple(TeamText(team, *texts) for team, texts in teams.items()),
        conditions=conditions,
        earlier=system == "gamma",
    )


def _same(text: str) -> Texts:
    return text, text


def hand_worked_records() -> list[SegmentRecord]:
    d1, d2 = ("k1", "alpha", "D1"), ("k2", "alpha", "D2")
    d8, d9, b1 = ("k2", "alpha", "D8"), ("k1", "gamma", "D9"), ("k3", "beta", "D1")
    return [
        make_record(
            *d1, "s1", "r r r r", "a b c d e",
            {"T1": _same("a b c x e"), "T2": ("a b c d e", "a b c d e f")},
        ),
        make_record(*d1, "s2", "r r r", "a b c", {"T1": _same("a b c"), "T2": _same("a b c")}),
        make_record(
            *d1, "s3", "r r r r r", "a b c d",
            {"T1": _same("a b c d e f"), "T2": _same("a b c")},
        ),
        make_record(
            *d1, "s4", "r r r r", "a b c d",
            {"T1": _same("x b c d e f g h"), "T2": _same("a x y z")},
        ),
        make_record(*d1, "s5", "r r", "a b", {"T1": _same(""), "T2": _same("x y")}),
        make_record(*d1, "s6", "r r r", "", {"T1": _same("r r r"), "T2": _same("r r r")}),
        make_record(
            *d1, "s7", "r r r r r r r r", "d e f g h a b c",
            {"T1": _same("a b c d e f g h"), "T2": _same("a b c d e f g x")},
        ),
        make_record(*d1, "s8", "", "a", {"T1": _same(""), "T2": _same("")}),
        make_record(
            *d1, "s9", "r r r r", "a b c d",
            {"T1": _same("a b c e"), "T2": ("a b c d", "a b e f")},
            scribe_error=True,
        ),
        make_record(
            *d9, "s1", "r r r r", "a b c d", {"T1": _same("a b c d"), "T2": _same("a b c e")}
        ),
        make_record(
            *d2, "s1", "r r r r", "a b c d", {"T3": _same("a b c d"), "T4": _same("a b c x")}
        ),
        make_record(*d2, "s2", "r r", "a b", {"T3": _same("x y z"), "T4": _same("a y z w")}),
        make_record(*d8, "s1", "r r", "a b", {"T3": _same("a b"), "T4": _same("a c")}),
        make_record(
            *b1, "s1", "r r r r", "a b c d f",
            {"T2": _same("a b c d e"), "T3": _same("a b c d f g")},
        ),
        make_record(
            *b1, "s2", "r r r", "", {"T2": (None, None), "T3": (None, None)}, missing=True
        ),
        make_record(*b1, "s3", "r r r", "=1+1", {"T2": _same("=1+1 done"), "T3": _same("=1+1")}),
        make_record(
            *b1, "s4", "r r r", "قال الوزير", {"T2": _same("قال الرئيس"), "T3": _same("قال")}
        ),
    ]  # fmt: skip


MADE = datetime(2026, 3, 1, 12, tzinfo=UTC)


EARLIER = [Earlier("gamma", "D9", "SD9p", 1, 5), Earlier("old", "D8", "SD8p", 1, 4)]


@pytest.fixture(scope="session")
def records() -> list[SegmentRecord]:
    return hand_worked_records()


@pytest.fixture
def record_of() -> Callable[..., SegmentRecord]:
    return make_record


@pytest.fixture(scope="session")
def report(records: list[SegmentRecord]) -> Iterator[Report]:
    """Of the whole campaign; it is only read."""
    with report_records(records, title="Hand-worked", made=MADE, earlier=EARLIER) as made:
        yield made
