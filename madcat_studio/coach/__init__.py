"""Which changes of an editor's text could be spared, by the engine's own count: pure functions."""
