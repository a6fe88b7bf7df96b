"""MADCAT XML and its neighbours: bytes to model and back. The only room that knows lxml."""

__all__ = [
    "alto",
    "documents",
    "encodings",
    "files",
    "gedi",
    "hocr",
    "json_lines",
    "kinds",
    "layouts",
    "ledger",
    "madcat",
    "madcat_writer",
    "page_queue",
    "page_xml",
    "segment_texts",
    "source",
    "standoff",
    "tables",
    "tercom_files",
]
