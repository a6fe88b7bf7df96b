"""Edits as JSON, for the journal: ``{"edit": "MoveVertex", "outline": {...}, ...}``."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from madcat_studio.edits import (
    composite,
    facts,
    layout,
    locks,
    outlines,
    scribe,
    segments,
    structure,
    texts,
    values,
)
from madcat_studio.edits.base import Edit, Outline
from madcat_studio.errors import FormatError

__all__ = ["edit_from_json", "edit_to_json"]

_EDITS: dict[str, type] = {
    name: found
    for module in (outlines, structure, texts, scribe, facts, locks, layout, segments, composite)
    for name in module.__all__
    if isinstance(found := getattr(module, name), type)
}
_FORMER = {"Several": "CompositeEdit"}
"""Names that journals of before may hold."""
_VALUES: dict[str, type] = {
    "Outline": Outline,
    **{name: getattr(values, name) for name in values.__all__},
}


def edit_to_json(edit: Edit) -> str:
    """One line of JSON; lone surrogates and line separators are escaped."""
    return json.dumps(_plain(edit), separators=(",", ":"))


def edit_from_json(text: str) -> Edit:
    """The edit that :func:`edit_to_json` wrote.

    Raises:
        FormatError: ``edit.unreadable``: torn, damaged or from a newer version.
    """
    try:
        edit: Edit = _value(json.loads(text))
        if type(edit) not in _EDITS.values():
            raise ValueError("not an edit")
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(
            "edit.unreadable",
            f"an edit of the journal cannot be read ({error})",
            remedy="It is damaged, or was written by a newer version of the program",
        ) from None
    return edit


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        kind = type(value).__name__
        key = "edit" if kind in _EDITS else "value"
        return {
            key: kind,
            **{f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)},
        }
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(each) for each in plain)
    if isinstance(plain, dict):
        fields = {name: _value(each) for name, each in plain.items()}
        kind = fields.pop("edit", None)
        cls = _VALUES[fields.pop("value")] if kind is None else _EDITS[_FORMER.get(kind, kind)]
        return cls(**fields)
    return plain
