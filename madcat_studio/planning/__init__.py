"""Kits, assignments and selections as pure functions."""
