"""A campaign: set up, filled, followed, kept and given out as files."""
