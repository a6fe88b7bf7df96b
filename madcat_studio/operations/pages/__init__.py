"""Pages: checked, converted, compared, cut, marked anew, and worked on in a queue."""

__all__ = [
    "campaign_pages",
    "checking",
    "compare",
    "content",
    "convert",
    "crops",
    "derive",
    "find_page",
    "folder",
    "lines",
    "marking",
    "mending",
    "new_page",
    "page_queue",
    "segment_lines",
    "tokens",
]
