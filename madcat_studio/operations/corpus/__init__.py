"""From a corpus's files to the values that a campaign keeps."""

__all__ = [
    "from_folders",
    "from_names",
    "intake",
    "outputs",
]
