"""Where a command writes to, as it is typed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["written_to"]


@contextmanager
def written_to(text: str) -> Iterator[Path]:
    """The path that is meant; with a slash at its end it is a folder, which is made if need be.

    Raises:
        WorldError: ``report.folder-not-writable``.
    """
    from madcat_studio.reports.files import prepared_folder

    if not text.endswith(("/", os.sep)):
        yield Path(text)
        return
    with prepared_folder(Path(text)) as folder:
        yield folder
