"""Takes the pictures of the window: ``python3 run.py screenshots [NAME ...]``."""

from __future__ import annotations

import sys

from madcat_studio.gui.screenshots import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
