"""One editor in two places: who has the kit open, who is told, and that nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread

import pytest

from madcat_studio.errors import ConflictError, WorldError
from madcat_studio.model.campaign import Delivery, Pass, Revision, SegmentName
from madcat_studio.operations.campaign.board import read_board
from madcat_studio.operations.campaign.kit_files import call_back, export_kit, import_bundles
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.desk import Desk
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.campaigns import OUTPUTS, make_campaign

S2 = SegmentName("D_1_S1", "s2")


class Place:
    """A machine with a home of its own, at which red1 sits."""

    def __init__(self, where: Path, home: Path, name: str) -> None:
        self.campaign = open_campaign(where, for_editor=True)
        self.desk = Desk(self.campaign, home)
        self.home, self.name = home, name
        self.kit: KitWorkspace

    def open(self, *, take_over: bool = False) -> KitWorkspace:
        [kit] = [one for one in self.desk.kits("red1") if one.kit == "K1"]
        self.kit = self.desk.open(kit, "red1", take_over=take_over)
        return self.kit

    def confirm(self, index: int, text: str) -> None:
        self.kit.go_to(index)
        self.kit.set_text(text, len(text))
        self.kit.confirm()

    def look(self) -> None:
        """What the window does every few seconds."""
        found = self.kit.texts.seat.elsewhere()
        if found is not None:
            self.kit.be_taken_over(found)


@pytest.fixture
def where(tmp_path: Path) -> Path:
    return make_campaign(tmp_path / "campaign")


@pytest.fixture
def place(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Place]]:
    made = []

    def make(name: str) -> Place:
        # The name of the machine that the programs of this place see.
        monkeypatch.setattr("madcat_studio.workspace.desk.machine_name", lambda: name)
        monkeypatch.setattr("madcat_studio.workspace.seat.machine_name", lambda: name)
        monkeypatch.setattr("madcat_studio.workspace.kit_texts.machine_name", lambda: name)
        made.append(Place(where, tmp_path / name / "spools", name))
        return made[-1]

    yield make
    for one in made:
        one.campaign.close()


def stored(where: Path) -> list[tuple[str, str, str, bool]]:
    """(segment, text, machine, aside) of all that is in the campaign, in the order of storing."""
    with open_campaign(where) as campaign:
        return [
            (one.segment.segment, one.text, one.machine, one.side)
            for one in campaign.revisions.history("K1", "red", Pass.FIRST)
        ]


def latest(where: Path) -> dict[str, str]:
    with open_campaign(where) as campaign:
        found = campaign.revisions.latest("K1", "red", Pass.FIRST)
    return {name.segment: one.text for name, one in found.items()}


def test_the_second_place_is_told_and_the_first_cannot_write_over_it(
    where: Path, place: Callable[[str], Place]
) -> None:
    office = place("office")
    office.open()
    office.confirm(1, "He did not name the builder.")
    home = place("home")
    with pytest.raises(ConflictError) as told:
        home.open()
    assert told.value.code == "kit.open-elsewhere"
    assert told.value.reason.startswith("The kit is open on office since ")
    home.open(take_over=True)
    assert home.kit.own(1).text == "He did not name the builder."
    home.confirm(1, "He didn't name the builder.")
    # The first has not looked yet: what it confirms now is kept, aside.
    office.confirm(1, "He did not name its builder.")
    office.kit.set_text("Half a", 6)
    office.look()
    assert office.kit.taken is not None
    assert office.kit.taken.machine == "home"
    with pytest.raises(ConflictError) as refused:
        office.kit.set_text("Half a sentence", 15)
    assert refused.value.code == "kit.taken-over"
    assert office.kit.go_to(0).current == 0, "it can be read"
    assert stored(where) == [
        ("s2", "He did not name the builder.", "office", False),
        ("s2", "He didn't name the builder.", "home", False),
        ("s2", "He did not name its builder.", "office", True),
        ("s2", "Half a", "office", True),
    ]
    assert latest(where) == {"s2": "He didn't name the builder."}
    # Both sides can compare, whichever has it.
    assert [(one.text, one.machine) for one in home.kit.texts.asides()] == [
        ("He did not name its builder.", "office"),
        ("Half a", "office"),
    ]
    office.open(take_over=True)
    assert office.kit.own(1).text == "He didn't name the builder."
    assert office.kit.recovery.texts == ()
    home.look()
    assert home.kit.taken is not None
    office.kit.close()


def test_a_place_that_was_left_asks_nobody(place: Callable[[str], Place]) -> None:
    office = place("office")
    office.open().close()
    home = place("home")
    home.open()
    # Killed: it stays open for others, and for nobody of its own home.
    home.campaign.close()
    home.kit.texts._spool.close()
    again = place("home")
    again.open()
    assert again.kit.taken is None
    with pytest.raises(ConflictError):
        office.open()
    again.kit.close()
    office.open().close()


def test_what_waited_while_another_place_went_on_is_kept_aside(
    where: Path, place: Callable[[str], Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Off the network at the office, on at home, then the office again: nothing is written over."""
    office = place("office")
    office.open()
    with monkeypatch.context() as patch:

        def away(_: object) -> None:
            raise WorldError("store.server-away", "The server is away")

        patch.setattr(office.campaign.revisions, "append", away)
        office.confirm(1, "He did not name its builder.")
        office.confirm(2, "The bridge is 187 metres long.")
        office.kit.texts._spool.close()  # the machine stops
    home = place("home")
    home.open(take_over=True)
    home.confirm(1, "He did not name the builder.")
    home.kit.close()
    again = place("office")
    again.open()
    assert again.kit.recovery.aside == 1
    assert again.kit.own(1).text == "He did not name the builder."
    assert again.kit.own(2).text == "The bridge is 187 metres long.", "nobody else has touched it"
    again.kit.texts.deliver()
    assert latest(where) == {
        "s2": "He did not name the builder.",
        "s3": "The bridge is 187 metres long.",
    }
    assert [one.text for one in again.kit.texts.asides()] == ["He did not name its builder."]
    # And the next text of that segment is an ordinary one.
    again.confirm(1, "He did not name any builder.")
    assert latest(where)["s2"] == "He did not name any builder."
    again.kit.close()


