"""The queue of pages: states, hands, and many programs at once."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.edits import SetTranslation
from madcat_studio.errors import ConflictError, FormatError, InputError, WorldError
from madcat_studio.formats import page_queue as files
from madcat_studio.formats.page_queue import FOLDER, PageQueue
from madcat_studio.model.pagework import PageWork, WorkState
from madcat_studio.operations.pages import page_queue as queue
from madcat_studio.workspace.page import PageWorkspace

DATA = Path(__file__).parent.parent / "data" / "madcat"
NAMES = ("A_1.0001_2", "B_1.0002_2", "C_1.0003_2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    page = (DATA / "ZZN_ARB_20991231.0003_2_SCR0005.madcat.xml").read_bytes()
    for name in NAMES:
        (tmp_path / f"{name}.madcat.xml").write_bytes(page)
    return tmp_path


@pytest.fixture
def page(folder: Path) -> Path:
    return folder / f"{NAMES[0]}.madcat.xml"


def states(folder: Path) -> list[str]:
    return [work.state.value for work in queue.list_work(folder)]


def refused(code: str, *arguments: object, **how: object) -> None:
    act = arguments[0]
    assert callable(act)
    with pytest.raises(ConflictError) as caught:
        act(*arguments[1:], **how)
    assert caught.value.code == code


def test_a_page_goes_through_all_hands(page: Path) -> None:
    before = page.read_bytes()
    assert queue.work_of(page) == PageWork(NAMES[0])
    work = queue.claim(page, "ana")
    assert (work.state, work.holder, work.number) == (WorkState.IN_WORK, "ana", 1)
    refused("queue.held", queue.claim, page, "bob")
    refused("queue.not-yours", queue.finish, page, "bob")
    refused("queue.not-checked", queue.release, page, "bob")
    assert queue.claim(page, "ana").number == 1
    assert queue.finish(page, "ana").worker == "ana"
    refused("queue.own-check", queue.claim, page, "ana")
    refused("queue.not-checked", queue.release, page, "ana")
    assert queue.claim(page, "bob").state is WorkState.IN_CHECK
    work = queue.finish(page, "bob")
    assert (work.state, work.worker, work.checker) == (WorkState.CHECKED, "ana", "bob")
    refused("queue.finished", queue.claim, page, "cem")
    assert queue.release(page, "cem").frozen
    refused("queue.not-checked", queue.release, page, "cem")
    assert queue.reopen(page, "cem").state is WorkState.OPEN
    refused("queue.not-finished", queue.reopen, page, "cem")
    assert [step.step for step in queue.history(page)] == [
        "claim",
        "finish",
        "claim",
        "finish",
        "release",
        "reopen",
    ]
    assert page.read_bytes() == before


def test_giving_back_taking_over_and_releasing_unchecked(page: Path) -> None:
    queue.claim(page, "ana")
    work = queue.claim(page, "bob", take_over=True)
    assert (work.state, work.holder) == (WorkState.IN_WORK, "bob")
    refused("queue.not-yours", queue.give_back, page, "ana")
    assert queue.give_back(page, "ana", force=True).state is WorkState.OPEN
    refused("queue.not-yours", queue.give_back, page, "ana", force=True)
    queue.claim(page, "ana")
    queue.finish(page, "ana")
    queue.claim(page, "bob")
    assert queue.give_back(page, "bob").state is WorkState.DONE
    assert queue.release(page, "bob", unchecked=True).state is WorkState.RELEASED


def test_notes_do_not_change_who_has_it_since_when(page: Path) -> None:
    since = queue.claim(page, "ana").since
    work = queue.set_note(page, "bob", "السطر ٣\nمرتين")
    assert (work.note, work.holder, work.since, work.by) == ("السطر ٣\nمرتين", "ana", since, "bob")
    assert queue.set_note(page, "bob", work.note).number == work.number
    assert queue.work_of(page) == work


def test_the_next_page_is_ones_own_else_an_open_one(folder: Path, page: Path) -> None:
    assert queue.claim_next(folder, "ana").page == NAMES[0]
    assert queue.claim_next(folder, "bob").page == NAMES[1]
    assert queue.claim_next(folder, "ana").page == NAMES[0]
    queue.finish(page, "ana")
    assert queue.claim_next(folder, "ana").page == NAMES[2]
    refused("queue.empty", queue.claim_next, folder, "cem")
    refused("queue.empty", queue.claim_next, folder, "ana", check=True)
    assert queue.claim_next(folder, "cem", check=True).page == NAMES[0]
    assert queue.claim_next(folder, "cem", check=True).page == NAMES[0]
    assert states(folder) == ["in check", "in work", "in work"]


def test_a_released_page_is_frozen_for_the_workspace(page: Path) -> None:
    early = PageWorkspace.open(page)
    early.execute(SetTranslation(0, 0, "x"))
    queue.claim(page, "ana")
    queue.finish(page, "ana")
    queue.release(page, "ana", unchecked=True)
    refused("page.frozen", early.save)
    assert early.dirty
    workspace = PageWorkspace.open(page)
    workspace.discard_recovery()
    assert "released" in workspace.frozen
    refused("page.frozen", workspace.execute, SetTranslation(0, 0, "y"))
    queue.reopen(page, "ana")
    early.save()
    assert not early.dirty
    workspace.close()
    early.close()


def test_a_wrong_folder_page_or_name_is_said(folder: Path, page: Path) -> None:
    for act in (
        lambda: queue.list_work(folder / "none"),
        lambda: queue.claim(folder / "none.madcat.xml", "ana"),
        lambda: queue.claim(page, " "),
    ):
        with pytest.raises(InputError):
            act()
    assert not (folder / FOLDER).exists()


def test_a_damaged_step_is_said_and_can_be_removed(folder: Path, page: Path) -> None:
    queue.claim(page, "ana")
    queue.finish(page, "ana")
    last = folder / FOLDER / f"{NAMES[0]}.0002.json"
    last.write_text('{"page": 1}')
    with pytest.raises(FormatError) as caught:
        queue.work_of(page)
    assert caught.value.code == "queue.unreadable"
    assert PageWorkspace.open(page).trouble is not None
    last.unlink()
    assert queue.work_of(page).holder == "ana"


def test_a_step_whose_writer_died_does_not_count(folder: Path, page: Path) -> None:
    queue.claim(page, "ana")
    torn = folder / FOLDER / f"{NAMES[0]}.0002.json"
    torn.write_text('{"page": "A')
    os.utime(torn, (1, 1))
    assert queue.work_of(page).holder == "ana"
    work = queue.finish(page, "ana")
    assert (work.number, work.state) == (3, WorkState.DONE)
    assert [step.number for step in queue.history(page)] == [1, 3]


def test_of_two_steps_from_one_state_the_first_wins(folder: Path, page: Path) -> None:
    one, other = PageQueue(folder), PageQueue(folder)
    before = one.of(NAMES[0])
    assert other.add(PageWork(NAMES[0], WorkState.IN_WORK, "bob", number=before.number))
    assert one.add(PageWork(NAMES[0], WorkState.IN_WORK, "ana", number=before.number)) is None
    assert one.of(NAMES[0]).holder == "bob"
    refused("queue.held", queue.claim, page, "ana")


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP])
def test_a_disk_without_hard_links_will_do(
    folder: Path, page: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def link(*_: object) -> None:
        raise OSError(number, "no links here")

    monkeypatch.setattr(files.os, "link", link)
    queue.claim(page, "ana")
    refused("queue.held", queue.claim, page, "bob")
    one = PageQueue(folder)
    assert one.add(PageWork(NAMES[0], number=0)) is None


def test_a_disk_that_cannot_be_written_is_said(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "link", link)
    with pytest.raises(WorldError) as caught:
        queue.claim(page, "ana")
    assert caught.value.code == "queue.cannot-write"
    assert queue.work_of(page).state is WorkState.OPEN


@pytest.mark.long
def test_many_programs_ask_for_the_next_page_and_none_gets_anothers(tmp_path: Path) -> None:
    for number in range(24):
        (tmp_path / f"P{number:02d}.madcat.xml").write_text("<madcat/>")
    code = (
        "import sys; from pathlib import Path\n"
        "from madcat_studio.errors import ConflictError\n"
        "from madcat_studio.operations.pages.page_queue import claim_next, finish\n"
        "who, folder = sys.argv[1], Path(sys.argv[2])\n"
        "try:\n"
        "    while True:\n"
        "        work = claim_next(folder, who)\n"
        "        print(work.page)\n"
        "        finish(folder / f'{work.page}.madcat.xml', who)\n"
        "except ConflictError as error:\n"
        "    assert error.code == 'queue.empty'\n"
    )
    command = [sys.executable, "-c", code]
    workers = [
        subprocess.Popen([*command, f"p{n}", str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    got = [worker.communicate(timeout=60)[0].split() for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0]
    assert sorted(page for pages in got for page in pages) == [f"P{n:02d}" for n in range(24)]
    for number, pages in enumerate(got):
        for page in pages:
            assert queue.work_of(tmp_path / f"{page}.madcat.xml").worker == f"p{number}"
            assert len(queue.history(tmp_path / f"{page}.madcat.xml")) == 2


def test_the_commands(folder: Path, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", "next", str(folder), "--as", "ana"]) == 0
    assert capsys.readouterr().out.strip() == str(page)
    assert main(["queue", "claim", str(page), "--as", "bob"]) == 2
    assert "ana has the page" in capsys.readouterr().err
    assert main(["queue", "note", str(page), "ملاحظة", "--as", "bob"]) == 0
    assert main(["queue", "finish", str(page), "--as", "ana"]) == 0
    assert main(["queue", "release", str(page), "--unchecked", "--as", "bob"]) == 0
    queue.reopen(page, "bob")
    queue.claim(page, "cem")
    capsys.readouterr()
    assert main(["queue", "list", str(folder), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(one["page"], one["state"], one["note"]) for one in told] == [
        (NAMES[0], "in work", "ملاحظة"),
        (NAMES[1], "open", ""),
        (NAMES[2], "open", ""),
    ]
    assert main(["queue", "list", str(folder), "--person", "cem", "--state", "in work"]) == 0
    assert "1 page: 1 in work" in capsys.readouterr().out
    assert main(["queue", "history", str(page)]) == 0
    steps = capsys.readouterr().out
    assert steps.count("\n") == 6
    assert "note -> in work: ملاحظة" in steps


REAL = Path(__file__).parent.parent / "data" / "real"
FOREIGN = {
    "0001.xml": REAL / "rasam_BULAC_MS_ARA_417_0010.xml",
    "0002.page.xml": REAL / "prima_SimplePage.xml",
    "0003.alto.xml": REAL / "kraken_alto_bsb00084914_00007.xml",
}


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A folder as other programs leave it: PAGE XML and ALTO beside what is no page."""
    for name, path in FOREIGN.items():
        (tmp_path / name).write_bytes(path.read_bytes())
    (tmp_path / "mets.xml").write_text("<mets/>")
    return tmp_path


