"""Regions and baselines of PAGE XML saved in place; see :mod:`formats.region_patch`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from madcat_studio.formats.cannot_hold import cannot_hold
from madcat_studio.formats.madcat_elements import New, Render
from madcat_studio.formats.page_patch import PagePatch
from madcat_studio.formats.page_xml_writer import VERSIONS, kinds_of, types_of
from madcat_studio.formats.patching import TextPatch
from madcat_studio.formats.region_patch import RegionPatch
from madcat_studio.model.document import Line, Page, Region

__all__ = ["PageRegions"]

_TYPE = re.compile(r"structure\s*\{[^{}]*\}\s*")
_INDEX = re.compile(r"(readingOrder\s*\{[^}]*?index\s*:\s*)(\d+)")


class PageRegions(RegionPatch):
    """Those of PAGE XML."""

    format_name = "PAGE XML"

    def __init__(self, patch: PagePatch) -> None:
        super().__init__(patch)
        self._patch = patch
        year = re.search(r"pagecontent/(\d{4})", " ".join(patch.spans[0].values.values()))
        self._version = year.group(1) if year and year.group(1) in VERSIONS else "2019"
        self._names: dict[str, str] = {}

    def set_baseline(self, origin: int, line: Line) -> None:
        """Write the baseline of a line that the file has."""
        patch, there = self._patch, self._patch.child(origin, "Baseline")
        if patch.oldest:
            raise cannot_hold("PAGE XML 2010", f"a baseline (line {line.id})")
        if there is None:
            patch.add_children(origin, [patch.baseline(line.baseline)], "Baseline")
        elif len(line.baseline) < 2:
            patch.remove(there)
        else:
            points = dict(patch.baseline(line.baseline).attributes)["points"]
            patch.set_attribute(there, "points", points)

    def made(self, region: Region, lines: Sequence[New | Render]) -> New:
        """A region that the file has not."""
        patch = self._patch
        if region.kind not in kinds_of(self._version):
            raise cannot_hold(f"PAGE XML {self._version}", f"a region of kind {region.kind}")
        name = patch.name(region.id, "r")
        self._names[region.id] = name
        made = New(region.kind, [("id", name)], children=[patch.coords(region.polygon), *lines])
        if region.type:
            made.attributes.append(self._typed(region.kind, region.type, ""))
        return made

    def _typed(self, kind: str, type_: str, custom: str) -> tuple[str, str]:
        """The attribute that says what a region is for."""
        if type_ in types_of(self._version, kind):
            return "type", type_
        if self._version == "2010" or set(type_) & set("{};"):
            raise cannot_hold(f"PAGE XML {self._version}", f"the type “{type_}” of a {kind}")
        rest = _TYPE.sub("", custom)
        return "custom", f"{rest} structure {{type:{type_};}}".strip()

    def add(self, number: int, page: Page, made: New) -> None:
        """Put a new region where it is read."""
        patch = self._patch
        before = page.regions[number - 1] if number else None
        self._order(before, made, last=number == len(page.regions) - 1)
        ahead = self.ahead_of(number, page)
        parent = next((r for r in page.regions if r.id == page.regions[number].parent), None)
        if ahead is not None and ahead.origin is not None:
            span = patch.spans[ahead.origin]
            patch.insert(span.end, patch.gap(span), made)
        elif parent is not None and parent.origin is None:
            raise cannot_hold(self.format_name, "a new region within another new one")
        else:
            place = parent.origin if parent is not None else page.origin
            if place is not None:
                patch.put_region(place, made)

    def _order(self, before: Region | None, made: New, *, last: bool) -> None:
        """List a new region in the order of reading, behind the one before it."""
        patch = self._patch
        if before is None or before.origin is None:
            return
        wanted = patch.spans[before.origin].values.get("id")
        own = str(dict(made.attributes)["id"])
        for ordinal, span in enumerate(patch.spans):
            if span.local.startswith("RegionRef") and span.values.get("regionRef") == wanted:
                indexed = span.local == "RegionRefIndexed"
                attributes: list[tuple[str, str | int | None]] = [("regionRef", own)]
                if indexed:
                    index = int(patch.written.get(ordinal, "index") or 0)
                    attributes.insert(0, ("index", index + 1))
                    self._renumber(patch, ordinal, index)
                patch.insert(span.end, patch.gap(span), New(span.local, attributes))
                return
        found = _INDEX.search(patch.written.get(before.origin, "custom") or "")
        if found is not None:
            self._shift_custom(before.origin, int(found.group(2)))
            said = dict(made.attributes).get("custom") or ""
            place = f"readingOrder {{index:{int(found.group(2)) + 1};}} {said}".strip()
            kept = [(key, value) for key, value in made.attributes if key != "custom"]
            made.attributes[:] = [*kept, ("custom", place)]

    @staticmethod
    def _renumber(patch: TextPatch, ordinal: int, index: int) -> None:
        """Count those up that come behind an index in the group of a reference."""
        for sibling in patch.spans[patch.spans[ordinal].parent].children:
            value = patch.written.get(sibling, "index") or ""
            if value.isdigit() and int(value) > index:
                patch.set_attribute(sibling, "index", int(value) + 1)

    def _shift_custom(self, origin: int, index: int) -> None:
        patch = self._patch
        for sibling in patch.spans[patch.spans[origin].parent].children:
            custom = patch.written.get(sibling, "custom") or ""
            found = _INDEX.search(custom)
            if patch.spans[sibling].local.endswith("Region") and found:
                at = int(found.group(2))
                if at > index:
                    more = custom[: found.start(2)] + str(at + 1) + custom[found.end(2) :]
                    patch.set_attribute(sibling, "custom", more)

    def remove(self, origin: int) -> None:
        """Take a region out, and what refers to it."""
        patch = self._patch
        name = patch.spans[origin].values.get("id")
        for ordinal, span in enumerate(patch.spans):
            if span.values.get("regionRef") == name:
                self.unlisted.drop(ordinal, "regionRef")
        patch.remove(origin)

    def fill(self, origin: int, lines: Sequence[New | Render]) -> None:
        """Put lines into a region that has none."""
        self._patch.add_children(origin, lines, "TextLine")

    def set_outline(self, origin: int, region: Region) -> None:
        """Write the outline of a region."""
        self._patch.set_polygon(origin, region.polygon)

    def set_kind(self, origin: int, region: Region, before: Region) -> None:
        """Write what a region is."""
        patch = self._patch
        if region.kind != before.kind:
            if region.kind not in kinds_of(self._version):
                raise cannot_hold(f"PAGE XML {self._version}", f"a region of kind {region.kind}")
            patch.rename(origin, region.kind)
        custom = patch.written.get(origin, "custom") or ""
        typed = self._typed(region.kind, region.type, custom) if region.type else ("", "")
        patch.set_attribute(origin, "type", typed[1] if typed[0] == "type" else None)
        if typed[0] == "custom":
            patch.set_attribute(origin, "custom", typed[1])
        elif _TYPE.search(custom):  # which says it as well
            said = f"structure {{type:{region.type};}} " if region.type else ""
            patch.set_attribute(origin, "custom", _TYPE.sub(lambda _: said, custom).strip() or None)
