"""The window: mirrors of a workspace. The only room that knows Qt."""

import builtins

import PySide6.QtCore  # noqa: F401  (it puts an `import` of its own in place)

# Qt's `import` reads the source of each module, to see whether it wants Qt's methods under other
# names. None does, and Python would keep all that was read: 30 MB, and half a second for all views.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
