"""The kernel: compiled where a compiler worked, in Python where none did."""

from __future__ import annotations

from madcat_studio.scoring.kernel.python import align, move, nist_path

__all__ = ["align", "move", "nist_path"]
