"""An open document or kit without Qt: execute, undo, redo, save, recover."""

__all__ = [
    "bundle",
    "desk",
    "edit_history",
    "history",
    "kit",
    "kit_source",
    "marking",
    "page",
    "saving",
    "typing",
    "visits",
]
