from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from madcat_studio.errors import ConflictError, InputError, WorldError
from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    Claim,
    DataSet,
    Editor,
    Flag,
    Flagged,
    Kit,
    KitItem,
    Pass,
    SegmentName,
    SegmentState,
    System,
    Team,
)
from madcat_studio.store import Campaign, create_campaign, open_campaign
from madcat_studio.workspace.kit import KitWorkspace, Recovery
from madcat_studio.workspace.typing import PAUSE_SECONDS, carried_place, difference

OUTPUTS = {"s1": "the cat sat", "s2": "on mat the", "s3": None, "s4": "quietly"}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kit") / "campaign"
    with create_campaign(folder, "Test") as campaign, campaign.transaction():
        campaign.contents.add_document(
            CampaignDocument(
                base="B.1",
                source_document="d",
                passage="p",
                manuscript="m",
                page="1",
                scribe="s",
                exposure="exposed",
                data_set=DataSet.EVALUATION,
                track="",
                genre="web",
                sha256="",
            ),
            b"<madcat/>",
            [CampaignSegment(name, "1", "نص", "the cat sat on it", 1, 5) for name in OUTPUTS],
        )
        campaign.contents.add_system(System("Alpha", "X1"))
        campaign.contents.add_output("Alpha", "B.1", b"<out/>", OUTPUTS)
        campaign.plans.add_team(Team("red", (Editor("red1"), Editor("red2"))))
        campaign.plans.plan_kit(Kit("K1", (KitItem("Alpha", "B.1"),)))
        campaign.plans.assign("K1", [Assignment("K1", "red", "red1", "red2")])
    return folder


@pytest.fixture
def campaign(prepared: Path, tmp_path: Path) -> Iterator[Campaign]:
    folder = tmp_path / "campaign"
    shutil.copytree(prepared, folder)
    with open_campaign(folder) as opened:
        yield opened


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


Open = Callable[..., KitWorkspace]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def start(campaign: Campaign, tmp_path: Path, clock: Clock) -> Iterator[Open]:
    opened: list[KitWorkspace] = []

    def open_kit(pass_: Pass = Pass.FIRST, **options: object) -> KitWorkspace:
        editor = "red1" if pass_ is Pass.FIRST else "red2"
        claim = campaign.claims.claim("K1", "red", pass_, editor, "here")
        kit = KitWorkspace(
            campaign,
            claim,
            folder=tmp_path / "spools",
            clock=clock,
            now=lambda: datetime(2026, 11, 27, tzinfo=UTC),
            **options,  # type: ignore[arg-type]
        )
        opened.append(kit)
        return kit

    yield open_kit
    for kit in opened:
        kit.close()


def crash(kit: KitWorkspace) -> None:
    """End as a killed program does: the file is let go of, nothing else happens."""
    kit.texts._spool._soon.close()  # a program that is gone syncs nothing
    os.close(kit.texts._spool._file)
    kit.texts._spool._file = -1
    kit._finished = True


def type_in(kit: KitWorkspace, clock: Clock, letters: str, rest: float = 0.1) -> None:
    for letter in letters:
        own = kit.own(kit.current)
        text = own.text[: own.caret] + letter + own.text[own.caret :]
        clock.seconds += rest
        kit.set_text(text, own.caret + 1)


def test_texts_start_with_the_output_and_the_review_with_the_first_pass(
    start: Open, campaign: Campaign
) -> None:
    kit = start()
    assert [kit.own(index).text for index in range(4)] == [
        "the cat sat",
        "on mat the",
        "",
        "quietly",
    ]
    assert kit.words() == (5, 20)  # for s3 the system gave nothing
    for index in (0, 1, 3):
        kit.go_to(index)
        kit.set_text(f"first {index}", 0)
        kit.confirm()
    assert kit.words() == (20, 20)
    kit.hand_over()
    review = start(Pass.REVIEW)
    assert [review.own(index).text for index in range(4)] == ["first 0", "first 1", "", "first 3"]
    assert {review.own(index).state for index in range(4)} == {SegmentState.UNTOUCHED}
    for _ in range(3):
        review.confirm_and_next()
    review.hand_over()
    records = list(campaign.segment_records())
    assert [one.teams[0].final for one in records] == [
        "first 0",
        "first 1",
        "the cat sat on it",
        "first 3",
    ]


