"""axe-core in a browser without a screen: the manual and the reports have no serious finding.

The browser is the system's Chromium. It is started once and loads each page once, and looks at it
in its light and in its dark colours. The addresses on the web that pages name are looked up too.
"""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.cli import app
from tests.built import clicks, lost
from tests.gui.campaigns import make_campaign
from tests.operations.test_evaluation import files  # noqa: F401 - a fixture
from tests.operations.test_scorecards import pages  # noqa: F401 - a fixture
from tests.soak.needs import need, need_modules
from tests.test_links import PAGES, ROOT, links

THEMES = ("light", "dark")
SERIOUS = ("serious", "critical")
BRIEFLY = {"resultTypes": ["violations"]}
"""Of what is in order axe names one place alone: to name each takes longer than to look."""

MARKED = "data-looks-alike"
OF_EACH_LOOK = 3
MARK = """([mark, most]) => {
  axe.configure({rules: [{id: "color-contrast", selector: `[${mark}]`}]});
  for (const one of document.querySelectorAll(`[${mark}]`)) one.removeAttribute(mark);
  const numbers = new Map(), looks = new Map(), marked = new Map();
  const lookOf = one => {
    if (!one) return "";
    if (!looks.has(one)) {
      const {color, backgroundColor, backgroundImage, opacity, filter, textShadow, fontSize,
             fontWeight, position, display, overflow, visibility} = getComputedStyle(one);
      const look = JSON.stringify([lookOf(one.parentElement), one.localName, color,
        backgroundColor, backgroundImage, opacity, filter, textShadow, fontSize, fontWeight,
        position, display, overflow, visibility, one.getClientRects().length > 0]);
      if (!numbers.has(look)) numbers.set(look, numbers.size);
      looks.set(one, numbers.get(look));
    }
    return looks.get(one);
  };
  const says = node => node.nodeType === Node.TEXT_NODE && node.data.trim();
  for (const one of document.querySelectorAll("body, body *")) {
    if (!one.matches("input, select, textarea") && ![...one.childNodes].some(says)) continue;
    const look = lookOf(one), before = marked.get(look) || 0;
    if (before < most) one.setAttribute(mark, "");
    marked.set(look, before + 1);
  }
}"""
"""Marks a few texts of each look: those that have the same colours, size, weight and ground.

The contrast of a text takes axe milliseconds, and a page of the reference has thousands of a few
dozen looks. All other rules look at the whole page.
"""

