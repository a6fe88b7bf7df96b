"""What the mouse and the keys do on a page, one tool a module; the canvas has one at a time."""
