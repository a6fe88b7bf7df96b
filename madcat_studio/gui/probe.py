"""Whether Qt starts here, and on which display: ``python -m madcat_studio.gui.probe``.

A process of its own, since Qt ends the one in which it cannot start.
"""

from __future__ import annotations

import json

from PySide6.QtCore import QCoreApplication, qVersion
from PySide6.QtGui import QGuiApplication

from madcat_studio.gui.app import make_application
from madcat_studio.gui.fonts import arabic_families

__all__ = ["main"]


def main() -> int:
    """Print what Qt found, as JSON; where it cannot start, it says why and ends with 2."""
    if QCoreApplication.instance() is None:
        application = make_application()
        application.setQuitOnLastWindowClosed(False)
    screens = [screen.availableSize() for screen in QGuiApplication.screens()]
    found = {
        "qt": qVersion(),
        "platform": QGuiApplication.platformName(),
        "screens": [f"{size.width()}x{size.height()}" for size in screens],
        "arabic": list(arabic_families()),
    }
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
