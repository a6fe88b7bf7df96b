"""What is done to whole pages: derive, compare, order."""
