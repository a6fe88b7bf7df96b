"""The versions of the schema, oldest first. The last one is the program's own."""

from __future__ import annotations

__all__ = ["NEVER_RELEASED", "VERSIONS"]

VERSIONS = ("v0001",)
"""One module a step; each is frozen once released."""

NEVER_RELEASED = frozenset(("0001", "0002", "0003", "0004"))
"""What stood in campaigns that were made before the first release: nothing brings them here."""
