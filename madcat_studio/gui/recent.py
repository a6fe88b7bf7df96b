"""What was opened last."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.gui.settings import window_state

__all__ = ["clear", "forget", "recent", "remember"]

_MOST = 12


def _list(key: str) -> list[str]:
    value = window_state().value(key, [])
    if isinstance(value, str):
        return [value] if value else []
    return [str(item) for item in value] if isinstance(value, list) else []


def recent() -> list[str]:
    """Locations, the newest first. Those that are gone are left out, not forgotten."""
    return [place for place in _list("recent") if "://" in place or Path(place).exists()]


def remember(location: str) -> None:
    """Put a location at the top."""
    others = [place for place in _list("recent") if place != location]
    window_state().setValue("recent", [location, *others][:_MOST])


def forget(location: str) -> None:
    """Take a location off the list."""
    window_state().setValue("recent", [p for p in _list("recent") if p != location])


def clear() -> None:
    """Empty the list."""
    window_state().setValue("recent", [])
