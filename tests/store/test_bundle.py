from __future__ import annotations

import copy
import hashlib
import io
import json
import random
import shutil
import unicodedata
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from madcat_studio.errors import (
    ConflictError,
    FormatError,
    InputError,
    StudioError,
    UsageError,
    WorldError,
)
from madcat_studio.model.campaign import Delivery, Flag, Pass, SegmentState
from madcat_studio.model.outlines import SegmentLines
from madcat_studio.model.visits import TIMES_ONLY_OPTION, Event, EventKind
from madcat_studio.store import (
    BUNDLE_SUFFIX,
    Campaign,
    Work,
    create_campaign,
    give_out,
    is_locked,
    locking,
    open_campaign,
    read_bundle,
    take_back,
    write_bundle,
)
from madcat_studio.store.bundle import issue, parse_issued, parse_work, spell_work
from madcat_studio.store.bundlefile import seal_of
from madcat_studio.workspace.bundle import OpenBundle, return_bundle
from madcat_studio.workspace.kit import KitWorkspace
from madcat_studio.workspace.visits import Activity

SCAN = b"\x00scan\xff" * 100


@pytest.fixture(scope="module")
def _worked_in(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in which the other team has worked already, and scans are shown."""
    folder = tmp_path_factory.mktemp("worked") / "campaign"
    shutil.copytree(prepared, folder)
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
    return folder


@pytest.fixture
def folder(_worked_in: Path, tmp_path: Path) -> Path:
    return shutil.copytree(_worked_in, tmp_path / "campaign")


@pytest.fixture
def here(folder: Path) -> Iterator[Campaign]:
    with open_campaign(folder) as campaign:
        yield campaign


@pytest.fixture
def bundle(here: Campaign, tmp_path: Path) -> Path:
    path = tmp_path / f"K1{BUNDLE_SUFFIX}"
    assert give_out(here, "K1", "red", Pass.FIRST, "red1", path) == 1
    return path


def edit(
    path: Path, spools: Path, text: str = "mine", *, finish: bool = True, passphrase: str = ""
) -> None:
    opened = OpenBundle(path, passphrase)
    kit = KitWorkspace(opened, opened.claim, folder=spools)
    for index in range(4):
        kit.go_to(index)
        kit.note(Activity.CHARACTER)
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


@pytest.mark.long
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
    assert b"x_1_S" not in everything, "the name of a page tells where it comes from"
    shown = ["K1.01/1", "K1.01/2", "K1.02/1", "K1.02/2"]
    assert [str(one.name) for one in read.bundle.segments] == shown
    opened = OpenBundle(bundle)
    assert opened.image("K1.01") == SCAN
    assert opened.image("K1.02") is None


def test_a_file_that_cannot_be_written_claims_nothing(here: Campaign, tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"bundle\.cannot-write"):
        give_out(here, "K1", "red", Pass.FIRST, "red1", tmp_path / "nowhere" / "K1")
    assert not any(one.held for one in here.claims.available("red1"))


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
    monkeypatch.setattr("madcat_studio.store.bundlefile.MOST_TEXT_BYTES", 100)
    with pytest.raises(FormatError, match="more than any kit"):
        read_bundle(bundle)
    monkeypatch.setattr("madcat_studio.store.bundlefile.MOST_BYTES", 100)
    with pytest.raises(FormatError, match="larger than any kit"):
        read_bundle(bundle)


@pytest.mark.parametrize(
    ("member", "packing"),
    [
        # These unpack without an end that zipfile would see to.
        ("work.json", zipfile.ZIP_BZIP2),
        ("work.json", zipfile.ZIP_LZMA),
        ("images/" + "0" * 64, zipfile.ZIP_DEFLATED),
    ],
)
def test_members_that_are_packed_to_do_harm(bundle: Path, member: str, packing: int) -> None:
    with zipfile.ZipFile(bundle, "a") as file:
        file.writestr(member, b" " * 100_000, packing)
    with pytest.raises(FormatError, match="another way than ours"):
        read_bundle(bundle)


def test_members_that_lie_over_each_other_are_refused(bundle: Path) -> None:
    with zipfile.ZipFile(bundle, "a") as file:
        file.writestr("images/" + "0" * 64, bytes(4000), zipfile.ZIP_STORED)
        for number in range(1, 9):
            again = copy.copy(file.infolist()[-1])
            again.filename = f"images/{number:064}"
            file.filelist.append(again)
    with pytest.raises(FormatError, match="over each other"):
        read_bundle(bundle)


def test_what_is_issued_is_read_as_it_was(bundle: Path, tmp_path: Path) -> None:
    """Also a segment that the reviewer returned, until its first editor has saved it again."""
    read = read_bundle(bundle)
    first, *others = read.bundle.segments
    told = replace(
        read.bundle,
        segments=(replace(first, returned="please أعد", text="x", flags={Flag.NOTE: "n"}), *others),
        latest={first.name: "0" * 36},
        lines={first.name: (0, (((0, 1.5), (2, 3), (4, 5)),))},
    )
    issued = issue(told)
    assert parse_issued(issued) == told
    write_bundle(bundle, issued, read.seal, read.images)
    opened = OpenBundle(bundle)
    kit = KitWorkspace(opened, opened.claim, folder=tmp_path / "spools")
    assert kit.segments[0].returned == "please أعد"
    kit.set_text("better", 0)
    kit.close()
    with OpenBundle(bundle) as again:
        shown = again.kit_segments("K1", "red", Pass.FIRST)
        assert [one.returned for one in shown] == [None] * len(shown)
        (made,) = again.made()
    assert parse_work(spell_work(Work((made,), finished=True)), opened.claim) == Work(
        (made,), finished=True
    )


# -- with a passphrase ------------------------------------------------------------------------


PASSPHRASE = "caf\u00e9 بيت horse staple"


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passphrases that cost nothing to try."""
    monkeypatch.setattr("madcat_studio.store.locking.COST", 2**4)


@pytest.fixture
def locked(here: Campaign, tmp_path: Path, cheap: None) -> Path:
    path = tmp_path / f"K1{BUNDLE_SUFFIX}"
    give_out(here, "K1", "red", Pass.FIRST, "red1", path, passphrase=PASSPHRASE)
    return path


def test_a_locked_bundle_there_and_back(here: Campaign, locked: Path, tmp_path: Path) -> None:
    for passphrase, code in (("", "bundle.locked"), ("wrong wrong", "bundle.wrong-passphrase")):
        with pytest.raises(UsageError) as caught:
            OpenBundle(locked, passphrase)
        assert caught.value.code == code
    edit(locked, tmp_path / "spools", passphrase=unicodedata.normalize("NFD", PASSPHRASE))
    with pytest.raises(UsageError):
        take_back(here, locked)
    returned = take_back(here, locked, PASSPHRASE)
    assert returned.delivery == Delivery(stored=4)
    assert returned.finished


def test_a_locked_bundle_shows_nothing(here: Campaign, locked: Path, tmp_path: Path) -> None:
    edit(locked, tmp_path / "spools", passphrase=PASSPHRASE)
    sent = return_bundle(locked, tmp_path / "sent", ask=lambda _: PASSPHRASE).path
    assert sent.name == f"sent{BUNDLE_SUFFIX}"
    for path in (locked, sent):
        assert is_locked(path)
        everything = path.read_bytes()
        assert not zipfile.is_zipfile(path)
        for shown in (b"bundle.json", b"sentence", b"images/", SCAN[:6]):
            assert shown not in everything
    # The same content is never written twice with the same numbers.
    first = locked.read_bytes()
    with OpenBundle(locked, PASSPHRASE) as opened:
        opened.save((), finished=False)
    second = locked.read_bytes()
    assert first[53:65] != second[53:65], "a nonce must never be used again"
    assert first[:53] == second[:53]


def test_a_passphrase_must_be_worth_its_name(here: Campaign, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        give_out(here, *("K1", "red", Pass.FIRST, "red1"), tmp_path / "k", passphrase="1234567")
    assert caught.value.code == "bundle.short-passphrase"
    assert not (tmp_path / "k").exists()
    assert not any(one.held for one in here.claims.available("red1"))


@pytest.mark.long
def test_a_passphrase_is_dear_to_guess() -> None:
    lock = locking.new_lock("password")
    made = hashlib.scrypt(b"password", salt=lock.salt, n=2**17, r=8, p=1, maxmem=2**28, dklen=48)
    assert made == lock.key + lock.check
    assert lock.key.hex() not in repr(lock)


# -- sent back --------------------------------------------------------------------------------


def test_what_is_sent_back_has_no_scans(here: Campaign, bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Nobody has worked"):
        return_bundle(bundle, tmp_path / "sent", folder=tmp_path / "spools")
    opened = OpenBundle(bundle)
    kit = KitWorkspace(opened, opened.claim, folder=tmp_path / "spools", deliver_at_once=False)
    kit.set_text("only in the spool", 0)
    kit.texts._spool.close(at=None)  # as a kill leaves it
    with pytest.raises(InputError, match=r"kit\.not-ready"):
        return_bundle(bundle, tmp_path, finish=True, folder=tmp_path / "spools")
    (tmp_path / "sent").mkdir()
    sent = return_bundle(bundle, tmp_path / "sent", folder=tmp_path / "spools")
    assert sent.path == tmp_path / "sent" / bundle.name
    assert (sent.texts, sent.finished) == (1, False)
    with pytest.raises(UsageError, match="A file with this name exists"):
        return_bundle(bundle, tmp_path / "sent", folder=tmp_path / "spools")
    assert read_bundle(sent.path).images == {}
    assert read_bundle(bundle).images != {}
    assert take_back(here, sent.path).delivery == Delivery(stored=1)
    with OpenBundle(sent.path) as back:
        assert back.lines("A.x_1_S1").scan is None
        assert [one.text for one in back.made()] == ["only in the spool"]


def test_lines_are_shown_on_the_scan_of_a_bundle(here: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "k"
    give_out(here, "K1", "red", Pass.FIRST, "red1", path)
    with OpenBundle(path) as opened:
        lines = opened.lines("K1.01")
        assert lines.scan is not None
        assert lines.scan.read_bytes() == SCAN
        assert lines.segments == {"1": SegmentLines(1, (((0, 0), (9.5, 0), (9, 5)),))}
        assert opened.lines("K1.02").scan is None, "the campaign has no scan of it"
    assert not lines.scan.exists()


def test_the_log_goes_along_and_is_counted(here: Campaign, bundle: Path, tmp_path: Path) -> None:
    edit(bundle, tmp_path / "spools")
    work = read_bundle(bundle).work
    assert work is not None
    kinds = [event.kind for one in work.visits for event in one.events]
    assert kinds.count(EventKind.KEY) == kinds.count(EventKind.TEXT) == 4
    sent = return_bundle(bundle, tmp_path / "sent.madcat-kit")
    assert sent.visits == len(work.visits) == 4
    returned = take_back(here, sent.path)
    assert returned.visits == 4
    real = {one.id: one for one, _ in here.visits.all()}
    assert [real[one.id].events for one in work.visits] == [one.events for one in work.visits]
    assert take_back(here, sent.path).visits == 0
    assert len([one for one in here.visits.all() if one[0].team == "red"]) == 4


def test_a_bundle_of_a_campaign_of_times_holds_times(prepared: Path, tmp_path: Path) -> None:
    path = tmp_path / f"K1{BUNDLE_SUFFIX}"
    with open_campaign(shutil.copytree(prepared, tmp_path / "campaign")) as campaign:
        campaign.set_options({TIMES_ONLY_OPTION: True})
        give_out(campaign, "K1", "red", Pass.FIRST, "red1", path)
        edit(path, tmp_path / "spools")
        work = read_bundle(path).work
        assert work is not None
        assert work.visits
        assert not [event for one in work.visits for event in one.events]
        # An editor may write more into the file; the campaign takes the times of it.
        forged = Event(1, EventKind.KEY, ("character",))
        read = read_bundle(path)
        visits = (replace(work.visits[0], events=(forged,)), *work.visits[1:])
        write_bundle(path, read.issued, read.seal, {}, replace(work, visits=visits))
        assert take_back(campaign, path).visits == len(visits)
        assert not [event for one, _ in campaign.visits.all() for event in one.events]


# -- everything that can come back ------------------------------------------------------------


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


ODD: list[object] = [
    *(None, True, False, 0, -1, 2**53, 2**70, 1.5, float("inf"), float("nan"), "", "x", "draft"),
    *("\ud800", "a\x00b", "نص", "confirmed", "untouched", "K1.01/2", "nobody/s1", [], {}),
    *("9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "2026-01-01T00:00:00", "now"),
    *({"ms": -5}, {"ms": 1e300}, {"ms": 7}, {"": 1}, {"ms": "1"}, {"note": "x"}, {"note": None}),
    *([[5, "mouse"]], [[-1, "mouse"]], [[1, "swears"]], [[1e300, "mouse"]], [[1, "note", {}]]),
    *({"other": "x"}, {"scribe_error": "a\x01"}, [[]], ["x"], str(uuid.uuid4())),
]


def forge(chance: random.Random, done: bytes) -> bytes:
    """What an editor who knows the format could write and seal with the key in the file."""
    work = json.loads(done)
    for _ in range(chance.randrange(1, 3)):
        one = chance.choice([*work["revisions"], *work["visits"]] or [work])
        if chance.random() < 0.2:
            work["revisions"].append(one | {"id": str(uuid.UUID(int=chance.getrandbits(128)))})
        elif chance.random() < 0.1:
            work[chance.choice(sorted(work))] = chance.choice(ODD)
            break
        else:
            name = chance.choice(sorted(one))
            if chance.random() < 0.1:
                del one[name]
                break
            one[name] = chance.choice(ODD)
    return json.dumps(work).encode()


def run_mutations(
    here: Campaign, bundle: Path, spools: Path, number: int, passphrase: str = ""
) -> None:
    """Each mutated bundle is refused and changes nothing, or brings what it says and no more."""
    edit(bundle, spools, passphrase=passphrase)
    sound = bundle.read_bytes()
    read = read_bundle(bundle, passphrase)
    take_back(here, bundle, passphrase)
    inside = sound if read.lock is None else locking.unlock(sound, passphrase, where="")[0]
    with zipfile.ZipFile(io.BytesIO(inside)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    chance = random.Random(1)
    refused = 0
    kept = {one.id: one for one in here.revisions.history("K1", "red", Pass.FIRST)}
    others = [here.revisions.history(*key) for key in OTHERS]
    log = {one.id: one for one, _ in here.visits.all()}
    blue = sum(one.team == "blue" for one in log.values())
    for _ in range(number):
        kind = chance.random()
        said: dict[str, str] = {}
        if kind < 0.4:
            bundle.write_bytes(mutate(chance, sound))
        else:
            changed = dict(members)
            if kind < 0.6:
                name = chance.choice(sorted(members))
                changed[name] = mutate(chance, members[name])
            else:
                changed["work.json"] = forge(chance, members["work.json"])
                changed["work.seal"] = seal_of(read.bundle.key, changed["work.json"]).encode()
                said = texts_in(changed["work.json"])
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as file:
                for name, data in changed.items():
                    file.writestr(name, data)
            whole = packed.getvalue()
            bundle.write_bytes(whole if read.lock is None else read.lock.lock(whole))
        try:
            delivery = take_back(here, bundle, passphrase).delivery
        except StudioError:
            refused += 1
            delivery = Delivery()
        now = {one.id: one for one in here.revisions.history("K1", "red", Pass.FIRST)}
        assert kept.items() <= now.items()
        new = now.keys() - kept.keys()
        assert len(new) == delivery.stored
        assert all(said[one] == now[one].text for one in new)
        kept = now
        # Nothing of the log is changed, and what is new can be read.
        now_log = {one.id: one for one, _ in here.visits.all()}
        assert log.items() <= now_log.items()
        log = now_log
    assert {one.editor for one in log.values() if one.team == "red"} == {"red1"}
    assert sum(one.team == "blue" for one in log.values()) == blue
    assert [here.revisions.history(*key) for key in OTHERS] == others
    assert refused > number / 2
    assert number < 100 or len(kept) > 4, "no forged text ever got in: nothing was tried"
    assert list(here.segment_records()), "what was imported can be read and scored"


OTHERS = (("K1", "blue", Pass.FIRST), ("K1", "red", Pass.REVIEW), ("K2", "red", Pass.FIRST))


def texts_in(done: bytes) -> dict[str, str]:
    found = json.loads(done)["revisions"]
    if not isinstance(found, list):
        return {}
    return {
        one["id"]: one["text"]
        for one in found
        if isinstance(one, dict) and isinstance(one.get("id"), str) and "text" in one
    }


@pytest.mark.long
def test_mutated_bundles_are_refused_or_imported_right(
    here: Campaign, bundle: Path, tmp_path: Path
) -> None:
    run_mutations(here, bundle, tmp_path / "spools", 120)


@pytest.mark.long
def test_mutated_locked_bundles_are_refused_or_imported_right(
    here: Campaign, locked: Path, tmp_path: Path
) -> None:
    run_mutations(here, locked, tmp_path / "spools", 40, PASSPHRASE)


@pytest.mark.soak
def test_two_thousand_mutated_bundles(here: Campaign, bundle: Path, tmp_path: Path) -> None:
    run_mutations(here, bundle, tmp_path / "spools", 2000)


@pytest.mark.soak
def test_two_thousand_mutated_locked_bundles(here: Campaign, locked: Path, tmp_path: Path) -> None:
    run_mutations(here, locked, tmp_path / "spools", 2000, PASSPHRASE)
