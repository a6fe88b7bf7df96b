"""The three scorecards, each from files or from a campaign."""
