"""A screen reader at a kit, from end to end: the real program on a display, read over the bus."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.model.campaign import Pass
from madcat_studio.operations.campaign.kit_files import export_kit
from tests.gui.campaigns import OUTPUTS, make_campaign
from tests.soak.needs import need, need_of_system_python

READER = Path(__file__).parent / "screen_reader.py"

# The bus is started by whoever asks for it first; a program looks for it when it starts.
TOGETHER = """
"$3" -c 'import pyatspi; pyatspi.Registry.getDesktop(0).childCount'
"$1" -m madcat_studio open "$2" & program=$!
trap 'kill $program; wait $program' EXIT
"$3" "$4" $program
"""


@pytest.mark.soak
def test_a_screen_reader_edits_a_kit(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Texts, sentences of changes, events, and a change taken back by pressing its sentence."""
    need("xvfb-run", "dbus-run-session")
    system_python = need_of_system_python("pyatspi")
    kit = tmp_path / "K1.madcat-kit"
    make_campaign(tmp_path / "campaign")
    export_kit(str(tmp_path / "campaign"), "K1", "red", Pass.FIRST, "red1", kit)
    home = tmp_path / "home"
    home.mkdir()
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "DBUS_", "QT_"))
    }
    surroundings |= {
        "HOME": str(home),
        "QT_QPA_PLATFORM": "xcb",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "PYTHONFAULTHANDLER": "1",
    }
    together = ["bash", "-c", TOGETHER, "bash", sys.executable, str(kit), system_python]
    done = subprocess.run(
        ["xvfb-run", "-a", "dbus-run-session", "--", *together, str(READER)],
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    moved = "moved “on Monday” 3 words to the right"
    assert told == {
        "reference": "The mayor opened the new bridge on Monday.",
        "word": "mayor",
        "output": "The mayor opened on Monday the new bridge.",
        "rows": [
            ["1, K1.01/1, untouched", OUTPUTS["s1"]],
            ["2, K1.01/2, untouched", OUTPUTS["s2"]],
            ["3, K1.01/3, untouched", OUTPUTS["s3"]],
            ["4, K1.01/4, no output", ""],
            ["5, K1.01/5, untouched", OUTPUTS["s5"]],
        ],
        "changes": [moved],
        "heard": moved,
        "has a place": True,
        "action": "Press",
        "after pressing": "The mayor opened on Monday the new bridge.",
    }
    assert "Segmentation" not in done.stderr
    record_property("heard", told["heard"])
