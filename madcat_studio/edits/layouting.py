"""Edits made of others: regions drawn and split, lines that belong to a region from the first."""

from __future__ import annotations

from madcat_studio.edits.arranging import need_area, order_lines
from madcat_studio.edits.base import Edit, find_page
from madcat_studio.edits.composite import CompositeEdit
from madcat_studio.edits.layout import AddRegion, SetLineRegion, SetRegionOutline
from madcat_studio.edits.splitting import split_parts
from madcat_studio.edits.values import RegionValue
from madcat_studio.model.document import Document, Page, Polygon
from madcat_studio.model.geometry import centre, contains_point, ring_area
from madcat_studio.model.layout import TEXT_REGION

__all__ = ["add_region", "fresh_region_id", "split_region"]


def fresh_region_id(page: Page) -> str:
    """An id for a new region: ``r3`` where there are ``r1`` and ``r2``."""
    taken = {region.id for region in page.regions} | {line.id for line in page.lines}
    taken |= {word.id for word in page.words()}
    number = len(page.regions) + 1
    while f"r{number}" in taken:
        number += 1
    return f"r{number}"


def add_region(document: Document, page: int, polygon: Polygon) -> CompositeEdit:
    """A new region of text, read last; within a table that is around it.

    Raises:
        InputError: ``edit.no-area``.
    """
    need_area(polygon)
    found = find_page(document, page)
    around = [
        region
        for region in found.regions
        if region.kind == "TableRegion" and contains_point(region.polygon, centre(polygon))
    ]
    parent = min(around, key=lambda region: ring_area(region.polygon)).id if around else None
    value = RegionValue(fresh_region_id(found), TEXT_REGION, None, polygon, None, parent)
    return CompositeEdit((AddRegion(page, len(found.regions), value),), "Draw a region")


def split_region(document: Document, page: int, region: int, path: Polygon) -> CompositeEdit:
    """A region in two by a cut across it; each line goes to the part that its middle lies in.

    The part that is read first keeps the id, the lines of the other come after its lines.

    Raises:
        InputError: ``edit.cut-misses``, ``edit.cut-pieces``.
    """
    found = find_page(document, page)
    old = found.regions[region]
    first, second = split_parts(old.polygon, path)
    name = fresh_region_id(found)
    value = RegionValue(name, old.kind, old.type, second, None, old.parent)
    inside = [n for n, line in enumerate(found.lines) if line.region == old.id]
    theirs = [n for n in inside if contains_point(second, centre(found.lines[n].polygon))]
    order = list(range(len(found.lines)))
    rest = [n for n in inside if n not in theirs]
    for slot, line in zip(inside, rest + theirs, strict=True):
        order[slot] = line
    edits: list[Edit] = [
        SetRegionOutline(page, region, first),
        AddRegion(page, region + 1, value),
        *(SetLineRegion(page, line, name) for line in theirs),
    ]
    if order != list(range(len(order))):
        edits.append(order_lines(document, page, order))
    return CompositeEdit(tuple(edits), "Split a region")
