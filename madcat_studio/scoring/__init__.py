"""Numbers from text: TER, WER, HTER. Imports nothing of ours but errors and progress."""

__all__ = [
    "agreement",
    "changes",
    "columns",
    "hter",
    "options",
    "replay",
    "resampling",
    "scorecards",
    "signature",
    "ter",
    "text",
    "wer",
]
