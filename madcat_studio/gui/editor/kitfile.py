"""Where the copy of a kit's file goes that its editor sends back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr

__all__ = ["choose_copy"]


def choose_copy(parent: QWidget, bundle: Path) -> Path | None:
    """Ask where to write the copy of a bundle; None where the user gives up."""
    folder = str(window_state().value("folder-back", str(bundle.parent)))
    name = tr("{name} back", name=bundle.stem) + bundle.suffix
    chosen, _ = QFileDialog.getSaveFileName(
        parent,
        tr("Save a copy to send back"),
        str(Path(folder) / name),
        tr("Kits (*.madcat-kit)"),
    )
    if not chosen:
        return None
    window_state().setValue("folder-back", str(Path(chosen).parent))
    return Path(chosen)
