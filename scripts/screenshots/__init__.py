"""Takes the pictures that the documentation shows: ``python -m scripts.screenshots``."""
