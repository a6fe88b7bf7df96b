"""The queue of pages in the window."""
