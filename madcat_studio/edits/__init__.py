"""One frozen dataclass an edit, with its inverse. No Qt, no XML."""
