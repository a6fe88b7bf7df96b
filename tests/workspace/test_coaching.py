"""What the coach said and what became of it, in the log of visits."""

from __future__ import annotations

from collections.abc import Mapping

from madcat_studio.coach.advise import coach
from madcat_studio.coach.values import Advice
from madcat_studio.workspace.coaching import AdviceLog
from madcat_ter.options import TerOptions

OUTPUT = "the minister said that all talks had failed"


class Notes:
    """What was kept, as short as it can be read."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, Mapping[str, object]]] = []

    def note(self, name: str, detail: Mapping[str, object]) -> None:
        self.kept.append((name, detail))

    def take(self) -> list[tuple[str, str]]:
        kept, self.kept = self.kept, []
        return [(name, f"{detail['old']} → {detail['new']}") for name, detail in kept]


def said(text: str) -> tuple[Advice, ...]:
    return coach(OUTPUT, text, OUTPUT, TerOptions()).advice


def test_each_piece_is_shown_once_and_ends_once() -> None:
    notes = Notes()
    log = AdviceLog(notes.note)
    changed = "the premier stated that some negotiations had failed"
    stands = log.show(0, said(changed))
    assert [one.new for one in stands] == ["minister said", "all talks"]
    detail = notes.kept[0][1]
    assert detail == {
        "kind": "agreed", "saves": 2, "old": "premier stated", "new": "minister said",
        "start": 4, "end": 18,
    }  # fmt: skip
    assert notes.take() == [
        ("coach.shown", "premier stated → minister said"),
        ("coach.shown", "some negotiations → all talks"),
    ]
    log.show(0, said(changed + " today"))
    assert [name for name, _ in notes.kept] == ["coach.shown"], "only “today” is new"
    notes.take()
    log.take(log.show(0, said(changed))[0])
    assert notes.take() == [("coach.taken", "premier stated → minister said")]
    log.show(0, said("the minister said that many talks had failed"))
    assert notes.take() == [("coach.shown", "many → all")]
    log.leave()
    assert notes.take() == [
        ("coach.gone", "some negotiations → all talks"),
        ("coach.gone", "today → "),
        ("coach.left", "many → all"),
    ]
    log.leave()
    assert notes.take() == []


def test_what_was_dismissed_comes_not_back_in_its_segment() -> None:
    notes = Notes()
    log = AdviceLog(notes.note)
    text = "the premier said that all talks were failed"
    first, second = log.show(3, said(text))
    log.dismiss(first)
    assert log.show(3, said(text)) == (second,)
    log.leave()
    assert [one[0] for one in notes.take()] == [
        *["coach.shown"] * 2,
        "coach.dismissed",
        "coach.left",
    ]
    assert len(log.show(3, said(text))) == 1, "nor when it is looked at again"
    assert len(log.show(4, said(text))) == 2, "another segment is another matter"
    assert [name for name, _ in notes.take()] == [
        "coach.shown",
        "coach.left",
        *["coach.shown"] * 2,
    ]


def test_of_two_that_are_alike_one_is_dismissed() -> None:
    log = AdviceLog(Notes().note)
    alike = coach("a b c d b e", "a x c d x e", "a b c d b e", TerOptions()).advice
    assert [(one.old, one.start) for one in alike] == [("x", 2), ("x", 8)]
    log.dismiss(log.show(0, alike)[1])
    assert [one.start for one in log.show(0, alike)] == [2]
