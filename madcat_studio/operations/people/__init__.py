"""The people of a campaign, and the passes that are theirs."""

__all__ = [
    "passes",
    "renaming",
    "teams",
]
