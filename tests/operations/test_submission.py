from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import (
    ConflictError,
    FormatError,
    InputError,
    UsageError,
    WorldError,
)
from madcat_studio.model.declarations import Declaration, Manifest
from madcat_studio.operations.submission import (
    check_submission,
    counting,
    hand_in,
    pack_submission,
    receive_submission,
    received,
)

DATA = Path(__file__).parent.parent / "data" / "madcat"
BASE = "ZZN_ARB_20991231.0001_1_SCR0001"


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "inputs"
    folder.mkdir()
    for kind in ("lineseg", "wordseg", "textseg"):
        shutil.copy(DATA / f"{BASE}.{kind}.madcat.xml", folder)
    return folder


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    folder = tmp_path / "plato_1"
    folder.mkdir()
    shutil.copy(DATA / f"{BASE}.linesys.madcat.xml", folder)
    return folder


def codes(found: object) -> list[str]:
    return [problem.code for problem in found.problems]  # type: ignore[attr-defined]


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / f"{BASE}.linesys.madcat.xml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_right_one_is_packed_always_to_the_same_bytes(
    inputs: Path, outputs: Path, tmp_path: Path
) -> None:
    target, found = pack_submission(outputs, inputs)
    assert target == tmp_path / "plato_1.tgz"
    assert (found.valid, codes(found)) == (True, ["output-text-missing"])  # s3 is empty
    with tarfile.open(target) as archive:
        assert archive.getnames() == [f"plato_1/{BASE}.linesys.madcat.xml"]
    again, _ = pack_submission(outputs, inputs, tmp_path / "other.tgz")
    assert again.read_bytes() == target.read_bytes()
    with pytest.raises(ConflictError):
        pack_submission(outputs, inputs)
    assert codes(check_submission(target, inputs)) == ["output-text-missing"]


def test_the_other_samples_have_what_their_readme_says(inputs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kant_2"
    folder.mkdir()
    shutil.copy(DATA / f"{BASE}.wordsys.madcat.xml", folder)
    shutil.copy(DATA / f"{BASE}.transys.madcat.xml", folder)
    found = check_submission(folder, inputs)
    assert sorted(codes(found)) == ["output-segment-added", "output-segment-missing"]
    assert not found.valid
    with pytest.raises(InputError, match="2 errors, and nothing was packed"):
        pack_submission(folder, inputs)
    assert not (tmp_path / "kant_2.tgz").exists()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('id="ZZN_ARB_20991231.0001_1_SCR0001"', 'id="other"', "output-other-document"),
        ('<segment id="s3">', '<segment id="s1">', "output-segment-twice"),
        ('x="4769"', 'x="4770"', "output-image-layer"),
        ("<translation></translation>", "", "output-text-missing"),
        ("</madcat>", "", "xml-truncated"),
    ],
)
def test_what_makes_an_output_invalid(
    inputs: Path, outputs: Path, old: str, new: str, code: str
) -> None:
    edit(outputs, old, new)
    found = check_submission(outputs, inputs)
    assert code in codes(found)
    assert not found.valid


def test_encoding_and_strange_files(inputs: Path, outputs: Path) -> None:
    path = outputs / f"{BASE}.linesys.madcat.xml"
    path.write_bytes(path.read_text(encoding="utf-8").replace("UTF-8", "UTF-16").encode("utf-16"))
    (outputs / "notes.txt").write_text("hello")
    shutil.copy(DATA / f"{BASE}.textseg.madcat.xml", outputs)
    shutil.copy(DATA / f"{BASE}.madcat.xml", outputs)
    (outputs / "sub").mkdir()
    shutil.copy(DATA / f"{BASE}.linesys.madcat.xml", outputs / "sub" / "X.linesys.madcat.xml")
    assert sorted(codes(check_submission(outputs, inputs))) == [
        "output-encoding",
        "output-text-missing",
        "submission-folder",
        "submission-forbidden-file",
        "submission-forbidden-file",
        "submission-no-input",
        "submission-strange-file",
    ]


def test_every_input_of_a_task_is_answered(inputs: Path, outputs: Path) -> None:
    shutil.copy(DATA / f"{BASE}.lineseg.madcat.xml", inputs / "B2_1_S.lineseg.madcat.xml")
    found = check_submission(outputs, inputs)
    assert "submission-output-missing" in codes(found)
    (outputs / f"{BASE}.linesys.madcat.xml").unlink()
    assert codes(check_submission(outputs, inputs)) == ["submission-empty"]
    with pytest.raises(InputError):
        check_submission(outputs, outputs.parent / "plato_1")


def archive(path: Path, members: list[tarfile.TarInfo], data: bytes = b"x") -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for member in members:
            member.size = len(data) if member.isfile() else 0
            tar.addfile(member, io.BytesIO(data) if member.isfile() else None)
    return path


