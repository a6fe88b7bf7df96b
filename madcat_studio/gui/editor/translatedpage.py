"""The page of a segment with the editor's texts in place of the writing, where that is allowed.

Only the kit's own segments are set, under the names that the kit knows; the rest of the page stays
as it was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from madcat_studio.gui.rendering.preview import PagePreview
from madcat_studio.gui.translation import tr
from madcat_studio.model.campaign import SegmentName
from madcat_studio.operations.pages.segment_lines import DocumentLines, page_of_texts

if TYPE_CHECKING:
    from madcat_studio.gui.editor.kitpage import KitPage
    from madcat_studio.gui.views import Shell

__all__ = ["TranslatedPage"]


class _Place(NamedTuple):
    """Where the current segment stands."""

    name: SegmentName
    found: DocumentLines
    frame: int


class TranslatedPage:
    """Shows it for the segment that is current in a kit."""

    def __init__(self, page: KitPage, shell: Shell) -> None:
        self._page, self._shell = page, shell

    @property
    def allowed(self) -> bool:
        """Whether the campaign lets editors see it."""
        return self._page.workspace is not None and self._page.showing.translated

    @property
    def possible(self) -> bool:
        """Whether it is allowed, and the segment's lines on the page are there."""
        return self._place() is not None

    def _place(self) -> _Place | None:
        workspace = self._page.workspace
        if workspace is None or not self.allowed:
            return None
        name = workspace.segments[workspace.current].name
        found = self._page.lines.get(name.base)
        if found is None or found.scan is None or name.segment not in found.segments:
            return None
        return _Place(name, found, found.segments[name.segment].frame)

    def show(self) -> PagePreview | None:
        """Open the window for the page as the texts are now."""
        place, workspace = self._place(), self._page.workspace
        if place is None or workspace is None or place.found.scan is None:
            return None
        texts = {
            segment.name.segment: workspace.own(row).text
            for row, segment in enumerate(workspace.segments)
            if segment.name.base == place.name.base
        }
        preview = PagePreview(self._shell, self._page.window())
        preview.setWindowTitle(tr("The page with your texts"))
        name = place.name.base if place.frame == 0 else f"{place.name.base}.p{place.frame + 1}"
        preview.show_page(
            page_of_texts(place.found, place.frame, texts),
            0,
            (place.found.scan, place.frame),
            name,
        )
        preview.open()
        return preview
