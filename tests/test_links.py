"""Every link in README, docs and the engine's pages leads to a file and a heading that are there.

Sphinx checks the links between the pages of the manual when it builds them; what it does not build,
and what a reader of the repository follows, is looked at here. Addresses on the web are looked up
by the soak test alone.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.built import clicks, lost

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("engine/*.md"))
    if "_build" not in path.parts
)
_LINK = re.compile(r"!?\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def links(text: str) -> list[str]:
    """Where a page leads, without what stands in code."""
    return _LINK.findall(_CODE.sub("", text))


@cache
def anchors(path: Path) -> frozenset[str]:
    """The headings of a page, as links name them."""
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    found: dict[str, int] = {}
    made = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = found.get(name, 0)
        found[name] = number + 1
        made.add(f"{name}-{number}" if number else name)
    return frozenset(made | set(re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE)))


def broken(page: Path, text: str) -> list[str]:
    """The links of a page that lead to nothing in this repository."""
    wrong = []
    for link in links(text):
        name, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = (page.parent / name).resolve() if name else page
        missing = not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in anchors(target)
        )
        if missing:
            wrong.append(link)
    return wrong


def test_links_lead_somewhere() -> None:
    assert len(PAGES) > 50
    assert sum(len(links(page.read_text("utf-8"))) for page in PAGES) > 100
    found = {page.name: broken(page, page.read_text("utf-8")) for page in PAGES}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[one](README.md)", []),
        ("[one](README.md#try-it) ![two](docs/screenshots/kit-light.png)", []),
        ("[one](REAME.md)", ["REAME.md"]),
        ("[one](README.md#no-such-heading)", ["README.md#no-such-heading"]),
        ("[one](#try-it) [two](#nowhere)", ["#nowhere"]),
        ("[one](https://example.org/) `[two](nowhere.md)`", []),
        ("```\n[one](nowhere.md)\n```", []),
    ],
)
def test_a_broken_link_is_found(text: str, wrong: list[str]) -> None:
    assert broken(ROOT / "README.md", text) == wrong


@pytest.fixture
def built(tmp_path: Path) -> list[Path]:
    """Pages as a builder makes them, in two folders."""
    (tmp_path / "api").mkdir()
    (tmp_path / "style.css").touch()
    first, second = tmp_path / "index.html", tmp_path / "api" / "one two.html"
    first.write_text(
        '<link href="style.css?v=1"><h1 id=here>x</h1><a href="#here">a</a><a href="#">b</a>'
        '<a href="api/one%20two.html#there">c</a><a href="https://example.org/#no">d</a>'
        '<a href="mailto:a@example.org">e</a>'
    )
    second.write_text('<p id=there>x</p><a href="../index.html#here">a</a>')
    return [first, second]


def test_what_a_built_page_leads_to_is_there(built: list[Path]) -> None:
    assert lost(built) == []
    assert list(clicks(built[0], built).values()) == [0, 1]


@pytest.mark.parametrize(
    "planted",
    [
        '<a href="nowhere.html">x</a>',
        '<a href="#nowhere">x</a>',
        '<a href="api/one%20two.html#nowhere">x</a>',
        '<img src="nowhere.png">',
        '<script src="nowhere.js"></script>',
        '<a href="api/">x</a>',
    ],
)
def test_a_broken_link_of_a_built_page_is_found(built: list[Path], planted: str) -> None:
    built[0].write_text(built[0].read_text() + planted)
    address = re.search(r'"(.+?)"', planted)
    assert address is not None
    assert lost(built) == [f"index.html: {address[1]}"]


def test_a_page_that_nothing_leads_to_is_not_reached(built: list[Path], tmp_path: Path) -> None:
    alone = tmp_path / "alone.html"
    alone.write_text('<a href="index.html">x</a>')
    assert alone not in clicks(built[0], [*built, alone])
