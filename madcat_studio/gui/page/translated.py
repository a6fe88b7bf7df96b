"""The page with its translations in place of the writing, in a window of its own."""

from __future__ import annotations

from copy import deepcopy

from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.filelist import base_name
from madcat_studio.gui.rendering.preview import PagePreview

__all__ = ["Translated"]


class Translated(Feature):
    """Shows what the page would be in the other language."""

    @property
    def is_possible(self) -> bool:
        """Whether there is a scan, and a translation to set."""
        workspace = self.view.workspace
        return (
            workspace is not None
            and self.view.scan.image is not None
            and any(segment.translation for segment in workspace.document.segments())
        )

    def show(self) -> PagePreview | None:
        """Open the window for the page that is shown, as it is now."""
        workspace, image = self.view.workspace, self.view.scan.image
        if workspace is None or image is None:
            return None
        preview = PagePreview(self.view.shell, self.view.widget.window())
        preview.show_page(
            deepcopy(workspace.document), self.view.page_number, image, base_name(workspace.path)
        )
        preview.open()
        return preview
