"""Segments and boxes of YOLO: a text file beside each image, in shares of its size.

A file has no names of its classes; :mod:`formats.yolo_classes` finds them. Ours are ``region``,
``line`` and ``word``. There are no texts, ids or baselines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import Notes, ReadLayout
from madcat_studio.formats.numbers import box_polygon, number
from madcat_studio.formats.shapes import BASELINE, Shape, fill, role, shapes_of
from madcat_studio.formats.source import Source
from madcat_studio.formats.written import Written
from madcat_studio.formats.yolo_classes import LIST, SET, classes_beside, written_classes
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import TEXT_REGION, Layout, LayoutPage
from madcat_studio.model.problem import Severity

__all__ = ["count_yolo", "read_yolo", "write_yolo"]

_ROLES = ("region", "line", "word")
_IMAGES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".jp2")
_SIZE = 1_000_000
"""Of a page whose image is not there, for those who only count."""


def read_yolo(source: Source) -> ReadLayout:
    """Read a file of YOLO: ``CLASS x y x y …`` or ``CLASS x y width height`` a line.

    A single number after these tells how sure a program was, and is left out.

    Raises:
        FormatError: ``yolo.no-image``: without the image nobody knows the size of the page;
            ``yolo.not-a-line``.
    """
    notes = Notes(source)
    stem = _stem(source)
    for suffix in _IMAGES:
        image = stem + suffix
        size = source.image_size(image, 0)
        if size is not None:
            break
    else:
        raise FormatError(
            "yolo.no-image",
            f"the image “{stem}” cannot be found, and the file measures in shares of its size",
            where=source.name,
            remedy="Put the image beside the file, or into a folder “images” beside its folder",
        )
    page = LayoutPage(None, image, *size, ordered=False)
    names = _names(source, notes)
    shapes = [
        Shape(_label(kind, names), polygon, str(line))
        for line, kind, polygon in _lines(source, size)
    ]
    fill(page, shapes, notes)
    return ReadLayout(Layout([page]), tuple(notes.problems), source)


def _stem(source: Source) -> str:
    name = source.name.replace("\\", "/").rpartition("/")[2]
    for ending in (".txt", ".yolo"):
        name = name.removesuffix(ending)
    return name


def _label(kind: int, names: dict[int, str]) -> str:
    name = names.get(kind, f"class {kind}")
    return TEXT_REGION if name == _ROLES[0] else name


def _names(source: Source, notes: Notes) -> dict[int, str]:
    """The names of the classes; where nothing tells them they are ours."""
    found = classes_beside(source.path) if source.path is not None else None
    if found is not None:
        return found
    notes.tell(
        "yolo-classes-missing",
        f"there is no {LIST} or {SET} that names the classes",
        done=f"0, 1 and 2 are read as {', '.join(_ROLES)}",
    )
    return dict(enumerate(_ROLES))


def _lines(source: Source, size: tuple[int, int]) -> Iterator[tuple[int, int, Polygon]]:
    """Each line's number, its class, and its outline in pixels."""
    width, height = size
    for line, text in enumerate(source.data.decode("utf-8-sig", "replace").splitlines(), 1):
        parts = text.split()
        if not parts:
            continue
        values = [value for part in parts[1:] if (value := number(part)) is not None]
        plain = parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 6
        if not plain or len(values) < 4 or len(values) != len(parts) - 1:
            raise FormatError(
                "yolo.not-a-line",
                "this is not a line of YOLO, which has a class and pairs of numbers",
                where=f"{source.name}:{line}",
                remedy="Check that it is the file you meant",
            )
        if len(values) % 2:
            values.pop()  # how sure a program was
        if len(values) == 4:
            x, y, across, down = values
            left, top = (x - across / 2) * width, (y - down / 2) * height
            polygon = box_polygon(left, top, across * width, down * height)
        else:
            points = zip(values[::2], values[1::2], strict=False)
            polygon = tuple((x * width, y * height) for x, y in points)
        yield line, int(parts[0]), tuple((round(x), round(y)) for x, y in polygon)


def count_yolo(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a file of YOLO holds."""
    names = _names(source, Notes(source))
    for _, kind, _ in _lines(source, (_SIZE, _SIZE)):
        found[f"{role(_label(kind, names))}s"] += 1
    yield from ()


def write_yolo(layout: Layout, name: str, version: str = "") -> Written:
    """A file of YOLO for each page with all outlines, and what it cannot hold."""
    notes = Notes(Source(b"", name))
    files = [_file(page, notes) for page in layout.pages]
    return Written(files, notes.problems, written_classes(_ROLES))


def _file(page: LayoutPage, notes: Notes) -> bytes:
    width, height = page.width or 1, page.height or 1
    lost: Counter[str] = Counter()
    lines = []
    for shape in shapes_of(page, notes):
        if shape.label == BASELINE:
            lost["baselines"] += 1
            continue
        what = role(shape.label)
        lost["texts"] += bool(shape.text)
        lost["custom attributes of PAGE XML"] += bool(shape.custom)
        lost["kinds and types of regions"] += what == _ROLES[0] and shape.label != TEXT_REGION
        polygon = shape.polygon if len(shape.polygon) > 2 else (*shape.polygon, shape.polygon[-1])
        points = " ".join(f"{_share(x, width)} {_share(y, height)}" for x, y in polygon)
        lines.append(f"{_ROLES.index(what)} {points}\n")
    lost["the order of reading, and ids"] += bool(lines)
    for what, times in (+lost).items():
        notes.tell(
            "convert-lost",
            f"YOLO cannot hold {what} ({times} time{'s' * (times != 1)})",
            severity=Severity.NOTE,
        )
    return "".join(lines).encode("ascii")


def _share(value: float, size: int) -> str:
    return f"{min(max(value / size, 0), 1):.7g}"
