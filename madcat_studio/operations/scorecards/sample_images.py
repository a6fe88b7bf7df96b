"""The images of samples: read, as PNG for a model, and side by side for people."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from madcat_studio.errors import InputError
from madcat_studio.formats.files import read_file

__all__ = ["png_of", "read_image", "side_by_side"]

_PNG = b"\x89PNG\r\n\x1a\n"

_SIDE = 480
"""Pixels of the longer side of an image that stands beside others."""

_GAP = 12


def read_image(path: Path) -> Image.Image:
    """The image in colour.

    Raises:
        InputError, WorldError: the file is not there, or cannot be read.
        InputError: ``scorecards.not-an-image``.
    """

    data = read_file(path)
    try:
        with Image.open(io.BytesIO(data)) as image:
            return image.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(
            "scorecards.not-an-image",
            f"the image cannot be read ({type(error).__name__})",
            where=path,
            remedy="Give an image such as PNG, JPEG or TIFF",
        ) from error


def png_of(path: Path) -> bytes:
    """The image as PNG: as it is, or written anew.

    Raises:
        InputError, WorldError: as :func:`read_image`.
    """
    data = read_file(path)
    if data.startswith(_PNG):
        return data
    image = read_image(path)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def side_by_side(images: Sequence[Image.Image]) -> str:
    """Images from left to right, brought to one height, as a ``data:`` address."""
    height = min(_SIDE, max(image.height for image in images))
    made = []
    for image in images:
        width = max(1, round(image.width * height / image.height))
        own = image.resize((width, height), Image.Resampling.BOX)
        # A banner would push the others out of sight.
        own.thumbnail((2 * _SIDE, height))
        made.append(own)
    whole = Image.new(
        "RGB", (sum(one.width for one in made) + _GAP * (len(made) - 1), height), "white"
    )
    left = 0
    for own in made:
        whole.paste(own, (left, 0))
        left += own.width + _GAP
    file = io.BytesIO()
    whole.save(file, "JPEG", quality=70)
    return f"data:image/jpeg;base64,{base64.b64encode(file.getvalue()).decode()}"