@pytest.mark.parametrize("arrived", [0, 1, 2])
def test_what_arrived_and_was_not_noted_is_not_late(
    where: Path, place: Callable[[str], Place], monkeypatch: pytest.MonkeyPatch, arrived: int
) -> None:
    """Killed between the campaign's answer and the note of it: the texts go on where they were."""
    office = place("office")
    office.open()
    monkeypatch.setattr(office.kit.texts._spool, "arrived", lambda _: None)
    append = office.campaign.revisions.append
    sent: list[str] = []

    def until_the_network_goes(revisions: Sequence[Revision]) -> Delivery:
        if len(sent) == arrived:
            raise WorldError("store.server-away", "The server is away")
        sent.append(revisions[-1].text)
        return append(revisions)

    monkeypatch.setattr(office.campaign.revisions, "append", until_the_network_goes)
    office.confirm(1, "He did not name one.")
    office.confirm(1, "He did not name two.")
    office.kit.set_text("He did not name three", 0)
    assert len(sent) == arrived
    office.kit.texts._spool.close()
    again = place("office")
    again.open()
    assert again.kit.recovery.aside == 0
    assert again.kit.own(1).text == "He did not name three"
    again.confirm(1, "He did not name three.")
    assert latest(where) == {"s2": "He did not name three."}
    assert [text for _, text, _, side in stored(where) if side] == []
    again.kit.close()


def test_another_window_of_the_same_home_takes_over_with_all_that_is_typed(
    where: Path, tmp_path: Path, place: Callable[[str], Place]
) -> None:
    first = place("office")
    first.open()
    first.kit.go_to(1)
    first.kit.set_text("He did not", 10)
    second = Place(where, first.home, "office")
    with pytest.raises(ConflictError) as told:
        second.open()
    assert told.value.code == "spool.held"

    def first_looks() -> None:
        while first.kit.taken is None:
            first.look()

    looking = Thread(target=first_looks)
    looking.start()
    second.open(take_over=True)
    looking.join()
    assert second.kit.own(1).text == "He did not"
    assert stored(where) == [("s2", "He did not", "office", False)]
    second.kit.close()
    second.campaign.close()


@pytest.mark.long
def test_a_kit_that_is_out_as_a_file_says_so_and_can_be_called_back(
    where: Path, tmp_path: Path, place: Callable[[str], Place]
) -> None:
    office = place("office")
    office.open()
    office.confirm(1, "He did not name the builder.")
    file = tmp_path / "k.madcat-kit"
    export_kit(str(where), "K1", "red", Pass.FIRST, "red1", file)
    # The window that has it open is told, and the board and every desk say it.
    office.look()
    assert office.kit.taken is not None
    assert office.kit.taken.as_file
    [kit] = [one for one in office.desk.kits("red1") if one.kit == "K1"]
    assert kit.sitting is not None
    assert (kit.sitting.as_file, kit.here) == (True, False)
    [row] = [one for one in read_board(str(where)).rows if one.team == "red"]
    assert row.first.out == kit.sitting.at
    assert row.review.out is None
    with pytest.raises(ConflictError) as told:
        office.open()
    assert told.value.code == "kit.out-as-file"
    call_back(str(where), "K1", "red", Pass.FIRST)
    assert [one.first.out for one in read_board(str(where)).rows] == [None, None]
    with pytest.raises(ConflictError) as refused:
        call_back(str(where), "K1", "red", Pass.FIRST)
    assert refused.value.code == "store.not-out"
    office.open()
    office.confirm(1, "He didn't name the builder.")
    # The file comes all the same, finished: nothing of it is lost, and nothing counts.
    with OpenBundle(file) as bundle:
        kit_of_file = KitWorkspace(bundle, bundle.claim, folder=tmp_path / "away" / "spools")
        kit_of_file.replace_all({2: "The bridge is 187 metres long."})
        while kit_of_file.check():
            kit_of_file.confirm_and_next()
        kit_of_file.hand_over()
    outcome = import_bundles(str(where), [file])
    assert [one.code for one in outcome.problems] == ["bundle.called-back"]
    with open_campaign(where) as campaign:
        assert not campaign.claims.handed_over("K1", "red", Pass.FIRST)
    assert latest(where) == {"s2": "He didn't name the builder."}
    assert "The bridge is 187 metres long." in [one.text for one in office.kit.texts.asides()]
    office.kit.close()


