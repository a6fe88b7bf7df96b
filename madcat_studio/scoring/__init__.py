"""What stands on the engine's numbers: agreement, resampling, scorecards, alignments to read.

The numbers themselves are the engine's, ``madcat_ter``. Imports nothing of ours but errors and
progress.
"""

__all__ = [
    "agreement",
    "changes",
    "columns",
    "duration",
    "replay",
    "resampling",
    "scorecards",
    "student",
    "trust",
]