def test_the_changes_between_two_texts() -> None:
    assert difference("abc", "abXc") == (2, "", "X")
    assert difference("abc", "ac") == (1, "b", "")
    assert difference("aaa", "aa") == (2, "a", "")
    assert difference("one two", "one 2 two") == (4, "", "2 ")
    assert difference("", "") == (0, "", "")


@pytest.mark.parametrize(
    ("old", "new", "place", "there"),
    [
        ("one two three", "one 2 three", 2, 2),
        ("one two three", "one 2 three", 4, 4),
        ("one two three", "one 2 three", 5, 5),
        ("one two three", "one 2 three", 7, 5),
        ("one two three", "one 2 three", 13, 11),
        ("one", "one more", 3, 8),
        ("one more", "one", 8, 3),
        ("same", "same", 2, 2),
    ],
)
def test_the_caret_stays_in_its_words(old: str, new: str, place: int, there: int) -> None:
    assert carried_place(old, new, place) == there


def test_typing_makes_steps_at_word_boundaries(start: Open, clock: Clock) -> None:
    kit = start()
    kit.move_caret(3)
    type_in(kit, clock, " big fat")
    assert kit.own(0).text == "the big fat cat sat"
    kit.undo()
    assert (kit.own(0).text, kit.own(0).caret) == ("the big  cat sat", 8)
    kit.undo()
    assert (kit.own(0).text, kit.own(0).caret) == ("the  cat sat", 4)
    kit.undo()
    assert (kit.own(0).text, kit.own(0).caret) == ("the cat sat", 3)
    assert kit.own(0).state is SegmentState.UNTOUCHED
    assert kit.undo().texts == frozenset()
    for _ in range(3):
        kit.redo()
    assert (kit.own(0).text, kit.own(0).caret) == ("the big fat cat sat", 11)
    assert kit.redo().texts == frozenset()


def test_a_pause_a_caret_move_and_a_paste_end_a_step(start: Open, clock: Clock) -> None:
    kit = start()
    kit.move_caret(0)
    type_in(kit, clock, "ab")
    clock.seconds += PAUSE_SECONDS
    type_in(kit, clock, "cd")
    kit.move_caret(0)
    type_in(kit, clock, "e")
    kit.set_text("PASTED" + kit.own(0).text, 6)
    type_in(kit, clock, "f")
    seen = [kit.own(0).text]
    while kit.undo_label:
        kit.undo()
        seen.append(kit.own(0).text)
    assert seen == [
        "PASTEDfeabcdthe cat sat",
        "PASTEDeabcdthe cat sat",
        "eabcdthe cat sat",
        "abcdthe cat sat",
        "abthe cat sat",
        "the cat sat",
    ]


def test_deleting_makes_steps_too(start: Open, clock: Clock) -> None:
    kit = start()
    for length in range(10, 5, -1):
        clock.seconds += 0.1
        kit.set_text("the cat sat"[:length], length)
    assert kit.own(0).text == "the ca"
    kit.undo()
    assert kit.own(0).text == "the cat"
    kit.undo()
    assert kit.own(0).text == "the cat sat"


def test_undo_brings_back_text_caret_selection_and_state_across_segments(
    start: Open, clock: Clock
) -> None:
    kit = start()
    kit.move_caret(7, 4)
    before = kit.own(0)
    kit.set_text("the dog sat", 7)
    kit.confirm_and_next()
    assert kit.current == 1
    kit.set_text("on the mat", 10)
    kit.undo()
    assert (kit.current, kit.own(1).state) == (1, SegmentState.UNTOUCHED)
    change = kit.undo()
    assert change.current == 0
    assert kit.current == 0
    assert kit.own(0).state is SegmentState.DRAFT
    kit.undo()
    assert kit.own(0) == before
    assert before.anchor == 4


