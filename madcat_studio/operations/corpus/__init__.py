"""From a corpus's files to the values that a campaign keeps."""
