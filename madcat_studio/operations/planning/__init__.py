"""Who edits what: passages chosen, kits and teams planned, by tables or by hand."""