def test_undo_and_redo_are_saved(start: Open, campaign: Campaign) -> None:
    kit = start()
    kit.set_text("wrong", 5)
    kit.confirm()
    kit.undo()
    kit.undo()
    kit.next()  # leaving saves
    [first] = campaign.revisions.latest("K1", "red", Pass.FIRST).values()
    assert (first.text, first.state) == ("the cat sat", SegmentState.DRAFT)
    kit.redo()
    kit.redo()
    kit.close()
    latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert [(one.text, one.state) for one in latest.values()] == [("wrong", SegmentState.CONFIRMED)]
    again = start()
    assert (again.own(0).text, again.own(0).state) == ("wrong", SegmentState.CONFIRMED)


def test_undo_is_kept_against_a_crash(start: Open) -> None:
    kit = start()
    kit.set_text("wrong", 5)
    kit.set_text("wronger", 7)
    kit.undo()
    crash(kit)
    again = start()
    assert again.recovery == Recovery(texts=(0,))
    assert again.own(0).text == "wrong"


def test_replacing_over_the_kit_is_one_step(start: Open) -> None:
    kit = start()
    change = kit.replace_all({0: "a cat sat", 1: "on mat a", 3: "quietly"})
    assert change.texts == {0, 1}
    assert kit.own(3).state is SegmentState.UNTOUCHED
    kit.undo()
    assert [kit.own(index).text for index in (0, 1)] == ["the cat sat", "on mat the"]
    assert kit.undo_label == ""


def test_reverting_is_a_step(start: Open) -> None:
    kit = start()
    kit.set_text("x", 1)
    kit.revert()
    assert kit.own(0).text == "the cat sat"
    kit.undo()
    assert kit.own(0).text == "x"


@pytest.mark.parametrize(
    ("pasted", "kept", "told"),
    [
        ("one\x0btwo", "one two", "became spaces"),
        ("a\x04b", "ab", "U+0004"),
        ("a\x00b", "ab", "U+0000"),
        ("a\ud800b", "ab", "U+D800"),
        ("a\ufffeb", "ab", "U+FFFE"),
        ("one\r\ntwo\nthree\tfour", "one two three four", "became spaces"),
        (
            "\u201cquoted\u201d \u2013 \u200fx\u00a0y",
            "\u201cquoted\u201d \u2013 \u200fx\u00a0y",
            "",
        ),
    ],
)
def test_what_no_file_can_hold_is_left_out_on_entry(
    start: Open, campaign: Campaign, pasted: str, kept: str, told: str
) -> None:
    kit = start()
    change = kit.set_text(pasted + "!", len(pasted))
    assert kit.own(0).text == kept + "!"
    assert kit.own(0).caret == len(kept)
    assert (0 in change.texts) == (pasted != kept)
    assert told in change.notice
    assert bool(change.notice) == bool(told)
    kit.confirm()
    [revision] = campaign.revisions.latest("K1", "red", Pass.FIRST).values()
    assert revision.text == kept + "!"


def test_revisions_are_made_when_confirming_and_leaving_only(
    start: Open, campaign: Campaign, clock: Clock
) -> None:
    def history() -> list[tuple[str, SegmentState]]:
        return [
            (one.text, one.state) for one in campaign.revisions.history("K1", "red", Pass.FIRST)
        ]

    kit = start()
    type_in(kit, clock, " there")
    assert history() == []
    kit.next()
    assert history() == [("the cat sat there", SegmentState.DRAFT)]
    kit.previous()
    kit.next()
    assert len(history()) == 1
    kit.previous()
    kit.confirm()
    kit.confirm()
    assert history()[1:] == [("the cat sat there", SegmentState.CONFIRMED)]


