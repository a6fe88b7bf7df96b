"""Rules over documents and campaigns: one rule a function, giving problems."""
