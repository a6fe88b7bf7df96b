"""Pages: checked, converted, compared, cut, marked anew, and worked on in a queue."""
