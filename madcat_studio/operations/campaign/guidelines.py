"""How to edit, in the campaign's own words: versioned, and frozen at the first claim."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.files import read_file
from madcat_studio.operations.checked import Outcome
from madcat_studio.operations.user import who
from madcat_studio.store import open_campaign

__all__ = ["Guidelines", "read_guidelines", "read_text", "set_guidelines"]


@dataclass(frozen=True, slots=True)
class Guidelines:
    """One version of the guidelines, and when it was set."""

    version: int
    text: str
    at: datetime


def read_guidelines(where: str) -> tuple[Guidelines, ...]:
    """All versions, oldest first; editors see the last.

    Raises:
        StudioError: the campaign cannot be read.
    """
    with open_campaign(where, read_only=True, for_editor=True) as campaign:
        return tuple(Guidelines(*one) for one in campaign.guideline_versions())


def set_guidelines(where: str, text: str) -> Outcome:
    """Make a new version, unless the text is the last one's.

    Raises:
        ConflictError: editing has begun; the version that editors work by stays.
        StudioError: the campaign cannot be written.
    """
    with open_campaign(where) as campaign:
        before = campaign.guidelines()[0]
        version = campaign.set_guidelines(text, by=who())
    if version == before:
        return Outcome((f"The guidelines are version {version}, as they were",))
    return Outcome((f"The guidelines are now version {version}",))


def read_text(path: Path) -> str:
    """A text file in UTF-8.

    Raises:
        StudioError: it cannot be read, or is in another encoding.
    """
    try:
        return read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "campaign.not-utf8", "The text is not in UTF-8", where=path, remedy="Save it as UTF-8"
        ) from error
