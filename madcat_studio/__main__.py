"""The front door: ``madcat-studio`` and ``python -m madcat_studio``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Qt is imported only where a window is wanted."""
    from madcat_studio.cli.app import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
