"""Lines of writing, traced in the ink: it is smoothed along them, and its ridges are followed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Track", "nearest_track", "traced"]

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]
Track = tuple[Floats, Floats]
"""A ridge: x ascending, and y."""

_COLUMNS = 48


def nearest_track(tracks: Sequence[Track], xs: Cells, ys: Cells, typical: float) -> Cells:
    """The ridge that is nearest to each cell, -1 where none is near."""
    if not tracks:
        return np.full(len(xs), -1, dtype=np.int64)
    # Beyond its ends a line goes on level.
    ways = np.stack([np.interp(xs, *track) for track in tracks])
    apart = np.abs(ways - ys)
    return np.where(apart.min(axis=0) <= 1.6 * typical, apart.argmin(axis=0), -1).astype(np.int64)


def traced(mask: Mask, typical: float) -> list[Track]:
    """The ridges of the smoothed ink, in grid cells, from top to bottom."""
    from scipy import ndimage

    step = max(1, round(typical / 12))
    height, width = (size // step for size in mask.shape)
    coarse = mask[: height * step, : width * step].reshape(height, step, width, step)
    density = coarse.mean(axis=(1, 3)).astype(np.float32)
    tall = typical / step
    smooth = ndimage.gaussian_filter(density, (0.33 * tall, 2.2 * tall), mode="constant")
    columns = np.linspace(0.5 * tall, width - 1 - 0.5 * tall, _COLUMNS).round().astype(int)
    tracks = _follow(smooth, columns[::-1], tall)
    whole = [((xs + 0.5) * step, (ys + 0.5) * step) for xs, ys in tracks]
    return sorted(whole, key=lambda track: float(track[1].mean()))


def _follow(
    smooth: npt.NDArray[np.float32], columns: npt.NDArray[np.int64], tall: float
) -> list[tuple[Floats, Floats]]:
    """Ridges from right to left, as (x ascending, y)."""
    floor = 0.12 * float(np.quantile(smooth.max(axis=0)[columns], 0.8))
    open_tracks: list[list[tuple[float, float]]] = []
    for column in columns.tolist():
        profile = smooth[:, column]
        inner = profile[1:-1]
        peaks = np.flatnonzero((inner >= profile[:-2]) & (inner > profile[2:]) & (inner > floor))
        free = [float(peak + 1) for peak in peaks]
        # The surest pairs of track and peak first.
        pairs = sorted(
            (abs(track[-1][1] - peak), number, peak)
            for number, track in enumerate(open_tracks)
            for peak in free
            if abs(track[-1][1] - peak) <= 0.6 * tall
        )
        used_tracks: set[int] = set()
        used_peaks: set[float] = set()
        for _, number, peak in pairs:
            if number not in used_tracks and peak not in used_peaks:
                open_tracks[number].append((float(column), peak))
                used_tracks.add(number)
                used_peaks.add(peak)
        open_tracks += [[(float(column), peak)] for peak in free if peak not in used_peaks]
    return _joined(open_tracks, tall)


def _joined(tracks: list[list[tuple[float, float]]], tall: float) -> list[tuple[Floats, Floats]]:
    """Pieces of one ridge as one; those that go beside a longer one, or hardly exist, go."""
    found: list[list[tuple[float, float]]] = []
    for track in sorted(tracks, key=len, reverse=True):
        right, left = track[0], track[-1]
        for other in found:
            apart = [
                abs(end[1] - float(np.interp(end[0], *_ascending(other)))) for end in (right, left)
            ]
            beside = right[0] <= other[-1][0] or left[0] >= other[0][0]
            if max(apart) <= (0.9 if beside else 0.55) * tall:
                if beside:
                    other += track
                    other.sort(reverse=True)
                break
        else:
            if len(track) >= 2:
                found.append(list(track))
    return [_ascending(track) for track in found]


def _ascending(track: list[tuple[float, float]]) -> tuple[Floats, Floats]:
    xs, ys = zip(*track[::-1], strict=True)
    return np.array(xs), np.array(ys)
