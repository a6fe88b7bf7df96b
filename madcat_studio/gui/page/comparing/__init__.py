"""Two segmentations of one page in the window, and deciding between them."""
