"""The versions of the schema, oldest first. The last one is the program's own."""

from __future__ import annotations

__all__ = ["VERSIONS"]

VERSIONS = ("0001", "0002", "0003", "0004")
