"""Points on two axes as SVG that takes the page's colours; each leads to what it stands for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["SERIES", "Axis", "Dot", "marker_path", "scatter_plot"]

SERIES = 6
"""Of more systems than this all points look alike: nobody can tell so many markers apart."""

_WIDTH, _HEIGHT = 700, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 16, 30, 44


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis.

    Attributes:
        title: what it shows.
        low, high: its ends.
        percent: whether a value of 1 is 100 %.
    """

    title: str
    low: float
    high: float
    percent: bool

    @classmethod
    def around(cls, title: str, values: Sequence[float], percent: bool) -> Axis:
        """An axis that all values have room on."""
        low, high = min(values), max(values)
        room = (high - low) * 0.04 or abs(high) * 0.1 or 1.0
        return cls(title, 0.0 if 0 <= low <= room * 10 else low - room, high + room, percent)

    def share(self, value: float) -> float:
        """How far along the axis a value is, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    def shown(self, value: float) -> str:
        """A round value as it is written at the axis."""
        return f"{value * 100:g} %" if self.percent else f"{value:g}"

    def spelt(self, value: float) -> str:
        """Any value, for a point."""
        return f"{value * 100:.2f} %" if self.percent else f"{value:.3f}"

    def ticks(self) -> list[float]:
        """Round values along the axis, five or so."""
        raw = (self.high - self.low) / 5
        size = 10.0 ** math.floor(math.log10(raw))
        step = next(size * k for k in (1, 2, 2.5, 5, 10) if size * k >= raw * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(number * step, 12) for number in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Dot:
    """A point: where it is, of which series, where it leads, and what it is."""

    x: float
    y: float
    series: int
    address: str
    told: str


def marker_path(series: int, x: float, y: float) -> str:
    """The outline of a series' marker, as an SVG path."""
    r = 3.6
    match series % SERIES:
        case 1:
            return f"M{x - r:.1f} {y - r:.1f}h{2 * r:.1f}v{2 * r:.1f}h{-2 * r:.1f}z"
        case 2:
            return f"M{x:.1f} {y - 1.3 * r:.1f}l{1.2 * r:.1f} {2.2 * r:.1f}h{-2.4 * r:.1f}z"
        case 3:
            d = 1.3 * r
            return f"M{x:.1f} {y - d:.1f}l{d:.1f} {d:.1f}l{-d:.1f} {d:.1f}l{-d:.1f} {-d:.1f}z"
        case 4:
            return f"M{x:.1f} {y + 1.3 * r:.1f}l{1.2 * r:.1f} {-2.2 * r:.1f}h{-2.4 * r:.1f}z"
        case 5:
            return (
                f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 {-2 * r:.1f}"
                f"l{-2 * r:.1f} {2 * r:.1f}"
            )
    return f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r:.1f} 0a{r} {r} 0 1 0 {-2 * r:.1f} 0z"


def scatter_plot(
    dots: Sequence[Dot], across: Axis, up: Axis, names: Sequence[str], title: str
) -> str:
    """Points on two axes.

    Args:
        dots: the points.
        across, up: the axes.
        names: of the series; with more than :data:`SERIES` they are not told apart.
        title: for those who cannot see it.
    """
    apart = len(names) <= SERIES
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    parts = [
        f'<svg class="scatter" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="group" '
        f'aria-label="{escape(title)}">'
    ]
    for value in across.ticks():
        x = _LEFT + wide * across.share(value)
        parts.append(
            f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{_TOP + high}"/>'
            f'<text class="tick" x="{x:.1f}" y="{_TOP + high + 16}">{across.shown(value)}</text>'
        )
    for value in up.ticks():
        y = _TOP + high * (1 - up.share(value))
        parts.append(
            f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_LEFT + wide}" y2="{y:.1f}"/>'
            f'<text class="tick left" x="{_LEFT - 8}" y="{y + 4:.1f}">{up.shown(value)}</text>'
        )
    parts.append(
        f'<text class="axis" x="{_LEFT + wide / 2:.0f}" y="{_HEIGHT - 8}">'
        f"{escape(across.title)}</text>"
        f'<text class="axis left" x="{_LEFT - 50}" y="{_TOP - 12}">{escape(up.title)}</text>'
    )
    if apart and len(names) > 1:
        at = float(_WIDTH - _RIGHT)
        for place, name in reversed(list(enumerate(names))):
            at -= 16 + 6.6 * len(name)
            parts.append(
                f'<path class="dot s{place + 1}" d="{marker_path(place, at, _TOP - 15)}"/>'
                f'<text class="key" x="{at + 8:.0f}" y="{_TOP - 11}">{escape(name)}</text>'
            )
    for dot in dots:
        x = _LEFT + wide * across.share(dot.x)
        y = _TOP + high * (1 - up.share(dot.y))
        series = dot.series if apart else 0
        parts.append(
            f'<a href="#{escape(dot.address)}" aria-label="{escape(dot.told)}">'
            f'<path class="dot s{series + 1}" d="{marker_path(series, x, y)}">'
            f"<title>{escape(dot.told)}</title></path></a>"
        )
    parts.append("</svg>")
    return "".join(parts)
