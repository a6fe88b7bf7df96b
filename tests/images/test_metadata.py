"""Scans lose what their files say, and nothing of the picture."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, TiffImagePlugin
from PIL.PngImagePlugin import PngInfo

from madcat_studio.images.metadata import without_metadata

SECRET = "scribe SCR0042 of XIN_ARB_20480101"
SCAN = Path(__file__).parent.parent / "data" / "madcat" / "ZZN_ARB_20991231.0001_1_SCR0001.tif"


def page(mode: str = "L") -> Image.Image:
    image = Image.linear_gradient("L").resize((90, 70)).convert(mode)
    ImageDraw.Draw(image).line((3, 5, 80, 60), fill=0)
    return image


def exif() -> Image.Exif:
    made = Image.Exif()
    made[0x010E], made[0x013B] = SECRET, SECRET
    made.get_ifd(0x8769)[0x9286] = b"ASCII\0\0\0" + SECRET.encode()
    return made


def tiff(compression: str = "raw", big: bool = False, frames: int = 1) -> bytes:
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    for number in (269, 270, 285, 305, 306, 315, 316, 33432):
        tags[number] = f"{number} {SECRET}"
    tags[700], tags.tagtype[700] = SECRET.encode(), 1
    if compression == "raw":  # others are written by libtiff, which takes none of these
        tags[65000], tags.tagtype[65000] = SECRET, 2
        tags[34665] = {0x9286: b"ASCII\0\0\0" + SECRET.encode()}
    stream = io.BytesIO()
    image = page("1" if compression == "group4" else "L")
    more = [page("1" if compression == "group4" else "L").rotate(180)] * (frames - 1)
    image.save(
        stream, "TIFF", compression=compression, tiffinfo=tags, dpi=(600, 600), big_tiff=big,
        save_all=frames > 1, append_images=more,
    )  # fmt: skip
    return stream.getvalue()


def png() -> bytes:
    info = PngInfo()
    info.add_text("Author", SECRET)
    info.add_itxt("Title", SECRET, zip=False)
    stream = io.BytesIO()
    page().save(stream, "PNG", pnginfo=info, exif=exif(), dpi=(300, 300))
    return stream.getvalue() + SECRET.encode()


def jpeg(progressive: bool = False) -> bytes:
    stream = io.BytesIO()
    page("CMYK").save(
        stream, "JPEG", exif=exif(), comment=SECRET, dpi=(300, 300), progressive=progressive,
        icc_profile=b"a profile of colours",
    )  # fmt: skip
    return stream.getvalue() + SECRET.encode()


def pictures(content: bytes) -> list[tuple[object, ...]]:
    with Image.open(io.BytesIO(content)) as image:
        found = []
        for frame in range(getattr(image, "n_frames", 1)):
            image.seek(frame)
            dpi = tuple(round(one) for one in image.info["dpi"])
            profile = image.info.get("icc_profile")
            found.append((image.mode, image.size, dpi, profile, image.tobytes()))
        return found


MADE = {
    "tiff": tiff(),
    "tiff of four": tiff("group4", frames=4),
    "tiff with deflated data": tiff("tiff_deflate"),
    "big tiff": tiff(big=True),
    "png": png(),
    "jpeg": jpeg(),
    "progressive jpeg": jpeg(progressive=True),
}


@pytest.mark.parametrize("name", MADE)
def test_texts_go_and_the_picture_stays(name: str) -> None:
    before = MADE[name]
    assert SECRET.encode() in before
    after = without_metadata(before)
    assert SECRET[:12].encode() not in after
    assert pictures(after) == pictures(before)
    assert without_metadata(after) == after


def test_a_tiff_of_the_other_order_of_bytes() -> None:
    # Two tags of a picture, and a note between them whose value lies behind the directory.
    note = SECRET.encode() + b"\0"
    place = 8 + 2 + 3 * 12 + 4
    entries = struct.pack(">HHIHH", 256, 3, 1, 90, 0)
    entries += struct.pack(">HHII", 270, 2, len(note), place)
    entries += struct.pack(">HHIHH", 257, 3, 1, 70, 0)
    before = b"MM\0*" + struct.pack(">IH", 8, 3) + entries + bytes(4) + note
    after = without_metadata(before)
    assert len(after) == len(before)
    assert struct.unpack_from(">HHHIHHHHI", after, 8)[:2] == (2, 256)
    assert struct.unpack_from(">H", after, 8 + 2 + 12) == (257,)
    assert not any(after[8 + 2 + 2 * 12 :])


def test_a_plain_scan_loses_nothing_of_its_picture() -> None:
    content = SCAN.read_bytes()
    with (
        Image.open(io.BytesIO(content)) as before,
        Image.open(io.BytesIO(without_metadata(content))) as after,
    ):
        assert after.tobytes() == before.tobytes()
        assert after.info["dpi"] == before.info["dpi"]


@pytest.mark.parametrize(
    "content", [b"", b"no image", b"II*\0", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"]
)
def test_what_is_no_image_stays_as_it_is(content: bytes) -> None:
    assert without_metadata(content) == content


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(MADE)), st.data())
def test_damaged_files_hang_nothing_up(name: str, data: st.DataObject) -> None:
    content = bytearray(MADE[name])
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(content[: data.draw(st.integers(0, len(content)))])
    assert len(without_metadata(cut)) <= len(cut)