Look = Callable[[Path], list[str]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium, without a screen."""
    chromium = need("chromium")
    need_modules("axe", "axe_playwright_python", "playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"], timeout=0)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def look(browser: Any) -> Look:
    """Looks at a page with axe, in each theme; gives its serious findings with their selectors."""
    from axe_playwright_python.base import AXE_SCRIPT

    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(0)  # a busy machine takes many times as long as an idle one

    def findings(file: Path) -> list[str]:
        page.goto(file.resolve().as_uri())
        page.evaluate(AXE_SCRIPT)
        found = []
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.evaluate("() => new Promise(drawn => requestAnimationFrame(drawn))")
            page.evaluate(MARK, [MARKED, OF_EACH_LOOK])
            result = page.evaluate("options => axe.run(document, options)", BRIEFLY)
            for violation in result["violations"]:
                found += [f"{theme}: {told}" for told in _told(violation)]
        return found

    return findings


def _told(violation: dict[str, Any]) -> Iterator[str]:
    if violation["impact"] in SERIOUS:
        for node in violation["nodes"]:
            yield f"{violation['id']} at {' '.join(map(str, node['target']))}: {violation['help']}"


def all_findings(look: Look, htmls: list[Path]) -> dict[str, list[str]]:
    return {file.name: found for file in htmls if (found := look(file))}


SHEET = 1030
"""Pixels between the margins of a sheet of A4 that lies on its side."""

PRINTED = """() => {
  const {color, colorScheme} = getComputedStyle(document.body);
  const cut = [...document.querySelectorAll("table")].filter(one => one.offsetWidth > innerWidth);
  return [color, colorScheme, cut.filter(one => one.rows[0].cells.length < 20).length];
}"""


def as_printed(browser: Any, file: Path, theme: str) -> list[object]:
    """The colour of a page's text on paper, its scheme, and how many tables the sheet cuts.

    Those of twenty columns and more are for the screen and for the workbook.
    """
    page = browser.new_page(viewport={"width": SHEET, "height": 700}, color_scheme=theme)
    page.set_default_timeout(0)
    page.goto(file.resolve().as_uri())
    page.emulate_media(media="print")
    found: list[object] = page.evaluate(PRINTED)
    page.close()
    return found


PLANTED = """\
<!doctype html><html lang=en><title>x</title><style>
  body { color: #000; background: #fff; }
  @media (prefers-color-scheme: dark) { body { color: #333; background: #222; } }
</style><main><h1>A heading</h1><img id=planted src="x.png">
<p>Words.<p>Words.<p>Words.<p>Words.<p>Words.<p id=pale style="color: #aaa">Pale words.
</main></html>
"""


@pytest.mark.soak
def test_axe_finds_what_is_planted(look: Look, tmp_path: Path) -> None:
    """Whatever the theme, in one of them alone, and the one text among many that is too pale."""
    page = tmp_path / "planted.html"
    page.write_text(PLANTED)
    found = [one.rpartition(": ")[0] for one in look(page)]
    assert sorted(found) == [
        "dark: color-contrast at h1",
        *(f'dark: color-contrast at p[{MARKED}=""]:nth-child({one})' for one in (3, 4, 5)),
        "dark: image-alt at #planted",
        "light: color-contrast at #pale",
        "light: image-alt at #planted",
    ]


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    out = tmp_path_factory.mktemp("manual")
    made = [sys.executable, "-m", "sphinx", "--quiet", "-b", "html", str(ROOT / "docs"), str(out)]
    subprocess.run(made, check=True)
    return sorted(out.glob("**/*.html"))


@pytest.mark.soak
def test_axe_and_the_manual(
    look: Look, manual: list[Path], record_property: Callable[[str, object], None]
) -> None:
    assert len(manual) > 50
    record_property("pages", len(manual))
    record_property("themes", ", ".join(THEMES))
    assert all_findings(look, manual) == {}


@pytest.mark.soak
def test_the_links_of_the_manual(
    manual: list[Path], record_property: Callable[[str, object], None]
) -> None:
    """Each leads somewhere, and two clicks lead from the first page to every other."""
    record_property("pages", len(manual))
    assert lost(manual) == []
    [first] = [file for file in manual if file.name == "index.html" and file.parent.name != "adr"]
    away = clicks(first, manual)
    assert [file.name for file in manual if away.get(file.resolve(), 9) > 2] == []


@pytest.mark.soak
def test_axe_and_the_reports(
    browser: Any,
    look: Look,
    pages: tuple[Path, Path],  # noqa: F811
    files: Path,  # noqa: F811
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Of a campaign, of an evaluation, and a scorecard; on paper they are dark on white."""
    campaign = make_campaign(tmp_path / "campaign")
    commands: list[tuple[object, ...]] = [
        ("campaign", "report", campaign, "--out", tmp_path / "report", "--formats", "html"),
        ("evaluate", files / "refs", files / "plato_1", "--out", tmp_path / "evaluation"),
        ("scorecard", "ltb", *pages, "--out", tmp_path / "ltb", "--formats", "html"),
    ]
    for command in commands:
        assert app.main([str(word) for word in command]) == 0
    made = sorted(tmp_path.glob("**/*.html"))
    record_property("reports", ", ".join(file.name for file in made))
    assert len(made) >= 3
    assert all_findings(look, made) == {}
    for file in made:
        for theme in THEMES:
            assert as_printed(browser, file, theme) == ["rgb(29, 31, 33)", "light", 0], file.name


# -- addresses on the web -------------------------------------------------------------------------

GONE = (404, 410)
NO_HEAD = (403, 405, 501)
"""What servers answer that give pages, and no heads."""


def addresses(manual: list[Path]) -> list[str]:
    """What the pages in the repository lead to, and what those of the built manual do."""
    found = {link for page in PAGES for link in links(page.read_text("utf-8"))}
    for page in manual:
        found |= {unescape(link) for link in re.findall(r'href="([^"]+)"', page.read_text("utf-8"))}
    return sorted({link.partition("#")[0] for link in found if re.match("https?:", link)})


def answer(address: str) -> int | str:
    """The status of an address, or why there is none."""
    for method in ("HEAD", "GET"):
        asked = urllib.request.Request(
            address, method=method, headers={"User-Agent": "Mozilla/5.0"}
        )
        try:
            with urllib.request.urlopen(asked, timeout=20) as told:
                return int(told.status)
        except urllib.error.HTTPError as error:
            if method == "GET" or error.code not in NO_HEAD:
                return error.code
        except OSError as error:
            return str(getattr(error, "reason", error))
    raise AssertionError(address)


@pytest.mark.soak
def test_addresses_on_the_web_answer(
    manual: list[Path], record_property: Callable[[str, object], None]
) -> None:
    """One that is gone is a failure, and so is it if none answers: there is no network then."""
    asked = addresses(manual)
    with ThreadPoolExecutor(8) as pool:
        answers = dict(zip(asked, pool.map(answer, asked), strict=True))
    record_property("addresses", len(asked))
    away = {one: why for one, why in answers.items() if isinstance(why, str)}
    record_property("not reached", sorted(away))
    record_property("answered otherwise", {
        one: code for one, code in answers.items() if isinstance(code, int) and code >= 400
    })  # fmt: skip
    if len(away) == len(asked):
        pytest.fail(f"the web cannot be reached from here ({next(iter(away.values()))}): none of "
                    f"{len(asked)} addresses was looked up")  # fmt: skip
    assert [one for one, code in answers.items() if code in GONE] == []
