"""Where the bundled program begins. There its Python is the program itself.

So it does for what it starts of itself: processes of ``multiprocessing``, and its own modules by
``-m``.
"""

from __future__ import annotations

import multiprocessing
import runpy
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.argv[1:2] == ["-m"] and sys.argv[2:3] and sys.argv[2].startswith("madcat_studio."):
        module = sys.argv[2]
        del sys.argv[1:2]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        from madcat_studio.__main__ import main

        main()
