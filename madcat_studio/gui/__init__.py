"""The window: mirrors of a workspace. The only room that knows Qt."""

import builtins

import PySide6.QtCore  # noqa: F401  (it puts an `import` of its own in place)

# Qt's `import` reads the source of each module, to see whether it wants Qt's methods under other
# names. None does: it would be a quarter of the work until window and views are there, and 30 MB.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