def test_the_way_through_a_kit(start: Open) -> None:
    kit = start()
    assert kit.current == 0
    kit.previous()
    assert kit.current == 0
    kit.next_unfinished()
    assert kit.current == 1
    kit.confirm_and_next()
    assert kit.current == 3  # the system gave nothing for s3
    kit.confirm_and_next()
    assert kit.current == 0
    kit.confirm_and_next()
    assert kit.current == 0
    kit.close()
    again = start()
    assert again.current == 0


def test_a_kit_reopens_where_one_stopped(start: Open) -> None:
    kit = start()
    kit.go_to(3)
    kit.close()
    assert start().current == 3


def test_handing_over_is_checked(start: Open, campaign: Campaign) -> None:
    kit = start()
    kit.set_text("  ", 2)
    with pytest.raises(InputError, match="empty"):
        kit.confirm()
    kit.confirm("cannot be understood")
    kit.go_to(1)
    kit.set_text("on the سجادة", 5)
    kit.confirm()
    assert [(one.index, one.code) for one in kit.check()] == [
        (1, "kit.source-script"),
        (3, "kit.unconfirmed"),
    ]
    with pytest.raises(InputError) as caught:
        kit.hand_over()
    assert caught.value.code == "kit.not-ready"
    assert "B.1/s2" in caught.value.where
    kit.set_text("on the mat", 5)
    kit.confirm()
    kit.go_to(3)
    kit.confirm()
    assert kit.check() == ()
    kit.hand_over()
    assert campaign.claims.handed_over("K1", "red", Pass.FIRST)
    assert kit.finished
    with pytest.raises(ConflictError, match="handed over"):
        kit.set_text("x", 1)
    assert list(Path(kit.texts._spool.path).parent.iterdir()) == []


def test_flags_are_steps_that_are_saved_and_change_no_text(start: Open, campaign: Campaign) -> None:
    kit = start()
    kit.confirm()
    kit.flag(Flag.SCRIBE_ERROR, " dot\nmissing ")
    kit.flag(Flag.UNREADABLE)
    assert kit.own(0).flags == {Flag.SCRIBE_ERROR: "dot missing", Flag.UNREADABLE: ""}
    assert kit.own(0).state is SegmentState.CONFIRMED
    assert kit.flag(Flag.UNREADABLE).states == frozenset()
    kit.flag(Flag.UNREADABLE, None)
    kit.undo()
    crash(kit)
    again = start()
    assert again.recovery == Recovery(texts=(0,))
    assert again.own(0).flags == {Flag.SCRIBE_ERROR: "dot missing", Flag.UNREADABLE: ""}
    again.flag(Flag.UNREADABLE, None)
    again.close()
    flagged = Flagged(
        "K1",
        "red",
        Pass.FIRST,
        SegmentName("B.1", "s1"),
        "red1",
        Flag.SCRIBE_ERROR,
        "dot missing",
    )
    assert campaign.revisions.flagged() == (flagged,)
    third = start()
    assert third.own(0).flags == {Flag.SCRIBE_ERROR: "dot missing"}
    assert third.own(0).text == "the cat sat"
    third.flag(Flag.SCRIBE_ERROR, None)
    third.close()
    assert campaign.revisions.flagged() == ()


def test_only_one_window_has_a_kit(start: Open) -> None:
    kit = start()
    with pytest.raises(ConflictError) as caught:
        start()
    assert caught.value.code == "spool.held"
    kit.close()
    start()


def test_a_text_that_is_older_than_the_campaigns_is_kept_aside(
    start: Open, campaign: Campaign, tmp_path: Path
) -> None:
    kit = start()
    kit.set_text("typed here", 5)
    crash(kit)
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "elsewhere")
    other = KitWorkspace(campaign, claim, folder=tmp_path / "other machine")
    other.set_text("typed there", 5)
    other.close()
    again = start()
    assert again.recovery == Recovery(aside=1)
    assert again.own(0).text == "typed there"
    history = campaign.revisions.history("K1", "red", Pass.FIRST)
    assert [(one.text, one.side) for one in history] == [
        ("typed there", False),
        ("typed here", True),
    ]


