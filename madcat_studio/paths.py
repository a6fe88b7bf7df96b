"""Where the files that come with the program lie, in a wheel and in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["resources", "schemas"]

_PACKAGE = Path(__file__).resolve().parent


def _beside(name: str) -> Path:
    """``name`` inside the package (a wheel) or beside it (a checkout)."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def resources() -> Path:
    """The folder of icons, fonts, translations and the demo campaign."""
    return _beside("resources")


def schemas() -> Path:
    """The folder of schemas for the files that we read and write."""
    return _beside("schemas")
