"""What is left of a system that did not become whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.debian import Unavailable, _discard


def test_nothing_is_removed_through_what_is_mounted(tmp_path: Path) -> None:
    root, table = tmp_path / "trixie.new", tmp_path / "mounts"
    kept = root / "proc" / "1"
    kept.parent.mkdir(parents=True)
    kept.write_text("of the machine")
    # Not really mounted, so it cannot be let go.
    table.write_text(f"proc / proc rw 0 0\nproc {root}/proc proc rw 0 0\n")
    with pytest.raises(Unavailable, match="proc is mounted and cannot be let go"):
        _discard(root, table)
    assert kept.read_text() == "of the machine"
    table.write_text(f"proc / proc rw 0 0\nproc {root}2/proc proc rw 0 0\n")
    _discard(root, table)
    assert not root.exists()
