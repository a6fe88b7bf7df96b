"""Who edits what: passages chosen, kits and teams planned, by tables or by hand."""

__all__ = [
    "draft",
    "practice",
    "proposal",
    "scans",
    "selection",
    "tables",
    "units",
]
