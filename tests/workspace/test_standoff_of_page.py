"""Scribe errors are edited with the page and lie in the stand-off file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from madcat_studio.edits import SetScribeError
from madcat_studio.errors import FormatError, InputError
from madcat_studio.formats.standoff import NAME, read_errors
from madcat_studio.model.document import TokenError
from madcat_studio.workspace.page import PageWorkspace

DATA = Path(__file__).parent.parent / "data" / "madcat"
BASE = "ZZN_ARB_20991231.0003_2_SCR0005"
TYPO = TokenError("typo", "العاصمه", "العاصمة")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    page = tmp_path / f"{BASE}.madcat.xml"
    shutil.copyfile(DATA / page.name, page)
    (tmp_path / NAME).write_text(f"{BASE}\ts1\ts1-3\tmissing\t\tالحكومي\n", encoding="utf-8")
    return page


def test_errors_are_loaded_edited_saved_and_undone(path: Path) -> None:
    table, bytes_before = path.with_name(NAME), path.read_bytes()
    before = table.read_bytes()
    workspace = PageWorkspace.open(path)
    assert list(workspace.document.scribe_errors) == [("s1", "s1-3")]
    change = workspace.execute(SetScribeError(0, 0, 4, "typo", "العاصمه", "العاصمة"))
    assert change.segments == {(0, 0)}
    assert workspace.dirty
    assert table.read_bytes() == before
    workspace.save()
    assert not workspace.dirty
    assert path.read_bytes() == bytes_before
    assert read_errors(table, BASE)[("s1", "s1-5")] == TYPO
    workspace.undo()
    assert workspace.dirty
    workspace.save()
    assert table.read_bytes() == before
    workspace.close()


def test_errors_come_back_after_a_crash(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    workspace.execute(SetScribeError(0, 0, 4, "typo", "العاصمه", "العاصمة"))
    workspace.close()
    again = PageWorkspace.open(path)
    assert again.recovery is not None
    again.recover()
    assert again.document.scribe_errors[("s1", "s1-5")] == TYPO
    assert again.dirty
    again.undo()
    assert list(again.document.scribe_errors) == [("s1", "s1-3")]
    again.close()


def test_the_page_is_saved_where_the_table_cannot_be(path: Path) -> None:
    path.with_name(NAME).write_bytes(b"\xff\xfd")
    workspace = PageWorkspace.open(path)
    assert workspace.trouble is not None
    assert workspace.trouble.code == "table.not-utf8"
    workspace.save()  # nothing to write there
    workspace.execute(SetScribeError(0, 0, 4, "typo", "", ""))
    with pytest.raises(FormatError):
        workspace.save()
    assert workspace.dirty
    assert path.with_name(NAME).read_bytes() == b"\xff\xfd"
    path.with_name(NAME).write_text("", encoding="utf-8")
    workspace.save()
    assert not workspace.dirty
    assert read_errors(path.with_name(NAME), BASE) == {("s1", "s1-5"): TokenError("typo")}
    workspace.close()


def test_a_copy_has_rows_of_its_own(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    workspace.save_as(path.with_name("COPY.madcat.xml"))
    assert ("s1", "s1-3") in read_errors(path.with_name(NAME), "COPY")
    assert ("s1", "s1-3") in read_errors(path.with_name(NAME), BASE)


def test_a_token_without_an_id_cannot_be_named(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(' id="s1-5"', ""), encoding="utf-8")
    workspace = PageWorkspace.open(path)
    with pytest.raises(InputError) as caught:
        workspace.execute(SetScribeError(0, 0, 4, "typo"))
    assert caught.value.code == "edit.no-id"
    assert not workspace.dirty
