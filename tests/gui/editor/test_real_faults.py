"""The disk is really full, really turns read-only, the database server really stops."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QMessageBox

from madcat_studio.model.campaign import Pass
from madcat_studio.store import open_campaign
from madcat_studio.workspace.spool import spool_folder
from tests.gui.campaigns import OUTPUTS, make_campaign
from tests.gui.editor.people import Person

TEXT = OUTPUTS["s1"] or ""


class Disk:
    """A small disk of our own, for the program's spools or a campaign."""

    def __init__(self, folder: Path, image: Path | None = None) -> None:
        self.folder, self.image = folder, image
        folder.mkdir(parents=True, exist_ok=True)

    def mount(self, kind: str, source: str, options: str) -> None:
        command = ["mount", "-t", kind, "-o", options, source, str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")

    def in_memory(self) -> None:
        self.mount("tmpfs", "none", "size=2m")

    def in_image(self) -> None:
        assert self.image is not None
        if not self.image.exists():
            with self.image.open("wb") as file:
                file.truncate(4 << 20)
            subprocess.run(["mke2fs", "-q", "-t", "ext4", str(self.image)], check=True)
        self.mount("ext4", str(self.image), "loop")

    def fill(self) -> None:
        with (self.folder / "filler").open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1 << 8, 1):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    continue

    def empty(self) -> None:
        (self.folder / "filler").unlink()

    def turn_read_only(self) -> None:
        """As the kernel does it after a fault, under the open files."""
        subprocess.run(["mount", "-o", "remount,abort", str(self.folder)], check=True)

    def unmount(self) -> None:
        subprocess.run(["umount", str(self.folder)], check=True)

    def mounted(self) -> bool:
        return os.path.ismount(self.folder)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[Path], Disk]]:
    made: list[Disk] = []
    if os.geteuid() != 0 or shutil.which("mke2fs") is None:
        pytest.skip("only root can mount disks")

    def make(folder: Path) -> Disk:
        made.append(Disk(folder, tmp_path / "disk.img"))
        return made[-1]

    yield make
    for one in made:
        while one.mounted():
            subprocess.run(["umount", "-l", str(one.folder)], check=True)


@pytest.fixture
def tell(make_window, qtbot):
    """Somebody sits down at a campaign, and writes down what the window says."""

    def start(where: Path | str) -> tuple[Person, list[str]]:
        person = Person(make_window(where), qtbot.waitUntil)
        told: list[str] = []
        person.window.messages.posted.connect(lambda message: told.append(message.text))
        person.sit_down("red1")
        told[:] = [text for text in told if not text.startswith("Recorded of your work")]
        return person, told

    return start


def spooled() -> list[str]:
    """The texts that lie on the disk, in the order of writing."""
    (file,) = spool_folder().glob("*.spool")
    texts = []
    for line in file.read_bytes().split(b"\n"):
        with contextlib.suppress(ValueError):  # a torn one
            texts += [plain["text"] for plain in [json.loads(line)] if "text" in plain]
    return texts


def paste(person: Person, text: str) -> None:
    mime = QMimeData()
    mime.setText(text)
    person.box.insertFromMimeData(mime)


def test_a_full_disk(tell, campaign: Path, disk) -> None:
    mine = disk(spool_folder())
    mine.in_memory()
    person, told = tell(campaign)
    person.type(" One.")
    mine.fill()
    paste(person, " Two." * 900)
    person.type("?")
    assert len(told) == 1
    assert "cannot be kept on the disk (No space left" in told[0]
    assert person.view.kit_page.pane.saved.text() == "Not on the disk yet"
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: not person.view._store.busy)
    person.type("!")
    assert len(told) == 1, "it is said once"
    mine.empty()
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: len(told) == 2)
    assert spooled()[-1] == TEXT + " One." + " Two." * 900 + "?!"
    person.window.close()
    assert not person.window.isVisible()


