"""Drawings of a report as SVG that stands in an HTML page or a file of its own.

Series differ by marker and line as well as by colour (Okabe and Ito's, safe for the colour-blind,
apart in lightness), so that they can be told apart in grey. Texts stay texts. In a page the ink
is the page's own, light or dark.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from madcat_studio.reports.statistics import Statistics
from madcat_studio.reports.tables import Chart, Report
from madcat_studio.scoring.agreement import Limits
from madcat_studio.scoring.resampling import Interval
from madcat_ter.hter import Stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

__all__ = ["CampaignCharts", "coloured", "distributions_chart", "file_of"]

# Stand-ins that become the page's own colours; as they are, they print well on white.
_INK, _SOFT, _RULE = "#1d1f22", "#5c6067", "#dcd7cb"
# Okabe and Ito's, and lightened by the page on a dark ground.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_ON_DARK = ("#62b8ec", "#f29a5c", "#4fcfa5", "#e4a5cb", "#ecc063", "#a8d8f5")
_VARIABLES = {
    _INK: "var(--ink)",
    _SOFT: "var(--soft)",
    _RULE: "var(--rule)",
    **{colour: f"var(--series-{n})" for n, colour in enumerate(_COLOURS, start=1)},
}

_MARKERS = "osD^vP"
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (8, 2)))

_WIDTH = 7.4  # inches
_SETTINGS: dict[RcKeyType, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "madcat-studio",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.parse_math": False,
    "text.color": _INK,
    "axes.labelcolor": _SOFT,
    "axes.edgecolor": _SOFT,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _SOFT,
    "ytick.color": _INK,
    "xtick.major.width": 0.7,
    "ytick.major.size": 0,
    "ytick.major.pad": 7,
    "grid.color": _RULE,
    "grid.linewidth": 0.7,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.frameon": False,
}


def file_of(chart: Chart) -> bytes:
    """A drawing as an SVG file of its own: its ink fixed, its ground white."""
    text = chart.svg
    for colour, variable in _VARIABLES.items():
        text = text.replace(variable, colour)
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    text = re.sub(r"(<svg[^>]*>)", lambda found: found[1] + ground, text, count=1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def coloured(chart: Chart, ink: str, soft: str, rule: str, dark: bool) -> str:
    """A drawing as SVG for a ground of its own: with these inks, its series fit for the ground."""
    text = chart.svg
    for name, colour in (("ink", ink), ("soft", soft), ("rule", rule)):
        text = text.replace(f"var(--{name})", colour)
    for number, colour in enumerate(_ON_DARK if dark else _COLOURS, start=1):
        text = text.replace(f"var(--series-{number})", colour)
    return text


def _svg(figure: Figure, label: str) -> str:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :].strip()
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, variable)
    name = re.sub('[<>&"]', " ", label)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return text.replace("<svg ", f'<svg role="img" aria-label="{name}" ', 1)


@lru_cache(maxsize=16)
def _drawn(draw: Callable[..., str], *values: Any) -> str:
    """What is drawn of these values, drawn once: whoever looks at a report again, or in another
    form, waits for the drawings longer than for all else."""
    import matplotlib as mpl

    with mpl.rc_context(_SETTINGS):
        return draw(*values)


def _percent(axes: Axes, along: str = "x") -> None:
    from matplotlib.ticker import FuncFormatter

    axis = axes.xaxis if along == "x" else axes.yaxis
    axis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value * 100:g} %"))


def _figure(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def _rows(count: int) -> float:
    return 0.9 + 0.34 * count


def _error(interval: Interval) -> list[list[float]]:
    return [[interval.point - interval.low], [interval.high - interval.point]]


def _systems(report: Report, statistics: Statistics) -> Chart | None:
    rows = tuple(
        (
            str(row["system"]),
            hter,
            row["hter_first"],
            statistics.intervals.get((str(row["set"]), str(row["system"]))),
        )
        for row in report.table("systems").records()
        if isinstance(hter := row["hter"], float)
    )
    if not rows:
        return None
    note = "Bars: intervals over source documents." if statistics.intervals else ""
    return Chart("systems", "Systems", note, _drawn(_draw_systems, rows))


_System = tuple[str, float, object, Interval | None]
"""Its name, HTER, HTER of the first pass, interval."""


def _draw_systems(rows: Sequence[_System]) -> str:
    figure, axes = _figure(_rows(len(rows)))
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    for place, (_, hter, first, interval) in enumerate(reversed(rows)):
        if interval is not None:
            axes.errorbar(
                interval.point, place, xerr=_error(interval), fmt="none", ecolor=_INK,
                elinewidth=1.4, capsize=3.5,
            )  # fmt: skip
        label = place == 0
        if isinstance(first, float):
            axes.plot(
                first, place, marker="D", markersize=5.5, markerfacecolor="none",
                markeredgecolor=_COLOURS[1], linestyle="none",
                label="first pass" if label else None,
            )  # fmt: skip
        axes.plot(
            hter, place, marker="o", markersize=7, color=_COLOURS[0], linestyle="none",
            label="final" if label else None,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [row[0] for row in reversed(rows)])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel("HTER")
    _percent(axes)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)
    return _svg(figure, "HTER of the systems")


def _cumulative(series: Mapping[str, Sequence[float]], axis: str, share: str, label: str) -> str:
    """The share of values at or below each value, for several series."""
    values = tuple((name, tuple(values)) for name, values in series.items())
    return _drawn(_draw_cumulative, values, axis, share, label)


def _draw_cumulative(
    series: Sequence[tuple[str, Sequence[float]]], axis: str, along: str, label: str
) -> str:
    figure, axes = _figure(2.9)
    axes.grid(axis="both")
    axes.set_axisbelow(True)
    top = max(float(np.quantile(values, 0.98)) for _, values in series) or 0.1
    for number, (name, unsorted) in enumerate(series):
        values = np.sort(unsorted)
        share = np.arange(1, len(values) + 1) / len(values)
        axes.step(
            np.concatenate([[0.0], values]), np.concatenate([[0.0], share]), where="post",
            color=_COLOURS[number % 6], linestyle=_LINES[number % 6], linewidth=1.6, label=name,
        )  # fmt: skip
    axes.set_xlim(0, top * 1.05)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(axis)
    axes.set_ylabel(along)
    _percent(axes)
    _percent(axes, "y")
    axes.legend(loc="lower right")
    return _svg(figure, label)


def _distribution(statistics: Statistics) -> Chart | None:
    series = {name: values for name, values in statistics.rates.items() if len(values) > 1}
    if not series:
        return None
    note = "How many segments need at most that much editing; the steeper, the better."
    axis, share = "HTER of a segment", "share of segments at or below"
    svg = _cumulative(series, axis, share, "Distribution of HTER over segments")
    return Chart("distribution", "Distribution", note, svg)


def distributions_chart(
    series: Mapping[str, Sequence[float]],
    *,
    name: str,
    title: str,
    note: str,
    measure: str,
    unit: str,
) -> Chart:
    """Several distributions of rates, one over the other.

    Args:
        series: name -> rates, at least one each.
        name, title, note: of the drawing.
        measure: what the rates are, such as ``HTER``; ``unit``: of what, such as ``passages``.
    """
    axis = f"{measure} of a {unit.removesuffix('s')}"
    svg = _cumulative(series, axis, f"share of {unit} at or below", title)
    return Chart(name, title, note, svg)


def _team_against_team(statistics: Statistics) -> Chart | None:
    whole = statistics.agreements.get((Stage.FINAL, "", ""))
    if whole is None or whole.limits is None:
        return None
    note = "A point is a segment that two teams edited; the first of them by name minus the second."
    svg = _drawn(_draw_teams, whole.limits, tuple(whole.sample[:2000]))
    return Chart("teams", "Team against team", note, svg)


def _draw_teams(limits: Limits, pairs: Sequence[tuple[float, float]]) -> str:
    points = np.array(pairs)
    figure, axes = _figure(3.2)
    middle, difference = points.mean(axis=1), points[:, 0] - points[:, 1]
    axes.plot(
        middle, difference, marker="o", markersize=3.6, linestyle="none", color=_COLOURS[0],
        alpha=0.45, markeredgewidth=0,
    )  # fmt: skip
    line: dict[str, Any] = {"color": _COLOURS[1], "linewidth": 1.3}
    axes.axhline(limits.mean, linestyle="-", label="mean", **line)
    axes.axhline(limits.low, linestyle="--", label="limits of agreement", **line)
    axes.axhline(limits.high, linestyle="--", **line)
    axes.axhline(0, color=_SOFT, linewidth=0.7)
    axes.set_xlabel("mean HTER of the two teams")
    axes.set_ylabel("difference")
    axes.set_xlim(left=min(0.0, float(middle.min())))
    _percent(axes)
    _percent(axes, "y")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)
    return _svg(figure, "Difference of two teams' HTER")


def _differences(name: str, title: str, note: str, found: Mapping[str, Interval]) -> Chart | None:
    if not found:
        return None
    return Chart(name, title, note, _drawn(_draw_differences, tuple(found.items()), title))


def _draw_differences(found: Sequence[tuple[str, Interval]], title: str) -> str:
    figure, axes = _figure(_rows(len(found)))
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.axvline(0, color=_SOFT, linewidth=1)
    for place, (_, interval) in enumerate(reversed(found)):
        axes.errorbar(
            interval.point, place, xerr=_error(interval), fmt="o", markersize=6.5,
            color=_COLOURS[0], ecolor=_INK, elinewidth=1.4, capsize=3.5,
        )  # fmt: skip
    axes.set_yticks(range(len(found)), [name for name, _ in reversed(found)])
    axes.set_ylim(-0.6, len(found) - 0.4)
    axes.set_xlabel("HTER now minus HTER in the earlier phase")
    _percent(axes)
    return _svg(figure, title)


class CampaignCharts(Sequence[Chart]):
    """The drawings of a campaign's report, drawn when they are first looked at."""

    def __init__(self, report: Report, statistics: Statistics) -> None:
        self._report, self._statistics = report, statistics

    @cached_property
    def _charts(self) -> tuple[Chart, ...]:
        return _campaign_charts(self._report, self._statistics)

    def __len__(self) -> int:
        return len(self._charts)

    @overload
    def __getitem__(self, place: int) -> Chart: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Chart]: ...

    def __getitem__(self, place: int | slice) -> Chart | Sequence[Chart]:
        return self._charts[place]


def _campaign_charts(report: Report, statistics: Statistics) -> tuple[Chart, ...]:
    """Those for which there is something to draw."""
    found: Sequence[Chart | None] = (
        _systems(report, statistics),
        _distribution(statistics),
        _team_against_team(statistics),
        _differences(
            "drift",
            "Drift on the control set",
            "Right of 0: the team edits more than was edited before.",
            statistics.drift,
        ),
        _differences(
            "progress",
            "Progress since the earlier phase",
            "Left of 0 is progress.",
            statistics.change,
        ),
    )
    return tuple(chart for chart in found if chart is not None)
