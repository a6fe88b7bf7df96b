"""Tokens in the window: their text, their links, what the scribe did wrong."""
