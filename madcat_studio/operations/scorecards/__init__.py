"""The three scorecards, each from files or from a campaign."""

__all__ = [
    "boxed",
    "files",
    "imtbench",
    "judging",
    "ltb",
    "ltb_boards",
    "ltb_next",
    "ltb_truth",
    "recognising",
    "rosetta",
    "showing",
]