def test_a_kit_that_is_taken_over_from_its_file_is_called_back_by_that(
    where: Path, tmp_path: Path, place: Callable[[str], Place]
) -> None:
    file = tmp_path / "k.madcat-kit"
    export_kit(str(where), "K1", "red", Pass.FIRST, "red1", file)
    with OpenBundle(file) as bundle:
        kit_of_file = KitWorkspace(bundle, bundle.claim, folder=tmp_path / "away" / "spools")
        kit_of_file.replace_all({1: "He did not name a builder."})
        kit_of_file.close()
    copy = shutil.copy(file, tmp_path / "early.madcat-kit")
    assert import_bundles(str(where), [Path(copy)]).problems == ()
    assert latest(where) == {"s2": "He did not name a builder."}, "it is out, and counts"
    home = place("home")
    home.open(take_over=True)
    with OpenBundle(file) as bundle:
        kit_of_file = KitWorkspace(bundle, bundle.claim, folder=tmp_path / "away" / "spools")
        kit_of_file.replace_all({1: "He did not name one builder."})
        kit_of_file.close()
    outcome = import_bundles(str(where), [file])
    assert [one.code for one in outcome.problems] == ["bundle.called-back"]
    assert latest(where) == {"s2": "He did not name a builder."}
    home.kit.close()


def test_a_base_that_is_not_the_latest_is_kept_aside(where: Path) -> None:
    """At the boundary: whoever sends it, and in one delivery as in several."""
    with open_campaign(where) as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")

        def made(key: str, text: str, base: str | None) -> Revision:
            from datetime import UTC, datetime

            from madcat_studio.model.campaign import SegmentState

            return Revision(
                id=f"00000000-0000-4000-8000-00000000000{key}",
                kit="K1",
                team="red",
                pass_=Pass.FIRST,
                segment=S2,
                editor="red1",
                machine="here",
                at=datetime(2026, 1, 2, tzinfo=UTC),
                state=SegmentState.DRAFT,
                text=text,
                turn=claim.turn,
                base=base,
            )

        one, two = made("1", "one", ""), made("2", "two", "00000000-0000-4000-8000-000000000001")
        told = campaign.revisions.append([one, two])
        assert (told.stored, told.side, told.beside) == (2, 0, 0)
        late = [
            made("3", "late", one.id),
            made("4", "later", "00000000-0000-4000-8000-000000000003"),
        ]
        told = campaign.revisions.append(late)
        assert (told.stored, told.side, told.beside) == (2, 2, 2)
        told = campaign.revisions.append([made("5", "first", "")])
        assert (told.side, told.beside) == (1, 1)
        assert campaign.revisions.append(late).known == 2, "sent again, it is the same"
        told = campaign.revisions.append([made("6", "unknown", None)])
        assert (told.side, told.beside) == (0, 0), "of a table, which knows no base"
        assert campaign.revisions.latest("K1", "red", Pass.FIRST)[S2].text == "unknown"


def test_a_campaign_that_can_only_be_read_is_no_place(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cannot say where the kit is open goes on all the same."""
    with open_campaign(where) as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")

        def refuse(*_: object) -> None:
            raise WorldError("store.read-only", "The campaign is read-only here")

        monkeypatch.setattr(campaign.sittings, "sit", refuse)
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        assert kit.own(1).text == OUTPUTS["s2"]
        assert kit.texts.seat.elsewhere() is None
        kit.close()


def names(campaign: Campaign) -> list[str]:
    return [one.machine for one in campaign.sittings.all().values()]


def test_a_released_claim_is_open_nowhere(where: Path, place: Callable[[str], Place]) -> None:
    office = place("office")
    office.open()
    with open_campaign(where) as campaign:
        assert names(campaign) == ["office"]
        campaign.claims.release("K1", "red", Pass.FIRST, by="boss")
        assert names(campaign) == []
    office.kit.close()
