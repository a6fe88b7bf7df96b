"""The campaign of conftest.py, every number derived.

Letters are words. "e/w" is edits over the words of the text; r counts the reference's words.

Kit k1, system alpha, document D1 (newswire, SD1), teams T1, T2; output against the finals:

s1  a b c d e       T1 a b c x e: d becomes x, 1/5 = .200   T2 a b c d e f: f added, 1/6 = .167
                    chosen words: T2, 1/6.                  r=4: 1/4 and 1/4, tie, T1 first, 1/4.
s2  a b c           both unchanged, 0/3: tie, T1, 0/3.      r=3: tie, T1, 0/3.
s3  a b c d         T1 a b c d e f: 2/6                     T2 a b c: d deleted, 1/3
                    2/6 = 1/3: tie, T2 with fewer, 1/3.     r=5: 2/5 against 1/5: T2, 1/5.
s4  a b c d         T1 x b c d e f g h: 1 sub, 4 new, 5/8   T2 a x y z: 3 sub, 3/4
                    .625 < .75: T1, 5/8.                    r=4: 5/4 against 3/4: T2, 3/4.
s5  a b             T1 empty: 2 deleted, 2/0                T2 x y: 2/2
                    an empty text is never chosen: T2, 2/2. r=2: T2, 2/2.
s6  (nothing)       the reference r r r counts: 3/3.        r=3: 3/3.
s7  d e f g h a b c T1 a b c d e f g h: one shift, 1/8      T2 a b c d e f g x: shift, sub, 2/8
                    T1, 1/8.                                r=8: T1, 1/8.
s8  a               both empty, 1/0 each: tie, T1, 1/0.     r=0: tie, T1, 1/0. Its rate: n/a.
s9  a b c d         T1 a b c e: 1/4                         T2 a b e f: 2/4   (scribe error)
                    T1, 1/4.                                r=4: T1, 1/4.

    chosen words:  edits 1+0+1+5+2+3+1+1+1 = 15, words 6+3+3+8+2+3+8+0+4 = 37
    reference:     edits 1+0+1+3+2+3+1+1+1 = 13, words 4+3+5+4+2+3+8+0+4 = 33
    without s9:    edits 14, words 33
    first passes:  as the finals, but s1 T2 a b c d e 0/5 and s9 T2 a b c d 0/4 win:
                   edits 15-1-1 = 13, words 37-(6-5) = 36

Kit k2, alpha, D2 (web text, SD2), T3, T4:

s1  a b c d         T3 unchanged 0/4                        T4 a b c x: 1/4.   T3, 0/4.
s2  a b             T3 x y z: 2 sub, 1 new, 3/3             T4 a y z w: 1 sub, 2 new, 3/4
                    T4, 3/4.                                r=2: 3/2 and 3/2, tie, T3 first, 3/2.

    chosen words: 3/8; reference: 3/6.

alpha: 18/45 = .400; reference 16/39; without s9 17/41; first passes 16/44.
    ties s2, s3, s8; reference s1, s2, s8, D2 s2. Credited: T1 s4 s7 s9; T2 s1 s5; T3 D2 s1;
    T4 D2 s2. Reference: T1 s7 s9; T2 s3 s4 s5; T3 D2 s1.
    Insertions (words only in the output): s3 1, s8 1 = 2. Deletions (only in the final): s1 1,
    s4 4, s6 3, D2 s2 2 = 10. Substitutions: s4 1, s5 2, s9 1, D2 s2 1 = 5. Shifts: s7 1.
    2+10+5+1 = 18.

Kit k2, alpha, D8 is the progress set: a b against T3 a b 0/2, T4 a c 1/2: T3, 0/2.
Kit k1, gamma, D9 is the control set: T1 a b c d 0/4, T2 a b c e 1/4: T1, 0/4.

Kit k3, beta, D1, T2, T3:

s1  a b c d f       T2 a b c d e: 1/5                       T3 a b c d f g: 1/6.   T3, 1/6.
s2  missing         r r r: 3/3.
s3  =1+1            four words by -N: = 1 + 1. T2 adds done: 1/5; T3 unchanged 0/4: T3, 0/4.
s4  two words       T2 one other 1/2; T3 one left 1/1: T2, 1/2.

beta: 1+3+0+1 = 5 over 6+3+4+2 = 15.   r: s1 1/4 and 1/4 tie T2; s2 3/3; s3 T3 0/3; s4 1/3 and
    1/3, tie, T2: 5/13.

Teams' own sums, evaluation set, without s6 and beta's s2 (no output): T1: s1 1/5 s2 0/3 s3 2/6
    s4 5/8 s5 2/0 s7 1/8 s8 1/0 s9 1/4 = 13/34 of 8 segments. T2 in k1: s1 1/6 s2 0/3 s3 1/3
    s4 3/4 s5 2/2 s7 2/8 s8 1/0 s9 2/4 = 12/30; in k3: s1 1/5 s3 1/5 s4 1/2 = 3/12; 15/42 of 11.
    T3: D2 0/4 3/3, k3 1/6 0/4 1/1 = 5/18 of 5. T4: 1/4 3/4 = 4/8 of 2.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.report import report_records
from madcat_studio.reports.significance import few_documents
from madcat_studio.reports.tables import Cell, Report
from madcat_studio.scoring.resampling import interval
from madcat_ter.hter import Denominator


def rows(report: Report, name: str, **wanted: str) -> list[dict[str, Cell]]:
    return [
        row
        for row in report.table(name).records()
        if all(row[key] == value for key, value in wanted.items())
    ]


def row(report: Report, name: str, **wanted: str) -> dict[str, Cell]:
    (found,) = rows(report, name, **wanted)
    return found


CHOSEN = {
    # segment of alpha's D1 -> outcome, chosen, edits, words, rate
    "s1": ("lower", "T2", 1, 6, 1 / 6),
    "s2": ("tie", "T1", 0, 3, 0.0),
    "s3": ("tie", "T2", 1, 3, 1 / 3),
    "s4": ("lower", "T1", 5, 8, 0.625),
    "s5": ("lower", "T2", 2, 2, 1.0),
    "s6": ("no output", None, 3, 3, 1.0),
    "s7": ("lower", "T1", 1, 8, 0.125),
    "s8": ("tie", "T1", 1, 0, "n/a"),
    "s9": ("lower", "T1", 1, 4, 0.25),
}
REFERENCE = {
    "s1": ("tie", "T1", 1, 4, 0.25),
    "s2": ("tie", "T1", 0, 3, 0.0),
    "s3": ("lower", "T2", 1, 5, 0.2),
    "s4": ("lower", "T2", 3, 4, 0.75),
    "s5": ("lower", "T2", 2, 2, 1.0),
    "s6": ("no output", None, 3, 3, 1.0),
    "s7": ("lower", "T1", 1, 8, 0.125),
    "s8": ("tie", "T1", 1, 0, "n/a"),
    "s9": ("lower", "T1", 1, 4, 0.25),
}
REASONS = {
    "s1": "T2: 1/6 against 1/5",
    "s2": "tie at 0/3, T1 listed first",
    "s3": "tie at the same rate, T2 with fewer edits: 1/3 against 2/6",
    "s4": "T1: 5/8 against 3/4",
    "s5": "T2: 2/2; the text of T1 is empty and is not chosen over a text",
    "s6": "no output: the reference counts as the final text of every team",
    "s7": "T1: 1/8 against 2/8",
    "s8": "tie at 1/0, T1 listed first",
    "s9": "T1: 1/4 against 2/4",
}


@pytest.mark.parametrize("segment", CHOSEN)
def test_each_choice_over_the_chosen_words(report: Report, segment: str) -> None:
    found = row(report, "segments", system="alpha", document="D1", segment=segment)
    keys = ("outcome", "chosen", "edits", "words", "hter")
    assert tuple(found[key] for key in keys) == CHOSEN[segment]
    assert found["reason"] == REASONS[segment]
    other = ("chosen_reference", "edits_reference", "words_reference", "hter_reference")
    assert tuple(found[key] for key in other) == REFERENCE[segment][1:]


@pytest.fixture(scope="module")
def by_reference(records: list[SegmentRecord]) -> Iterator[Report]:
    with report_records(
        records, title="Hand-worked", denominator=Denominator.REFERENCE, full=False
    ) as made:
        yield made


@pytest.mark.parametrize("segment", REFERENCE)
def test_each_choice_over_the_reference_words(by_reference: Report, segment: str) -> None:
    found = row(by_reference, "segments", system="alpha", document="D1", segment=segment)
    keys = ("outcome", "chosen", "edits", "words", "hter")
    assert tuple(found[key] for key in keys) == REFERENCE[segment]


def test_systems(report: Report) -> None:
    # SD1 has 15 edits in 37 words, SD2 3 in 8; s1 of SD1 has the scribe error, 1 in 4.
    drawn, clean = interval([15, 3], [37, 8]), interval([14, 3], [33, 8])
    assert drawn is not None
    assert clean is not None
    alpha = row(report, "systems", system="alpha")
    assert alpha == {
        "set": "evaluation",
        "system": "alpha",
        "code": "S1",
        "segments": 11,
        "edits": 18,
        "words": 45,
        "hter": 18 / 45,
        "hter_first": 16 / 44,
        "hter_reference": 16 / 39,
        "insertions": 2,
        "deletions": 10,
        "substitutions": 5,
        "shifts": 1,
        "ties": 3,
        "no_output": 1,
        "clean_segments": 10,
        "clean_edits": 17,
        "clean_words": 41,
        "clean_hter": 17 / 41,
        "preliminary": 0,
        "open": 0,
        "clusters": 2,
        "low": drawn.low,
        "high": drawn.high,
        "clean_low": clean.low,
        "clean_high": clean.high,
        "interval_note": few_documents(2),
    }
    beta = row(report, "systems", system="beta")
    keys = ("segments", "edits", "words", "hter", "hter_reference", "ties", "no_output")
    assert [beta[key] for key in keys] == [4, 5, 15, 5 / 15, 5 / 13, 0, 1]
    assert [entry["system"] for entry in report.table("systems").records()] == ["beta", "alpha"]


def test_control_and_progress_stand_apart(report: Report) -> None:
    progress = row(report, "progress-set")
    assert (progress["system"], progress["edits"], progress["words"]) == ("alpha", 0, 2)
    control = row(report, "control-set")
    assert (control["system"], control["edits"], control["words"]) == ("gamma", 0, 4)


def test_groups(report: Report) -> None:
    def sums(name: str, **wanted: str) -> tuple[Cell, Cell, Cell]:
        found = row(report, name, set="evaluation", **wanted)
        return found["edits"], found["words"], found["hter"]

    assert sums("by-genre", system="alpha", genre="newswire") == (15, 37, 15 / 37)
    assert sums("by-genre", system="alpha", genre="web text") == (3, 8, 3 / 8)
    assert sums("by-kit", kit="k1") == (15, 37, 15 / 37)
    assert sums("by-kit", kit="k3") == (5, 15, 1 / 3)
    assert sums("by-source-document", system="alpha", source_document="SD1") == (15, 37, 15 / 37)
    assert sums("by-exposure", system="alpha", exposure="unexposed") == (3, 8, 3 / 8)
    assert sums("by-implement", system="alpha", implement="pencil") == (3, 8, 3 / 8)
    assert sums("by-surface", system="alpha", surface="unlined paper") == (15, 37, 15 / 37)
    assert sums("by-speed", system="beta", speed="normal") == (5, 15, 1 / 3)
    assert sums("by-document", system="beta", document="D1") == (5, 15, 1 / 3)


def test_teams(report: Report) -> None:
    found = {
        entry["team"]: tuple(entry[key] for key in ("segments", "edits", "words", "chosen"))
        for entry in rows(report, "by-team", set="evaluation")
    }
    assert found == {
        "T1": (8, 13, 34, 3),
        "T2": (11, 15, 42, 3),  # s1, s5 and beta's s4
        "T3": (5, 5, 18, 3),  # D2 s1, beta's s1 and s3
        "T4": (2, 4, 8, 1),
    }


def test_nothing_is_preliminary_but_the_missing_segment_is_told(report: Report) -> None:
    assert report.preliminary == ()
    assert any(warning.startswith("1 segment missing") for warning in report.warnings)


def test_signature_names_what_the_number_depends_on(report: Report) -> None:
    for denominator in ("chosen", "reference"):
        signature = report.signatures[denominator]
        assert signature.startswith("HTER|version:")
        assert "|case:kept|norm:tercom-N|" in signature
        assert f"|denominator:{denominator}|tie:fewer-edits,first-listed|" in signature
        for name, digest in report.hashes.items():
            assert f"|sha256-{name}:{digest[:16]}" in signature
