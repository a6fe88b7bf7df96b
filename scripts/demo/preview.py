"""Draws polygons over a page to look at: ``python -m scripts.demo.preview PAGE OUT.png``.

PAGE is a ``.madcat.xml`` file beside its scan; lines are blue, words red, a quarter of the size.
A document of several pages gives OUT-1.png, OUT-2.png …
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw

from madcat_studio.formats import madcat

__all__ = ["draw"]


def draw(page_file: Path, out: Path) -> list[Path]:
    """Draw each page of a document; returns the pictures' paths."""
    document = madcat.read(page_file).document
    pictures = []
    with Image.open(page_file.with_name(document.src or "")) as scan:
        for number, page in enumerate(document.pages):
            scan.seek(number)
            picture = scan.convert("RGB")
            pen = ImageDraw.Draw(picture)
            for line in page.lines:
                pen.polygon(line.polygon, outline=(0, 60, 220), width=8)
                for word in line.words:
                    pen.polygon(word.polygon, outline=(220, 30, 0), width=6)
            path = out if len(document.pages) == 1 else out.with_stem(f"{out.stem}-{number + 1}")
            picture.resize((picture.width // 4, picture.height // 4)).save(path)
            pictures.append(path)
    return pictures


if __name__ == "__main__":
    for drawn in draw(Path(sys.argv[1]), Path(sys.argv[2])):
        print(drawn)
