"""The status values that a user may want again: the document's, the settings', those used last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from madcat_studio.gui.settings import (
    STATUS_EXTRA,
    STATUS_MISSING,
    STATUS_MISSPELT,
    Settings,
    window_state,
)
from madcat_studio.model.document import Document

__all__ = ["known_statuses", "remember_status"]

_KEY = "page/statuses"
_MOST = 20


def known_statuses(
    document: Document, statuses: Mapping[str, int], settings: Settings
) -> list[str]:
    """All of them, each once, those that the document uses first.

    ``statuses``: how many of its tokens have which.
    """
    used = {status for status, count in statuses.items() if count}
    errors = {error.error for error in document.scribe_errors.values()}
    declared = [settings.get(each) for each in (STATUS_MISSING, STATUS_EXTRA, STATUS_MISSPELT)]
    own = sorted(status for status in used | errors if status)
    return list(dict.fromkeys((*own, *declared, *_remembered())))


def remember_status(status: str) -> None:
    """Offer a status again, in every document."""
    if status:
        kept = [status, *(each for each in _remembered() if each != status)]
        window_state().setValue(_KEY, kept[:_MOST])


def _remembered() -> Iterable[str]:
    value = window_state().value(_KEY)
    if isinstance(value, str):  # a list of one is written as its text
        return [value]
    return [str(each) for each in value] if isinstance(value, list) else []
