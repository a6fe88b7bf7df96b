"""What a document's BASE says where it has the form ``SOURCE_PAGE_SCRIBE``."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["BaseName"]

_FORM = re.compile(r"(.+)_(\d+)_([^_]+)\Z")


class BaseName(NamedTuple):
    """The parts of a BASE such as ``AAW_ARB_20070121.0096_8_LDC0108``."""

    source_document: str
    page: str
    scribe: str

    @classmethod
    def of(cls, base: str) -> BaseName | None:
        """The parts; None for a name of another form."""
        found = _FORM.match(base)
        return None if found is None else cls(*found.groups())
