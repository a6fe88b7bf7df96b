"""Facts about page images without decoding them, and finding them on the disk.

Orientation tags are never applied: stored pixels are the coordinates.
"""

from __future__ import annotations

import ctypes
import logging
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from PIL import Image, _imaging

from madcat_studio.errors import InputError, StudioError, WorldError
from madcat_studio.progress import Cancelled

__all__ = ["MAX_PIXELS", "ImageFacts", "ImageFinder", "image_facts", "open_image"]

MAX_PIXELS = 500_000_000
"""Larger images are refused: a page of 10,000 x 14,000 has 140 million pixels."""
MAX_BILEVEL_PIXELS = 2 * MAX_PIXELS
"""Of images with one bit a pixel, such as plans and newspapers."""

# Pillow would warn of an honest page from 89 million pixels on; open_image checks instead.
Image.MAX_IMAGE_PIXELS = None
# What it logs of a damaged file comes to the user as an error of ours, said once.
logging.getLogger("PIL").setLevel(logging.CRITICAL)


def _keep_libtiff_quiet() -> None:
    """The same for the library below Pillow, which would write to the terminal itself.

    Where it cannot be reached through Pillow's own, it goes on doing so.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(_imaging.__file__)
        for handler in (library.TIFFSetErrorHandler, library.TIFFSetWarningHandler):
            handler.restype = ctypes.c_void_p
            handler(None)


_keep_libtiff_quiet()

_BITS = {"1": 1, "I;16": 16, "I;16B": 16, "I;16L": 16, "I": 32, "F": 32}
"""Bits of a pixel where they are not 8 for each band."""
_SAMPLES = {0: 1, 2: 3, 4: 2, 6: 4}
"""Of a pixel of PNG, by its type of colour; those with a palette are as Pillow opens them."""
_BITS_PER_SAMPLE, _SAMPLES_PER_PIXEL = 258, 277


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """What an image file says about one of its frames.

    Attributes:
        path: the file.
        frame: which frame, from 0; ``frames``: how many there are.
        width, height: stored pixels.
        dpi: horizontal and vertical resolution per inch, None if the file does not say.
        bits: per pixel, all channels together.
        format: such as TIFF.
        orientation: EXIF tag 274, 1 where there is none; told, never applied.
    """

    path: Path
    frame: int
    frames: int
    width: int
    height: int
    dpi: tuple[float, float] | None
    bits: int
    format: str
    orientation: int


@contextmanager
def open_image(path: Path, frame: int = 0) -> Iterator[Image.Image]:
    """An image file at one of its frames; pixels are decoded when they are asked for.

    Raises:
        InputError: ``image.not-found``, ``image.unreadable`` (when decoding, too),
            ``image.no-such-frame``, ``image.too-large`` (with its size).
        WorldError: ``image.cannot-read``: rights, disk.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            # A pipe would be waited for, and a device read without an end.
            raise InputError(
                "image.unreadable",
                "the image cannot be read (this is a folder, a pipe or a device, not a file)",
                where=path,
                remedy="Put the image itself beside its document",
            )
        with Image.open(path) as image:
            frames = getattr(image, "n_frames", 1)
            if not 0 <= frame < frames:
                raise InputError(
                    "image.no-such-frame",
                    f"the image has {frames} frame{'s' * (frames != 1)}, not {frame + 1}",
                    where=path,
                    remedy="Each page of a document is one frame of its image",
                )
            if frame:
                image.seek(frame)
            most = MAX_BILEVEL_PIXELS if image.mode == "1" else MAX_PIXELS
            if image.width * image.height > most:
                raise InputError(
                    "image.too-large",
                    f"the image has {image.width} x {image.height} pixels, more than "
                    f"{most // 1_000_000} million",
                    where=path,
                    remedy="If it is a page, scan it at a lower resolution",
                )
            yield image
    except FileNotFoundError:
        raise InputError(
            "image.not-found",
            "there is no such image",
            where=path,
            remedy="Put the image beside its document",
        ) from None
    except (StudioError, Cancelled):  # of whoever works with the image; said already
        raise
    except PermissionError as error:
        raise WorldError(
            "image.cannot-read",
            f"the image cannot be read ({error.strerror})",
            where=path,
            remedy="Check its permissions",
        ) from error
    except Exception as error:  # Pillow's decoders raise whatever they stumble over
        raise InputError(
            "image.unreadable",
            f"the image cannot be read ({str(error).strip() or type(error).__name__})",
            where=path,
            remedy="Get a new copy of the image, or save it as an ordinary TIFF or PNG",
        ) from error


