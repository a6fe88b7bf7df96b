"""The compiled kernel and its Python twin."""
