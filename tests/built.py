"""The links of built HTML pages: which lead nowhere, and how many clicks a page is away."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

__all__ = ["clicks", "lost"]


class _Page(HTMLParser):
    """What a page leads to, shows and loads, and the places in it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = {"", "top"}
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            elif (name == "id" or (tag == "a" and name == "name")) and value:
                self.places.add(value)


def _target(file: Path, link: str) -> tuple[Path, str] | None:
    """The file and the place in it that a link means; None where it leads out."""
    if re.match(r"[a-z][a-z+.-]*:|//", link):
        return None
    address, _, place = link.partition("#")
    path = unquote(address.partition("?")[0])
    return ((file.parent / path).resolve() if path else file.resolve()), unquote(place)


def lost(files: Iterable[Path]) -> list[str]:
    """The links of some pages that lead to no file, or to no place in one of these pages."""
    pages = {file.resolve(): _Page(file) for file in files}
    wrong = []
    for file, page in pages.items():
        for link in page.links:
            if (target := _target(file, link)) is None:
                continue
            path, place = target
            missing = path in pages and place not in pages[path].places
            if missing or not path.is_file():
                wrong.append(f"{file.name}: {link}")
    return wrong


def clicks(first: Path, files: Iterable[Path]) -> dict[Path, int]:
    """How many clicks lead from a page to each other that can be reached."""
    pages = {file.resolve(): _Page(file) for file in files}
    found = {first.resolve(): 0}
    waiting = [first.resolve()]
    for file in waiting:
        for link in pages[file].links:
            target = _target(file, link)
            if target is not None and target[0] in pages and target[0] not in found:
                found[target[0]] = found[file] + 1
                waiting.append(target[0])
    return found
