"""What the writers of formats do alike that know boxes, lines and words, and no more."""

from __future__ import annotations

from madcat_studio.formats.layout_writer import LayoutWriter
from madcat_studio.formats.layouts import Notes, named
from madcat_studio.formats.source import Source
from madcat_studio.model.layout import LayoutLine, LayoutRegion

__all__ = ["FlatWriter"]


class FlatWriter(LayoutWriter):
    """Notes what such a format has no room for.

    Args:
        format_name: for messages.
        name: of the file, for messages.
    """

    def __init__(self, format_name: str, name: str) -> None:
        super().__init__(format_name, "", Notes(Source(b"", name)))

    def unheld(self, region: LayoutRegion) -> None:
        """Note what is said of a region, and of what it lies in, which such a format has not."""
        place = named("region", region.id)
        if region.type:
            self.lost(place, f"the type “{region.type}”")
        if region.parent is not None:
            self.lost(place, "regions within others")
        for custom in (region.custom, *(line.custom for line in region.lines)):
            if custom:
                self.lost(place, "custom attributes of PAGE XML")

    @staticmethod
    def said(line: LayoutLine) -> str:
        """What a line says: its own text, else that of its words."""
        if line.text is not None:
            return line.text
        return " ".join(word.text for word in line.words if word.text)
