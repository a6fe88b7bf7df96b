"""Cutting and joining words together with their texts, as the window asks for it."""

from __future__ import annotations

from madcat_studio.pages.cutting import (
    cut_words,
    join_words,
    parted,
    place_to_part,
    places_to_part,
)

__all__ = ["cut_words", "join_words", "parted", "place_to_part", "places_to_part"]
