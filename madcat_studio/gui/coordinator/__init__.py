"""The coordinator's views of the window."""
