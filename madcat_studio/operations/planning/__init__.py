"""Who edits what: passages chosen, kits and teams planned, by tables or by hand."""

__all__ = [
    "choosing",
    "corpus",
    "corpus_report",
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
