"""Regions and baselines on the page: shown, drawn, moved, split and named."""
