"""Text against text: scored from files or from a campaign, and reported."""

__all__ = [
    "alignments",
    "avoidable",
    "beside",
    "charts",
    "coaching",
    "drift",
    "editing",
    "effort",
    "evaluation",
    "evidence",
    "line_pictures",
    "options",
    "power",
    "replay",
    "report",
    "segment",
    "ter_wer",
    "tercom",
    "tercom_task",
    "visit_log",
]