class Away:
    """The campaign's revisions while the server is away."""

    def __init__(self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
        self.away = True
        append = campaign.revisions.append

        def maybe(revisions: object) -> object:
            if self.away:
                raise WorldError("store.server-away", "The database server cannot be reached")
            return append(revisions)  # type: ignore[arg-type]

        monkeypatch.setattr(campaign.revisions, "append", maybe)


def test_work_goes_on_while_the_server_is_away(
    start: Open, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Away(campaign, monkeypatch)
    kit = start()
    kit.confirm_and_next()
    kit.set_text("on the mat", 5)
    kit.confirm_and_next()
    kit.confirm_and_next()
    assert kit.texts.pending == 3
    assert "cannot be reached" in kit.texts.trouble
    with pytest.raises(WorldError) as caught:
        kit.hand_over()
    assert caught.value.code == "kit.not-delivered"
    crash(kit)
    # Still away at the next start, and then back.
    again = start()
    assert again.recovery.revisions == 3
    assert [again.own(index).text for index in (0, 1)] == ["the cat sat", "on the mat"]
    assert again.own(1).state is SegmentState.CONFIRMED
    assert again.texts.pending == 3
    server.away = False
    assert again.texts.flush()
    assert (again.texts.pending, again.texts.trouble) == (0, "")
    again.hand_over()
    assert len(campaign.revisions.history("K1", "red", Pass.FIRST)) == 3


def test_work_of_a_claim_that_was_released_comes_back_under_the_new_one(
    start: Open, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Away(campaign, monkeypatch)
    kit = start()
    kit.set_text("made under the first claim", 0)
    kit.confirm()
    kit.go_to(1)
    kit.set_text("typed under it", 0)
    crash(kit)
    server.away = False
    campaign.claims.release("K1", "red", Pass.FIRST, by="coordinator")
    again = start()
    assert again.claim.turn == 2
    assert again.recovery == Recovery(texts=(0, 1), revisions=1)
    assert again.texts.side
    assert campaign.revisions.latest("K1", "red", Pass.FIRST) == {}
    assert [one.side for one in campaign.revisions.history("K1", "red", Pass.FIRST)] == [True]
    again.save()
    latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert [(one.text, one.turn) for one in latest.values()] == [
        ("made under the first claim", 2),
        ("typed under it", 2),
    ]


def test_delivered_by_a_worker(start: Open, campaign: Campaign) -> None:
    kit = start(deliver_at_once=False)
    kit.confirm_and_next()
    assert kit.texts.pending == 1
    worker = threading.Thread(target=kit.texts.deliver)
    worker.start()
    worker.join()
    assert kit.texts.pending == 0
    assert len(campaign.revisions.history("K1", "red", Pass.FIRST)) == 1


def test_after_a_release_the_editor_is_told_and_nothing_is_lost(
    start: Open, campaign: Campaign
) -> None:
    kit = start()
    campaign.claims.release("K1", "red", Pass.FIRST, by="coordinator")
    kit.set_text("late", 4)
    kit.next()
    assert kit.texts.side
    with pytest.raises((ConflictError, InputError)):
        kit.hand_over()
    kit.close()
    [late] = campaign.revisions.history("K1", "red", Pass.FIRST)
    assert (late.text, late.side) == ("late", True)


def test_a_campaign_that_was_moved_or_replaced_takes_nothing(
    start: Open, campaign: Campaign
) -> None:
    """SQLite would go on writing into the file that it holds, which is nobody's any more."""
    kit = start()
    kit.set_text("before", 6)
    kit.confirm_and_next()
    assert kit.texts.pending == 0
    folder = Path(campaign.where)
    away = folder.with_name("away")
    folder.rename(away)
    kit.set_text("while it was away", 0)
    kit.confirm_and_next()
    assert "store.gone" in kit.texts.trouble
    shutil.copytree(away, folder)
    assert not kit.texts.flush(), "another file in its place"
    shutil.rmtree(folder)
    away.rename(folder)
    assert kit.texts.flush()
    assert (kit.texts.pending, kit.texts.trouble) == (0, "")
    with open_campaign(folder) as again:
        texts = [one.text for one in again.revisions.history("K1", "red", Pass.FIRST)]
    assert texts == ["before", "while it was away"]


def test_a_full_disk_is_waited_for(start: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    kit = start()
    real = os.write
    space = 0

    def write(file: int, data: bytes) -> int:
        if file != kit.texts._spool._file:
            return real(file, data)
        if not space:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data[:space])

    monkeypatch.setattr(os, "write", write)
    kit.set_text("typed while the disk is full", 5)
    assert kit.texts.spool_trouble
    kit.set_text("typed still", 5)
    space = 10  # half a line goes in
    kit.set_text("typed on", 5)
    assert kit.texts.spool_trouble
    space = 1 << 20
    kit.set_text("typed at last", 5)
    assert not kit.texts.spool_trouble
    monkeypatch.undo()
    crash(kit)
    assert start().own(0).text == "typed at last"


def test_a_kit_opens_where_nothing_can_be_kept_and_names_the_folder(
    start: Open, tmp_path: Path
) -> None:
    folder = tmp_path / "spools"
    folder.touch()  # a folder that cannot be made, not even by root
    kit = start()
    assert str(folder) in kit.texts.spool_trouble
    kit.set_text("made", 4)
    kit.go_to(1)
    assert kit.texts.pending == 0, "the campaign took it"
    kit.set_text("typed", 5)
    assert kit.texts.in_danger
    folder.unlink()
    assert kit.texts.flush()
    assert kit.texts.spool_trouble == ""
    crash(kit)
    again = start()
    assert (again.own(0).text, again.own(1).text, again.current) == ("made", "typed", 1)


def test_what_an_earlier_session_left_is_read_where_nothing_can_be_kept(
    start: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = start()
    kit.set_text("typed before", 5)
    crash(kit)
    real = os.open

    def open_(path: Path, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith(".spool") and flags & os.O_RDWR:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", open_)
    again = start()
    assert again.own(0).text == "typed before"
    assert os.strerror(errno.EROFS) in again.texts.spool_trouble


def test_a_file_whose_disk_went_away_is_opened_anew(
    start: Open, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Away(campaign, monkeypatch)
    kit = start()
    kit.set_text("made", 4)
    kit.go_to(1)
    real, folder = os.write, kit.texts._spool.path.parent

    def write(file: int, data: bytes) -> int:
        if file == kit.texts._spool._file and folder.is_file():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return real(file, data)

    monkeypatch.setattr(os, "write", write)
    shutil.rmtree(folder)
    folder.touch()  # a folder that cannot be made
    for length in range(1, 6):
        kit.set_text("typed"[:length], length)
    assert kit.texts.in_danger
    assert not kit.texts.flush()
    texts = [one for one in kit.texts._spool._waiting if isinstance(one.only, SegmentName)]
    assert len(texts) == 1, "only the latest text"
    folder.unlink()
    assert not kit.texts.flush(), "the campaign is away still"
    assert kit.texts.spool_trouble == ""
    crash(kit)
    again = start()
    assert (again.own(0).text, again.own(1).text, again.current) == ("made", "typed", 1)
    assert again.texts.pending == 1
    assert again.recovery.texts == (1,)
    server.away = False
    assert again.texts.flush()


@pytest.mark.long
def test_a_large_spool_is_written_anew_with_what_still_counts(
    start: Open, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madcat_studio.workspace.spool._LARGE", 2000)
    monkeypatch.setattr("madcat_studio.workspace.outbox._VISITS_AT_ONCE", 1)
    server = Away(campaign, monkeypatch)
    kit = start()
    sizes = []
    for number in range(40):
        kit.go_to(0)
        kit.set_text(f"text {number} " + "x" * 50, 0)
        kit.set_text(f"text {number}", 0)
        kit.go_to(1)
        kit.set_text(f"other {number}", 0)
        if number == 20:
            server.away = False
            kit.texts.deliver()
        sizes.append(kit.texts._spool.path.stat().st_size)
    assert sizes[-1] < max(sizes)
    assert max(sizes[21:]) < 4000
    with pytest.raises(ConflictError):
        start()  # the new file is held as the old one was
    crash(kit)
    again = start()
    assert (again.own(0).text, again.own(1).text) == ("text 39", "other 39")
    assert again.texts.pending == 0
    assert not list(again.texts._spool.path.parent.glob("*.part"))


@pytest.mark.parametrize("arrived", [1, 2, 3])
def test_what_arrived_just_before_a_kill_is_nobody_elses(
    start: Open, monkeypatch: pytest.MonkeyPatch, arrived: int
) -> None:
    """The campaign has it, and this machine was not told any more."""
    kit = start(deliver_at_once=False)
    monkeypatch.setattr(kit.texts._spool, "arrived", lambda _: None)
    for number in range(3):
        kit.set_text(f"text {number}", 6)
        kit.save() if number + 1 == arrived else kit.texts.save(0)
    kit.set_text("typed", 5)
    crash(kit)
    again = start()
    assert (again.own(0).text, again.recovery.aside) == ("typed", 0)


def test_torn_and_damaged_lines_are_left_out(start: Open) -> None:
    kit = start()
    kit.set_text("one", 1)
    kit.next()
    kit.set_text("two", 1)
    path = kit.texts._spool.path
    crash(kit)
    whole = path.read_bytes()
    for end in range(len(whole), len(whole) - 40, -7):
        path.write_bytes(whole[:end])
        again = start()
        assert again.own(0).text == "one"
        assert again.own(1).text in ("on mat the", "two")
        again.set_text("three", 1)
        crash(again)
        third = start()
        assert third.own(third.current).text == "three"
        crash(third)
    path.write_bytes(b"\x00\xff garbage\n" + whole + b'{"text": 3}\n[]\n{"in":')
    assert start().own(1).text == "two"


Seen = list[set[str]] | None
"""What the text of each segment may be; None: anything."""


def run_and_kill(where: str, spools: Path, seed: int) -> Seen:
    """Let somebody type, kill the program, and say what texts there must be."""
    typist = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("typist.py"), where, spools, str(seed)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert typist.stdout is not None
    told = [typist.stdout.readline() for _ in range(random.Random(seed).randrange(2, 120))]
    typist.kill()
    told += typist.stdout.readlines()
    typist.stdout.close()
    assert typist.wait() < 0
    seen: Seen = None
    for line in told:
        if not line.endswith("\n"):
            continue
        match json.loads(line):
            case ["did", texts]:
                seen = [{text} for text in texts]
            case ["will", _, _, True]:
                seen = None
            case ["will", index, text, False] if seen is not None:
                seen[index].add(text)
    return seen


def check_after_kill(campaign: Campaign, spools: Path, seen: Seen) -> int:
    """How many segments were found to be right."""
    claim: Claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    kit = KitWorkspace(campaign, claim, folder=spools)
    checked = 0
    for index, texts in enumerate(seen or ()):
        assert kit.own(index).text in texts
        checked += 1
    crash(kit)
    return checked


@pytest.mark.long
def test_nothing_that_was_typed_is_lost_by_a_kill(campaign: Campaign, tmp_path: Path) -> None:
    checked = 0
    for seed in range(3):
        seen = run_and_kill(campaign.where, tmp_path / "spools", seed)
        checked += check_after_kill(campaign, tmp_path / "spools", seen)
    assert checked


@pytest.mark.soak
def test_nothing_is_lost_by_two_hundred_kills(
    campaign: Campaign, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    checked = 0
    for seed in range(200):
        seen = run_and_kill(campaign.where, tmp_path / "spools", seed)
        checked += check_after_kill(campaign, tmp_path / "spools", seen)
    record_property("texts compared", checked)
    assert checked > 100
