from __future__ import annotations

import json
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from madcat_studio.errors import ConflictError, FormatError, StudioError, WorldError
from madcat_studio.model.campaign import Delivery, Flag, Pass, SegmentState
from madcat_studio.store import (
    BUNDLE_SUFFIX,
    Campaign,
    create_campaign,
    give_out,
    open_campaign,
    read_bundle,
    take_back,
)
from madcat_studio.store.bundle import issue
from madcat_studio.workspace.bundle import OpenBundle
from madcat_studio.workspace.kit import KitWorkspace

SCAN = b"\x00scan\xff" * 100


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "campaign"
    shutil.copytree(prepared, copy)
    return copy


@pytest.fixture
def here(folder: Path) -> Iterator[Campaign]:
    """A campaign in which the other team has worked already, and scans are shown."""
    with open_campaign(folder) as campaign:
        document = campaign.contents.document("A.x_1_S1")
        assert document is not None
        campaign.contents.add_document(
            document,
            campaign.contents.blob(document.sha256),
            campaign.contents.segments("A.x_1_S1"),
            SCAN,
        )
        campaign.set_options({"editing.show_page": True, "scoring.case_sensitive": True})
        campaign.set_guidelines("Edit little.")
        claim = campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "there")
        other = KitWorkspace(campaign, claim, folder=folder / "other spools")
        other.set_text("secret of blue", 0)
        other.close()
        yield campaign


@pytest.fixture
def bundle(here: Campaign, tmp_path: Path) -> Path:
    path = tmp_path / f"K1{BUNDLE_SUFFIX}"
    assert give_out(here, "K1", "red", Pass.FIRST, "red1", path) == 1
    return path


def edit(path: Path, spools: Path, text: str = "mine", *, finish: bool = True) -> None:
    opened = OpenBundle(path)
    kit = KitWorkspace(opened, opened.claim, folder=spools)
    for index in range(4):
        kit.go_to(index)
        kit.set_text(f"{text} {index}", 0)
        if index == 3:
            kit.flag(Flag.NOTE, "words")
        kit.confirm()
    if finish:
        kit.hand_over()
    kit.close()


def content(path: Path) -> bytes:
    """All that is in a bundle, unpacked."""
    with zipfile.ZipFile(path) as file:
        return b"\n".join(file.read(name) for name in file.namelist())


def test_a_bundle_holds_only_what_its_editor_may_see(bundle: Path) -> None:
    everything = content(bundle)
    # What a system itself wrote is shown: "first sentence Alpha".
    rest = everything.replace(b"first sentence Alpha", b"").replace(b"first sentence Beta", b"")
    for hidden in (b"secret", b"blue", b"Alpha", b"Beta", b"red2", b"Bob", "جملة".encode()):
        assert hidden not in rest
    read = read_bundle(bundle)
    assert read.bundle.guidelines == "Edit little."
    assert read.bundle.options == {"editing.show_page": True}
    assert list(read.images.values()) == [SCAN]
    assert {one.code for one in read.bundle.segments} == {"T1", "T2"}
    opened = OpenBundle(bundle)
    assert opened.image("A.x_1_S1") == SCAN
    assert opened.image("B.x_1_S1") is None


def test_a_file_that_cannot_be_written_claims_nothing(here: Campaign, tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"bundle\.cannot-write"):
        give_out(here, "K1", "red", Pass.FIRST, "red1", tmp_path / "nowhere" / "K1")
    assert not any(one.held for one in here.claims.offers("red1"))


def test_there_and_back(here: Campaign, bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match="Nobody has worked"):
        take_back(here, bundle)
    edit(bundle, tmp_path / "spools")
    assert OpenBundle(bundle).finished
    returned = take_back(here, bundle)
    assert returned.delivery == Delivery(stored=4)
    assert returned.finished
    again = take_back(here, bundle)
    assert again.delivery == Delivery(known=4)
    assert again.finished
    latest = here.revisions.latest("K1", "red", Pass.FIRST)
    assert [one.text for one in latest.values()] == ["mine 0", "mine 1", "mine 2", "mine 3"]
    assert [one.words for one in here.revisions.flagged()] == ["words"]
    assert here.claims.handed_over("K1", "red", Pass.FIRST)
    # The reviewer's bundle begins with the first pass.
    review = tmp_path / "review"
    give_out(here, "K1", "red", Pass.REVIEW, "red2", review)
    assert [
        one.first for one in OpenBundle(review).revisions.kit_segments("K1", "red", Pass.REVIEW)
    ] == ["mine 0", "mine 1", "mine 2", "mine 3"]


def test_work_goes_on_in_the_file(here: Campaign, bundle: Path, tmp_path: Path) -> None:
    opened = OpenBundle(bundle)
    kit = KitWorkspace(opened, opened.claim, folder=tmp_path / "spools")
    kit.set_text("half", 4)
    kit.close()
    assert take_back(here, bundle).delivery == Delivery(stored=1)
    opened = OpenBundle(bundle)
    kit = KitWorkspace(opened, opened.claim, folder=tmp_path / "spools")
    assert (kit.own(0).text, kit.own(0).state) == ("half", SegmentState.DRAFT)
    kit.confirm()
    kit.close()
    assert take_back(here, bundle).delivery == Delivery(stored=1, known=1)
    # Given out anew, the texts so far go along.
    second = tmp_path / "second"
    give_out(here, "K1", "red", Pass.FIRST, "red1", second)
    opened = OpenBundle(second)
    kit = KitWorkspace(opened, opened.claim, folder=tmp_path / "other spools")
    assert (kit.own(0).text, kit.own(0).state) == ("half", SegmentState.CONFIRMED)
    kit.close()


