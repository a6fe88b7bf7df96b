"""One module a step; each is frozen once released."""
