"""The window's own Save on PAGE XML and ALTO: the bytes of the edited element change, no others."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.edits import (
    CompositeEdit,
    Edit,
    Outline,
    SetPolygon,
    SetRegionOutline,
    SetTranscription,
)
from madcat_studio.edits.texts import SetTokenText
from madcat_studio.errors import StudioError
from madcat_studio.formats.documents import read_document
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.formats.spans import Spans
from madcat_studio.model.document import Document, Line, Polygon
from madcat_studio.model.geometry import bounding_box, corners
from tests.gui.helpers import PageUser, run

DATA = Path(__file__).parent.parent.parent / "data"
FOLDER = "MADCAT_STUDIO_REAL_PAGES"
"""The variable that names a folder of PAGE XML and ALTO files for the long test."""


def foreign_files(*folders: Path) -> list[Path]:
    """The PAGE XML and ALTO files in and below folders that can be read and have something."""
    found = []
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*.xml") if p.is_file()):
            data = path.read_bytes().replace(b"\0", b"")
            if (b"PcGts" in data or b"<alto" in data or b":alto" in data) and _things(path):
                found.append(path)
    return found


def _things(path: Path) -> int:
    """How many lines a file has, where it has any; else its regions."""
    try:
        pages = read_document(Source(path.read_bytes(), str(path))).document.pages
    except StudioError:
        return 0
    return sum(len(page.lines) for page in pages) or sum(len(page.regions) for page in pages)


def edit_of(document: Document, number: int) -> tuple[Edit, int | None]:
    """Another text and another outline for a line, or an outline for a region; and its element.

    A rectangle, which every revision can hold.
    """
    lines = [(p, n) for p, page in enumerate(document.pages) for n in range(len(page.lines))]
    regions = [(p, n) for p, page in enumerate(document.pages) for n in range(len(page.regions))]
    page, place = (lines or regions)[number]
    found = (document.pages[page].lines if lines else document.pages[page].regions)[place]
    baseline = found.baseline if isinstance(found, Line) else ()
    box = bounding_box(found.polygon) or bounding_box(baseline) or (1, 1, 9, 9)
    moved: Polygon = corners((int(box[0]), int(box[1]), int(box[2]) + 1, int(box[3]) + 2))
    if not lines:
        return SetRegionOutline(page, place, moved), found.origin
    said: Edit = SetTranscription(0, number, "نص & <text>")
    segment = document.sections[0].segments[number]
    if segment.tokens:
        said = SetTokenText(0, number, 0, "كلمة")
    return CompositeEdit((said, SetPolygon(Outline(page, place), moved)), "Change"), found.origin


def saves_the_line_alone(someone: PageUser, path: Path) -> None:
    """Edit the first, the middle and the last line in turn, each saved and taken back."""
    someone.opened(path)
    original = path.read_bytes()
    workspace = someone.view.workspace
    assert workspace is not None
    decoded = workspace.source.decoded
    text = decoded.text.encode()
    spans = Spans(text)
    before = {found.what for found in violations(Source(original, "x"))}
    count = _things(path)
    for number in sorted({0, count // 2, count - 1}):
        edit, origin = edit_of(workspace.document, number)
        assert origin is not None
        assert someone.view.execute(edit)
        run(someone.view, "page.save")
        someone.wait(lambda: not workspace.dirty)
        now = path.read_bytes()
        assert now != original
        start, end = spans[origin].start, spans[origin].end
        plain = now[len(decoded.bom) :].decode(decoded.encoding).encode()
        assert plain[:start] == text[:start]
        assert plain[len(plain) - (len(text) - end) :] == text[end:]
        assert {found.what for found in violations(Source(now, "x"))} <= before
        assert workspace.undo()
        run(someone.view, "page.save")
        someone.wait(lambda: path.read_bytes() == original)


@pytest.mark.long
@pytest.mark.parametrize(
    "path", foreign_files(DATA / "real", DATA / "documents"), ids=lambda p: p.name
)
def test_saving_changes_the_bytes_of_the_edited_line_alone(
    user: Callable[[Path], PageUser], path: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(path, tmp_path))
    saves_the_line_alone(user(copy), copy)


@pytest.mark.soak
def test_soak_saving_every_file_of_a_folder(
    user: Callable[[Path], PageUser], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Files that the project cannot hold, in a folder of somebody; else those of the tests."""
    files = foreign_files(Path(os.environ.get(FOLDER, DATA / "real")))
    assert files
    for number, path in enumerate(files):
        folder = tmp_path / str(number)
        folder.mkdir()
        copy = Path(shutil.copy(path, folder))
        someone = user(copy)
        saves_the_line_alone(someone, copy)
        someone.window.close()
    record_property("files", len(files))
