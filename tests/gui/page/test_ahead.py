"""The next page is read while its user looks at the one before."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from madcat_studio.edits import MoveVertex, Outline
from madcat_studio.formats.madcat import read
from madcat_studio.gui.page import ahead, loader, scan
from madcat_studio.gui.page.scan import read_scan as really_read
from madcat_studio.gui.page.shapes import PageShapes, ShapeKey
from madcat_studio.workspace import page as workspace_page
from tests.gui.helpers import NORMAL, TWO_PAGES, copy_sample
from tests.gui.page.test_safety import edit

WORD = ShapeKey(0, 0)


class Counted(NamedTuple):
    """Scans that were decoded, in whatever thread, and documents read when they were opened."""

    decoded: list[str]
    opened: list[str]


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Three documents with scans in a folder, and no wait before the next is read."""
    monkeypatch.setattr(ahead, "_WAIT_MS", 0)
    first = copy_sample(NORMAL, tmp_path)
    found = [first]
    for number in "34":
        name = NORMAL.replace("0001_1", f"000{number}_1")
        made = tmp_path / f"{name}.madcat.xml"
        made.write_text(first.read_text("utf-8").replace(NORMAL, name), "utf-8")
        shutil.copy(tmp_path / f"{NORMAL}.tif", tmp_path / f"{name}.tif")
        found.append(made)
    return found


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    found = Counted([], [])

    def counting(module: object, name: str, into: list[str]) -> None:
        real: Callable[..., object] = getattr(module, name)

        def counted(path: Path, *rest: object) -> object:
            into.append(path.name)
            return real(path, *rest)

        monkeypatch.setattr(module, name, counted)

    counting(scan, "read_scan", found.decoded)
    counting(loader, "read_scan", found.decoded)
    counting(workspace_page, "open_document", found.opened)
    return found


def scan_of(page: Path) -> str:
    return page.name.replace(".madcat.xml", ".tif")


def shown(someone, path: Path) -> None:
    """Wait until a page is shown with all of its scan, and the next is read."""
    view = someone.view
    someone.wait(lambda: view.workspace is not None and view.workspace.path == path)
    someone.wait(lambda: view.canvas.base.pyramid is not None and not view.scan.busy)
    someone.wait(lambda: view.features.ahead.done)


def open_folder(someone, pages: list[Path]) -> None:
    someone.window.open(str(pages[0].parent))
    shown(someone, pages[0])


def looks_like(someone, path: Path) -> bool:
    """Whether what is shown is what the file and its scan say."""
    canvas, fresh = someone.view.canvas, PageShapes(read(path).document.pages[0])
    image = canvas.base.pyramid.full.image
    parts: list = []
    really_read(path.with_name(scan_of(path)), 0, parts.append)
    levels = parts[1]
    return image == levels[0].image and all(
        np.array_equal(canvas.shapes.sets[kind].xy, fresh.sets[kind].xy) for kind in fresh.sets
    )


@pytest.mark.long
def test_the_next_page_is_shown_from_what_was_read_ahead(user, pages, counted) -> None:
    someone = user(pages[0])
    open_folder(someone, pages)
    assert counted.decoded[-1] == scan_of(pages[1])
    counted.decoded.clear()
    counted.opened.clear()
    someone.view.turn_page(1)
    shown(someone, pages[1])
    # Only the one after it was decoded, and no document was read to be opened.
    assert counted == Counted([scan_of(pages[2])], [])
    assert looks_like(someone, pages[1])
    assert sorted(someone.view.canvas.base.pyramid.factors()) == [1, 2, 4, 8, 16]


@pytest.mark.long
def test_whoever_goes_back_finds_the_page_before(user, pages, counted) -> None:
    someone = user(pages[0])
    open_folder(someone, pages)
    someone.view._load(pages[2], {})
    shown(someone, pages[2])
    someone.view.turn_page(-1)
    shown(someone, pages[1])
    counted.decoded.clear()
    someone.view.turn_page(-1)
    shown(someone, pages[0])
    assert counted.decoded == []
    assert looks_like(someone, pages[0])


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".madcat.xml", ".tif"])
def test_a_file_that_changed_since_is_read_again(user, pages, suffix: str) -> None:
    someone = user(pages[0])
    open_folder(someone, pages)
    name = pages[1].name.removesuffix(".madcat.xml")
    changed = pages[1].with_name(f"{name}{suffix}")
    if suffix == ".tif":
        from PIL import Image

        with Image.open(changed) as image:
            image.rotate(180).save(changed)
        os.utime(changed, ns=(5, 5))
    else:
        other = workspace_page.PageWorkspace.open(pages[1], folder=pages[1].parent)
        x, y = other.document.pages[0].lines[0].words[0].polygon[0]
        other.execute(MoveVertex(Outline(0, 0, 0), 0, (x + 3, y)))
        other.save()
        other.close()
    someone.view.turn_page(1)
    shown(someone, pages[1])
    assert looks_like(someone, pages[1])


@pytest.mark.long
def test_unsaved_edits_of_the_next_page_are_what_is_shown(user, pages) -> None:
    someone = user(pages[0])
    open_folder(someone, pages)
    someone.view.turn_page(1)
    shown(someone, pages[1])
    edit(someone)
    wanted = someone.polygon(WORD)
    someone.view.turn_page(-1)
    shown(someone, pages[0])
    someone.view.turn_page(1)
    shown(someone, pages[1])
    assert someone.polygon(WORD) == wanted
    drawn = someone.view.canvas.shapes.points(WORD)
    assert [tuple(point) for point in drawn.tolist()] == [tuple(map(float, p)) for p in wanted]


@pytest.mark.long
def test_going_elsewhere_forgets_it(user, pages, tmp_path: Path) -> None:
    elsewhere = copy_sample(NORMAL, tmp_path / "other")
    someone = user(pages[0])
    open_folder(someone, pages)
    someone.window.open(str(elsewhere))
    shown(someone, elsewhere)
    view = someone.view
    assert (view.documents.ahead, view.scan.ready) == (None, None)
    assert looks_like(someone, elsewhere)


@pytest.mark.long
def test_a_page_that_would_take_too_much_memory_is_not_read(
    user, pages, counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "_AHEAD", 0)
    someone = user(pages[0])
    open_folder(someone, pages)
    assert set(counted.decoded) == {scan_of(pages[0])}
    assert someone.view.scan.ready is None
    someone.view.turn_page(1)
    shown(someone, pages[1])
    assert looks_like(someone, pages[1])


@pytest.mark.long
def test_a_next_page_that_cannot_be_read_is_told_when_it_is_opened(user, pages) -> None:
    pages[1].write_text("no page", "utf-8")
    someone = user(pages[0])
    open_folder(someone, pages)
    assert someone.window.message_bar.message is None
    someone.view.turn_page(1)
    someone.wait(lambda: someone.window.message_bar.message is not None)
    assert someone.view.workspace.path == pages[0]


@pytest.mark.long
def test_the_next_page_of_the_same_document_has_its_scan_at_once(
    user, tmp_path: Path, counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "_WAIT_MS", 0)
    document = copy_sample(TWO_PAGES, tmp_path)
    someone = user(document)
    someone.wait(lambda: someone.view.features.ahead.done)
    before = list(counted.decoded)
    someone.view.turn_page(1)
    assert someone.view.page_number == 1
    assert counted.decoded == before
