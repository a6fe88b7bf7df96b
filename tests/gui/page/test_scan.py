from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage

from madcat_studio.errors import FormatError, InputError, StudioError
from madcat_studio.gui.page import scan
from madcat_studio.gui.page.levels import Level
from madcat_studio.gui.page.scan import ScanInfo, read_scan
from madcat_studio.images.reading import image_facts


def read(path: Path, frame: int = 0) -> tuple[ScanInfo, dict[int, QImage]]:
    parts: list = []
    read_scan(path, frame, parts.append)
    levels: list[Level] = [level for part in parts[1:] for level in part]
    return parts[0], {level.factor: level.image for level in levels}


def refused(path: Path, frame: int = 0) -> StudioError:
    with pytest.raises(StudioError) as caught:
        read(path, frame)
    return caught.value


def ramp(kind: type, top: int) -> np.ndarray:
    return np.tile(np.linspace(0, top, 64).astype(kind), (32, 1))


def test_a_large_page_comes_with_its_levels(tmp_path: Path) -> None:
    Image.new("L", (3000, 2400), 200).save(tmp_path / "page.tif")
    info, levels = read(tmp_path / "page.tif")
    assert (info.width, info.height, info.frames, info.turned) == (3000, 2400, 1, False)
    assert sorted(levels) == [1, 2, 4, 8]
    assert [levels[f].width() for f in sorted(levels)] == [3000, 1500, 750, 375]


@pytest.mark.parametrize("order", ["<u2", ">u2"])
def test_16_bit_grey_of_both_byte_orders(order: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.tif"
    pixels = ramp(np.uint16, 65535)
    path.write_bytes(_tiff(pixels.astype(order), big=order.startswith(">")))
    _, levels = read(path)
    shown = [levels[1].pixelColor(x, 0).value() for x in range(64)]
    assert shown == (pixels[0] >> 8).tolist()


def _tiff(pixels: np.ndarray, *, big: bool) -> bytes:
    """A minimal grey TIFF of 16 bits, in either byte order."""
    mark = ">" if big else "<"
    height, width = pixels.shape
    data = pixels.tobytes()
    tags = [
        (256, 3, 1, width),
        (257, 3, 1, height),
        (258, 3, 1, 16),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (273, 4, 1, 8),
        (277, 3, 1, 1),
        (278, 3, 1, height),
        (279, 4, 1, len(data)),
    ]
    head = struct.pack(f"{mark}2sHI", b"MM" if big else b"II", 42, 8 + len(data))
    entries = b"".join(
        struct.pack(f"{mark}HHI", tag, kind, count)
        + (struct.pack(f"{mark}HH", value, 0) if kind == 3 else struct.pack(f"{mark}I", value))
        for tag, kind, count, value in tags
    )
    return head + data + struct.pack(f"{mark}H", len(tags)) + entries + bytes(4)


def test_bilevel_stays_one_bit_a_pixel(tmp_path: Path) -> None:
    Image.new("1", (2000, 2000), 1).save(tmp_path / "g4.tif", compression="group4")
    _, levels = read(tmp_path / "g4.tif")
    assert levels[1].format() == QImage.Format.Format_Mono
    assert levels[4].pixelColor(10, 10).value() == 255


def test_a_plan_takes_little_more_memory_than_its_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "_LARGE", 1_000_000)
    monkeypatch.setattr(scan, "_HUGE", 2_000_000)
    plan = Image.new("1", (2000, 3000), 1)
    plan.paste(0, (0, 0, 8, 4))
    plan.save(tmp_path / "plan.tif", compression="group4")
    _, levels = read(tmp_path / "plan.tif")
    assert sorted(levels) == [1, 8]
    assert [levels[8].pixelColor(x, 0).value() for x in (0, 1)] == [128, 255]
    taken = sum(level.sizeInBytes() for level in levels.values())
    assert taken < 1.2 * levels[1].sizeInBytes()


def test_palette_and_cmyk_are_shown(tmp_path: Path) -> None:
    red = Image.new("RGB", (30, 20), (255, 0, 0))
    red.quantize(4).save(tmp_path / "palette.tif")
    red.convert("CMYK").save(tmp_path / "cmyk.tif")
    for name in ("palette.tif", "cmyk.tif"):
        _, levels = read(tmp_path / name)
        colour = levels[1].pixelColor(5, 5)
        assert (colour.red() > 200, colour.green() < 60, colour.blue() < 60) == (True, True, True)


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_an_orientation_tag_turns_nothing(orientation: int, tmp_path: Path) -> None:
    image = Image.new("RGB", (600, 400), "white")
    image.paste((255, 0, 0), (0, 0, 60, 40))
    exif = Image.Exif()
    exif[0x0112] = orientation
    image.save(tmp_path / "turned.jpg", exif=exif)
    info, levels = read(tmp_path / "turned.jpg")
    assert (info.width, info.height, info.turned) == (600, 400, True)
    corner = levels[1].pixelColor(20, 20)
    assert (corner.red() > 200, corner.green() < 60) == (True, True)


def test_one_frame_is_one_page(tmp_path: Path) -> None:
    frames = [Image.new("L", (40, 30), shade) for shade in (10, 240)]
    frames[0].save(tmp_path / "two.tif", save_all=True, append_images=frames[1:])
    first, second = read(tmp_path / "two.tif"), read(tmp_path / "two.tif", 1)
    assert first[0].frames == 2
    assert first[1][1].pixelColor(3, 3).value() == 10
    assert second[1][1].pixelColor(3, 3).value() == 240
    assert refused(tmp_path / "two.tif", 2).code == "page.image-no-frame"


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    missing = refused(tmp_path / "nowhere.tif")
    assert (type(missing), missing.code) == (InputError, "page.image-missing")
    (tmp_path / "text.tif").write_text("no image at all")
    text = refused(tmp_path / "text.tif")
    assert (type(text), text.code) == (FormatError, "page.image-unreadable")


def test_a_bomb_is_refused_with_its_size(tmp_path: Path) -> None:
    # The header of a PNG that claims 60,000 x 60,000 pixels, and nothing behind it.
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    (tmp_path / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    error = refused(tmp_path / "bomb.png")
    assert error.code == "page.image-too-large"
    assert "60000 x 60000" in error.reason


def test_whoever_does_not_wait_gets_nothing_more(tmp_path: Path) -> None:
    Image.new("L", (3000, 2400), 200).save(tmp_path / "page.tif")
    parts: list = []
    read_scan(tmp_path / "page.tif", 0, parts.append, lambda: True)
    assert parts == []


def test_one_bit_a_pixel_is_weighed_as_one_bit(tmp_path: Path) -> None:
    """A plan of 12,000 x 24,000 takes 36 MB, and with four bytes a pixel over a gigabyte."""
    width, height = 12_000, 24_000
    size = width // 8 * height
    tags = [
        (256, 4, width), (257, 4, height), (258, 3, 1), (259, 3, 1), (262, 3, 0),
        (273, 4, 134), (277, 3, 1), (278, 4, height), (279, 4, size), (284, 3, 1),
    ]  # fmt: skip
    head = b"II*\0" + struct.pack("<IH", 8, len(tags))
    head += b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    head += struct.pack("<I", 0)
    with (tmp_path / "plan.tif").open("wb") as stream:
        stream.write(head)
        stream.truncate(134 + size)
    assert len(head) == 134
    info, levels = read(tmp_path / "plan.tif")
    assert (info.width, info.height) == (width, height)
    assert levels[1].sizeInBytes() < 40e6
    assert levels[1].format() == QImage.Format.Format_Mono
    assert image_facts(tmp_path / "plan.tif").bits == 1
