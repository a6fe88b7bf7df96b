"""Blocks and baselines of ALTO saved in place; see :mod:`formats.region_patch`."""

from __future__ import annotations

from collections.abc import Sequence

from madcat_studio.formats.alto import COMPOSED, TYPE, is_type
from madcat_studio.formats.alto_patch import AltoPatch, references
from madcat_studio.formats.cannot_hold import cannot_hold
from madcat_studio.formats.madcat_elements import New, Render
from madcat_studio.formats.region_patch import RegionPatch
from madcat_studio.model.document import Line, Page, Region
from madcat_studio.model.layout import TEXT_REGION

__all__ = ["AltoRegions"]


class AltoRegions(RegionPatch):
    """Those of ALTO: blocks."""

    format_name = "ALTO"

    def __init__(self, patch: AltoPatch) -> None:
        super().__init__(patch)
        self._patch = patch
        self._tags: dict[str, str] = {}
        self._made_tags: New | None = None

    def set_baseline(self, origin: int, line: Line) -> None:
        """Write the baseline of a line that the file has; before 4.2 it is one number."""
        patch = self._patch
        points = patch.units(line.baseline)
        if not points:
            patch.set_attribute(origin, "BASELINE", None)
        elif patch.version >= "4.2" or patch.version == "4":
            between = " " if self._is_flat(origin) else ","
            said = " ".join(f"{x}{between}{y}" for x, y in points)
            patch.set_attribute(origin, "BASELINE", said)
        elif len({y for _, y in points}) == 1:
            patch.set_attribute(origin, "BASELINE", points[0][1])
        else:
            what = f"a baseline that is not level (line {line.id})"
            raise cannot_hold(f"ALTO {patch.version}", what)

    def _is_flat(self, origin: int) -> bool:
        """Whether the file writes points as ``x y x y``."""
        said = self._patch.spans[origin].values.get("BASELINE") or ""
        return len(said.split()) > 1 and "," not in said

    def made(self, region: Region, lines: Sequence[New | Render]) -> New:
        """A block that the file has not."""
        patch = self._patch
        if region.kind != TEXT_REGION:
            raise cannot_hold(self.format_name, f"a new region of kind {region.kind}")
        name = patch.name(region.id, "b")
        made = New("TextBlock", [("ID", name), *patch.box(region.polygon)])
        if not patch.is_box(region.polygon):
            made.children.append(patch.new_shape(region.polygon))
        made.children += lines
        if region.type:
            made.attributes.append(("TAGREFS", self._tag(region.type)))
        return made

    def _tag(self, label: str) -> str:
        """The id of the tag that says what a region is for; a new one where there is none."""
        patch = self._patch
        known = self._tags.get(label)
        if known is None:
            known = next((name for name, said in self._types().items() if said == label), None)
        if known is None:
            if patch.version in ("2.0",):
                raise cannot_hold("ALTO 2.0", f"the type “{label}” of a region")
            known = self._tags[label] = patch.names.fresh("tag")
            tag = New("OtherTag", [("ID", known), ("TYPE", TYPE), ("LABEL", label)])
            tags = patch.child(0, "Tags")
            if tags is not None:
                patch.append_child(tags, tag)
            elif self._made_tags is not None:
                self._made_tags.children.append(tag)
            else:
                self._made_tags = New("Tags", children=[tag])
                patch.add_children(0, [self._made_tags], "Tags")
        return known

    def _types(self) -> dict[str, str]:
        """The labels of the tags that say a type, by id."""
        return {
            span.values["ID"]: span.values["LABEL"]
            for span in self._patch.spans
            if span.local.endswith("Tag")
            and {"ID", "LABEL"} <= span.values.keys()
            and is_type(span.local, span.values.get("TYPE"))
        }

    def add(self, number: int, page: Page, made: New) -> None:
        """Put a new block where it is read."""
        patch = self._patch
        ahead = self.ahead_of(number, page)
        parent = next((r for r in page.regions if r.id == page.regions[number].parent), None)
        if ahead is not None and ahead.origin is not None:
            span = patch.spans[ahead.origin]
            patch.insert(span.end, patch.gap(span), made)
        elif parent is not None:
            if parent.origin is None or patch.spans[parent.origin].local != COMPOSED:
                raise cannot_hold(self.format_name, "a region within one that is no table")
            patch.add_children(parent.origin, [made], "TextBlock")
        elif page.origin is not None:
            patch.put_block(page.origin, made)
        before = page.regions[number - 1] if number else None
        if before is not None and before.origin is not None:
            self._order(before.origin, str(dict(made.attributes)["ID"]))

    def _order(self, before: int, own: str) -> None:
        patch = self._patch
        wanted = patch.spans[before].values.get("ID")
        for ordinal, names in references(patch):
            if names == [wanted]:
                span = patch.spans[ordinal]
                reference = New("ElementRef", [("ID", patch.names.fresh("ref")), ("REF", own)])
                patch.insert(span.end, patch.gap(span), reference)
                return

    def remove(self, origin: int) -> None:
        """Take a block out, and what refers to it."""
        self._patch.forget(origin)
        self._patch.remove(origin)

    def fill(self, origin: int, lines: Sequence[New | Render]) -> None:
        """Put lines into a block that has none."""
        if self._patch.spans[origin].local != "TextBlock":
            raise cannot_hold(self.format_name, "lines in a region that is not of text")
        self._patch.add_children(origin, lines, "TextLine")

    def set_outline(self, origin: int, region: Region) -> None:
        """Write the box of a block, and its outline."""
        self._patch.set_place(origin, region.polygon)

    def set_kind(self, origin: int, region: Region, before: Region) -> None:
        """Write what a block is for."""
        patch = self._patch
        if region.kind != before.kind:
            raise cannot_hold(self.format_name, "another kind of an old region")
        references = (patch.written.get(origin, "TAGREFS") or "").split()
        types = self._types()
        # Without a type none is left; with another one a further label stays as it is.
        gone = {before.type} if region.type else set(types.values())
        kept = [name for name in references if types.get(name) not in gone]
        if region.type:
            kept.insert(0, self._tag(region.type))
        patch.set_attribute(origin, "TAGREFS", " ".join(kept) or None)
