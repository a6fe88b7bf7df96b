"""Builds what is installed without Python: a folder that needs nothing, packed and as a .deb."""
