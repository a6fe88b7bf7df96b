"""The one protocol by which long work tells how far it is and learns that it should stop.

It is the engine's, so that scoring can be followed and stopped as everything else.
"""

from __future__ import annotations

from madcat_ter.progress import SILENT, Cancelled, Progress, stopper

__all__ = ["SILENT", "Cancelled", "Progress", "stopper"]
