"""Pages with lines that make it hard: slanted, curved, interleaved; words never overlap."""

from __future__ import annotations

import math
import random

from madcat_studio.model.document import Line, Page, Polygon, Word
from madcat_studio.model.geometry import intersection_area, shape_of


def quad(x: float, y: float, width: float, height: float, angle: float) -> Polygon:
    across, down = math.cos(angle), math.sin(angle)
    corners = ((-width, -height), (width, -height), (width, height), (-width, height))
    return tuple(
        (round(x + (dx * across - dy * down) / 2), round(y + (dx * down + dy * across) / 2))
        for dx, dy in corners
    )


def hard_page(seed: int, lines: int = 5, per_line: int = 7) -> Page:
    """A page whose lines wave and reach into each other; overlapping words are left out."""
    draw = random.Random(seed)
    slant, wave = draw.uniform(-0.25, 0.25), draw.uniform(0, 60)
    pitch = draw.uniform(70, 130)
    page = Page("p1", 2000, 1600, 300, 8)
    taken: list[object] = []
    for n in range(lines):
        line = Line(f"z{n}", "line")
        for k in range(per_line):
            x = 1800 - k * 240 - draw.uniform(0, 60)
            y = 500 + n * pitch + slant * (x - 1000) + wave * math.sin(x / 300)
            tall = draw.random() < 0.3
            height = draw.uniform(100, 240) if tall else draw.uniform(40, 90)
            polygon = quad(
                x,
                y + draw.uniform(-25, 25),
                draw.uniform(40, 200),
                height,
                slant + draw.uniform(-0.2, 0.2),
            )
            shape = shape_of(polygon)
            if all(intersection_area(shape, other) == 0 for other in taken):
                taken.append(shape)
                line.words.append(Word(f"t{n * per_line + k}", polygon))
        page.lines.append(line)
    return page
