"""Words that touch, told apart by their shapes.

Where words touch, no gap says where one ends. The words are followed through the lines as they
would be drawn; pieces of ink that belong to two words are cut where their stroke is thinnest near
by, and the parts know which of them begin a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from madcat_studio.images.ink import Pieces
from madcat_studio.pages.columnwise import LineColumns, columns_of_ink, line_columns
from madcat_studio.pages.following import Followed, follow
from madcat_studio.pages.glyphs import draw_words
from madcat_studio.pages.writing import Part, Writing

__all__ = ["words_by_shape"]

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

_SLIVER = 2.5
"""Columns: a piece that reaches less far into the next word is not cut."""
_NEAR = 2.5
"""Columns around a border in which the thinnest place is sought."""
_ODD = 0.8
"""A word whose columns differ more from what they should look like may be another one."""
_ODD_AROUND = 0.5
"""So may one among words that differ so much on the average: the way goes wrong for several."""
_AROUND = 7
_STRANGE = 0.53
"""A page whose words differ so much, at the median, has another transcript, or a hand that cannot
be followed."""
_FEW = 0.02
"""The share of words above the line that spoil no more than what is around them."""
_MOST_COLUMNS = 12_000
"""More would take too long."""


def words_by_shape(writing: Writing, texts: Sequence[str]) -> Writing | None:
    """The same writing, its parts so that each belongs to one word.

    Args:
        writing: of a page.
        texts: all words that are written there, and no others.

    Returns:
        None where the words cannot be drawn or followed, or look otherwise.
    """
    if sum(part.alone for part in writing.parts) > _FEW * len(texts):
        return None  # a word above the line is read between two of it, and stands over both
    lines = sorted({part.line for part in writing.parts})
    words = draw_words(texts, right_to_left=writing.right_to_left) if lines else None
    if words is None:
        return None
    columns = [line_columns(writing, line) for line in lines]
    if sum(line.length for line in columns) > _MOST_COLUMNS:
        return None
    found = follow(columns_of_ink(columns), [line.length for line in columns], words)
    if found is None or float(np.median(found.unlike)) > _STRANGE:
        return None
    piece_of = writing.pieces.owners
    owner = np.full(len(piece_of), -1, dtype=np.int64)
    for number, line in enumerate(columns):
        owner[line.cells] = _owners(piece_of, line, number, found)
    return _apart(writing, owner, found.unlike)


def _owners(owners: Cells, line: LineColumns, number: int, found: Followed) -> Cells:
    """The word of each cell of a line."""
    here = [(a, b, word) for word, (where, a, b) in enumerate(found.ranges) if where == number]
    if not here:
        return np.full(len(line.cells), -1, dtype=np.int64)
    here.sort()
    names = np.array([word for _, _, word in here])
    borders = np.array([(one[1] + two[0]) / 2 for one, two in pairwise(here)])
    piece_of = owners[line.cells]
    owner = np.empty(len(line.cells), dtype=np.int64)
    order = np.argsort(piece_of, kind="stable")
    edges = np.flatnonzero(np.diff(piece_of[order])) + 1
    for own in np.split(order, edges):
        away = line.away[own]
        low, high = float(away.min()), float(away.max())
        cuts = [
            _thinnest(away, border)
            for border in borders.tolist()
            if min(border - low, high - border) >= _SLIVER
        ]
        if not cuts:
            place = int(np.searchsorted(borders, (low + high) / 2))
            owner[own] = names[place]
            continue
        # Between two cuts lies what one word has of the piece.
        part = np.searchsorted(cuts, away)
        for piece in np.unique(part).tolist():
            inside = own[part == piece]
            middle = (float(line.away[inside].min()) + float(line.away[inside].max())) / 2
            owner[inside] = names[int(np.searchsorted(borders, middle))]
    return owner


def _thinnest(away: Floats, border: float) -> float:
    """Where near a border the least ink is, in columns; nearer is better."""
    fine = 4
    places = np.arange(int((border - _NEAR) * fine), int((border + _NEAR) * fine) + 1)
    counts = np.bincount(
        np.clip((away * fine).astype(np.int64) - places[0], -1, len(places)) + 1,
        minlength=len(places) + 2,
    )[1:-1].astype(np.float64)
    price = counts / max(counts.max(), 1.0) + 0.25 * np.abs(places / fine - border) / _NEAR
    return float(places[int(price.argmin())] + 0.5) / fine


def _apart(writing: Writing, owner: Cells, unlike: Floats) -> Writing:
    """The writing with its pieces cut where their cells are of different words."""
    pieces = writing.pieces
    old = pieces.owners
    pairs, fresh = np.unique(np.stack([old, owner], axis=1), axis=0, return_inverse=True)
    fresh = fresh.ravel().astype(np.int64)
    cut = Pieces.of(pieces.xs, pieces.ys, fresh)
    pieces_of: dict[int, list[int]] = {}
    for number, (piece, _) in enumerate(pairs.tolist()):
        pieces_of.setdefault(piece, []).append(number)
    word_of = pairs[:, 1]
    wide = min(_AROUND, len(unlike))
    around = np.convolve(unlike, np.ones(wide), "same") / np.convolve(
        np.ones(len(unlike)), np.ones(wide), "same"
    )
    odd = (unlike > _ODD) | (around > _ODD_AROUND)
    parts: list[Part] = []
    keys = []
    for place, part in enumerate(writing.parts):
        groups: dict[int, list[int]] = {}
        for piece in part.pieces:
            for number in pieces_of[piece]:
                groups.setdefault(int(word_of[number]), []).append(number)
        shift = part.span[0] - part.box[0], part.span[1] - part.box[2]
        for word, group in groups.items():
            boxes = cut.boxes[group]
            box = (
                int(boxes[:, 0].min()),
                int(boxes[:, 1].min()),
                int(boxes[:, 2].max()),
                int(boxes[:, 3].max()),
            )
            span = (
                (box[0] + shift[0], box[2] + shift[1])
                if len(groups) == 1
                else (float(box[0]), float(box[2]))
            )
            if span[1] <= span[0]:
                span = (float(box[0]), float(box[2]))
            parts.append(
                replace(
                    part, pieces=tuple(group), box=box, span=span, odd=word < 0 or bool(odd[word])
                )
            )
            keys.append((part.line, word, place))
    order = sorted(range(len(parts)), key=keys.__getitem__)
    marked = []
    for number, at in enumerate(order):
        before = keys[order[number - 1]][1] if number else None
        marked.append(replace(parts[at], begins=keys[at][1] != before))
    return replace(writing, pieces=cut, parts=tuple(marked))
