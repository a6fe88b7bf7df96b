"""Numbers from text: TER, WER, HTER. Imports nothing of ours but errors and progress."""
