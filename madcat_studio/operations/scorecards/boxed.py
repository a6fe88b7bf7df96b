"""The picture of a scored page, and a report with the worst pages and their boxes."""

from __future__ import annotations

import base64
import glob
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from PIL import Image

from madcat_studio.errors import StudioError
from madcat_studio.images.crops import plain_image
from madcat_studio.images.reading import ImageFinder, open_image
from madcat_studio.operations.pages.find_page import find_page
from madcat_studio.reports.cards import CardReport, Exhibit
from madcat_studio.reports.cards_ltb_boxes import (
    BoxState,
    PageBoxes,
    boxes_svg,
    page_boxes,
)

__all__ = ["MOST_PAGES", "Places", "find_picture", "read_picture", "with_boxes"]

MOST_PAGES = 24
"""Pages that a report shows with their pictures: the worst. A picture takes some 100 kB of it."""

_SIDE = 900
"""Pixels of the longer side of a page in a report."""

_WORDS = {
    BoxState.RIGHT: "right",
    BoxState.OFF: "beside",
    BoxState.MISSED: "missed",
    BoxState.EXTRA: "matched to nothing",
}


@dataclass(frozen=True, slots=True)
class Places:
    """Where pages may lie.

    Attributes:
        folders: looked through with those below them.
        near: looked into, and not below.
    """

    folders: tuple[Path, ...] = ()
    near: tuple[Path, ...] = ()

    @classmethod
    def of(cls, *paths: Path) -> Places:
        """Folders, and what lies beside files."""
        return cls(
            tuple(path for path in paths if path.is_dir()),
            tuple(path.parent for path in paths if not path.is_dir()),
        )


def find_picture(page: PageBoxes, places: Places) -> tuple[Path, int] | None:
    """The picture of a page and which frame of the file; None where it is nowhere.

    Args:
        page: names its picture as the ground truth does.
        places: looked through in order.
    """
    every = (*places.folders, *places.near)
    document = find_page(page.document, places.folders) or find_page(
        page.document, places.near, deep=False
    )
    if document is not None:
        found = ImageFinder(every).find(page.picture, document)
        if found is not None:
            return found, page.frame
    name = PurePosixPath(page.picture.replace("\\", "/"))
    if not name.name or name.is_absolute() or ".." in name.parts:
        return None
    for folder in every:
        for place in (folder / name, folder / "data" / name):
            if place.is_file():
                return place, page.frame
    for folder in places.folders:
        for place in sorted(folder.glob(f"**/{glob.escape(name.name)}")):
            if place.is_file():
                return place, page.frame
    return None


def read_picture(found: tuple[Path, int], most: int) -> Image.Image:
    """A page's picture in grey or colour, at most so many pixels long.

    Raises:
        StudioError: it cannot be read.
    """
    with open_image(*found) as image:
        if max(image.size) > 2 * most:
            image.draft("L", (2 * most, 2 * most))
        plain = plain_image(image)
        plain = plain.convert("L" if plain.mode in ("1", "L") else "RGB")
        plain.thumbnail((most, most), Image.Resampling.BOX)
        return plain


def with_boxes(report: CardReport, places: Places) -> CardReport:
    """The report with its worst pages: their pictures, as far as they are found, and the boxes.

    Args:
        report: of any kind; one without boxes comes back as it is.
        places: where the pages may lie.
    """
    exhibits: list[Exhibit] = []
    pictures: dict[str, str] = {}
    for system, scored in _worst(report.result):
        page = page_boxes(report.result, system, scored["pair"], scored["document"])
        if page is None:
            continue
        if page.document not in pictures:
            pictures[page.document] = _address(page, places)
        if not pictures[page.document]:
            continue
        place = {"system": system, "pair": scored["pair"], "document": page.document}
        counts = ", ".join(f"{page.count(state)} {word}" for state, word in _WORDS.items())
        exhibits.append(
            Exhibit(
                f"page-{len(exhibits) + 1}",
                page.document,
                f"{system} · {scored['pair']} · LTB-100 {scored['ltb_100']:.2f} · boxes: {counts}",
                (),
                pictures[page.document],
                alt=f"The page {page.document}",
                over=boxes_svg(page, f"The boxes of {system} on {page.document}"),
                place=place,
            )
        )
        if len(exhibits) == MOST_PAGES:
            break
    return replace(report, exhibits=tuple(exhibits)) if exhibits else report


def _worst(result: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each system's documents, the worst first; nothing of a result that has none."""
    try:
        found = [
            (float(one["ltb_100"]), str(system["system"]), one)
            for system in result["systems"]
            for one in system["documents"]
        ]
    except (LookupError, TypeError, ValueError):
        return
    found.sort(key=lambda item: item[0])
    for _, name, one in found:
        yield name, one


def _address(page: PageBoxes, places: Places) -> str:
    """A page's picture as a ``data:`` address; "" where there is none that can be read."""
    try:
        found = find_picture(page, places)
        if found is None:
            return ""
        picture = read_picture(found, _SIDE)
    except StudioError:
        return ""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=60)
    return f"data:image/jpeg;base64,{base64.b64encode(file.getvalue()).decode()}"
