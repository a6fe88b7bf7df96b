"""Settling between several annotators of one page."""