def test_a_finished_bundle_can_be_taken_back_by_its_editor(bundle: Path, tmp_path: Path) -> None:
    edit(bundle, tmp_path / "spools")
    opened = OpenBundle(bundle)
    opened.take_back()
    assert not OpenBundle(bundle).finished
    assert len(OpenBundle(bundle).revisions.history("K1", "red", Pass.FIRST)) == 4


def test_a_stale_bundle_becomes_side_revisions(
    here: Campaign, bundle: Path, tmp_path: Path
) -> None:
    edit(bundle, tmp_path / "spools")
    here.claims.release("K1", "red", Pass.FIRST, by="coordinator")
    returned = take_back(here, bundle)
    assert returned.delivery == Delivery(stored=4, side=4)
    assert not returned.finished
    assert "claim" in returned.hindrance
    assert here.revisions.latest("K1", "red", Pass.FIRST) == {}


def test_segments_edited_elsewhere_meanwhile_are_kept_aside(
    here: Campaign, bundle: Path, tmp_path: Path
) -> None:
    claim = here.claims.current("K1", "red", Pass.FIRST)
    assert claim is not None
    online = KitWorkspace(here, claim, folder=tmp_path / "online")
    online.set_text("online", 0)
    online.confirm()
    online.close()
    edit(bundle, tmp_path / "spools", finish=False)
    assert take_back(here, bundle).delivery == Delivery(stored=4, side=1)
    latest = here.revisions.latest("K1", "red", Pass.FIRST)
    assert [one.text for one in latest.values()] == ["online", "mine 1", "mine 2", "mine 3"]


def test_a_foreign_bundle_is_refused(bundle: Path, tmp_path: Path) -> None:
    edit(bundle, tmp_path / "spools")
    with create_campaign(tmp_path / "other", "Other") as other:
        with pytest.raises(ConflictError) as caught:
            take_back(other, bundle)
        assert caught.value.code == "bundle.foreign"


def rewrite(path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)


def test_what_was_issued_cannot_be_changed(here: Campaign, bundle: Path, tmp_path: Path) -> None:
    edit(bundle, tmp_path / "spools")
    read = read_bundle(bundle)

    def other_editor(members: dict[str, bytes]) -> None:
        claim = replace(read.bundle.claim, editor="red2")
        members["bundle.json"] = issue(replace(read.bundle, claim=claim))

    rewrite(bundle, other_editor)
    with pytest.raises(FormatError) as caught:
        take_back(here, bundle)
    assert caught.value.code == "bundle.tampered"
    assert here.revisions.latest("K1", "red", Pass.FIRST) == {}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("../escape", b"x"),
        ("/etc/passwd", b"x"),
        ("images/../../x", b"x"),
        ("images/" + "0" * 63, b"x"),
        ("other.json", b"{}"),
        ("bundle.json", b"not json"),
        ("bundle.json", b"[" * 100_000),
        ("bundle.json", json.dumps({"bundle": 99}).encode()),
        ("work.json", b"{}"),
        ("seal", b"\xff"),
    ],
)
def test_bundles_that_are_not_as_the_program_makes_them(
    here: Campaign, bundle: Path, tmp_path: Path, name: str, data: bytes
) -> None:
    edit(bundle, tmp_path / "spools")
    rewrite(bundle, lambda members: members.update({name: data}))
    with pytest.raises(FormatError):
        take_back(here, bundle)
    assert here.revisions.latest("K1", "red", Pass.FIRST) == {}


def test_links_bombs_and_doubles_are_refused(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bundle.read_bytes()
    link = zipfile.ZipInfo("images/" + "0" * 64)
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(bundle, "a") as file:
        file.writestr(link, "/etc/passwd")
    with pytest.raises(FormatError, match="link"):
        read_bundle(bundle)
    bundle.write_bytes(whole)
    with zipfile.ZipFile(bundle, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("seal", "0")
    with pytest.raises(FormatError, match="twice"):
        read_bundle(bundle)
    bundle.write_bytes(whole)
    monkeypatch.setattr("madcat_studio.store.bundle.MOST_TEXT_BYTES", 100)
    with pytest.raises(FormatError, match="more than any kit"):
        read_bundle(bundle)


def mutate(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    kind = chance.random()
    if kind < 0.6:
        for _ in range(chance.randrange(1, 4)):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    elif kind < 0.8:
        del changed[chance.randrange(len(changed)) :]
    else:
        place = chance.randrange(len(changed))
        changed[place:place] = chance.randbytes(chance.randrange(1, 40))
    return bytes(changed)


def run_mutations(here: Campaign, bundle: Path, spools: Path, number: int) -> None:
    """Each mutated bundle is refused and changes nothing, or says the same as the sound one."""
    edit(bundle, spools)
    sound = bundle.read_bytes()
    take_back(here, bundle)
    before = here.revisions.history("K1", "red", Pass.FIRST)
    chance = random.Random(1)
    refused = 0
    for _ in range(number):
        bundle.write_bytes(mutate(chance, sound))
        try:
            assert take_back(here, bundle).delivery == Delivery(known=4)
        except StudioError:
            refused += 1
    assert here.revisions.history("K1", "red", Pass.FIRST) == before
    assert refused > number / 2


def test_mutated_bundles_are_refused_or_imported_right(
    here: Campaign, bundle: Path, tmp_path: Path
) -> None:
    run_mutations(here, bundle, tmp_path / "spools", 150)


@pytest.mark.soak
def test_two_thousand_mutated_bundles(here: Campaign, bundle: Path, tmp_path: Path) -> None:
    run_mutations(here, bundle, tmp_path / "spools", 2000)
