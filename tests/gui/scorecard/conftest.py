"""Results of the three scorecards, small and made by the program itself."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.gui.scorecard.cardorder import CardKind, CardOrder, make_card
from madcat_studio.progress import SILENT
from tests.gui.helpers import NORMAL, TWO_PAGES, copy_sample


@pytest.fixture
def pages(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of ground truth, one document of it with two pages, and a system's folder."""
    truth, system = tmp_path / "صفحات", tmp_path / "alpha"
    system.mkdir()
    for name in (NORMAL, TWO_PAGES):
        page = copy_sample(name, truth, image=False)
        shutil.copy(page, system / f"{name}.linesys.madcat.xml")
    return truth, system


def ltb_order(pages: tuple[Path, Path], folder: Path) -> CardOrder:
    truth, system = pages
    return CardOrder(CardKind.PAGES, (system,), folder, truth=truth, files="linesys")


@pytest.fixture
def ltb(pages: tuple[Path, Path], tmp_path: Path) -> Path:
    return make_card(ltb_order(pages, tmp_path / "result"), SILENT)


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Two runs whose composites are not comparable."""
    made = []
    for name, more in (("first", {}), ("second", {"metrics": {"hallucination_rate": 0.1}})):
        path = tmp_path / f"{name}.jsonl"
        lines = [
            {"id": "1", "source": "س", "expected": "the bridge is open", "predicted": text, **more}
            for text in ("the bridge is closed",)
        ]
        lines.append({"id": "2", "source": "ص", "expected": "yes", "predicted": "yes", **more})
        path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
        made.append(path)
    return made


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "images.jsonl"
    line = {
        "sample_id": "a",
        "scenario": "ppt",
        "src_lang": "ar",
        "tgt_lang": "en",
        "comet": 0.8,
    }
    path.write_text(json.dumps(line), encoding="utf-8")
    return path


@pytest.fixture
def opened(make_window, qtbot) -> Callable[[Path], object]:
    """Opens a result as ``madcat-studio open RESULT`` does; the view that shows it."""

    def start(path: Path):
        window = make_window(path)
        qtbot.waitUntil(
            lambda: (
                (view := window.view("scorecard")) is not None
                and view.report is not None
                and view.isVisible()
            )
        )
        return window.view("scorecard")

    return start
