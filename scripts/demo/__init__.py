"""Makes the demo campaign in resources/demo/ from plain texts: ``python -m scripts.demo``."""
