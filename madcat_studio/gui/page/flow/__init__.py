"""The page line by line: each as wide as the view, with its tokens under it."""