def image_facts(path: Path, frame: int = 0) -> ImageFacts:
    """The facts about one frame of an image; see :func:`open_image` for what is raised."""
    with open_image(path, frame) as image:
        dpi = image.info.get("dpi")
        return ImageFacts(
            path,
            frame,
            getattr(image, "n_frames", 1),
            image.width,
            image.height,
            (float(dpi[0]), float(dpi[1])) if dpi and float(dpi[0]) > 1 else None,
            _bits(image, path),
            image.format or "",
            _orientation(image),
        )


def _bits(image: Image.Image, path: Path) -> int:
    """The bits of a pixel as the file stores it: Pillow opens some with fewer, or as another kind.

    Raises:
        OSError: the file cannot be read again.
    """
    if image.format == "TIFF":
        tags = getattr(image, "tag_v2", {})
        each = tags.get(_BITS_PER_SAMPLE, (1,))
        each = each if isinstance(each, tuple) else (each,)
        samples = tags.get(_SAMPLES_PER_PIXEL, 1)
        return sum(each) if len(each) == samples else each[0] * samples
    if image.format == "PNG":
        with path.open("rb") as stream:
            head = stream.read(26)
        if head[25] in _SAMPLES:
            return head[24] * _SAMPLES[head[25]]
    return _BITS.get(image.mode, 8 * len(image.getbands()))


def _orientation(image: Image.Image) -> int:
    value = image.getexif().get(274, 1)
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for any disk, no right to look: not here
        return False


@dataclass
class ImageFinder:
    """Finds the image that a document names; remembers the folders that it looked through."""

    folders: tuple[Path, ...] = ()
    """Where else to look, before the usual places."""
    _names: dict[Path, dict[str, str]] = field(default_factory=dict, repr=False)

    def find(self, src: str, document: Path) -> Path | None:
        """The image ``src`` of the document at this path, None if it is nowhere.

        Looks in ``folders``, beside the document, in ``images`` beside it and beside its folder.
        Back-slashes count as slashes; where no name is the same, one in other letter case will do.
        """
        named = PurePosixPath(src.replace("\\", "/"))
        if not named.name or named.name in (".", ".."):
            return None
        here = document.parent
        places = (*self.folders, here, here / "images", here.parent / "images")
        if not named.is_absolute() and len(named.parts) > 1 and ".." not in named.parts:
            nested = here.joinpath(*named.parts[:-1])
            places = (*self.folders, nested, *places[len(self.folders) :])
        for place in places:
            if _is_file(found := place / named.name):
                return found
        for place in places:
            name = self._listing(place).get(named.name.lower())
            if name is not None and _is_file(found := place / name):
                return found
        return None

    def require(self, src: str | None, document: Path) -> Path:
        """The image of a document that is of no use without it.

        Raises:
            InputError: ``image.not-found``.
        """
        found = self.find(src or "", document)
        if found is None:
            raise InputError(
                "image.not-found",
                f"its image “{src or ''}” cannot be found",
                where=document,
                remedy="Put it beside the document, or name its folder with --images",
            )
        return found

    def _listing(self, folder: Path) -> dict[str, str]:
        if folder not in self._names:
            try:
                names = sorted(entry.name for entry in folder.iterdir())
            except OSError:
                names = []
            self._names[folder] = {name.lower(): name for name in reversed(names)}
        return self._names[folder]
