"""Developers' scripts; nothing here is installed."""