def test_hostile_archives_touch_nothing(inputs: Path, tmp_path: Path) -> None:
    link = tarfile.TarInfo("evil_1/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    members = [tarfile.TarInfo("../outside.linesys.madcat.xml"), tarfile.TarInfo("/etc/x"), link]
    found = check_submission(archive(tmp_path / "evil_1.tgz", members), inputs)
    assert codes(found).count("submission-member") == 3
    assert not found.valid
    assert not (tmp_path.parent / "outside.linesys.madcat.xml").exists()
    twice = [tarfile.TarInfo("evil_1/a.txt"), tarfile.TarInfo("evil_1/a.txt")]
    found = check_submission(archive(tmp_path / "evil_1.tgz", twice), inputs)
    assert "submission-member-twice" in codes(found)
    (tmp_path / "torn_1.tgz").write_bytes((tmp_path / "evil_1.tgz").read_bytes()[:40])
    for broken in (tmp_path / "torn_1.tgz", inputs / f"{BASE}.lineseg.madcat.xml"):
        with pytest.raises(FormatError) as caught:
            check_submission(broken, inputs)
        assert caught.value.code == "submission.not-tgz"


def test_a_bomb_is_refused_with_its_size(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madcat_studio.operations.submission.MOST_BYTES", 16 * 1000)
    path = archive(tmp_path / "big_1.tgz", [tarfile.TarInfo("big_1/a")], b"\0" * 1001)
    with pytest.raises(FormatError, match="1001 bytes"):
        check_submission(path, inputs)


def test_receiving_keeps_all_marks_late_ones_and_says_which_counts(
    inputs: Path, outputs: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    deadline = datetime(2048, 10, 28, 15, tzinfo=timezone(timedelta(hours=-4)))
    target, _ = pack_submission(outputs, inputs)
    in_time = datetime(2048, 10, 28, 18, 59, tzinfo=UTC)
    first, _ = receive_submission(target, inputs, store, deadline=deadline, now=in_time)
    assert (first.name, first.number, first.late, first.valid) == ("plato", 1, False, True)
    second_folder = outputs.rename(tmp_path / "plato_2")
    edit(second_folder, "The minister", "The Minister")
    target, _ = pack_submission(second_folder, inputs)
    second, _ = receive_submission(
        target, inputs, store, deadline=deadline, now=in_time + timedelta(minutes=1)
    )
    third, _ = receive_submission(
        target, inputs, store, deadline=deadline, now=in_time + timedelta(minutes=2)
    )
    assert (second.late, third.late) == (False, True)  # the very minute is in time
    edit(second_folder, '<segment id="s3">', '<segment id="s9">')
    bad = archive(tmp_path / "plato_3.tgz", [tarfile.TarInfo("plato_3/a.txt")])
    fourth, found = receive_submission(bad, inputs, store, deadline=deadline, now=in_time)
    assert not found.valid
    rows = received(store)
    assert rows == [first, second, third, fourth]
    assert counting(rows) == {"plato": second}
    assert counting([third, fourth]) == {"plato": None}
    assert len(list(store.glob("*.tgz"))) == 4
    assert (store / second.file).read_bytes() == target.read_bytes()
    with pytest.raises(UsageError):
        receive_submission(target, inputs, store, deadline=datetime(2048, 1, 1))  # noqa: DTZ001


def test_from_the_command_line(
    inputs: Path, outputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--inputs", str(inputs)]
    assert main(["submission", "check", str(outputs), *place]) == 0
    assert "plato_1: 1 output, valid" in capsys.readouterr().out
    assert main(["submission", "pack", str(outputs), *place]) == 0
    packed = str(tmp_path / "plato_1.tgz")
    store = ["--into", str(tmp_path / "store")]
    late = ["--deadline", "2009-10-28T15:00:00-04:00"]
    assert main(["submission", "receive", packed, *place, *store, *late]) == 0
    out = capsys.readouterr().out
    assert ", late:" in out
    assert "no submission counts" in out
    assert main(["submission", "receive", packed, *place, *store]) == 0
    assert "plato_1, received" in capsys.readouterr().out
    assert main(["submission", "receive", packed, *place, *store, "--deadline", "soon"]) == 2
    assert main(["submission", "check", packed, "--inputs", str(tmp_path / "none")]) == 2
    assert "none: the folder has no input" in capsys.readouterr().err
    shutil.copy(DATA / f"{BASE}.madcat.xml", outputs)
    assert main(["submission", "check", str(outputs), *place]) == 2


# -- the manifest, and the drop folder -------------------------------------------------------------


def test_what_a_site_declares_is_packed_checked_and_recorded(
    inputs: Path, outputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["submission", "pack", str(outputs), "--inputs", str(inputs), "--site", "Academy"]
    rules = ["--declare", "no-sequestered", "--declare", "no-adaptation"]
    assert main([*arguments, *rules]) == 0
    assert "not declared: no-interaction (" in capsys.readouterr().out
    target = tmp_path / "plato_1.tgz"
    with tarfile.open(target) as archive:
        assert archive.getnames() == [
            f"plato_1/{BASE}.linesys.madcat.xml",
            "plato_1/manifest.json",
        ]
    found = check_submission(target, inputs)
    assert codes(found) == ["output-text-missing"]
    assert found.manifest == Manifest(
        "Academy", (Declaration.NO_ADAPTATION, Declaration.NO_SEQUESTERED)
    )
    kept = tmp_path / "kept"
    row, _ = receive_submission(target, inputs, kept)
    assert row.declared == found.manifest.declared
    assert received(kept)[0].declared == row.declared
    receive = ["submission", "receive", str(target), "--inputs", str(inputs), "--into", str(kept)]
    capsys.readouterr()
    assert main(receive) == 0
    assert "plato: has not declared no-interaction\n" in capsys.readouterr().out
    assert main([*arguments, "--declare", "all", "--overwrite"]) == 0
    assert main(receive) == 0
    assert "has not declared" not in capsys.readouterr().out
    assert main([*arguments, "--declare", "honesty", "--overwrite"]) == 2
    assert "submission.declaration" in capsys.readouterr().err


def test_a_record_from_before_there_were_declarations_is_read(tmp_path: Path) -> None:
    (tmp_path / "received.tsv").write_text(
        "received\tname\tnumber\tlate\tvalid\tsha256\tfile\n"
        "2048-11-18T10:00:00+00:00\tplato\t1\tin time\tvalid\tab\tx.tgz\n",
        "utf-8",
    )
    assert received(tmp_path)[0].declared == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "madcat-studio-submission", "version": 2, "site": "", "declared": {}}',
        '{"format": "madcat-studio-submission", "version": 1, "site": 3, "declared": {}}',
        '{"format": "madcat-studio-submission", "version": 1, "site": "", "declared": {"x": ""}}',
        "[" * 50_000,
        " " * 200_000,
    ],
)
def test_a_manifest_that_is_none_makes_it_invalid(inputs: Path, outputs: Path, text: str) -> None:
    (outputs / "manifest.json").write_text(text, "utf-8")
    found = check_submission(outputs, inputs)
    assert "submission-manifest" in codes(found)
    assert not found.valid


def test_it_is_handed_in_with_its_digest_and_read_back(
    inputs: Path, outputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = Manifest("Academy", tuple(Declaration))
    target, _ = pack_submission(outputs, inputs, manifest=manifest)
    drop = tmp_path / "drop"
    drop.mkdir()
    assert main(["submission", "hand-in", str(target), "--into", str(drop)]) == 0
    shown = capsys.readouterr()
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    assert (drop / "plato_1.tgz").read_bytes() == target.read_bytes()
    assert (drop / "plato_1.tgz.sha256").read_text() == f"{digest}  plato_1.tgz\n"
    size = f"{target.stat().st_size:,}"
    assert shown.out.startswith("Subject: Submission plato_1\n\nAcademy handed in plato_1.tgz: ")
    assert f"1 output, {size} bytes." in shown.out
    assert f"SHA-256: {digest}" in shown.out
    assert "Not declared" not in shown.out
    assert hand_in(target, drop).sha256 == digest  # twice does no harm
    row, _ = receive_submission(drop / "plato_1.tgz", inputs, tmp_path / "kept")
    assert row.sha256 == digest
    # Another archive of this name is never replaced.
    other, _ = pack_submission(outputs, inputs, overwrite=True)
    with pytest.raises(ConflictError) as refused:
        hand_in(other, drop)
    assert refused.value.code == "submission.other-there"
    assert (drop / "plato_1.tgz").read_bytes() != other.read_bytes()


def test_what_arrived_otherwise_is_told(
    inputs: Path, outputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, _ = pack_submission(outputs, inputs)
    drop = tmp_path / "drop"
    with pytest.raises(WorldError) as refused:
        hand_in(target, drop)
    assert refused.value.code == "submission.no-drop-folder"
    drop.mkdir()
    with pytest.raises(FormatError) as unnamed:
        hand_in(outputs, drop)
    assert unnamed.value.code == "submission.not-packed"

    def damaged(path: Path, data: bytes) -> None:
        path.write_bytes(data[:-1] if path.suffix == ".tgz" else data)

    monkeypatch.setattr("madcat_studio.operations.submission.write_atomically", damaged)
    with pytest.raises(WorldError) as broken:
        hand_in(target, drop)
    assert broken.value.code == "submission.read-back"
    monkeypatch.undo()
    assert not list(drop.iterdir())  # nothing that would be in the way of another try
    (drop / "plato_1.tgz").write_bytes(target.read_bytes())
    (drop / "plato_1.tgz.sha256").write_text("0" * 64 + "  plato_1.tgz\n")
    with pytest.raises(InputError) as wrong:
        receive_submission(drop / "plato_1.tgz", inputs, tmp_path / "kept")
    assert wrong.value.code == "submission.digest"
    assert not (tmp_path / "kept").exists()
