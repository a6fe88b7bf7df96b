"""The window's view of scorecards."""
