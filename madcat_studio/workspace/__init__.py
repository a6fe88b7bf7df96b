"""An open document or kit without Qt: execute, undo, redo, save, recover."""
