"""The page: scan, outlines, gestures, and the panels beside them."""
