"""The cost of telling systems apart, in the last step of setting up."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.gui.coordinator.costpanel import CostPanel
from madcat_studio.operations.scores.power import cost_by_earlier
from tests.operations.test_power import write


@pytest.mark.long
@pytest.mark.usefixtures("few_simulations")
def test_it_follows_the_number_and_says_what_the_command_says(qtbot, tmp_path: Path) -> None:
    folder = write(tmp_path / "earlier", {"larch": 0.25, "oak": 0.3})
    panel = CostPanel()
    qtbot.addWidget(panel)
    panel.reckon(None, 3)
    assert panel.isHidden()
    panel.reckon(folder, 3)
    assert not panel.isHidden()
    height = panel.sizeHint().height()

    def says(points: float) -> bool:
        cost = cost_by_earlier(folder, points, systems=3)
        said = f"{panel.answer.text()} {panel.told.text()}".split(". ")
        assert panel.answer.text() == f"{cost.answer}."
        return sorted(one.strip(" .") for one in said if one) == sorted(cost.sentences())

    qtbot.waitUntil(lambda: "teams at" in panel.answer.text())
    assert says(2.0)
    assert panel.sizeHint().height() >= height
    panel.points.setValue(6.0)
    qtbot.waitUntil(lambda: "differ by 6 points" in panel.answer.text())
    assert says(6.0)
    panel.close_worker()


def test_what_cannot_be_reckoned_is_said_in_its_place(qtbot, tmp_path: Path) -> None:
    folder = write(tmp_path / "earlier", {"larch": 0.25}, documents=2)
    panel = CostPanel()
    qtbot.addWidget(panel)
    panel.reckon(folder, 2)
    qtbot.waitUntil(lambda: "do not show how much documents vary" in panel.answer.text())
    panel.close_worker()
