"""Pages of a PDF as scans."""

from __future__ import annotations

from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image

from madcat_studio.cli.app import main
from madcat_studio.errors import StudioError
from madcat_studio.formats.madcat import read
from madcat_studio.images.pdf import is_pdf, scans_of
from madcat_studio.images.reading import image_facts, open_image
from madcat_studio.progress import Cancelled


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A grey scan of 600 x 400 pixels with a black corner."""
    image = Image.new("L", (600, 400), 200)
    image.paste(0, (0, 0, 60, 40))
    image.save(tmp_path / "scan.png")
    return tmp_path / "scan.png"


def a_pdf(path: Path, scan: Path) -> Path:
    """Three pages: a scan at 200 dpi, letters alone, and a coloured one."""
    document = FPDF(unit="in", format=(3, 2))
    document.set_auto_page_break(False)
    document.add_page()
    document.image(str(scan), 0, 0, 3, 2)
    document.add_page()
    document.set_font("helvetica", size=20)
    document.text(0.5, 1, "abc")
    document.add_page()
    document.set_fill_color(255, 0, 0)
    document.rect(0, 0, 1, 1, "F")
    document.output(str(path))
    return path


def test_each_page_is_a_frame_as_fine_as_its_image(tmp_path: Path, scan: Path) -> None:
    pdf = a_pdf(tmp_path / "a.pdf", scan)
    assert scans_of(pdf, tmp_path / "a.tif") == 3
    # Whoever may read the PDF may read its scans.
    assert (tmp_path / "a.tif").stat().st_mode == pdf.stat().st_mode
    found = [image_facts(tmp_path / "a.tif", frame) for frame in range(3)]
    assert [(f.width, f.height, f.frames) for f in found] == [
        (600, 400, 3), (900, 600, 3), (900, 600, 3),
    ]  # fmt: skip
    assert [f.bits for f in found] == [8, 8, 24]
    with open_image(tmp_path / "a.tif", 0) as image:
        assert image.getpixel((5, 5)) == 0
        assert abs(image.getpixel((500, 300)) - 200) < 3
    with open_image(tmp_path / "a.tif", 2) as image:
        assert image.getpixel((5, 5)) == (255, 0, 0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.pdf", "a.tif", "scan.png"]


def test_a_page_to_mark_is_made_of_a_pdf(
    tmp_path: Path, scan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdf = a_pdf(tmp_path / "a.pdf", scan)
    assert main(["new", str(pdf)]) == 0
    document = read(tmp_path / "a.madcat.xml").document
    assert document.src == "a.tif"
    assert [(page.width, page.height) for page in document.pages] == [
        (600, 400), (900, 600), (900, 600),
    ]  # fmt: skip
    capsys.readouterr()
    before = (tmp_path / "a.tif").read_bytes()
    assert main(["new", str(pdf)]) == 2
    assert "[madcat.file-exists]" in capsys.readouterr().err
    assert (tmp_path / "a.tif").read_bytes() == before


def test_what_cannot_be_read_leaves_nothing(tmp_path: Path, scan: Path) -> None:
    whole = a_pdf(tmp_path / "a.pdf", scan).read_bytes()
    for data in (b"%PDF-1.7\n", whole[:200], b"%PDF-" + bytes(5000), whole.replace(b"obj", b"obi")):
        (tmp_path / "b.pdf").write_bytes(data)
        with pytest.raises(StudioError) as caught:
            scans_of(tmp_path / "b.pdf", tmp_path / "b.tif")
        assert caught.value.code in ("pdf.unreadable", "pdf.no-page")
    locked = FPDF()
    locked.add_page()
    locked.set_encryption(owner_password="x", user_password="y")
    locked.output(str(tmp_path / "b.pdf"))
    with pytest.raises(StudioError, match="password"):
        scans_of(tmp_path / "b.pdf", tmp_path / "b.tif")

    class Stopping:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            self.done = done

        def cancelled(self) -> bool:
            return getattr(self, "done", 0) > 1

    with pytest.raises(Cancelled):
        scans_of(tmp_path / "a.pdf", tmp_path / "b.tif", progress=Stopping())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.pdf", "b.pdf", "scan.png"]
    assert not is_pdf(tmp_path)
    assert not is_pdf(tmp_path / "gone.pdf")
