"""Who edits what: passages chosen, kits and teams planned, by tables or by hand."""

__all__ = [
    "draft",
    "overview",
    "practice",
    "proposal",
    "quotas",
    "scans",
    "scribes",
    "selection",
    "tables",
    "units",
]
