"""How Sphinx builds docs/ (``python3 run.py docs``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "MADCAT Studio"
author = "The MADCAT Studio developers"
copyright = "2026, The MADCAT Studio developers"  # noqa: A001 - Sphinx's own name
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
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


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("html-page-context", readable_by_all, priority=900)  # after the theme's own


def readable_by_all(
    _app: Sphinx, _page: str, _template: str, context: dict[str, object], _tree: object
) -> None:
    """Code and tables wider than the screen can be scrolled by key; captions have a level."""
    for part in ("body", "furo_navigation_tree"):
        text = context.get(part)
        if isinstance(text, str):
            text = text.replace("<pre>", '<pre tabindex="0">')
            text = text.replace(
                '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'
            )
            context[part] = text.replace('role="heading"', 'role="heading" aria-level="2"')
