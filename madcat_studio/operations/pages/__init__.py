"""Pages: checked, converted, compared, cut, marked anew, and worked on in a queue."""

__all__ = [
    "campaign_pages",
    "checking",
    "compare",
    "content",
    "convert",
    "convert_many",
    "crops",
    "cutting",
    "derive",
    "find_page",
    "folder",
    "lines",
    "marking",
    "mending",
    "new_page",
    "page_queue",
    "painting",
    "pool",
    "segment_lines",
    "tokens",
]
