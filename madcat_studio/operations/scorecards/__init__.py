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
    "ltb_comet",
    "ltb_judged",
    "ltb_next",
    "ltb_truth",
    "recognising",
    "recognising_rapid",
    "rosetta",
    "sample_images",
    "showing",
]
