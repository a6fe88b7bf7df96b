"""Marking a page from its transcript, in the window."""
