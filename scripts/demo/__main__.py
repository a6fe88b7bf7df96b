"""``python -m scripts.demo [FOLDER]``: make the demo campaign, in resources/demo by default."""

from __future__ import annotations

import sys
from pathlib import Path

from madcat_studio.errors import StudioError
from scripts.demo.build import build


def main() -> int:
    """Build into the folder that the command line names."""
    default = Path(__file__).resolve().parents[2] / "resources" / "demo"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    try:
        build(folder, print)
    except StudioError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
