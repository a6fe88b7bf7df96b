"""Regions and baselines of PAGE XML and ALTO saved in place; see :mod:`formats.layout_patch`.

Regions that come, go or change are written one by one; a region that was drawn or split off takes
its lines along as they are in the file. What the two formats differ in is the matter of
:mod:`formats.page_regions` and :mod:`formats.alto_regions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from madcat_studio.formats.cannot_hold import cannot_hold
from madcat_studio.formats.madcat_elements import New, Render
from madcat_studio.formats.patching import TextPatch
from madcat_studio.formats.unlisted import Unlisted
from madcat_studio.model.document import Line, Page, Region
from madcat_studio.model.layout import TEXT_REGION

__all__ = ["RegionPatch"]


class RegionPatch(ABC):
    """The differences between the regions of two pages, written into a patch.

    Attributes:
        unlisted: takes out what refers to something that goes.
    """

    format_name = ""

    def __init__(self, patch: TextPatch) -> None:
        self.unlisted = Unlisted(patch)

    def apart(self, new: Page, old: Page) -> dict[str, list[int]]:
        """The lines of each region that has none in the file: new ones, and empty ones."""
        there = {region.origin: region for region in old.regions}
        filled = {line.region for line in old.lines}
        found: dict[str, list[int]] = {}
        for region in new.regions:
            before = there.get(region.origin)
            if before is None or before.id not in filled:
                found[region.id] = []
        for number, line in enumerate(new.lines):
            if line.region in found:
                found[line.region].append(number)
        return found

    def write(self, new: Page, old: Page, lines: dict[str, list[New | Render]]) -> None:
        """Write the regions of a page; ``lines``: of those that have none in the file."""
        there = {region.origin: region for region in old.regions}
        kept = {region.origin for region in new.regions}
        for region in old.regions:
            if region.origin is not None and region.origin not in kept:
                self.remove(region.origin)
        for number, region in enumerate(new.regions):
            before = there.get(region.origin)
            if lines.get(region.id) and region.kind != TEXT_REGION:
                raise cannot_hold(self.format_name, f"lines in a region of kind {region.kind}")
            if before is None or region.origin is None:
                self.add(number, new, self.made(region, lines.get(region.id, [])))
                continue
            if region.polygon != before.polygon:
                self.set_outline(region.origin, region)
            if (region.kind, region.type) != (before.kind, before.type):
                self.set_kind(region.origin, region, before)
            if lines.get(region.id):
                self.fill(region.origin, lines[region.id])

    @staticmethod
    def ahead_of(number: int, page: Page) -> Region | None:
        """The last region before one that lies in the same one, and is in the file."""
        parent = page.regions[number].parent
        return next(
            (
                region
                for region in reversed(page.regions[:number])
                if region.parent == parent and region.origin is not None
            ),
            None,
        )

    @abstractmethod
    def set_baseline(self, origin: int, line: Line) -> None:
        """Write the baseline of a line that the file has."""

    @abstractmethod
    def made(self, region: Region, lines: Sequence[New | Render]) -> New:
        """A region that the file has not."""

    @abstractmethod
    def add(self, number: int, page: Page, made: New) -> None:
        """Put a new region where it is read."""

    @abstractmethod
    def remove(self, origin: int) -> None:
        """Take a region out, and what refers to it."""

    @abstractmethod
    def fill(self, origin: int, lines: Sequence[New | Render]) -> None:
        """Put lines into a region that has none."""

    @abstractmethod
    def set_outline(self, origin: int, region: Region) -> None:
        """Write the outline of a region."""

    @abstractmethod
    def set_kind(self, origin: int, region: Region, before: Region) -> None:
        """Write what a region is."""