def test_page_xml_and_alto_go_through_all_hands(
    foreign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [work.page for work in queue.list_work(foreign)] == list(FOREIGN)
    for name, path in FOREIGN.items():
        page = foreign / name
        assert main(["queue", "next", str(foreign), "--as", "ana"]) == 0
        assert capsys.readouterr().out.strip() == str(page)
        assert queue.finish(page, "ana").page == name
        assert queue.claim_next(foreign, "bob", check=True).page == name
        assert queue.finish(page, "bob").state is WorkState.CHECKED
        assert queue.release(page, "cem").frozen
        workspace = PageWorkspace.open(page)
        assert "released" in workspace.frozen
        refused("page.frozen", workspace.execute, SetTranslation(0, 0, "y"))
        workspace.close()
        assert [step.step for step in queue.history(page)] == [
            "claim",
            "finish",
            "claim",
            "finish",
            "release",
        ]
        assert page.read_bytes() == path.read_bytes()
    refused("queue.empty", queue.claim_next, foreign, "ana")


def test_two_formats_of_one_page_are_two_pages_of_the_queue(foreign: Path) -> None:
    (foreign / "0001.madcat.xml").write_text("<madcat/>")
    queue.claim(foreign / "0001.xml", "ana")
    found = {work.page: work.holder for work in queue.list_work(foreign)}
    assert found == {"0001": "", "0001.xml": "ana", "0002.page.xml": "", "0003.alto.xml": ""}