@pytest.mark.long
def test_the_disk_of_the_campaign_is_full(tell, tmp_path: Path, disk) -> None:
    mine = disk(tmp_path / "disk")
    mine.in_memory()
    where = make_campaign(mine.folder / "small")
    person, told = tell(where)
    mine.fill()
    for _ in range(3):
        paste(person, " And more." * 1000)
        person.press("Ctrl+Return")
    person.wait(lambda: bool(told))
    person.type(" One.")
    person.wait(lambda: not person.view._store.busy)
    assert [text for text in told if "cannot be reached" in text] == told
    assert len(told) == 1
    assert person.kit.texts.pending
    mine.empty()
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: not person.kit.texts.pending)
    person.window.close()
    with open_campaign(where) as opened:
        texts = [one.text for one in opened.revisions.latest("K1", "red", Pass.FIRST).values()]
    assert len([text for text in texts if "And more." in text]) == 3
    assert any(text.endswith(" One.") for text in texts)


def test_a_disk_that_turns_read_only_and_comes_back(
    tell, campaign: Path, disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = disk(spool_folder())
    mine.in_image()
    person, told = tell(campaign)
    person.type(" One.")
    mine.turn_read_only()
    person.type(" Two.")
    assert len(told) == 1
    assert "Read-only file system" in told[0]
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: not person.view._store.busy)
    mine.unmount()  # the program no longer holds on to it
    mine.in_image()
    person.type(" Three.")
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: len(told) == 2)
    assert spooled()[-1] == TEXT + " One. Two. Three."
    assert person.view.kit_page.pane.saved.text() == "Kept on this machine as you type"


def test_nobody_leaves_with_text_that_lies_nowhere(
    tell, tmp_path: Path, disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = disk(tmp_path / "disk")
    both.in_memory()
    where = make_campaign(both.folder / "small")
    spool_folder().parent.mkdir(parents=True)
    (both.folder / "spools").mkdir()
    spool_folder().symlink_to(both.folder / "spools")
    person, _ = tell(where)
    both.fill()
    paste(person, " Two." * 900)
    answers = iter(["&Try again", "&Stay"])
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(box.text())
        wanted = next(answers)
        next(one for one in box.buttons() if one.text() == wanted).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    person.window.close()
    assert person.window.isVisible()
    assert len(asked) == 2
    assert "No space left" in asked[0]
    both.empty()
    person.window.close()
    assert not person.window.isVisible()
    with open_campaign(where) as opened:
        (revision,) = opened.revisions.history("K1", "red", Pass.FIRST)
    assert revision.text == TEXT + " Two." * 900


@pytest.mark.long
@pytest.mark.postgresql
def test_the_server_is_gone_for_a_while(tell, server) -> None:
    server.execute("CREATE DATABASE kits")
    where = make_campaign(server.url("kits"), show_page=True)
    person, told = tell(where)
    person.wait(lambda: bool(person.view.kit_page.lines))
    person.type(" One.")
    server.stop()
    for number in range(3):
        person.press("Ctrl+Return")
        person.type(f" More {number}.")
        person.wait(lambda: not person.view._store.busy)
        person.view.kit_page.keeper.try_again()
    person.wait(lambda: not person.view._store.busy)
    assert len(told) == 1
    assert "cannot be reached" in told[0]
    assert person.kit.texts.pending == 3
    server.start()
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: not person.kit.texts.pending)
    person.wait(lambda: len(told) == 2)
    assert "is back" in told[1]
    person.press("Ctrl+Return")
    person.wait(lambda: not person.kit.texts.pending)
    with open_campaign(where) as opened:
        texts = [one.text for one in opened.revisions.latest("K1", "red", Pass.FIRST).values()]
    assert sorted(text.split(".")[-2] for text in texts) == [
        " More 0",
        " More 1",
        " More 2",
        " One",
    ]


def test_a_kit_opens_where_nothing_can_be_kept(tell, campaign: Path) -> None:
    spool_folder().parent.mkdir(parents=True)
    spool_folder().touch()  # a folder that cannot be made, not even by root
    person, told = tell(campaign)
    assert len(told) == 1
    assert f"in {spool_folder()})" in told[0]
    person.type(" One.")
    person.press("Ctrl+Return")
    person.wait(lambda: not person.view._store.busy)
    assert len(told) == 1, "it is said once"
    with open_campaign(campaign) as opened:
        (stored,) = opened.revisions.history("K1", "red", Pass.FIRST)
    assert stored.text == f"{TEXT} One."
    spool_folder().unlink()
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: len(told) == 2)
    person.type("Two")
    assert spooled()[-1].endswith("Two")
