"""The demo campaign of this user: made at the first “Open the demo”, kept afterwards."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from madcat_studio.progress import Progress

__all__ = ["demo_campaign"]


def demo_campaign(progress: Progress) -> Path:
    """The folder of the demo campaign; what somebody edited in it stays.

    Raises:
        WorldError: the demo's files are not installed, or there is no room for it.
        Cancelled: ``progress`` said so.
    """
    from madcat_studio.operations.demo import make_demo

    target = platformdirs.user_data_path("madcat-studio", appauthor=False) / "demo"
    return make_demo(target, progress=progress).campaign
