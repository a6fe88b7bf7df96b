from __future__ import annotations

import math
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from madcat_studio.cli.app import main
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.tables import read_table
from madcat_studio.images.crops import CropStyle, crop, main_angle, plain_image
from madcat_studio.images.reading import open_image
from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word

DATA = Path(__file__).parent.parent / "data" / "madcat"
BOX = ((20, 10), (40, 10), (40, 20), (20, 20))


def black(width: int, height: int, mode: str = "L") -> Image.Image:
    return Image.new(mode, (width, height), 0)


def test_margin_and_white_beyond_the_page() -> None:
    part = crop(black(50, 30), ((-5, 5), (10, 5), (10, 15), (-5, 15)), CropStyle(margin=3))
    assert part is not None
    assert part.size == (21, 16)
    assert [part.getpixel((x, 8)) for x in (0, 7, 8, 20)] == [255, 255, 0, 0]
    outside = crop(black(50, 30), ((90, 90), (99, 90), (99, 99)), CropStyle(margin=0))
    assert outside is not None
    assert outside.getextrema() == (255, 255)
    assert crop(black(50, 30), (), CropStyle()) is None


@pytest.mark.parametrize("mode", ["1", "L", "RGB"])
def test_a_mask_whitens_what_is_far_from_the_outline(mode: str) -> None:
    triangle = ((10, 10), (30, 10), (10, 30))
    part = crop(black(50, 50, mode), triangle, CropStyle(margin=2, mask=True))
    assert part is not None
    grey = part.convert("L")
    assert grey.getpixel((5, 5)) == 0
    assert grey.getpixel((22, 22)) == 255
    assert grey.getpixel((1, 1)) == 0  # within the margin of the corner


