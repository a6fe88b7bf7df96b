from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from madcat_studio.cli.app import main
from madcat_studio.errors import ConflictError, FormatError, InputError
from madcat_studio.formats.madcat import read
from madcat_studio.operations.pages.new_page import new_page


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    path = tmp_path / "X_ARB_2050.0001_1_SCR.tif"
    frames = [Image.new("1", (850, 600), 1), Image.new("1", (800, 500), 1)]
    frames[0].save(path, save_all=True, append_images=frames[1:], dpi=(100, 100))
    return path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_bytes("\ufeffوصل الوفد  الحكومي\r\n\r\n إلى العاصمة .\x0b\n".encode())
    return path


def test_a_page_has_its_frames_segments_and_tokens(scan: Path, text: Path, tmp_path: Path) -> None:
    other = tmp_path / "english.txt"
    other.write_text("The delegation arrived\nin the capital.\n")
    path = new_page(scan, text, translation=other, scribe="SCR", genre="newswire")
    assert path == scan.with_name("X_ARB_2050.0001_1_SCR.madcat.xml")
    opened = read(path)
    document = opened.document
    assert not opened.problems
    assert (document.id, document.src, document.scribe) == (scan.stem, scan.name, "SCR")
    assert [(p.id, p.width, p.height, p.dpi) for p in document.pages] == [
        ("p1", 850, 600, 100),
        ("p2", 800, 500, 100),
    ]
    assert document.nbpages == 2
    segments = list(document.segments())
    assert [segment.transcription for segment in segments] == [
        "وصل الوفد  الحكومي",
        "إلى العاصمة .",
    ]
    assert segments[1].translation == "in the capital."
    assert [(t.id, t.ref_id, t.source) for t in segments[1].tokens] == [
        ("s2-1", "", "إلى"),
        ("s2-2", "", "العاصمة"),
        ("s2-3", "", "."),
    ]


def test_without_a_text_there_is_only_the_page(scan: Path, tmp_path: Path) -> None:
    path = new_page(scan, target=tmp_path / "other.madcat.xml")
    document = read(path).document
    assert len(document.pages) == 2
    assert list(document.segments()) == []


def test_what_does_not_go_together_is_said(scan: Path, text: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("one line\n")
    with pytest.raises(InputError) as caught:
        new_page(scan, text, translation=short)
    assert caught.value.code == "new.lines-differ"
    short.write_bytes(b"\xe6\xe5")
    with pytest.raises(FormatError) as wrong:
        new_page(scan, short)
    assert wrong.value.code == "new.not-utf8"
    with pytest.raises(InputError):
        new_page(tmp_path / "none.tif", text)
    assert list(tmp_path.glob("*.xml")) == []


def test_a_page_that_is_there_is_kept(
    scan: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(scan), "--transcript", str(text)]) == 0
    path = Path(capsys.readouterr().out.strip())
    before = path.read_bytes()
    with pytest.raises(ConflictError):
        new_page(scan)
    assert main(["new", str(scan)]) == 2
    assert path.read_bytes() == before
    assert main(["new", str(scan), "--overwrite"]) == 0
    assert path.read_bytes() != before
