"""The generator is no part of the installed program: it is found in the checkout."""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    # At the end: an installed madcat_studio stays the one under test.
    sys.path.append(_ROOT)
