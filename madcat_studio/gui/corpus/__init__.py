"""The window's view of a corpus that is planned: quotas, who copies what, what has come in."""
