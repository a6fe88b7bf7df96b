"""The store on each version of PostgreSQL that the program is held to; see `postgresql.py`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import debian
from tests.soak import postgresql
from tests.soak.postgresql import DEBIAN, Programs, programs, version_of

TESTS = Path(__file__).resolve().parents[1]

# It is a run of its own, of an hour.
_ELSEWHERE = "tests/store/test_hostile_editor.py::test_a_hostile_editor_stops_nobody_for_long"


@pytest.mark.soak
@pytest.mark.parametrize("version", list(DEBIAN))
def test_the_store_on_postgresql(
    version: str, record_property: Callable[[str, object], None]
) -> None:
    assert version_of(programs(version)) == version  # where it is missing, this fails
    command = [sys.executable, "-m", "pytest", "-q", "-m", "postgresql", f"--deselect={_ELSEWHERE}"]
    done = subprocess.run(
        [*command, "tests/store", "tests/gui/editor/test_real_faults.py"],
        check=False,
        cwd=TESTS.parent,
        env={
            **os.environ,
            "MADCAT_STUDIO_POSTGRESQL": version,
            "MADCAT_STUDIO_REQUIRE_POSTGRESQL": "1",
            # Its examples are those of every day.
            "HYPOTHESIS_PROFILE": "repeatable",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=7200,
    )
    assert done.returncode == 0, done.stdout[-10000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    record_property("tests that passed", int(passed[1]))


def test_a_version_that_cannot_be_had_is_no_reason_to_skip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "CACHE", tmp_path)
    monkeypatch.setattr(postgresql, "installed", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(debian.Unavailable, match="postgresql-17 is not here"):
        programs("17")
    broken = tmp_path / "postgresql-17"
    broken.mkdir()
    with pytest.raises(debian.Unavailable, match="remove that folder"):
        programs("17")


def test_programs_of_another_system_run_within_it(tmp_path: Path) -> None:
    found = Programs(Path("/usr/lib/postgresql/17/bin"), tmp_path)
    command = found.command("initdb", "-N")
    assert command[-2:] == ["/usr/lib/postgresql/17/bin/initdb", "-N"]
    assert command[:3] == ["chroot", "--userspec=postgres:postgres", str(tmp_path)]
