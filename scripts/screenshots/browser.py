"""Pictures of written pages, taken by the browser that this machine has."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

__all__ = ["photograph"]

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def photograph(page: Path, size: tuple[int, int], *, dark: bool) -> bytes | None:
    """The top of a page as PNG, as its reader sees it; None where there is no browser."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        return None
    with tempfile.TemporaryDirectory(prefix="madcat-studio-browser-") as folder:
        picture = Path(folder) / "page.png"
        command = [browser, "--headless", "--hide-scrollbars", f"--user-data-dir={folder}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")  # Chromium refuses to start as root otherwise
        if dark:
            command.append("--blink-settings=preferredColorScheme=0")
        command += [f"--window-size={size[0]},{size[1]}", f"--screenshot={picture}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return picture.read_bytes()
