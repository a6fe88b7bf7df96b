"""A page that is made for a test."""

from __future__ import annotations

from pathlib import Path

from tests.handwriting import make

__all__ = ["page_without_lines"]


def page_without_lines(folder: Path) -> Path:
    """A document whose page has three lines of writing and their text, and no outline yet."""
    page = make("clean", dpi=150, lines=3)
    page.image.save(folder / "D.png", dpi=(150, 150))
    width, height = page.image.size
    path = folder / "D.madcat.xml"
    path.write_text(
        f'<madcat><doc id="D" src="D.png"><image><page id="p1" width="{width}" height="{height}"/>'
        '</image><content><section id="c"><segment id="s1"><transcription>'
        f"{' '.join(page.texts)}</transcription></segment></section></content></doc></madcat>",
        encoding="utf-8",
    )
    return path
