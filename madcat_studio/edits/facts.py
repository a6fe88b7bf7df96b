"""Edits of what a file says about itself: the number of pages, a page's size and resolution."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit, find_page
from madcat_studio.model.change import EVERYTHING, Change
from madcat_studio.model.document import Document

__all__ = ["SetPageCount", "SetPageFacts"]


@dataclass(frozen=True, slots=True)
class SetPageCount:
    """Change how many pages the file claims to have."""

    nbpages: int | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the number of pages"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the number."""
        back = SetPageCount(document.nbpages)
        document.nbpages = self.nbpages
        return Change(structure=True), back


@dataclass(frozen=True, slots=True)
class SetPageFacts:
    """Change a page's size in pixels and its resolution. Coordinates stay."""

    page: int
    width: int | None
    height: int | None
    dpi: int | None

    @property
    def label(self) -> str:
        """What the user did."""
        return "Change the size of a page"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set size and resolution."""
        page = find_page(document, self.page)
        back = SetPageFacts(self.page, page.width, page.height, page.dpi)
        page.width, page.height, page.dpi = self.width, self.height, self.dpi
        return EVERYTHING, back
