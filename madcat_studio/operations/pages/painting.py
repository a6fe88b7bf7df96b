"""Outlines made larger or smaller by a brush, as the window asks for it."""

from __future__ import annotations

from madcat_studio.pages.painting import paint, settle_doubt

__all__ = ["paint", "settle_doubt"]
