"""What the status line says of the place under the pointer and of the outline there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["StatusLine"]


class StatusLine(Feature):
    """Tells line, word, written token and place, in stored pixels."""

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        self._pointer = QPointF()
        view.canvas.selection.hovered.connect(lambda _: self._tell())
        view.canvas.tools.pointed.connect(self._on_pointed)
        view.choice.changed.connect(self._tell)

    def _on_pointed(self, point: QPointF) -> None:
        self._pointer = point
        self._tell()

    def _tell(self) -> None:
        view, workspace = self.view, self.view.workspace
        if workspace is None or view.page_number >= len(workspace.document.pages):
            return
        parts = []
        key = view.canvas.selection.hovered_key or view.canvas.selection.key
        lines = workspace.document.pages[view.page_number].lines
        if key is not None and key.line < len(lines):
            line = lines[key.line]
            parts.append(tr("line {id}", id=line.id or f"#{key.line + 1}"))
            if key.word is not None and key.word < len(line.words):
                parts.append(tr("word {id}", id=line.words[key.word].id or f"#{key.word + 1}"))
                for s, g, t in view.choice.links.tokens_of.get(
                    (view.page_number, key.line, key.word), []
                ):
                    token = workspace.document.sections[s].segments[g].tokens[t]
                    # Isolated, so that an Arabic word does not turn the line around.
                    parts.append(f"\u2068{token.source or ''}\u2069")
        if not self._pointer.isNull():
            parts.append(f"{self._pointer.x():.0f}, {self._pointer.y():.0f}")
        view.hint.emit("   ".join(parts))
