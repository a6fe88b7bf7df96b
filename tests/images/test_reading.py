from __future__ import annotations

import io
import os
import struct
import sys
import zlib
from pathlib import Path

import pytest
from PIL import Image

from madcat_studio.errors import InputError
from madcat_studio.images.reading import ImageFinder, image_facts, open_image

DATA = Path(__file__).parent.parent / "data" / "madcat"


def bomb(path: Path, width: int, height: int) -> Path:
    """A PNG of a few bytes that claims this size."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
    )
    return path


def test_facts_of_the_samples() -> None:
    facts = image_facts(DATA / "ZZN_ARB_20991231.0001_1_SCR0001.tif")
    assert (facts.width, facts.height, facts.dpi, facts.bits, facts.frames) == (
        5100,
        6600,
        (600, 600),
        8,
        1,
    )
    two = next(DATA.glob("groups*.tif"))
    assert (image_facts(two, 1).frame, image_facts(two, 1).frames) == (1, 2)


@pytest.mark.parametrize(
    ("mode", "bits", "suffix", "options"),
    [
        ("1", 1, "tif", {"compression": "group3"}),
        ("1", 1, "tif", {"compression": "group4"}),
        ("L", 8, "tif", {"compression": "tiff_adobe_deflate"}),
        ("P", 8, "png", {}),
        ("RGB", 24, "jpg", {}),
        ("CMYK", 32, "tif", {}),
        ("I;16", 16, "tif", {}),
        ("I;16", 16, "png", {}),
    ],
)
def test_kinds_of_images(
    tmp_path: Path, mode: str, bits: int, suffix: str, options: dict[str, str]
) -> None:
    path = tmp_path / f"a.{suffix}"
    Image.new(mode, (60, 40)).save(path, **options)
    facts = image_facts(path)
    assert (facts.width, facts.height, facts.bits) == (60, 40, bits)


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_orientation_is_told_and_never_applied(tmp_path: Path, orientation: int) -> None:
    image = Image.new("RGB", (600, 400))
    image.paste((255, 0, 0), (0, 0, 50, 50))
    exif = Image.Exif()
    exif[274] = orientation
    image.save(tmp_path / "a.jpg", exif=exif)
    facts = image_facts(tmp_path / "a.jpg")
    assert (facts.width, facts.height, facts.orientation) == (600, 400, orientation)
    with open_image(tmp_path / "a.jpg") as opened:
        red, green, _ = opened.convert("RGB").getpixel((10, 10))  # type: ignore[misc]
    assert red > 200 > green


def test_a_large_honest_page_opens_and_a_bomb_is_refused_with_its_size(tmp_path: Path) -> None:
    page = tmp_path / "page.tif"
    Image.new("1", (10_000, 14_000)).save(page, compression="group4")
    assert image_facts(page).width == 10_000
    with pytest.raises(InputError, match="60000 x 60000 pixels") as caught:
        image_facts(bomb(tmp_path / "b.png", 60_000, 60_000))
    assert caught.value.code == "image.too-large"


@pytest.mark.parametrize("data", [b"", b"II*\0", b"not an image at all", b"\x89PNG\r\n\x1a\n\0\0"])
def test_what_is_no_image(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.tif").write_bytes(data)
    with pytest.raises(InputError) as caught:
        image_facts(tmp_path / "a.tif")
    assert caught.value.code == "image.unreadable"
    with pytest.raises(InputError) as caught:
        image_facts(tmp_path / "b.tif")
    assert caught.value.code == "image.not-found"


@pytest.mark.skipif(sys.platform != "linux", reason="libtiff is reached through Pillow on Linux")
def test_a_torn_scan_is_one_error_and_nothing_on_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stream = io.BytesIO()
    Image.radial_gradient("L").resize((900, 900)).save(stream, "TIFF", compression="tiff_lzw")
    data = bytearray(stream.getvalue())
    for place in range(len(data) // 4, len(data) // 2, 997):
        data[place] ^= 0xFF
    path = tmp_path / "torn.tif"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught, open_image(path) as image:
        image.load()
    assert caught.value.code == "image.unreadable"
    assert capfd.readouterr() == ("", "")


def test_an_image_is_found_in_the_usual_places(tmp_path: Path) -> None:
    document = tmp_path / "مشروع ١ – test" / "madcat" / "B.madcat.xml"
    document.parent.mkdir(parents=True)
    finder = ImageFinder()
    assert finder.find("B.tif", document) is None
    images = document.parent.parent / "images"
    images.mkdir()
    (images / "b.TIF").touch()
    finder = ImageFinder()
    assert finder.find("scans\\B.tif", document) == images / "b.TIF"
    (document.parent / "B.tif").touch()
    assert finder.find("C:\\scans\\B.tif", document) == document.parent / "B.tif"
    (document.parent / "sub").mkdir()
    (document.parent / "sub" / "B.tif").touch()
    assert finder.find("sub/B.tif", document) == document.parent / "sub" / "B.tif"
    other = tmp_path / "other"
    other.mkdir()
    (other / "B.tif").touch()
    assert ImageFinder((other,)).find("B.tif", document) == other / "B.tif"
    for nothing in ("", ".", "..", "/", "no.tif"):
        assert finder.find(nothing, document) is None


def test_no_pipe_or_device_is_waited_for(tmp_path: Path) -> None:
    pipe, zero = tmp_path / "pipe.tif", tmp_path / "zero.tif"
    os.mkfifo(pipe)
    zero.symlink_to("/dev/zero")
    for path in (pipe, zero, tmp_path):
        with pytest.raises(InputError) as caught, open_image(path):
            pass
        assert caught.value.code == "image.unreadable"
        assert "not a file" in caught.value.reason
    finder = ImageFinder()
    assert finder.find("pipe.tif", tmp_path / "a.madcat.xml") is None
    assert finder.find("x" * 400 + ".tif", tmp_path / "a.madcat.xml") is None


@pytest.mark.parametrize(
    ("mode", "suffix", "bits"),
    [
        ("1", ".tif", 1),
        ("1", ".png", 1),
        ("L", ".tif", 8),
        ("LA", ".png", 16),
        ("LA", ".tif", 16),
        ("I;16", ".png", 16),
        ("I;16", ".tif", 16),
        ("I", ".tif", 32),
        ("F", ".tif", 32),
        ("RGB", ".tif", 24),
        ("RGBA", ".png", 32),
        ("CMYK", ".tif", 32),
        ("CMYK", ".jpg", 32),
        ("LAB", ".tif", 24),
        ("P", ".tif", 8),
    ],
)
def test_bits_are_those_of_the_file(tmp_path: Path, mode: str, suffix: str, bits: int) -> None:
    path = tmp_path / f"a{suffix}"
    Image.new(mode, (3, 2)).save(path)
    assert image_facts(path).bits == bits


@pytest.mark.parametrize(("depth", "colour", "bits"), [(16, 4, 32), (16, 2, 48), (2, 0, 2)])
def test_bits_of_a_png_that_opens_with_fewer(
    tmp_path: Path, depth: int, colour: int, bits: int
) -> None:
    """Pillow opens grey of 16 bits with transparency as 8, and two bits as eight."""
    row = b"\0" + bytes(3 * max(bits // 8, 1))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", 3, 2, depth, colour, 0, 0, 0)),
        (b"IDAT", zlib.compress(row * 2)),
        (b"IEND", b""),
    ]
    data = b"\x89PNG\r\n\x1a\n"
    for name, body in parts:
        whole = name + body
        data += struct.pack(">I", len(body)) + whole + struct.pack(">I", zlib.crc32(whole))
    (tmp_path / "a.png").write_bytes(data)
    assert image_facts(tmp_path / "a.png").bits == bits
