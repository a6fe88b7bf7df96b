"""Which outline gets which colour: by line, by the status of its token, by its worst problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from madcat_studio.gui.page.shapes import OutlineKind, PageShapes, ShapeKey, Sources
from madcat_studio.gui.translation import tr
from madcat_studio.model.problem import Severity

__all__ = ["ByProblem", "ByStatus", "Colouring", "by_line"]

_HUES = ("#0072b2", "#d55e00", "#009e73", "#b0569a", "#b87f00", "#3b8fc4")
"""Told apart by the colour-blind, and dark enough for white paper."""
_QUIET = "#7a8794"
_SHADES = {Severity.ERROR: "#c4122f", Severity.WARNING: "#c26a00", Severity.NOTE: "#0072b2"}
_MOST_STATUSES = 4

Classes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Colouring:
    """A class for each outline, and a colour and a name for each class.

    Attributes:
        classes: for each layer (outlines,) uint8.
        colours: of each class.
        names: of each class, for the legend; "" where a name would say nothing.
    """

    classes: Mapping[OutlineKind, Classes]
    colours: tuple[str, ...]
    names: tuple[str, ...]


def by_line(shapes: PageShapes) -> Colouring:
    """Neighbouring lines in different colours, words like their line."""
    lines = np.arange(len(shapes.sets[OutlineKind.LINE])) % len(_HUES)
    words = shapes.owners() % len(_HUES)
    classes = {OutlineKind.LINE: lines.astype(np.uint8), OutlineKind.WORD: words.astype(np.uint8)}
    return Colouring(classes, _HUES, ("",) * len(_HUES))


class ByStatus:
    """Words by the status of their token; lines by whether all of their words have one.

    The statuses are kept by outline and follow what comes, goes and moves; only words that may
    have another one now are asked for it.
    """

    def __init__(self, shapes: PageShapes, status_of: Callable[[ShapeKey], str | None]) -> None:
        """``status_of`` gives the status of a word's token, "" for none, None without a token."""
        self._shapes = shapes
        self._status_of = status_of
        self._numbers: dict[str | None, int] = {None: 0, "": 1}
        count = len(shapes.sets[OutlineKind.WORD])
        self._statuses = np.zeros(count, dtype=np.intp)
        self._ask(range(count))

    def _ask(self, indices: Iterable[int]) -> None:
        numbers = self._numbers
        for index in indices:
            status = self._status_of(self._shapes.key(OutlineKind.WORD, index))
            self._statuses[index] = numbers.setdefault(status, len(numbers))

    def follow(self, sources: Sources, touched: Iterable[ShapeKey]) -> None:
        """Outlines came, went or moved so; ``touched`` words may have another status."""
        if sources:
            words = sources[OutlineKind.WORD]
            self._statuses = np.append(self._statuses, 0)[words]
            self._ask(np.flatnonzero(words < 0).tolist())
        self._ask(self._shapes.index(key) for key in touched)

    def colouring(self) -> Colouring:
        """The classes as they are now."""
        shapes = self._shapes
        numbers = {number: status for status, number in self._numbers.items()}
        used = [numbers[number] for number in np.unique(self._statuses).tolist()]
        kinds = sorted(status for status in used if status)
        named = kinds if len(kinds) <= _MOST_STATUSES else kinds[: _MOST_STATUSES - 1]
        classes: dict[str | None, int] = {None: 0, "": 1}
        classes.update((status, 2 + at) for at, status in enumerate(named))
        table = [classes.get(numbers[n], 2 + len(named)) for n in range(len(numbers))]
        words = np.array(table, dtype=np.uint8)[self._statuses]
        lines = np.full(len(shapes.sets[OutlineKind.LINE]), 1, dtype=np.uint8)
        lines[shapes.owners()[words == 0]] = 0
        names = [tr("no token"), tr("token without a status"), *named]
        if len(kinds) > len(named):
            names.append(tr("other statuses"))
        hues = (_HUES[0], _HUES[2], _HUES[3], _HUES[4])
        colours = (_SHADES[Severity.ERROR], _QUIET, *hues)[: len(names)]
        return Colouring({OutlineKind.LINE: lines, OutlineKind.WORD: words}, colours, tuple(names))


class ByProblem:
    """Outlines by their worst problem; they follow what comes, goes and moves."""

    def __init__(self, shapes: PageShapes, worst: Mapping[ShapeKey, Severity]) -> None:
        """``worst`` names the outlines of the page that have any."""
        order = (Severity.NOTE, Severity.WARNING, Severity.ERROR)
        self._classes = {kind: np.zeros(len(shapes.sets[kind]), np.uint8) for kind in OutlineKind}
        for key, severity in worst.items():
            if key in shapes:
                self._classes[key.kind][shapes.index(key)] = 1 + order.index(severity)

    def follow(self, sources: Sources) -> None:
        """Outlines came, went or moved so; what came has no known problem yet."""
        for kind, found in sources.items():
            self._classes[kind] = np.append(self._classes[kind], np.uint8(0))[found]

    def colouring(self) -> Colouring:
        """The classes as they are now."""
        order = (Severity.NOTE, Severity.WARNING, Severity.ERROR)
        names = (tr("no problem"), tr("note"), tr("warning"), tr("error"))
        colours = (_QUIET, *(_SHADES[each] for each in order))
        return Colouring(dict(self._classes), colours, names)
