"""The manual as the window shows it: the pages of docs/ as HTML, and where words stand in them.

Nothing here needs the network. A wheel has the pages without most of their pictures: a picture that
is not there is left out.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from madcat_studio.paths import manual

__all__ = ["ERRORS", "Hit", "Page", "as_html", "beside", "explained", "find", "page", "pages"]

ERRORS = "errors"
"""The page that lists the codes of messages."""

_FOR_DEVELOPERS = "adr/index"
"""A page that is named among those for developers."""

_WIDE = 660
"""Pixels; Qt scales a picture to them, and keeps its form."""

_LIST = re.compile(r":::\{toctree\}\n(.*?)\n:::", re.S)
_TREE = re.compile(r"^(:::|```\{toctree\}).*?^(:::|```)$", re.M | re.S)
_ROLE = re.compile(r"\{py:mod\}`~[\w.]*\.(?=\w+`)")
_HEADING = re.compile(r"^(#{1,4}) +(.+?) *$", re.M)
_CELL_OF_CODE = re.compile(r"<td><code>([a-z…][\w.…-]*\.[\w.…-]+)</code>")
_PICTURE = re.compile(r'<p><img src="([^"]*)"[^>]*></p>')


class Page(NamedTuple):
    """A page of the manual: its file's place in the manual without ``.md``, its title, its text."""

    name: str
    title: str
    text: str


class Hit(NamedTuple):
    """A section that has the words: its page, its heading, the anchor of that."""

    page: Page
    heading: str
    anchor: str


@cache
def pages() -> tuple[Page, ...]:
    """The pages for everybody, in the order of the index; none where they are not installed."""
    index = manual() / "index.md"
    if not index.is_file():
        return ()
    names: list[str] = []
    for block in _LIST.findall(index.read_text("utf-8")):
        if _FOR_DEVELOPERS not in block:
            names += [line for line in block.splitlines() if re.fullmatch(r"[\w-]+", line)]
    return tuple(made for name in names if (made := page(name)) is not None)


@cache
def page(name: str) -> Page | None:
    """A page by its name; None where there is none."""
    file = manual() / f"{name}.md"
    if not re.fullmatch(r"[\w-]+(/[\w-]+)*", name) or not file.is_file():
        return None
    text = file.read_text("utf-8")
    title = _HEADING.search(text)
    return Page(name, _plain(title[2]) if title else name, text)


def _plain(heading: str) -> str:
    """A heading without its marks."""
    return re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda found: found[1] or "", heading)


def _slug(heading: str) -> str:
    """What links in the pages call a heading."""
    words = re.sub(r"[^\w\- ]", "", _plain(heading).lower())
    return words.replace(" ", "-")


def as_html(wanted: Page) -> str:
    """A page as HTML that Qt shows; headings and codes of messages can be gone to."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(_ROLE.sub("`", _TREE.sub("", wanted.text)))
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            token.content = f'<a name="{_slug(token.content)}"></a>{token.content}'
            token.children = reader.parseInline(token.content)[0].children
    made = str(reader.renderer.render(tokens, reader.options, {}))
    made = _CELL_OF_CODE.sub(
        lambda found: f'<td><a name="{found[1]}"></a><code>{found[1]}</code>', made
    )
    return _PICTURE.sub(lambda found: _picture(beside(wanted.name, found[1])), made)


def beside(name: str, address: str) -> str:
    """What an address in a page means, from the manual's folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


def _picture(address: str) -> str:
    """A picture that goes into the window's width."""
    if not (manual() / address).is_file():
        return ""
    return f'<p><img src="{address}" width="{_WIDE}"></p>'


@cache
def explained(code: str) -> str:
    """A message's code as the manual explains it, "" where it does not.

    In a few, what is put in while the program runs stands there as ``…``.
    """
    errors = page(ERRORS)
    told = re.findall(r"^\| `(\S+)` \|", errors.text, re.M) if errors is not None else []
    if code in told:
        return code
    with_gaps = (one for one in told if "…" in one)
    fitting = (one for one in with_gaps if re.fullmatch(re.escape(one).replace("…", ".+"), code))
    return next(fitting, "")


def find(words: str) -> list[Hit]:
    """The sections that have all the words, those with them in the heading first."""
    wanted = words.casefold().split()
    if not wanted:
        return []
    in_heading: list[Hit] = []
    in_text: list[Hit] = []
    for one in pages():
        places = [*_HEADING.finditer(one.text)]
        ends = [place.start() for place in places[1:]] + [len(one.text)]
        for place, end in zip(places, ends, strict=True):
            heading = _plain(place[2])
            hit = Hit(one, heading, _slug(place[2]))
            if all(word in heading.casefold() for word in wanted):
                in_heading.append(hit)
            elif all(word in one.text[place.start() : end].casefold() for word in wanted):
                in_text.append(hit)
    return [*in_heading, *in_text]
