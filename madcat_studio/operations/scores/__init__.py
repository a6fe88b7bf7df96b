"""Text against text: scored from files or from a campaign, and reported."""
