"""axe-core in a browser without a screen: the manual and the reports have no serious finding.

The browser is the system's Chromium; the links of the pages that lead to the web are looked up too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.cli import app
from tests.gui.campaigns import make_campaign
from tests.operations.test_evaluation import files  # noqa: F401 - a fixture
from tests.operations.test_scorecards import pages  # noqa: F401 - a fixture
from tests.test_links import PAGES, ROOT, links

SERIOUS = ("serious", "critical")
NEEDED = "apt-get install chromium; pip install 'madcat-studio[axe]'"

Look = Callable[[Path], list[str]]


@pytest.fixture(scope="module", params=["light", "dark"])
def look(request: pytest.FixtureRequest) -> Iterator[Look]:
    """Looks at a page with axe; gives its serious findings, each with its selector."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium, f"this needs a browser: {NEEDED}"
    try:
        from axe_playwright_python.sync_playwright import Axe
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail(f"this needs axe-core: {NEEDED}")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(color_scheme=request.param)
        axe = Axe()

        def findings(file: Path) -> list[str]:
            page.goto(file.resolve().as_uri())
            return [told for one in axe.run(page).response["violations"] for told in _told(one)]

        yield findings
        browser.close()


def _told(violation: dict[str, Any]) -> Iterator[str]:
    if violation["impact"] in SERIOUS:
        for node in violation["nodes"]:
            yield f"{violation['id']} at {' '.join(map(str, node['target']))}: {violation['help']}"


def all_findings(look: Look, htmls: list[Path]) -> dict[str, list[str]]:
    return {file.name: found for file in htmls if (found := look(file))}


@pytest.mark.soak
def test_axe_finds_what_is_planted(look: Look, tmp_path: Path) -> None:
    page = tmp_path / "planted.html"
    page.write_text(
        "<!doctype html><html lang=en><title>x</title><main><h1>x</h1>"
        '<img id=planted src="x.png"></main></html>'
    )
    [found] = look(page)
    assert found.startswith("image-alt at #planted: ")


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
    assert all_findings(look, manual) == {}


@pytest.mark.soak
def test_axe_and_the_reports(
    look: Look,
    pages: tuple[Path, Path],  # noqa: F811
    files: Path,  # noqa: F811
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Of a campaign, of an evaluation, and a scorecard."""
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


@pytest.mark.soak
def test_addresses_on_the_web_answer(record_property: Callable[[str, object], None]) -> None:
    """Where there is no network, this says so; an address that is gone fails it."""
    found = {link for page in PAGES for link in links(page.read_text("utf-8"))}
    addresses = sorted(link.partition("#")[0] for link in found if re.match("https?:", link))
    record_property("addresses", len(addresses))
    gone, away = [], []
    for address in addresses:
        asked = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0"})
        try:
            urllib.request.urlopen(asked, timeout=20).close()
        except urllib.error.HTTPError as error:
            if error.code in (404, 410):
                gone.append(f"{address}: {error.code}")
        except OSError:
            away.append(address)
    record_property("not reached", len(away))
    assert gone == []
