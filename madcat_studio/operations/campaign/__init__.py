"""A campaign: set up, filled, followed, kept and given out as files."""

__all__ = [
    "backup",
    "board",
    "calendar",
    "copies",
    "doctor",
    "earlier",
    "edits_table",
    "filling",
    "follow",
    "guidelines",
    "kit_files",
    "options",
    "pace",
    "references",
    "replacing",
    "rooms",
    "setup",
    "standing",
    "steps",
    "trail",
]
