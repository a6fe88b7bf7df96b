"""How Sphinx builds docs/ (``python3 run.py docs``)."""

project = "MADCAT Studio"
author = "The MADCAT Studio developers"
copyright = "2026, The MADCAT Studio developers"  # noqa: A001 - Sphinx's own name
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_theme_options = {"page_width": "1000px", "show_powered_by": False}
html_show_sourcelink = False

# The reference is made from the modules themselves: what each lists in its __all__.
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
napoleon_use_ivar = True
napoleon_use_rtype = False
# Types of other libraries, and of rooms that are not public, have no page here to lead to.
nitpick_ignore_regex = [
    ("py:.*", r"(?!(madcat_ter|madcat_studio\.(scoring|formats|workspace|operations))\.).*"),
    ("py:.*", r".*\._\w+"),
    # What readers hand one another.
    ("py:class", r"madcat_studio\.formats\.survey\.Survey"),
]
# Attributes of one name in several classes, named in their own class's text.
suppress_warnings = ["ref.python"]
