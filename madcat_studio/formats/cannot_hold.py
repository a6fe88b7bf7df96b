"""The message for what a neighbour's format has no place for."""

from __future__ import annotations

from madcat_studio.errors import InputError

__all__ = ["cannot_hold"]


def cannot_hold(format_name: str, what: str) -> InputError:
    """The message for an edit that a neighbour's format has no place for."""
    return InputError(
        "layout.cannot-hold",
        f"{format_name} cannot hold {what}",
        remedy="Undo the edit, or save the page under a name that ends in .madcat.xml",
    )
