"""How Sphinx builds docs/ (``python3 run.py docs``)."""

from __future__ import annotations

import gc
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts import reference

# The pages stay in memory until the end: to look through them again and again takes a third of the
# time.
gc.set_threshold(100_000, 20, 100)

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
# Each module has a page in the navigation; the theme leads to no list of them besides.
html_domain_indices = False

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
    app.add_post_transform(TypesOfOthers)
    app.connect("config-inited", write_reference)
    app.connect("doctree-read", reference.own_all_nodes)
    app.connect("html-page-context", near_pages_alone, priority=400)  # before the theme's own
    app.connect("html-page-context", readable_by_all, priority=900)  # after the theme's own


def write_reference(_app: Sphinx, _config: Config) -> None:
    """Each public module has a page, which is no file of the project."""
    reference.write_module_pages()


class TypesOfOthers(SphinxPostTransform):
    """Names for which no page exists, by the list above, are not looked for among all of ours.

    Sphinx would compare each with the end of each of our names, which takes a tenth of the time.
    """

    default_priority = 5  # before Sphinx looks for what names lead to

    def run(self, **_options: Any) -> None:
        """Called by Sphinx for each page."""
        ours = last_names(self.env)
        for name in [*self.document.findall(addnodes.pending_xref)]:
            target = name["reftarget"]
            if name.get("refdomain") != "py" or target.rpartition(".")[2] in ours:
                continue
            if is_of_others(f"py:{name['reftype']}", target):
                name.replace_self(name.children)


@cache
def is_of_others(kind: str, target: str) -> bool:
    """Whether a name may lead nowhere."""
    return any(
        re.fullmatch(kinds, kind) and re.fullmatch(names, target)
        for kinds, names in nitpick_ignore_regex
    )


@cache
def last_names(env: BuildEnvironment) -> frozenset[str]:
    """The last part of each name that the reference explains."""
    return frozenset(name.rpartition(".")[2] for name in env.domains.python_domain.objects)


def near_pages_alone(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Beside a page stand those of its own part; the two hundred modules stand beside a module."""
    if "toctree" in context:
        whole: Callable[..., str] = context["toctree"]
        context["toctree"] = lambda **options: whole(**{**options, "collapse": True})


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
