"""The kernel: compiled where a compiler worked, in Python where none did."""

from __future__ import annotations

from madcat_studio.scoring.kernel.python import align, move

__all__ = ["align", "move"]