@pytest.mark.parametrize("degrees", [-30, -5, 0, 3, 20])
def test_a_slanted_line_is_made_level(degrees: float) -> None:
    image = Image.new("L", (600, 600), 255)
    angle = math.radians(degrees)
    across, down = math.cos(angle), math.sin(angle)
    polygon = tuple(
        (300 + dx * across - dy * down, 300 + dx * down + dy * across)
        for dx, dy in ((-200, -20), (200, -20), (200, 20), (-200, 20))
    )
    ImageDraw.Draw(image).polygon(polygon, fill=0)
    assert main_angle(polygon) == pytest.approx(degrees, abs=1e-6)
    part = crop(image, polygon, CropStyle(margin=4, straighten=True))
    assert part is not None
    assert part.width == pytest.approx(408, abs=2)
    assert part.height == pytest.approx(48, abs=2)
    ink = [part.getpixel((x, part.height // 2)) for x in (12, 200, part.width - 12)]
    assert max(ink) < 60  # type: ignore[type-var]
    assert part.getpixel((part.width // 2, 1)) > 200  # type: ignore[operator]


@pytest.mark.parametrize("mode", ["I;16", "I;16B"])
def test_16_bits_become_8_over_the_full_range(tmp_path: Path, mode: str) -> None:
    image = Image.new("I;16", (3, 1))
    for x, value in enumerate((0, 32896, 65535)):
        image.putpixel((x, 0), value)
    path = tmp_path / "a.tif"
    if mode == "I;16":
        image.save(path)
    else:
        samples = b"".join(value.to_bytes(2, "big") for value in (0, 32896, 65535))
        Image.frombytes("I;16B", (3, 1), samples).save(path)
    with open_image(path) as opened:
        plain = plain_image(opened)
        assert plain.mode == "L"
        assert [plain.getpixel((x, 0)) for x in range(3)] == [0, 128, 255]


def test_other_pixels_become_plain() -> None:
    palette = Image.new("P", (1, 1))
    palette.putpalette([10, 200, 30] * 256)
    assert plain_image(palette).getpixel((0, 0)) == (10, 200, 30)
    assert plain_image(Image.new("CMYK", (1, 1), (0, 0, 0, 0))).getpixel((0, 0)) == (255,) * 3
    assert plain_image(Image.new("RGBA", (1, 1), (0, 0, 0, 0))).getpixel((0, 0)) == (255,) * 3
    assert plain_image(Image.new("LA", (1, 1), (9, 255))).getpixel((0, 0)) == (9,) * 3


def test_a_corner_block_lies_where_the_stored_pixels_say(tmp_path: Path) -> None:
    image = Image.new("RGB", (600, 400))
    image.paste((255, 0, 0), (0, 0, 50, 50))
    exif = Image.Exif()
    exif[274] = 6
    image.save(tmp_path / "B_1_S.jpg", exif=exif, quality=95)
    corner = ((0, 0), (50, 0), (50, 50), (0, 50))
    document = Document(
        "B_1_S",
        "B_1_S.jpg",
        pages=[
            Page("p", 600, 400, lines=[Line("z0", polygon=corner, words=[Word("t0", ())])]),
        ],
    )
    (tmp_path / "B_1_S.madcat.xml").write_bytes(new_bytes(document))
    out = tmp_path / "out"
    assert (
        main(["images", str(tmp_path / "B_1_S.madcat.xml"), "-o", str(out), "--margin", "0"]) == 0
    )
    with Image.open(out / "B_1_S_001_001.png") as part:
        red, green, _ = part.convert("RGB").getpixel((25, 25))  # type: ignore[misc]
        assert part.size == (50, 50)
    assert red > 200 > green


def test_crops_of_a_document_with_two_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = next(DATA.glob("groups*.madcat.xml"))
    out = tmp_path / "out"
    assert main(["images", str(two), "-o", str(out), "--unit", "words"]) == 0
    assert "30 crops written" in capsys.readouterr().out
    base = two.name.removesuffix(".madcat.xml")
    table = read_table(
        out / f"{base}.crops.tsv", required=("file", "base", "page", "line", "word", "text")
    )
    assert len(table.rows) == 30
    assert all((out / row["file"]).exists() and row["text"] for row in table.rows)
    assert {row["page"] for row in table.rows} == {"p1", "p2"}
    with Image.open(out / table.rows[0]["file"]) as part:
        assert part.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    missing = DATA / "ZZN_ARB_20991231.0002_1_SCR0004.madcat.xml"
    assert main(["images", str(missing), str(two), "-o", str(tmp_path / "b")]) == 2
    shown = capsys.readouterr()
    assert "image.not-found" in shown.err
    assert "4 crops written" in shown.out


def test_a_place_that_cannot_be_written_is_not_said_of_the_image(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = next(DATA.glob("groups*.madcat.xml"))
    base = two.name.removesuffix(".madcat.xml")
    (tmp_path / f"{base}_001_001.png").mkdir()
    assert main(["images", str(two), "-o", str(tmp_path)]) == 2
    shown = capsys.readouterr().err
    assert "[file.cannot-write]" in shown
    assert "image.unreadable" not in shown
    (tmp_path / "file").touch()
    assert main(["images", str(two), "-o", str(tmp_path / "file")]) == 2
    assert "[file.no-folder]" in capsys.readouterr().err


def test_crops_of_pages_in_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line, with the text that it or its words say; files of one BASE apart."""
    pages = tmp_path / "pages"
    pages.mkdir()
    words = [Word("t0", BOX), Word("t1", ((50, 10), (70, 10), (70, 20)))]
    line = Line("z0", polygon=((20, 10), (70, 10), (70, 20), (20, 20)), words=words)
    tokens = [Token("k0", "t0", "", "one"), Token("k1", "t1", "", "two")]
    segment = Segment("s1", ["z0"], tokens, "one two")
    document = Document(
        "a", "a.tif", pages=[Page("p", 80, 30, 300, lines=[line])], nbpages=1,
        sections=[Section("x", segments=[segment])],
    )  # fmt: skip
    source = tmp_path / "a.madcat.xml"
    source.write_bytes(new_bytes(document))
    for name in ("a.page.xml", "a.alto.xml", "b.hocr"):
        kind = ["--to", "hocr"] if name == "b.hocr" else []
        assert main(["convert", str(source), str(pages / name), *kind]) == 0
    (pages / "mets.xml").write_text("<mets/>")
    for name in ("a.tif", "b.tif"):
        black(80, 30).save(pages / name)
    capsys.readouterr()
    out = tmp_path / "out"
    assert main(["images", str(pages), "-o", str(out), "--unit", "lines"]) == 0
    assert "3 crops written" in capsys.readouterr().out
    found = {path.name for path in out.iterdir()}
    bases = ("a.page", "a.alto", "b")
    assert found == {f"{b}_001_001.png" for b in bases} | {f"{b}.crops.tsv" for b in bases}
    for base in bases:
        (row,) = read_table(out / f"{base}.crops.tsv", required=("file", "text")).rows
        assert row["text"] == "one two"
