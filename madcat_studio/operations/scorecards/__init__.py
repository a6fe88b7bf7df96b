"""The three scorecards, each from files or from a campaign."""

__all__ = [
    "asking",
    "boxed",
    "files",
    "imtbench",
    "imtbench_filter",
    "imtbench_translate",
    "judging",
    "ltb",
    "ltb_boards",
    "ltb_next",
    "ltb_truth",
    "recognising",
    "rosetta",
    "sample_images",
    "showing",
]
