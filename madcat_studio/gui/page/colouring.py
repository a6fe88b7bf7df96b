"""Which outline gets which colour: by line, by the status of its token, by its worst problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from madcat_studio.gui.page.shapes import Kind, PageShapes, ShapeKey
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Document
from madcat_studio.model.links import Links
from madcat_studio.model.problem import Severity

__all__ = ["Colouring", "by_line", "by_problem", "by_status"]

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

    classes: Mapping[Kind, Classes]
    colours: tuple[str, ...]
    names: tuple[str, ...]


def by_line(shapes: PageShapes) -> Colouring:
    """Neighbouring lines in different colours, words like their line."""
    lines = np.arange(len(shapes.sets[Kind.LINE])) % len(_HUES)
    words = shapes.owners() % len(_HUES)
    classes = {Kind.LINE: lines.astype(np.uint8), Kind.WORD: words.astype(np.uint8)}
    return Colouring(classes, _HUES, ("",) * len(_HUES))


def by_status(shapes: PageShapes, document: Document, links: Links, page: int) -> Colouring:
    """Words by the status of their token; lines by whether all of their words have one."""
    statuses: dict[int, str] = {}
    for (number, line, word), tokens in links.tokens_of.items():
        if number == page:
            s, g, t = tokens[0]
            token = document.sections[s].segments[g].tokens[t]
            statuses[shapes.index(ShapeKey(line, word))] = token.status or ""
    kinds = sorted({status for status in statuses.values() if status})
    named = kinds if len(kinds) <= _MOST_STATUSES else kinds[: _MOST_STATUSES - 1]
    number_of = {status: 2 + place for place, status in enumerate(named)}
    words = np.zeros(len(shapes.sets[Kind.WORD]), dtype=np.uint8)
    for index, status in statuses.items():
        words[index] = 1 if not status else number_of.get(status, 2 + len(named))
    lines = np.full(len(shapes.sets[Kind.LINE]), 1, dtype=np.uint8)
    lines[shapes.owners()[words == 0]] = 0
    names = [tr("no token"), tr("token without a status"), *named]
    if len(kinds) > len(named):
        names.append(tr("other statuses"))
    hues = (_HUES[0], _HUES[2], _HUES[3], _HUES[4])
    colours = (_SHADES[Severity.ERROR], _QUIET, *hues)[: len(names)]
    return Colouring({Kind.LINE: lines, Kind.WORD: words}, colours, tuple(names))


def by_problem(shapes: PageShapes, worst: Mapping[ShapeKey, Severity]) -> Colouring:
    """Outlines by their worst problem; ``worst`` names those of the page that have any."""
    order = (Severity.NOTE, Severity.WARNING, Severity.ERROR)
    classes = {kind: np.zeros(len(shapes.sets[kind]), dtype=np.uint8) for kind in Kind}
    for key, severity in worst.items():
        if key in shapes:
            classes[key.kind][shapes.index(key)] = 1 + order.index(severity)
    names = (tr("no problem"), tr("note"), tr("warning"), tr("error"))
    return Colouring(classes, (_QUIET, *(_SHADES[each] for each in order)), names)
