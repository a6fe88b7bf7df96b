"""Results as tables, and tables as HTML, XLSX, CSV, JSON and text. No Qt."""
