"""How Sphinx builds docs/ (``python3 run.py docs``)."""

project = "MADCAT Studio"
author = "The MADCAT Studio developers"
copyright = "2026, The MADCAT Studio developers"  # noqa: A001 - Sphinx's own name
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_theme_options = {"page_width": "1000px", "show_powered_by": False}
html_show_sourcelink = False
