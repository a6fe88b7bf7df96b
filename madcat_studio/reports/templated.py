"""The templates of HTML pages. Each is put into Python once in a process, which takes long."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.reports.tables import CellKind

if TYPE_CHECKING:
    import jinja2

__all__ = ["TEMPLATES", "template"]

TEMPLATES = Path(__file__).parent / "templates"


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["rate"] = lambda cell: CellKind.RATE.shown(cell)
    environment.filters["count"] = lambda cell: CellKind.COUNT.shown(cell)
    return environment


def template(name: str) -> jinja2.Template:
    """What makes a page of the values that it is given; everything in it is escaped."""
    return _environment().get_template(name)
