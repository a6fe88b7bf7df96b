"""MADCAT XML and its neighbours: bytes to model and back. The only room that knows lxml."""
