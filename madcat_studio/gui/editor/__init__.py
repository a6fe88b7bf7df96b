"""The kit: an editor's view of the window."""
