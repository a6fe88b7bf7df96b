"""What an alignment shows, in sentences: for tool tips, and for those who hear the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from madcat_studio.gui.translation import tr, tr_count, tr_joined
from madcat_studio.scoring.changes import Alignment
from madcat_studio.scoring.columns import Column, ColumnKind

__all__ = ["Saying", "say_at", "sayings"]

_EDITS = (ColumnKind.SUBSTITUTION, ColumnKind.INSERTION, ColumnKind.DELETION)


class Saying(NamedTuple):
    """One sentence, and the columns that it is about; of a move, its old place before all."""

    text: str
    columns: tuple[int, ...]


def sayings(alignment: Alignment) -> tuple[Saying, ...]:
    """All changes in the order of the text; neighbours of one kind are told of together."""
    columns = alignment.columns
    found: list[Saying] = []
    told: set[int] = set()
    number = 0
    while number < len(columns):
        column = columns[number]
        if column.shift and column.kind is not ColumnKind.ORIGIN and column.shift not in told:
            told.add(column.shift)
            found.append(_move(alignment, column.shift))
        after = number + 1
        if column.kind in _EDITS:
            while after < len(columns) and _with(column, columns[after]):
                after += 1
            found.append(_edit(columns[number:after], number))
        number = after
    return tuple(found)


def _with(one: Column, other: Column) -> bool:
    return (one.kind, one.shift) == (other.kind, other.shift)


def say_at(alignment: Alignment, number: int) -> str:
    """What is said of one column, "" where nothing changed."""
    return tr_joined(one.text for one in sayings(alignment) if number in one.columns)


def _edit(run: Sequence[Column], first: int) -> Saying:
    old = " ".join(one.output for one in run if one.output)
    new = " ".join(one.text for one in run if one.text)
    match run[0].kind:
        case ColumnKind.INSERTION:
            said = tr("left out “{words}”", words=old)
        case ColumnKind.DELETION:
            said = tr("added “{words}”", words=new)
        case _:
            said = tr("substituted “{old}” by “{new}”", old=old, new=new)
    return Saying(said, tuple(range(first, first + len(run))))


def _move(alignment: Alignment, shift: int) -> Saying:
    """A move, and how far: counted in the words that stand between, as the text is now."""
    columns = alignment.columns
    block = [at for at, one in enumerate(columns) if one.shift == shift]
    origin = next((at for at in block if columns[at].kind is ColumnKind.ORIGIN), None)
    words = alignment.moved(shift)
    moved = [at for at in block if at != origin]
    about = (*([] if origin is None else [origin]), *moved)
    if origin is None or moved[0] < origin < moved[-1]:
        return Saying(tr("moved “{words}”", words=words), about)
    to_left = origin > moved[-1]
    between = columns[moved[-1] + 1 : origin] if to_left else columns[origin + 1 : moved[0]]
    far = sum(bool(one.text) for one in between)
    if not far:
        said = tr("moved “{words}”", words=words)
    elif to_left:
        said = tr_count(
            "moved “{words}” {count} word to the left",
            "moved “{words}” {count} words to the left",
            far,
            words=words,
        )
    else:
        said = tr_count(
            "moved “{words}” {count} word to the right",
            "moved “{words}” {count} words to the right",
            far,
            words=words,
        )
    return Saying(said, about)
