"""Where the demo is: the campaign if it was made already, else the demo's pages."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.paths import resources

__all__ = ["demo_location"]


def demo_location() -> str:
    """What “Open the demo” opens.

    Raises:
        InputError: the demo's files are not there.
    """
    folder = resources() / "demo"
    pages = sorted(folder.rglob("*.madcat.xml")) if folder.is_dir() else []
    if not pages:
        raise InputError(
            "gui.no-demo",
            "the demo's files are not there",
            where=folder,
            remedy="Install the program again",
        )
    return str(_best(pages).parent)


def _best(pages: list[Path]) -> Path:
    """Reference pages rather than system outputs."""
    plain = [page for page in pages if page.name.count(".") == 2 or "data" in page.parts]
    return (plain or pages)[0]
