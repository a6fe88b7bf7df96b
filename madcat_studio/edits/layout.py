"""Edits of what other formats have beyond MADCAT: regions, and the baselines of lines."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit, find_line, find_open_line, find_page
from madcat_studio.edits.structure import insert_at
from madcat_studio.edits.values import RegionValue
from madcat_studio.errors import InputError
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, Polygon, Region
from madcat_studio.model.layout import TEXT_REGION

__all__ = [
    "AddRegion",
    "RemoveRegion",
    "SetBaseline",
    "SetLineRegion",
    "SetRegionKind",
    "SetRegionOutline",
]


def _find_region(document: Document, page: int, region: int) -> Region:
    regions = find_page(document, page).regions
    if not 0 <= region < len(regions):
        raise InputError(
            "edit.no-such-object",
            f"there is no region {region + 1}; there are {len(regions)}",
            remedy="The document has changed in the meantime; look again",
        )
    return regions[region]


@dataclass(frozen=True, slots=True)
class SetBaseline:
    """Say where the letters of a line stand; no points for nowhere."""

    page: int
    line: int
    baseline: Polygon

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the baseline of a line" if self.baseline else "Remove a baseline"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the baseline."""
        line = find_open_line(document, self.page, self.line)
        back = SetBaseline(self.page, self.line, line.baseline)
        line.baseline = self.baseline
        return Change(lines=frozenset({(self.page, self.line)})), back


@dataclass(frozen=True, slots=True)
class SetLineRegion:
    """Say which region a line lies in, by its id."""

    page: int
    line: int
    region: str | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Give a line to a region"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the region."""
        line = find_line(document, self.page, self.line)
        back = SetLineRegion(self.page, self.line, line.region)
        line.region = self.region
        return Change(regions=frozenset({self.page})), back


@dataclass(frozen=True, slots=True)
class SetRegionOutline:
    """Replace the outline of a region."""

    page: int
    region: int
    polygon: Polygon

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the outline of a region"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the outline."""
        region = _find_region(document, self.page, self.region)
        back = SetRegionOutline(self.page, self.region, region.polygon)
        region.polygon = self.polygon
        return Change(regions=frozenset({self.page})), back


@dataclass(frozen=True, slots=True)
class SetRegionKind:
    """Say what a region is, as PAGE XML names it, and what it is for."""

    page: int
    region: int
    kind: str
    type: str | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Set a region's type"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set kind and type."""
        region = _find_region(document, self.page, self.region)
        lines = find_page(document, self.page).lines
        if self.kind != TEXT_REGION and any(line.region == region.id for line in lines):
            raise InputError(
                "edit.region-has-lines",
                f"the region {region.id} has lines, so it is a text region",
                remedy="Remove its lines first",
            )
        back = SetRegionKind(self.page, self.region, region.kind, region.type)
        region.kind, region.type = self.kind, self.type
        return Change(regions=frozenset({self.page})), back


@dataclass(frozen=True, slots=True)
class AddRegion:
    """Add a region to a page, before the one at ``index`` in reading order."""

    page: int
    index: int
    region: RegionValue

    @property
    def label(self) -> str:
        """What the user did."""
        return "Add a region"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Add the region."""
        regions = find_page(document, self.page).regions
        insert_at(regions, self.index, self.region.make(), "regions")
        return Change(regions=frozenset({self.page})), RemoveRegion(self.page, self.index)


@dataclass(frozen=True, slots=True)
class RemoveRegion:
    """Remove a region in which nothing lies."""

    page: int
    index: int

    @property
    def label(self) -> str:
        """What the user did."""
        return "Remove a region"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Remove the region."""
        region = _find_region(document, self.page, self.index)
        page = find_page(document, self.page)
        inside = any(line.region == region.id for line in page.lines)
        if inside or any(other.parent == region.id for other in page.regions):
            raise InputError(
                "edit.region-not-empty",
                f"the region {region.id} contains lines or other regions",
                remedy="Remove them first",
            )
        del page.regions[self.index]
        back = AddRegion(self.page, self.index, RegionValue.of(region))
        return Change(regions=frozenset({self.page})), back
