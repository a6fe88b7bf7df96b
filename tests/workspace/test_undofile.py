"""Undo that lives on after a restart: the same steps, to the same texts, or none."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from madcat_studio.model.campaign import Flag, Pass, Revision, SegmentState, new_id
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.campaigns import OUTPUTS, make_campaign


class Machine:
    """red1's machine, on which the program is started again and again."""

    def __init__(self, campaign: Campaign, home: Path) -> None:
        self.campaign, self.spools = campaign, home / "spools"
        self.kit = self.start()

    def start(self) -> KitWorkspace:
        claim = self.campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        self.kit = KitWorkspace(self.campaign, claim, folder=self.spools)
        return self.kit

    def restart(self) -> KitWorkspace:
        self.kit.close()
        return self.start()

    def kill(self) -> KitWorkspace:
        """The program is gone with nothing said; what the system has written stays."""
        self.kit.texts._spool._soon.close()
        os.close(self.kit.texts._spool._file)
        return self.start()

    @property
    def file(self) -> Path:
        [path] = (self.spools.parent / "undo").iterdir()
        return path


@pytest.fixture
def machine(tmp_path: Path):
    with open_campaign(make_campaign(tmp_path / "campaign")) as campaign:
        made = Machine(campaign, tmp_path / "home")
        yield made
        made.kit.close()


def write(kit: KitWorkspace, *texts: str) -> None:
    """One step for each text."""
    for text in texts:
        kit.replace_all({kit.current: text})
        kit.move_caret(len(text))


def undone(kit: KitWorkspace) -> list[str]:
    """The current segment's texts, one for each step back."""
    found = []
    while kit.undo_label:
        kit.undo()
        found.append(kit.own(kit.current).text)
    return found


def test_the_steps_of_every_segment_are_there_after_a_restart(machine: Machine) -> None:
    kit = machine.kit
    write(kit, "One.", "One two.")
    kit.flag(Flag.NOTE, "odd")
    kit.confirm()
    kit.go_to(1)
    write(kit, "Other.")
    kit = machine.restart()
    assert (kit.current, kit.own(0).text, kit.own(1).text) == (1, "One two.", "Other.")
    kit.undo()
    assert (kit.current, kit.own(1).text) == (1, OUTPUTS["s2"])
    assert kit.undo_label == "Confirm"
    kit.undo()
    assert (kit.current, kit.own(0).state) == (0, SegmentState.DRAFT), "it is shown"
    assert dict(kit.own(0).flags) == {Flag.NOTE: "odd"}
    kit.undo()
    assert (kit.undo_label, dict(kit.own(0).flags)) == ("Replace", {})
    assert undone(kit) == ["One.", OUTPUTS["s1"]]
    # What was undone is an edit like any other, also after one more restart.
    kit = machine.restart()
    assert kit.own(0).text == OUTPUTS["s1"]
    assert not kit.undo_label


def test_carets_and_typed_steps_come_back_as_they_were(machine: Machine) -> None:
    kit = machine.kit
    text = OUTPUTS["s1"]
    assert text is not None
    for letter in "New words":
        place = kit.own(0).caret
        text = text[:place] + letter + text[place:]
        kit.set_text(text, place + 1)
    kit.go_to(1)
    kit = machine.restart()
    kit.go_to(0)
    steps = []
    while kit.undo_label:
        steps.append((kit.undo_label, kit.own(0).caret))
        kit.undo()
    whole = len(OUTPUTS["s1"] or "")
    assert steps == [("Typing", whole + 9), ("Typing", whole + 4)]
    assert kit.own(0).text == OUTPUTS["s1"]
    assert kit.own(0).caret == whole


def test_after_a_kill_what_was_typed_since_is_one_more_step(machine: Machine) -> None:
    kit = machine.kit
    write(kit, "One.")
    kit.go_to(1)
    kit.go_to(0)
    write(kit, "One two.", "One two three.")
    kit = machine.kill()
    assert kit.own(0).text == "One two three."
    assert undone(kit) == ["One.", OUTPUTS["s1"]]


def test_a_text_of_another_place_has_no_steps_of_this_one(machine: Machine) -> None:
    kit = machine.kit
    write(kit, "One.")
    kit.go_to(1)
    write(kit, "Other.")
    name = kit.segments[0].name
    kit.close()
    machine.campaign.revisions.append(
        [
            Revision(
                id=new_id(),
                kit="K1",
                team="red",
                pass_=Pass.FIRST,
                segment=name,
                editor="red1",
                machine="laptop",
                at=kit.claim.at,
                state=SegmentState.DRAFT,
                text="Of the laptop.",
            )
        ]
    )
    kit = machine.start()
    assert kit.own(0).text == "Of the laptop."
    kit.go_to(1)
    assert undone(kit) == [OUTPUTS["s2"]], "the other segment's are as they were"
    assert kit.own(0).text == "Of the laptop."


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"undo": 2, "steps": []}',
        b'{"undo": 1, "steps": [{"label": "x", "in": {"B/unknown": [["a"], ["b"]]}}]}',
        b'{"undo": 1, "steps": [{"label": "x"}]}',
        b"\xff\xfe",
    ],
)
def test_a_damaged_file_is_no_history(machine: Machine, content: bytes) -> None:
    write(machine.kit, "One.")
    machine.kit.close()
    machine.file.write_bytes(content)
    kit = machine.start()
    assert kit.own(0).text == "One."
    assert not kit.undo_label


def test_it_is_small_and_its_owner_s_only_and_goes_with_the_pass(machine: Machine) -> None:
    kit = machine.kit
    for number in range(300):
        write(kit, f"Text {number}.")
    kit.confirm()
    assert stat.S_IMODE(machine.file.stat().st_mode) == 0o600
    assert len(json.loads(machine.file.read_bytes())["steps"]) == 200
    while kit.check():
        kit.confirm_and_next()
    kit.hand_over()
    assert list((machine.spools.parent / "undo").iterdir()) == []


def test_where_nothing_can_be_kept_undo_works_until_the_end(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    write(machine.kit, "One.")
    machine.kit.confirm()
    assert undone(machine.kit) == ["One.", OUTPUTS["s1"]]
